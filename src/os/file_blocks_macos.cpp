// SPDX-License-Identifier: MIT
// fcntl()'s commands for files. fsync() of macOS leaves what it writes in the disk's own cache.
#include "os/file_blocks.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace affix::inline v0::os {

int allocate_blocks(int file, std::uint64_t from, std::uint64_t bytes) noexcept {
  struct stat status{};
  if (::fstat(file, &status) != 0) {
    return errno;
  }
  const auto end = static_cast<off_t>(from + bytes);
  const off_t allocated = static_cast<off_t>(status.st_blocks) * S_BLKSIZE;
  if (end > allocated) {
    // From the end of what is allocated, which is the only place that this system knows.
    fstore_t wanted{};
    wanted.fst_flags = F_ALLOCATEALL;
    wanted.fst_posmode = F_PEOFPOSMODE;
    wanted.fst_length = end - allocated;
    // Some file systems have no such command: there a full disk is met by the store.
    if (::fcntl(file, F_PREALLOCATE, &wanted) != 0 && errno != ENOTSUP && errno != EINVAL) {
      return errno;
    }
  }
  if (status.st_size < end && ::ftruncate(file, end) != 0) {
    return errno;
  }
  return 0;
}

int flush_contents(int file) noexcept {
  return flush_all(file);
}

int flush_all(int file) noexcept {
  if (::fcntl(file, F_FULLFSYNC) == 0) {
    return 0;
  }
  // Not every file system has it.
  return ::fsync(file) == 0 ? 0 : errno;
}

void begin_flush(int /*file*/, std::uint64_t /*from*/, std::uint64_t /*bytes*/) noexcept {}

void drop_cached(int /*file*/, std::uint64_t /*from*/, std::uint64_t /*bytes*/) noexcept {}

void expect_single_reads(int file) noexcept {
  static_cast<void>(::fcntl(file, F_RDAHEAD, 0));
}

}  // namespace affix::inline v0::os
