// SPDX-License-Identifier: MIT
// The functions for pages that Linux and macOS share.
#include "os/page_advice.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace affix::inline v0::os {

std::size_t page_bytes() noexcept {
  return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

void leave_pages(void* begin, std::size_t bytes) noexcept {
  static_cast<void>(::madvise(begin, bytes, MADV_DONTNEED));
}

void expect_single_pages(void* begin, std::size_t bytes) noexcept {
  static_cast<void>(::madvise(begin, bytes, MADV_RANDOM));
}

void read_pages_ahead(void* begin, std::size_t bytes) noexcept {
  static_cast<void>(::madvise(begin, bytes, MADV_WILLNEED));
}

}  // namespace affix::inline v0::os
