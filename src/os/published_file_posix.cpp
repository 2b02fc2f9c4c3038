// SPDX-License-Identifier: MIT
// Creates, locks and publishes a file that other processes map.
#include "os/file_blocks.hpp"
#include "os/file_lock.hpp"
#include "os/nameless_file.hpp"
#include "os/page_advice.hpp"
#include "os/published_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace affix::inline v0::os {

std::expected<PublishedFile, base::Error> PublishedFile::create(const std::string& path,
                                                                const char* in_use) {
  if (const FileDescriptor former(::open(path.c_str(), O_RDONLY | O_CLOEXEC)); former.is_open()) {
    if (is_locked(former.number())) {
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
  made.file_ = make_nameless_file(label);
  if (made.file_.is_open()) {
    made.path_ = path_of_descriptor(made.file_.number());
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
  if (const int error_number = lock_file(file_.number()); error_number != 0) {
    return std::unexpected(base::make_system_error("fcntl", error_number, path_));
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
    flags = MAP_SHARED;
    from = static_cast<off_t>(end);
    if (const int error_number = allocate_blocks(file_.number(), end, bytes); error_number != 0) {
      return std::unexpected(base::make_system_error("posix_fallocate", error_number, path_));
    }
  }
  // A mapping begins at a page of the system, which may be larger than those of the file.
  const std::size_t before = static_cast<std::size_t>(from) % page_bytes();
  void* const at = ::mmap(nullptr, before + bytes, PROT_READ | PROT_WRITE, flags, file_.number(),
                          from - static_cast<off_t>(before));
  if (at == MAP_FAILED) {
    return std::unexpected(base::make_system_error("mmap", errno, path_));
  }
  FileMapping mapping(static_cast<char*>(at) + before, bytes);
  if (file_.is_open()) {
    // A hint: without it, the first use of each page takes a fault.
    static_cast<void>(make_pages_writable(at, before + bytes));
  }
  return mapping;
}

}  // namespace affix::inline v0::os
