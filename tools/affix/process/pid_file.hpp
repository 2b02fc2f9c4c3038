// SPDX-License-Identifier: MIT
// A file with the process's number, which also keeps a second process of the same file out.
#pragma once

#include "affix/base/error.hpp"

#include <expected>
#include <string>

namespace affix::inline v0::tools {

/// Holds the file locked while it lives, and removes it then. A file that a killed process left
/// behind is taken over.
class PidFile {
 public:
  /// An empty path makes none. Locked: a process that runs has it; the message names its number.
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

}  // namespace affix::inline v0::tools
