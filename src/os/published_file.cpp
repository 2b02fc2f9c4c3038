// SPDX-License-Identifier: MIT
// Creates, locks and publishes a file that other processes map.
#include "os/published_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace affix::inline v0::os {

namespace {

/// A lock of an open file ends with the process in any case, and works across process namespaces.
struct ::flock whole_file() noexcept {
  struct ::flock lock{};
  lock.l_type = F_WRLCK;
  return lock;
}

}  // namespace

std::expected<PublishedFile, base::Error> PublishedFile::create(const std::string& path,
                                                                const char* in_use) {
  if (const FileDescriptor former(::open(path.c_str(), O_RDONLY | O_CLOEXEC)); former.is_open()) {
    struct ::flock held = whole_file();
    if (::fcntl(former.number(), F_OFD_GETLK, &held) == 0 && held.l_type != F_UNLCK) {
      return std::unexpected(base::Error{base::ErrorCode::Locked, in_use, path, "E110"});
    }
  }
  // Uses another name until the file is complete, so that readers never see a partial one.
  std::string fresh = path + ".XXXXXX";
  PublishedFile made;
  made.file_ = FileDescriptor(::mkostemp(fresh.data(), O_CLOEXEC));
  if (!made.file_.is_open()) {
    return std::unexpected(base::make_system_error("mkostemp", errno, fresh));
  }
  made.path_ = path;
  made.unpublished_ = std::move(fresh);
  constexpr mode_t for_everybody_to_read = 0644;
  if (::fchmod(made.file_.number(), for_everybody_to_read) != 0) {
    return std::unexpected(base::make_system_error("fchmod", errno, path));
  }
  if (auto locked = made.lock(); !locked) {
    return std::unexpected(std::move(locked.error()));
  }
  return made;
}

PublishedFile PublishedFile::create_nameless(const char* label) {
  PublishedFile made;
  made.file_ = FileDescriptor(::memfd_create(label, MFD_CLOEXEC));
  if (made.file_.is_open()) {
    made.path_ = "/proc/self/fd/" + std::to_string(made.file_.number());
    // No other process knows the file yet, so none can hold the lock.
    static_cast<void>(made.lock());
  }
  return made;
}

PublishedFile& PublishedFile::operator=(PublishedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(unpublished_, other.unpublished_);
  std::swap(file_, other.file_);
  return *this;
}

PublishedFile::~PublishedFile() {
  if (!unpublished_.empty()) {
    static_cast<void>(::unlink(unpublished_.c_str()));
  }
}

std::expected<void, base::Error> PublishedFile::lock() const {
  struct ::flock lock = whole_file();
  if (::fcntl(file_.number(), F_OFD_SETLK, &lock) != 0) {
    return std::unexpected(base::make_system_error("fcntl", errno, path_));
  }
  return {};
}

std::expected<void, base::Error> PublishedFile::publish() {
  if (unpublished_.empty()) {
    return {};
  }
  if (std::rename(unpublished_.c_str(), path_.c_str()) != 0) {
    return std::unexpected(base::make_system_error("rename", errno, path_));
  }
  unpublished_.clear();
  return {};
}

std::expected<FileMapping, base::Error> PublishedFile::grow(std::uint64_t end,
                                                            std::size_t bytes) const {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS;
  off_t from = 0;
  if (file_.is_open()) {
    flags = MAP_SHARED | MAP_POPULATE;
    from = static_cast<off_t>(end);
    int error_number = EINTR;
    while (error_number == EINTR) {
      error_number = ::posix_fallocate(file_.number(), from, static_cast<off_t>(bytes));
    }
    if (error_number != 0) {
      return std::unexpected(base::make_system_error("posix_fallocate", error_number, path_));
    }
  }
  FileMapping mapping(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, file_.number(), from),
                      bytes);
  if (mapping.begin() == nullptr) {
    return std::unexpected(base::make_system_error("mmap", errno, path_));
  }
  return mapping;
}

}  // namespace affix::inline v0::os
