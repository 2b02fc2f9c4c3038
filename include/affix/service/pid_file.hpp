// SPDX-License-Identifier: MIT
// A file with the process id, whose lock prevents a second process with the same file.
#pragma once

#include "affix/base/error.hpp"

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
  PidFile(const PidFile&) = delete;
  PidFile& operator=(const PidFile&) = delete;
  ~PidFile();

 private:
  PidFile(std::string path, int descriptor) noexcept
      : path_(std::move(path)), descriptor_(descriptor) {}

  std::string path_;
  int descriptor_;
};

}  // namespace affix::inline v0::service
