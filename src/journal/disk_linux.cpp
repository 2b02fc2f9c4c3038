// SPDX-License-Identifier: MIT
// Linux's own calls: kinds of file systems, and the time since the machine was started.
#include "affix/journal/disk.hpp"

#include "journal/hexadecimal.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <linux/magic.h>
#include <string_view>
#include <sys/statfs.h>
#include <sys/utsname.h>
#include <system_error>
#include <unistd.h>

namespace affix::inline v0::journal {

namespace {

/// Since Linux 5.8 syncfs() reports a failed write. A layered file system does not report failures
/// of the layer below it, so this lists file systems without layers.
bool reports_failed_writes(int file) noexcept {
  struct utsname system{};
  struct statfs status{};
  if (uname(&system) != 0 || fstatfs(file, &status) != 0) {
    return false;
  }
  int major = 0;
  int minor = 0;
  const char* const end = system.release + std::strlen(system.release);
  const std::from_chars_result dot = std::from_chars(system.release, end, major);
  if (dot.ptr != end) {
    std::from_chars(dot.ptr + 1, end, minor);
  }
  const auto kind = static_cast<std::uint32_t>(status.f_type);
  return (major > 5 || (major == 5 && minor >= 8)) &&
         (kind == EXT4_SUPER_MAGIC || kind == XFS_SUPER_MAGIC || kind == BTRFS_SUPER_MAGIC ||
          kind == TMPFS_MAGIC);
}

/// Bytes of all file systems in memory that are not on a disk yet; the maximum if the system does
/// not report it.
std::uint64_t unwritten_bytes() noexcept {
  const int file = ::open("/proc/meminfo", O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return UINT64_MAX;
  }
  char text[4096];
  const ssize_t size = ::read(file, text, sizeof(text));
  ::close(file);
  const std::string_view all(text, size > 0 ? static_cast<std::size_t>(size) : 0);
  constexpr std::string_view name = "\nDirty:";
  const std::size_t at = all.find(name);
  const std::size_t digits =
      at == std::string_view::npos ? at : all.find_first_not_of(' ', at + name.size());
  std::uint64_t kilobytes = 0;
  if (digits == std::string_view::npos ||
      std::from_chars(all.data() + digits, all.data() + all.size(), kilobytes).ec != std::errc{}) {
    return UINT64_MAX;
  }
  return kilobytes * 1024;
}

}  // namespace

int Disk::sync_file_system(int file, const std::string& /*directory*/,
                           std::uint64_t worth_bytes) noexcept {
  if (!reports_failed_writes(file) || unwritten_bytes() > worth_bytes) {
    return EOPNOTSUPP;
  }
  return syncfs(file) == 0 ? 0 : errno;
}

BootId Disk::boot_id() noexcept {
  BootId id;
  const int file = ::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return id;
  }
  char text[40] = {};
  const ssize_t size = ::read(file, text, sizeof(text));
  ::close(file);
  read_hexadecimal({text, size > 0 ? static_cast<std::size_t>(size) : 0}, id.bytes);
  return id;
}

}  // namespace affix::inline v0::journal
