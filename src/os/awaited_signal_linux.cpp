// SPDX-License-Identifier: MIT
// One system call.
#include "affix/base/time.hpp"

#include "os/awaited_signal.hpp"

#include <ctime>

namespace affix::inline v0::os {

bool await_signal(const sigset_t& signals, siginfo_t& taken, std::int64_t wait_ns) noexcept {
  const timespec wait{.tv_sec = wait_ns / base::ns_per_second,
                      .tv_nsec = wait_ns % base::ns_per_second};
  return ::sigtimedwait(&signals, &taken, &wait) > 0;
}

}  // namespace affix::inline v0::os
