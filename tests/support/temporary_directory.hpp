// SPDX-License-Identifier: MIT
// A directory for files that a test, a fuzz target or a benchmark writes.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace affix::support {

/// A directory that is removed with this object. If it cannot be made, the program ends.
class TemporaryDirectory {
 public:
  /// Memory: if the system allows it, for files of which the disk is not the subject: hundreds that
  /// each wait for a busy disk would be slow.
  enum class On : std::uint8_t { Disk, Memory };

  explicit TemporaryDirectory(On on = On::Disk) {
    const bool memory = on == On::Memory && ::access("/dev/shm", W_OK) == 0;
    const std::filesystem::path parent =
        memory ? "/dev/shm" : std::filesystem::temp_directory_path();
    path_ = (parent / "affix-test-XXXXXX").string();
    if (::mkdtemp(path_.data()) == nullptr) {
      std::perror(path_.c_str());
      std::exit(2);
    }
  }

  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::string& path() const { return path_; }

  [[nodiscard]] std::string path(std::string_view name) const {
    return path_ + "/" + std::string(name);
  }

 private:
  std::string path_;
};

}  // namespace affix::support
