// SPDX-License-Identifier: MIT
// Anonymous memory in whole pages, small or huge, for pools that reserve address space for the
// worst case and use physical memory as needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace affix::inline v0::os {

/// Page size of memory. A huge page is 2 MiB on x86-64, and on AArch64 with small pages of 4
/// KiB.
enum class Pages : std::uint8_t {
  Small,  ///< Never huge, regardless of system settings: using a byte makes 4 KiB resident.
  Huge,   ///< Huge if the kernel has some, else small: using a byte makes 2 MiB resident.
};

[[nodiscard]] constexpr std::size_t bytes_of(Pages pages) noexcept {
  return pages == Pages::Huge ? std::size_t{2} * 1024 * 1024 : 4096;
}

/// Rounds up to a multiple of the page size; 0 on overflow.
[[nodiscard]] constexpr std::size_t whole_pages(std::size_t bytes,
                                                Pages pages = Pages::Small) noexcept {
  const std::size_t page = bytes_of(pages);
  return bytes > std::numeric_limits<std::size_t>::max() - page ? 0
                                                                : (bytes + page - 1) / page * page;
}

/// Maps zeroed memory without reserving physical memory; huge pages are aligned to their size.
/// `bytes` is a multiple of the page size and not 0. Null: errno has the error. A system call.
[[nodiscard]] void* map_pages(std::size_t bytes, Pages pages) noexcept;

/// Unmaps memory from map_pages(). A system call.
void unmap_pages(void* memory, std::size_t bytes) noexcept;

}  // namespace affix::inline v0::os
