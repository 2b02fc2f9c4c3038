// SPDX-License-Identifier: MIT
// Another process, by a descriptor of it: once it has ended, its number may be another one's.
#pragma once

#include "affix/os/file_descriptor.hpp"

#include <cerrno>
#include <csignal>
#include <optional>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

namespace affix::inline v0::service {

/// Move only. Make it while the number is known to be that of the process which is meant: a child
/// that was not waited for, or one that has just been heard of.
class OtherProcess {
 public:
  /// None.
  OtherProcess() noexcept = default;

  explicit OtherProcess(pid_t number) noexcept
      : number_(number), descriptor_(static_cast<int>(::syscall(SYS_pidfd_open, number, 0))) {
    has_gone_ = !descriptor_.is_open() && errno == ESRCH;
  }

  /// 0: none.
  [[nodiscard]] pid_t number() const noexcept { return number_; }

  /// True also for a child that was not waited for.
  [[nodiscard]] bool has_ended() const noexcept {
    if (number_ == 0 || has_gone_) {
      return true;
    }
    pollfd end{.fd = descriptor_.number(), .events = POLLIN, .revents = 0};
    return descriptor_.is_open() ? ::poll(&end, 1, 0) == 1 : ::kill(number_, 0) != 0;
  }

  /// Nothing happens if it has ended, or if it is another user's. With a value: as of sigqueue().
  void signal(int signal, std::optional<int> value = std::nullopt) const noexcept {
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
      static_cast<void>(::syscall(SYS_pidfd_send_signal, descriptor_.number(), signal,
                                  value ? &info : nullptr, 0));
    } else if (value) {  // A kernel before 5.3.
      static_cast<void>(::sigqueue(number_, signal, info.si_value));
    } else {
      static_cast<void>(::kill(number_, signal));
    }
  }

 private:
  pid_t number_ = 0;
  bool has_gone_ = false;
  os::FileDescriptor descriptor_;
};

}  // namespace affix::inline v0::service
