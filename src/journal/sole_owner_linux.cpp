// SPDX-License-Identifier: MIT
// Asks for a write lease: the system grants one only for a file that no other process has open or
// mapped. The lease is given back at once. A process that opens the file in that instant waits for
// it; the signal that reports this is set to SIGURG, which is ignored by default, as the usual one
// would end the process.
#include "journal/sole_owner.hpp"

#include <cstdint>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <utility>

namespace affix::inline v0::journal {

namespace {

/// File systems known to overwrite written blocks in place, so that a store needs no space, and to
/// count a mapped file as open. Layered file systems do not count mappings, and copy-on-write ones
/// allocate new blocks.
bool overwrites_in_place(int file) noexcept {
  struct statfs status{};
  if (fstatfs(file, &status) != 0) {
    return false;
  }
  const auto kind = static_cast<std::uint32_t>(status.f_type);
  return kind == EXT4_SUPER_MAGIC || kind == XFS_SUPER_MAGIC || kind == TMPFS_MAGIC;
}

}  // namespace

bool is_ours_alone(int file, std::size_t bytes) noexcept {
  struct stat status{};
  if (fstat(file, &status) != 0 || status.st_nlink != 1 ||
      std::cmp_not_equal(status.st_size, bytes) || !overwrites_in_place(file) ||
      fcntl(file, F_SETSIG, SIGURG) != 0 || fcntl(file, F_SETLEASE, F_WRLCK) != 0) {
    return false;
  }
  return fcntl(file, F_SETLEASE, F_UNLCK) == 0;
}

}  // namespace affix::inline v0::journal
