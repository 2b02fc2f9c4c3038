// SPDX-License-Identifier: MIT
// A file with the process id, whose lock prevents a second process with the same file.
#pragma once

#include "affix/base/error.hpp"
#include "affix/os/file_descriptor.hpp"

#include <expected>
#include <string>

namespace affix::inline v0::service {

/// Holds the file locked during its lifetime, then removes it. Takes over a file that a killed
/// process left.
class PidFile {
 public:
  /// An empty path makes no file. Locked: a running process has it; the message has its process id.
  [[nodiscard]] static std::expected<PidFile, base::Error> open(const std::string& path);

  PidFile(PidFile&& other) noexcept;
  PidFile& operator=(PidFile&&) = delete;
  ~PidFile();

 private:
  PidFile(std::string path, os::FileDescriptor file) noexcept
      : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;
  os::FileDescriptor file_;
};

}  // namespace affix::inline v0::service
