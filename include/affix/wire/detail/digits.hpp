// SPDX-License-Identifier: MIT
// Eight decimal digits in one 64-bit word, both ways, and loads and stores of short texts without a
// loop or a call. What the compiler must see to put a conversion in line; nothing here is for
// users.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace affix::inline v0::wire::detail {

template <typename Word>
[[nodiscard]] inline Word load(const char* from) noexcept {
  Word word;
  __builtin_memcpy(&word, from, sizeof(word));
  return word;
}

template <typename Word>
inline void store(char* to, Word word) noexcept {
  __builtin_memcpy(to, &word, sizeof(word));
}

/// A word with the byte at the lowest address lowest, whatever the machine: all arithmetic below
/// counts on it.
[[nodiscard]] constexpr std::uint64_t stream_order(std::uint64_t word) noexcept {
  if constexpr (std::endian::native == std::endian::big) {
    return __builtin_bswap64(word);
  } else {
    return word;
  }
}

[[nodiscard]] inline std::uint64_t load_word(const char* from) noexcept {
  return stream_order(load<std::uint64_t>(from));
}

inline void store_word(char* to, std::uint64_t word) noexcept {
  store(to, stream_order(word));
}

/// One to eight bytes, the first lowest, the rest zero. Reads exactly those bytes: where two loads
/// overlap they hold the same byte, so `or` joins them.
[[nodiscard]] inline std::uint64_t load_short(const char* from, std::size_t size) noexcept {
  if (size >= 4) {
    std::uint32_t low = load<std::uint32_t>(from);
    std::uint32_t high = load<std::uint32_t>(from + size - 4);
    if constexpr (std::endian::native == std::endian::big) {
      low = __builtin_bswap32(low);
      high = __builtin_bswap32(high);
    }
    return low | std::uint64_t{high} << (8 * (size - 4));
  }
  const auto byte = [from](std::size_t at) {
    return std::uint64_t{static_cast<unsigned char>(from[at])} << (8 * at);
  };
  return byte(0) | byte(size / 2) | byte(size - 1);
}

inline constexpr std::uint64_t eight_zero_characters = 0x3030'3030'3030'3030;

/// `size` (0 to 8) characters of `word`, the first lowest, moved to its top with '0' before them.
/// Shifts by 64 are undefined, hence two steps.
[[nodiscard]] constexpr std::uint64_t right_aligned(std::uint64_t word, std::size_t size) noexcept {
  const std::uint64_t digits = size == 0 ? 0 : word << (64 - 8 * size);
  const std::uint64_t fill = size == 8 ? 0 : eight_zero_characters >> (8 * size);
  return digits | fill;
}

/// Eight bytes, each '0' to '9': their high halves are 3, and stay 3 when 6 is added.
[[nodiscard]] constexpr bool all_digits(std::uint64_t word) noexcept {
  constexpr std::uint64_t high_halves = 0xF0F0'F0F0'F0F0'F0F0;
  return ((word & high_halves) | (((word + 0x0606'0606'0606'0606) & high_halves) >> 4)) ==
         0x3333'3333'3333'3333;
}

/// The number eight digit characters stand for. Each step joins neighbours: 8 digits, 4 pairs, 2
/// fours, 1.
[[nodiscard]] constexpr std::uint32_t value_of_digits(std::uint64_t word) noexcept {
  word = (word & 0x0F0F'0F0F'0F0F'0F0F) * (10 * 256 + 1) >> 8;
  word = (word & 0x00FF'00FF'00FF'00FF) * (100 * 65'536 + 1) >> 16;
  word = (word & 0x0000'FFFF'0000'FFFF) * (10'000 * (std::uint64_t{1} << 32) + 1) >> 32;
  return static_cast<std::uint32_t>(word);
}

/// The characters of a number below 100'000'000 as values 0 to 9, most significant lowest. The
/// inverse of value_of_digits: the divisions by 100 and 10 are multiplications that are exact in
/// their lane's range.
[[nodiscard]] constexpr std::uint64_t digits_of_value(std::uint32_t value) noexcept {
  const std::uint64_t fours = value / 10'000 | std::uint64_t{value % 10'000} << 32;
  const std::uint64_t hundreds = (fours * 10'486 >> 20) & 0x0000'007F'0000'007F;
  const std::uint64_t pairs = hundreds | (fours - 100 * hundreds) << 16;
  const std::uint64_t tens = (pairs * 103 >> 10) & 0x000F'000F'000F'000F;
  return tens | (pairs - 10 * tens) << 8;
}

/// write_digits for numbers of nine digits and more.
std::size_t write_long_digits(std::uint64_t value, char* out) noexcept;

/// Writes a number without leading zeros and returns its size. 24 bytes of room.
inline std::size_t write_digits(std::uint64_t value, char* out) noexcept {
  if (value >= 100'000'000) [[unlikely]] {
    return write_long_digits(value, out);
  }
  const std::uint64_t digits = digits_of_value(static_cast<std::uint32_t>(value));
  // Bit 56 keeps the last digit, so that 0 is one character.
  const auto zeros =
      static_cast<std::uint32_t>(std::countr_zero(digits | std::uint64_t{1} << 56)) / 8;
  store_word(out, (digits | eight_zero_characters) >> (8 * zeros));
  return 8 - zeros;
}

inline constexpr std::uint32_t no_point = 0xFFFF'FFFF;

/// Takes the first point out of `size` (1 to 8) characters. `digits` becomes the rest,
/// right-aligned; returns how many characters were behind the point, or no_point.
[[nodiscard]] constexpr std::uint32_t drop_point(std::uint64_t word, std::size_t size,
                                                 std::uint64_t& digits) noexcept {
  const std::uint64_t difference = word ^ 0x2E2E'2E2E'2E2E'2E2E;
  const std::uint64_t zero_bytes =
      (difference - 0x0101'0101'0101'0101) & ~difference & 0x8080'8080'8080'8080;
  if (zero_bytes == 0) {
    digits = right_aligned(word, size);
    return no_point;
  }
  // The lowest marked byte is exact; a borrow can only mark bytes above it wrongly.
  const auto at = static_cast<std::uint32_t>(std::countr_zero(zero_bytes)) / 8;
  const std::uint64_t before = (std::uint64_t{1} << (8 * at)) - 1;
  digits = right_aligned((word & before) | (word >> 8 & ~before), size - 1);
  return static_cast<std::uint32_t>(size) - 1 - at;
}

}  // namespace affix::inline v0::wire::detail
