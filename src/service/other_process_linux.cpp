// SPDX-License-Identifier: MIT
// By a descriptor of the process, so that no other process is meant that has got its number.
#include "service/other_process.hpp"

#include <cerrno>
#include <csignal>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace affix::inline v0::service {

OtherProcess::OtherProcess(pid_t number) noexcept
    : number_(number), descriptor_(static_cast<int>(::syscall(SYS_pidfd_open, number, 0))) {
  has_gone_ = !descriptor_.is_open() && errno == ESRCH;
}

bool OtherProcess::has_ended() const noexcept {
  if (number_ == 0 || has_gone_) {
    return true;
  }
  pollfd end{.fd = descriptor_.number(), .events = POLLIN, .revents = 0};
  return descriptor_.is_open() ? ::poll(&end, 1, 0) == 1 : ::kill(number_, 0) != 0;
}

void OtherProcess::signal(int signal, std::optional<int> value) const noexcept {
  if (number_ == 0 || has_gone_) {
    return;
  }
  siginfo_t info{};
  info.si_signo = signal;
  info.si_code = value ? SI_QUEUE : SI_USER;
  info.si_pid = ::getpid();
  info.si_uid = ::getuid();
  info.si_value.sival_int = value.value_or(0);
  if (descriptor_.is_open()) {
    static_cast<void>(
        ::syscall(SYS_pidfd_send_signal, descriptor_.number(), signal, value ? &info : nullptr, 0));
  } else if (value) {  // A kernel before 5.3.
    static_cast<void>(::sigqueue(number_, signal, info.si_value));
  } else {
    static_cast<void>(::kill(number_, signal));
  }
}

}  // namespace affix::inline v0::service
