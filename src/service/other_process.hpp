// SPDX-License-Identifier: MIT
// Another process, by a descriptor of it: once it has ended, its number may be another one's.
#pragma once

#include "affix/os/file_descriptor.hpp"

#include <optional>
#include <sys/types.h>

namespace affix::inline v0::service {

/// Move only. Make it while the number is known to be that of the process which is meant: a child
/// that was not waited for, or one that has just been heard of.
class OtherProcess {
 public:
  /// None.
  OtherProcess() noexcept = default;

  explicit OtherProcess(pid_t number) noexcept;

  /// 0: none.
  [[nodiscard]] pid_t number() const noexcept { return number_; }

  /// True also for a child that was not waited for.
  [[nodiscard]] bool has_ended() const noexcept;

  /// Nothing happens if it has ended, or if it is another user's. With a value: as of sigqueue(),
  /// where the system has that.
  void signal(int signal, std::optional<int> value = std::nullopt) const noexcept;

 private:
  pid_t number_ = 0;
  bool has_gone_ = false;
  os::FileDescriptor descriptor_;
};

}  // namespace affix::inline v0::service
