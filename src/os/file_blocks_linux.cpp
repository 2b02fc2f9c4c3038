// SPDX-License-Identifier: MIT
// Linux's calls for a range of a file.
#include "os/file_blocks.hpp"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace affix::inline v0::os {

int allocate_blocks(int file, std::uint64_t from, std::uint64_t bytes) noexcept {
  int error_number = 0;
  do {
    error_number = ::posix_fallocate(file, static_cast<off_t>(from), static_cast<off_t>(bytes));
  } while (error_number == EINTR);
  return error_number;
}

int flush_contents(int file) noexcept {
  return ::fdatasync(file) == 0 ? 0 : errno;
}

int flush_all(int file) noexcept {
  return ::fsync(file) == 0 ? 0 : errno;
}

void begin_flush(int file, std::uint64_t from, std::uint64_t bytes) noexcept {
  static_cast<void>(::sync_file_range(file, static_cast<off_t>(from), static_cast<off_t>(bytes),
                                      SYNC_FILE_RANGE_WRITE));
}

void drop_cached(int file, std::uint64_t from, std::uint64_t bytes) noexcept {
  static_cast<void>(::posix_fadvise(file, static_cast<off_t>(from), static_cast<off_t>(bytes),
                                    POSIX_FADV_DONTNEED));
}

void expect_single_reads(int file) noexcept {
  static_cast<void>(::posix_fadvise(file, 0, 0, POSIX_FADV_RANDOM));
}

}  // namespace affix::inline v0::os
