// SPDX-License-Identifier: MIT
// Anonymous memory in whole pages, small or huge, for pools that reserve for the worst case and
// use what they need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace affix::inline v0::net {

/// What memory is made of. A huge page is 2 MiB on x86-64, and on AArch64 with small pages of 4
/// KiB.
enum class Pages : std::uint8_t {
  Small,  ///< Never a huge one, whatever the system does for others: a byte makes 4 KiB resident.
  Huge,   ///< Huge ones where the kernel has some, else small ones: a byte makes 2 MiB resident.
};

[[nodiscard]] constexpr std::size_t bytes_of(Pages pages) noexcept {
  return pages == Pages::Huge ? std::size_t{2} * 1024 * 1024 : 4096;
}

/// The next multiple of a page's size; 0 when there is none.
[[nodiscard]] constexpr std::size_t whole_pages(std::size_t bytes,
                                                Pages pages = Pages::Small) noexcept {
  const std::size_t page = bytes_of(pages);
  return bytes > std::numeric_limits<std::size_t>::max() - page ? 0
                                                                : (bytes + page - 1) / page * page;
}

/// Zeros, real where they are used, and no promise of the system's before. Huge ones begin at a
/// multiple of their size. `bytes` is a multiple of a page's size and not 0. Null: errno says why.
[[nodiscard]] void* map_pages(std::size_t bytes, Pages pages) noexcept;

/// What map_pages() gave.
void unmap_pages(void* memory, std::size_t bytes) noexcept;

}  // namespace affix::inline v0::net
