// SPDX-License-Identifier: MIT
// The directory of one history's files.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace affix::simulation {

/// A directory in memory if possible; others work, more slowly.
class Scratch {
 public:
  Scratch() {
    const char* const wanted = std::getenv("TMPDIR");
    const std::string below = wanted != nullptr                        ? wanted
                              : ::access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm"
                                                                       : "/tmp";
    std::string pattern = below + "/affix-simulate-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) {
      std::perror(pattern.c_str());
      std::exit(2);
    }
    path_ = pattern;
  }

  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  ~Scratch() { clear(); }

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  void clear() const {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

 private:
  std::string path_;
};

}  // namespace affix::simulation
