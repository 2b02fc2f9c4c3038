// SPDX-License-Identifier: MIT
// macOS has no call that waits for a signal and a time: looks for a pending one again and again.
#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"

#include "os/awaited_signal.hpp"

#include <algorithm>
#include <ctime>

namespace affix::inline v0::os {

namespace {

/// Which of `signals` is pending; 0: none.
int pending_of(const sigset_t& signals) noexcept {
  sigset_t pending;
  if (::sigpending(&pending) != 0) {
    return 0;
  }
  for (int signal = 1; signal < NSIG; ++signal) {
    if (sigismember(&signals, signal) == 1 && sigismember(&pending, signal) == 1) {
      return signal;
    }
  }
  return 0;
}

}  // namespace

bool await_signal(const sigset_t& signals, siginfo_t& taken, std::int64_t wait_ns) noexcept {
  constexpr std::int64_t look_ns = 5 * base::ns_per_ms;
  const std::int64_t end_ns = read_clock_ns(CLOCK_MONOTONIC) + wait_ns;
  for (;;) {
    if (const int signal = pending_of(signals); signal != 0) {
      sigset_t one;
      sigemptyset(&one);
      sigaddset(&one, signal);
      int number = 0;
      if (::sigwait(&one, &number) == 0) {
        taken = siginfo_t{};
        taken.si_signo = number;
        taken.si_code = SI_USER;
        return true;
      }
    }
    const std::int64_t left_ns = end_ns - read_clock_ns(CLOCK_MONOTONIC);
    if (left_ns <= 0) {
      return false;
    }
    const timespec pause{.tv_sec = 0, .tv_nsec = std::min(left_ns, look_ns)};
    static_cast<void>(::nanosleep(&pause, nullptr));
  }
}

}  // namespace affix::inline v0::os
