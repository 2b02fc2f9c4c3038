// SPDX-License-Identifier: MIT
// Locks of open files, which Linux and macOS have.
#include "os/file_lock.hpp"

#include <cerrno>
#include <fcntl.h>

namespace affix::inline v0::os {

namespace {

struct ::flock whole_file() noexcept {
  struct ::flock lock{};
  lock.l_type = F_WRLCK;
  return lock;
}

}  // namespace

int lock_file(int file) noexcept {
  struct ::flock lock = whole_file();
  return ::fcntl(file, F_OFD_SETLK, &lock) == 0 ? 0 : errno;
}

bool is_locked(int file) noexcept {
  struct ::flock lock = whole_file();
  return ::fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

}  // namespace affix::inline v0::os
