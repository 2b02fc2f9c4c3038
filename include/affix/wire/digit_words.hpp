// SPDX-License-Identifier: MIT
// Checks and converts up to eight decimal digits, with an optional point, in one 64-bit word,
// without a loop.
#pragma once

#include "affix/base/words.hpp"

#include <cstddef>
#include <cstdint>

namespace affix::inline v0::wire {

/// Eight characters '0'.
inline constexpr std::uint64_t eight_zero_characters = 0x3030'3030'3030'3030;

/// True if eight bytes are '0' to '9': their high halves are 3, and remain 3 after adding 6.
[[nodiscard]] constexpr bool all_digits(std::uint64_t word) noexcept {
  constexpr std::uint64_t high_halves = 0xF0F0'F0F0'F0F0'F0F0;
  return ((word & high_halves) | (((word + 0x0606'0606'0606'0606) & high_halves) >> 4)) ==
         0x3333'3333'3333'3333;
}

namespace detail {

/// For each size up to eight, a mask of a word's last bytes: one load, instead of a variable shift,
/// which takes three operations on a CPU without BMI2.
struct LastBytes {
  std::uint64_t masks[9];
};

consteval LastBytes make_last_bytes() noexcept {
  LastBytes result{};
  for (std::size_t size = 1; size <= 8; ++size) {
    result.masks[size] = ~std::uint64_t{0} << (64 - 8 * size);
  }
  return result;
}

inline constexpr LastBytes last_bytes = make_last_bytes();

}  // namespace detail

/// Values of one to eight characters at the top of a word, with zeros before them, like leading
/// zeros. A character that is not a digit becomes a value above 9. One load: eight bytes before the
/// text's end must be readable.
[[nodiscard, gnu::always_inline]] inline std::uint64_t preceded_digit_values(
    const char* text, std::size_t size) noexcept {
  return (base::load_word(text + size - 8) ^ eight_zero_characters) &
         detail::last_bytes.masks[size];
}

/// True if each byte is at most 9: adding 0x76 sets the top bit from 10 on. Only a byte whose own
/// top bit is set can produce a carry.
[[nodiscard, gnu::always_inline]] constexpr inline bool all_digit_values(
    std::uint64_t values) noexcept {
  return ((values | (values + 0x7676'7676'7676'7676)) & 0x8080'8080'8080'8080) == 0;
}

/// Removes the point from digit values that consist of more than the point. Returns the exponent
/// of the result: 0, with `values` unchanged, without a point. Among digits and point, only the
/// point has bit 4; another character with that bit, or a second point, remains as a fault in
/// `values`.
[[nodiscard, gnu::always_inline]] constexpr inline std::int32_t drop_point(
    std::uint64_t& values) noexcept {
  constexpr std::uint64_t point = '.' ^ '0';
  const std::uint64_t marked = values & 0x1010'1010'1010'1010;
  if (marked == 0) {
    return 0;
  }
  // The lowest bit belongs to the point; higher ones to bytes that stay unchanged.
  const std::uint64_t bits = marked >> 4;
  const std::int32_t at = __builtin_ctzll(bits);
  if ((values >> at & 0xFF) == point) [[likely]] {
    values = (values & (bits - 1)) << 8 | (values & (std::uint64_t{0} - (bits << 8)));
  }
  return at / 8 - 7;
}

}  // namespace affix::inline v0::wire
