// SPDX-License-Identifier: MIT
// What macOS says of the time since the machine was started.
#include "affix/journal/disk.hpp"

#include <cerrno>
#include <charconv>
#include <sys/sysctl.h>
#include <sys/types.h>
#include <system_error>

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
  std::size_t nibble = 0;
  for (std::size_t at = 0; at < size && nibble < 2 * sizeof(id.bytes); ++at) {
    std::uint8_t value = 0;
    if (std::from_chars(text + at, text + at + 1, value, 16).ec != std::errc{}) {
      continue;
    }
    std::uint8_t& byte = id.bytes[nibble / 2];
    byte = static_cast<std::uint8_t>((byte << 4) | value);
    ++nibble;
  }
  return id;
}

}  // namespace affix::inline v0::journal
