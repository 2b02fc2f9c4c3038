// SPDX-License-Identifier: MIT
// The time since the machine was started, by macOS.
#include "affix/journal/disk.hpp"

#include "journal/hexadecimal.hpp"

#include <cerrno>
#include <sys/sysctl.h>
#include <sys/types.h>

namespace affix::inline v0::journal {

int Disk::sync_file_system(int /*file*/, const std::string& /*directory*/,
                           std::uint64_t /*worth_bytes*/) noexcept {
  return EOPNOTSUPP;  // No call flushes a file system and reports failed writes.
}

BootId Disk::boot_id() noexcept {
  BootId id;
  char text[64] = {};
  std::size_t size = sizeof(text) - 1;
  if (::sysctlbyname("kern.bootsessionuuid", text, &size, nullptr, 0) != 0) {
    return id;
  }
  read_hexadecimal({text, size}, id.bytes);
  return id;
}

}  // namespace affix::inline v0::journal
