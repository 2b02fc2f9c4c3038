// SPDX-License-Identifier: MIT
// Shows whether a journal can reuse the files of old segments in a directory, and counts how often
// it did.
#pragma once

#include "affix/journal/disk.hpp"
#include "affix/os/file_descriptor.hpp"

#include "journal/sole_owner.hpp"

#include <atomic>
#include <cstdint>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace affix::support {

/// False for layered file systems, as in containers, and for copy-on-write ones: a journal there
/// makes new files, and a test of reuse finds none.
inline bool overwrites_in_place(const std::string& directory) {
  const std::string path = directory + "/probe-of-reuse";
  const os::FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  const bool alone = file.is_open() && journal::is_ours_alone(file.number(), 0);
  static_cast<void>(::unlink(path.c_str()));
  return alone;
}

/// The system's disk, which counts in `used_again` the files that were reused as segments.
class ReuseCountingDisk final : public journal::Disk {
 public:
  explicit ReuseCountingDisk(std::atomic<std::uint64_t>& used_again) : used_again_(used_again) {}

  int rename(const std::string& from, const std::string& to) noexcept override {
    const int error_number = Disk::rename(from, to);
    used_again_ += error_number == 0 && from.ends_with("/spare") ? 1U : 0U;
    return error_number;
  }

 private:
  std::atomic<std::uint64_t>& used_again_;
};

}  // namespace affix::support
