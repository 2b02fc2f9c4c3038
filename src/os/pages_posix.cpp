// SPDX-License-Identifier: MIT
// Anonymous mappings.
#include "affix/base/assert.hpp"
#include "affix/os/pages.hpp"

#include "os/page_advice.hpp"

#include <cerrno>
#include <sys/mman.h>

namespace affix::inline v0::os {

namespace {

char* map(std::size_t bytes) noexcept {
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
}

/// A mapping may begin at any small page, so more is mapped and both ends are returned.
char* map_aligned(std::size_t bytes, std::size_t alignment) noexcept {
  if (bytes > std::numeric_limits<std::size_t>::max() - alignment) {
    errno = ENOMEM;
    return nullptr;
  }
  char* const all = map(bytes + alignment);
  if (all == nullptr) {
    return nullptr;
  }
  const std::size_t past = reinterpret_cast<std::uintptr_t>(all) % alignment;
  const std::size_t before = past == 0 ? 0 : alignment - past;
  if (before != 0) {
    unmap_pages(all, before);
  }
  if (before != alignment) {
    unmap_pages(all + before + bytes, alignment - before);
  }
  return all + before;
}

}  // namespace

void* map_pages(std::size_t bytes, Pages pages) noexcept {
  AFFIX_ASSERT(bytes != 0 && bytes % bytes_of(pages) == 0);
  const bool huge = pages == Pages::Huge;
  char* const memory = huge ? map_aligned(bytes, bytes_of(pages)) : map(bytes);
  if (memory != nullptr) {
    // Refused by kernels without huge pages: then the pages are small.
    ask_for_huge_pages(memory, bytes, huge);
  }
  return memory;
}

void unmap_pages(void* memory, std::size_t bytes) noexcept {
  static_cast<void>(::munmap(memory, bytes));
}

}  // namespace affix::inline v0::os
