// SPDX-License-Identifier: MIT
// An owned file descriptor.
#pragma once

#include <unistd.h>
#include <utility>

namespace affix::inline v0::os {

/// Owns one descriptor and closes it. Move only. One thread at a time.
class FileDescriptor {
 public:
  /// Owns none.
  FileDescriptor() noexcept = default;

  /// Takes ownership of `number`, the result of a system call; negative: none.
  explicit FileDescriptor(int number) noexcept : number_(number) {}

  /// `other` owns none afterwards.
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

  /// Closes its own descriptor; `other` owns none afterwards.
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    FileDescriptor former(std::exchange(number_, std::exchange(other.number_, -1)));
    return *this;
  }

  ~FileDescriptor() {
    if (number_ >= 0) {
      // Linux has released the descriptor even when close() reports an error.
      static_cast<void>(::close(number_));
    }
  }

  /// For system calls; negative: there is none. It stays this object's.
  [[nodiscard]] int number() const noexcept { return number_; }

  [[nodiscard]] bool is_open() const noexcept { return number_ >= 0; }

  /// Releases it to the caller, who must close it.
  [[nodiscard]] int release() noexcept { return std::exchange(number_, -1); }

 private:
  int number_ = -1;
};

}  // namespace affix::inline v0::os
