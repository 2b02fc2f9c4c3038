// SPDX-License-Identifier: MIT
// The disk of a POSIX system.
#include "affix/journal/disk.hpp"

#include "affix/os/clock.hpp"

#include "journal/let_go.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/utsname.h>
#include <system_error>
#include <unistd.h>
#include <vector>

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

int Disk::open_file(const std::string& path, int flags, int& file) noexcept {
  file = ::open(path.c_str(), flags | O_CLOEXEC, 0640);
  return file < 0 ? errno : 0;
}

int Disk::allocate(int file, const std::string& /*path*/, std::uint64_t bytes) noexcept {
  int error_number = 0;
  do {
    error_number = posix_fallocate(file, 0, static_cast<off_t>(bytes));
  } while (error_number == EINTR);
  return error_number;
}

int Disk::map(int file, const std::string& /*path*/, std::size_t bytes, MapKind kind,
              char*& at) noexcept {
  const int protection = kind == MapKind::ReadOnly ? PROT_READ : PROT_READ | PROT_WRITE;
  const int flags = kind == MapKind::Private ? MAP_PRIVATE : MAP_SHARED;
  void* const mapped = mmap(nullptr, bytes, protection, flags, file, 0);
  if (mapped == MAP_FAILED) {
    return errno;
  }
  at = static_cast<char*>(mapped);
  return 0;
}

int Disk::write(int file, const std::string& /*path*/, std::string_view bytes,
                std::uint64_t offset) noexcept {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return written < 0 ? errno : EIO;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
  return 0;
}

int Disk::sync_file(int file, const std::string& /*path*/) noexcept {
  return fdatasync(file) == 0 ? 0 : errno;
}

void Disk::begin_sync(const std::string& path) noexcept {
  constexpr auto step = static_cast<off_t>(let_go_of_in_a_step);
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  struct stat status{};
  if (file < 0 || fstat(file, &status) != 0) {
    status.st_size = 0;
  }
  for (off_t at = 0; at < status.st_size; at += step) {
    sync_file_range(file, at, step, SYNC_FILE_RANGE_WRITE);
  }
  if (file >= 0) {
    ::close(file);
  }
}

int Disk::sync_mapping(const std::string& /*path*/, char* base, std::size_t begin,
                       std::size_t end) noexcept {
  return msync(base + begin, end - begin, MS_SYNC) == 0 ? 0 : errno;
}

int Disk::sync_directory(const std::string& directory) noexcept {
  const int file = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) {
    return errno;
  }
  const int error_number = fsync(file) == 0 ? 0 : errno;
  ::close(file);
  return error_number;
}

int Disk::sync_file_system(int file, const std::string& /*directory*/,
                           std::uint64_t worth_bytes) noexcept {
  if (!reports_failed_writes(file) || unwritten_bytes() > worth_bytes) {
    return EOPNOTSUPP;
  }
  return syncfs(file) == 0 ? 0 : errno;
}

int Disk::rename(const std::string& from, const std::string& to) noexcept {
  return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

int Disk::remove(const std::string& path) noexcept {
  return unlink(path.c_str()) == 0 || errno == ENOENT ? 0 : errno;
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
  std::size_t nibble = 0;
  for (ssize_t at = 0; at < size && nibble < 32; ++at) {
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

base::Now Disk::now() noexcept {
  return os::now();
}

namespace {

constinit Disk the_system;

}  // namespace

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
