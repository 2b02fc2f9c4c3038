// SPDX-License-Identifier: MIT
// madvise() and mlock2(). Older C libraries do not name all of it, and older kernels refuse it.
#include "os/page_advice.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace affix::inline v0::os {

namespace {

// Since Linux 5.14.
constexpr int populate_read = 22;
constexpr int populate_write = 23;
// Since Linux 4.4.
constexpr int lock_on_fault = 1;

}  // namespace

void empty_pages(void* begin, std::size_t bytes) noexcept {
  // The system takes whole pages, which would be those of a neighbour too where pages are larger.
  const std::size_t page = page_bytes();
  const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(begin) % page) % page;
  if (before >= bytes) {
    return;
  }
  char* const first = static_cast<char*>(begin) + before;
  if (const std::size_t whole = (bytes - before) / page * page; whole != 0) {
    static_cast<void>(::madvise(first, whole, MADV_DONTNEED));
  }
}

void ask_for_huge_pages(void* begin, std::size_t bytes, bool huge) noexcept {
  static_cast<void>(::madvise(begin, bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE));
}

std::size_t present_bytes(void* begin, std::size_t bytes) noexcept {
  const std::size_t page = page_bytes();
  std::array<unsigned char, 256> present;
  std::size_t at = 0;
  while (at < bytes) {
    const std::size_t pages = std::min((bytes - at + page - 1) / page, present.size());
    if (::mincore(static_cast<char*>(begin) + at, pages * page, present.data()) != 0) {
      return 0;
    }
    for (std::size_t seen = 0; seen < pages; ++seen, at += page) {
      if ((static_cast<unsigned char>(present[seen]) & 1U) == 0) {
        return at;
      }
    }
  }
  return bytes;
}

int make_pages_readable(void* begin, std::size_t bytes) noexcept {
  return ::madvise(begin, bytes, populate_read) == 0 ? 0 : errno;
}

int make_pages_writable(void* begin, std::size_t bytes) noexcept {
  return ::madvise(begin, bytes, populate_write) == 0 ? 0 : errno;
}

int lock_pages_when_used(void* begin, std::size_t bytes) noexcept {
  // By its number, since not every C library has the function.
  return ::syscall(SYS_mlock2, begin, bytes, lock_on_fault) == 0 ? 0 : errno;
}

}  // namespace affix::inline v0::os
