// SPDX-License-Identifier: MIT
// The disk's functions that Linux and macOS share.
#include "affix/journal/disk.hpp"

#include "journal/let_go.hpp"
#include "os/file_blocks.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace affix::inline v0::journal {

int Disk::open_file(const std::string& path, int flags, int& file) noexcept {
  file = ::open(path.c_str(), flags | O_CLOEXEC, 0640);
  return file < 0 ? errno : 0;
}

int Disk::allocate(int file, const std::string& /*path*/, std::uint64_t bytes) noexcept {
  return os::allocate_blocks(file, 0, bytes);
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
  return os::flush_contents(file);
}

void Disk::begin_sync(const std::string& path) noexcept {
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  struct stat status{};
  if (file < 0 || fstat(file, &status) != 0) {
    status.st_size = 0;
  }
  const auto end = static_cast<std::uint64_t>(status.st_size);
  for (std::uint64_t at = 0; at < end; at += let_go_of_in_a_step) {
    os::begin_flush(file, at, let_go_of_in_a_step);
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
  const int error_number = os::flush_all(file);
  ::close(file);
  return error_number;
}

int Disk::rename(const std::string& from, const std::string& to) noexcept {
  return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

int Disk::remove(const std::string& path) noexcept {
  return unlink(path.c_str()) == 0 || errno == ENOENT ? 0 : errno;
}

}  // namespace affix::inline v0::journal
