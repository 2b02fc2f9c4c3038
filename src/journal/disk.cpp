// SPDX-License-Identifier: MIT
// The disk of the system, and directories on a disk.
#include "affix/journal/disk.hpp"

#include "affix/os/clock.hpp"

#include <filesystem>
#include <system_error>
#include <vector>

namespace affix::inline v0::journal {

namespace {

constinit Disk the_system;

}  // namespace

base::Now Disk::now() noexcept {
  return os::now();
}

Disk& system_disk() noexcept {
  return the_system;
}

int make_directories(Disk& disk, const std::string& directory) noexcept {
  std::error_code failure;
  std::vector<std::filesystem::path> missing;
  for (std::filesystem::path at = directory; !at.empty() && !std::filesystem::exists(at, failure);
       at = at.parent_path()) {
    missing.push_back(at);
  }
  // From the outermost on, so that one whose name did not get to the disk is made again later.
  for (; !missing.empty(); missing.pop_back()) {
    const std::filesystem::path& one = missing.back();
    if (!std::filesystem::create_directory(one, failure)) {
      if (failure) {
        return failure.value();
      }
      continue;  // Another process made it, or the path ends with a slash.
    }
    const std::string parent = one.parent_path().string();
    if (const int error_number = disk.sync_directory(parent.empty() ? "." : parent);
        error_number != 0) {
      std::filesystem::remove(one, failure);
      return error_number;
    }
  }
  return 0;
}

}  // namespace affix::inline v0::journal
