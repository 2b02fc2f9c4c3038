// SPDX-License-Identifier: MIT
// macOS keeps what it was told of pages as a hint: what must be so is done by other calls.
#include "os/page_advice.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <sys/mman.h>

namespace affix::inline v0::os {

void empty_pages(void* begin, std::size_t bytes) noexcept {
  // The system takes whole pages, which would be those of a neighbour too where pages are larger.
  const std::size_t page = page_bytes();
  const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(begin) % page) % page;
  if (before >= bytes) {
    return;
  }
  char* const first = static_cast<char*>(begin) + before;
  if (const std::size_t whole = (bytes - before) / page * page; whole != 0) {
    // Its MADV_DONTNEED keeps the contents; a new mapping in the same place has none.
    static_cast<void>(
        ::mmap(first, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | MAP_FIXED, -1, 0));
  }
}

void ask_for_huge_pages(void* /*begin*/, std::size_t /*bytes*/, bool /*huge*/) noexcept {}

std::size_t present_bytes(void* begin, std::size_t bytes) noexcept {
  const std::size_t page = page_bytes();
  std::array<char, 256> present;
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

int make_pages_readable(void* /*begin*/, std::size_t /*bytes*/) noexcept {
  return EINVAL;
}

int make_pages_writable(void* /*begin*/, std::size_t /*bytes*/) noexcept {
  return EINVAL;
}

int lock_pages_when_used(void* begin, std::size_t bytes) noexcept {
  return ::mlock(begin, bytes) == 0 ? 0 : errno;
}

}  // namespace affix::inline v0::os
