// SPDX-License-Identifier: MIT
// Copies of field values: mostly 1 to 30 bytes, for which a call of memcpy costs more than the
// copy. Overlapping moves take any size within a class without a loop, and fold when the size is a
// constant.
#pragma once

#include <cstddef>
#include <cstdint>

namespace affix::inline v0::wire::detail {

template <std::size_t Size>
[[gnu::always_inline]] inline void move_block(char* to, const char* from) noexcept {
  __builtin_memcpy(to, from, Size);
}

/// Size bytes from either end, both loaded from where they are: Size <= n <= 2 * Size.
template <std::size_t Size>
[[gnu::always_inline]] inline void move_both_ends(char* to, const char* from,
                                                  std::size_t size) noexcept {
  move_block<Size>(to, from);
  move_block<Size>(to + size - Size, from + size - Size);
}

/// Writes exactly `size` bytes, at least one. The ranges do not overlap.
[[gnu::always_inline]] inline void copy_short(char* to, const char* from,
                                              std::size_t size) noexcept {
  if (__builtin_constant_p(size) && size <= 64) {
    __builtin_memcpy(to, from, size);
  } else if (size <= 16) {
    if (size >= 8) {
      move_both_ends<8>(to, from, size);
    } else if (size >= 4) {
      move_both_ends<4>(to, from, size);
    } else if (size >= 2) {
      move_both_ends<2>(to, from, size);
    } else {
      *to = *from;
    }
  } else if (size <= 32) {
    move_both_ends<16>(to, from, size);
  } else if (size <= 64) {
    move_both_ends<32>(to, from, size);
  } else {
    __builtin_memcpy(to, from, size);
  }
}

}  // namespace affix::inline v0::wire::detail
