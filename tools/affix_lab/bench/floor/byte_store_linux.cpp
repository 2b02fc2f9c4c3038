// SPDX-License-Identifier: MIT
// Maps the file's maximum length at once; its length and pages follow the appended bytes.
#include "bench/floor/byte_store.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace affix::inline v0::tools::bench {

namespace {

constexpr std::size_t prepare_bytes = 512 * 1024;
constexpr std::size_t allocate_bytes = 16 * 1024 * 1024;
constexpr int populate_write = 23;  // MADV_POPULATE_WRITE, which older headers do not define.

}  // namespace

std::expected<std::unique_ptr<ByteStore>, base::Error> ByteStore::make(
    const std::string& directory) {
  const int file = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) {
    return std::unexpected(base::make_system_error("open", errno, directory));
  }
  void* const pages = ::mmap(nullptr, bytes_max, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (pages == MAP_FAILED) {
    const int error_number = errno;
    ::close(file);
    return std::unexpected(base::make_system_error("mmap", error_number, directory));
  }
  // Huge pages are the cheapest if the system has them; without read-ahead, so that no two are made
  // at once.
  if (::madvise(pages, bytes_max, MADV_HUGEPAGE) == 0) {
    ::madvise(pages, bytes_max, MADV_RANDOM);
  }
  return std::unique_ptr<ByteStore>(new ByteStore(file, static_cast<char*>(pages)));
}

ByteStore::~ByteStore() {
  ::munmap(pages_, bytes_max);
  ::close(file_);
}

bool ByteStore::append(std::string_view bytes) noexcept {
  while (prepared_ - size_ < bytes.size()) {
    if (!prepare()) {
      return false;
    }
  }
  std::memcpy(pages_ + size_, bytes.data(), bytes.size());
  size_ += bytes.size();
  return true;
}

bool ByteStore::prepare() noexcept {
  if (prepared_ == bytes_max) {
    return false;
  }
  if (allocated_ == prepared_) {
    if (::posix_fallocate(file_, static_cast<off_t>(allocated_), allocate_bytes) != 0) {
      return false;
    }
    allocated_ += allocate_bytes;
  }
  // A kernel without it takes a fault for each page instead, like a copy.
  static_cast<void>(::madvise(pages_ + prepared_, prepare_bytes, populate_write));
  prepared_ += prepare_bytes;
  return true;
}

}  // namespace affix::inline v0::tools::bench
