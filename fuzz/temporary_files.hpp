// SPDX-License-Identifier: MIT
// Files for fuzz targets whose subject reads files.
#pragma once

#include "program_input.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace affix_fuzz {

/// One directory, in memory if the system allows it, removed with this object. A target keeps one
/// for its process, as making it costs more than an input.
class Directory {
 public:
  Directory() { require(::mkdtemp(path_.data()) != nullptr); }

  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  ~Directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_ =
      ::access("/dev/shm", W_OK) == 0 ? "/dev/shm/affix-fuzz-XXXXXX" : "/tmp/affix-fuzz-XXXXXX";
};

/// Replaces the file's contents with these bytes.
inline void write_file(const std::string& path, std::string_view bytes) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  require(file != nullptr);
  require(std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size());
  std::fclose(file);
}

}  // namespace affix_fuzz
