// SPDX-License-Identifier: MIT
// Converts eight decimal digits in one 64-bit word, both ways, and stores short texts
// without loops or calls. Internal; in a header so that compilers can inline
// conversions.
#pragma once

#include "affix/base/words.hpp"
#include "affix/wire/digit_words.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace affix::inline v0::wire::detail {

using base::load;
using base::load_half_word;
using base::load_word;
using base::store;
using base::store_half_word;
using base::store_word;

/// Stores the first `size` (1 to 8, more count as 8) bytes of a word, in moves of 4, 2 and 1. Folds
/// if the size is a constant.
[[gnu::always_inline]] inline void store_word_start(char* to, std::uint64_t word,
                                                    std::size_t size) noexcept {
  if (size >= 8) {
    store_word(to, word);
    return;
  }
  char bytes[8];
  store_word(bytes, word);
  if ((size & 4) != 0) {
    store(to, load<std::uint32_t>(bytes));
  }
  if ((size & 2) != 0) {
    store(to + (size & 4), load<std::uint16_t>(bytes + (size & 4)));
  }
  if ((size & 1) != 0) {
    to[size - 1] = bytes[size - 1];
  }
}

/// Loads one to eight bytes, the first lowest, the rest zero. Reads exactly those bytes: where two
/// loads overlap they have the same byte, so `or` joins them.
[[nodiscard, gnu::always_inline]] inline std::uint64_t load_short(const char* from,
                                                                  std::size_t size) noexcept {
  if (size >= 4) {
    return load_half_word(from) | std::uint64_t{load_half_word(from + size - 4)}
                                      << (8 * (size - 4));
  }
  const auto byte = [from](std::size_t at) {
    return std::uint64_t{static_cast<unsigned char>(from[at])} << (8 * at);
  };
  return byte(0) | byte(size / 2) | byte(size - 1);
}

/// The number of eight digits, each byte a value 0 to 9. Each step joins neighbours: 8 digits, 4
/// pairs, 2 fours, 1.
[[nodiscard, gnu::always_inline]] constexpr inline std::uint32_t value_of_digit_values(
    std::uint64_t values) noexcept {
  values = values * (10 * 256 + 1) >> 8;
  values = (values & 0x00FF'00FF'00FF'00FF) * (100 * 65'536 + 1) >> 16;
  values = (values & 0x0000'FFFF'0000'FFFF) * (10'000 * (std::uint64_t{1} << 32) + 1) >> 32;
  return static_cast<std::uint32_t>(values);
}

/// The same for eight digit characters.
[[nodiscard]] constexpr std::uint32_t value_of_digits(std::uint64_t word) noexcept {
  return value_of_digit_values(word & 0x0F0F'0F0F'0F0F'0F0F);
}

/// Values of one to eight characters at the top of a word, with zeros before them, like leading
/// zeros. A character that is not a digit becomes a value above 9.
[[nodiscard, gnu::always_inline]] inline std::uint64_t digit_values(const char* text,
                                                                    std::size_t size) noexcept {
  return (load_short(text, size) ^ eight_zero_characters) << (64 - 8 * size);
}

/// The number of four digits, each byte a value 0 to 9.
[[nodiscard, gnu::always_inline]] constexpr inline std::uint32_t value_of_four_digit_values(
    std::uint32_t values) noexcept {
  values = values * (10 * 256 + 1) >> 8;
  return (values & 0x00FF'00FF) * (100 * 65'536 + 1) >> 16;
}

/// all_digit_values for four digits.
[[nodiscard, gnu::always_inline]] constexpr inline bool all_four_digit_values(
    std::uint32_t values) noexcept {
  return ((values | (values + 0x7676'7676U)) & 0x8080'8080U) == 0;
}

/// The digits of a number below 100'000'000 as values 0 to 9, most significant lowest. Inverse of
/// value_of_digits: divisions by 100 and 10 are multiplications that are exact in their lane's
/// range.
[[nodiscard, gnu::always_inline]] constexpr inline std::uint64_t digits_of_value(
    std::uint32_t value) noexcept {
  const std::uint64_t fours = value / 10'000 | std::uint64_t{value % 10'000} << 32;
  const std::uint64_t hundreds = (fours * 10'486 >> 20) & 0x0000'007F'0000'007F;
  const std::uint64_t pairs = hundreds | (fours - 100 * hundreds) << 16;
  const std::uint64_t tens = (pairs * 103 >> 10) & 0x000F'000F'000F'000F;
  return tens | (pairs - 10 * tens) << 8;
}

/// Sum of eight bytes: pairs of neighbours cannot overflow 16 bits, nor can the four lanes' sum at
/// the top.
[[nodiscard, gnu::always_inline]] constexpr inline std::uint32_t sum_of_word(
    std::uint64_t word) noexcept {
  constexpr std::uint64_t even_bytes = 0x00FF'00FF'00FF'00FF;
  return static_cast<std::uint32_t>(
      ((word & even_bytes) + (word >> 8 & even_bytes)) * 0x0001'0001'0001'0001 >> 48);
}

/// Three digits of a number below 1000 as characters, most significant lowest.
[[nodiscard, gnu::always_inline]] constexpr inline std::uint32_t three_digits(
    std::uint32_t value) noexcept {
  const std::uint32_t hundreds = value * 5'243 >> 19;
  const std::uint32_t rest = value - hundreds * 100;
  const std::uint32_t tens = rest * 103 >> 10;
  return (hundreds | tens << 8 | (rest - tens * 10) << 16) + 0x30'3030;
}

/// A number of at most eight digits without its leading zeros.
struct ShortNumber {
  std::uint64_t digits;      ///< Values 0 to 9 with the leading zeros.
  std::uint64_t characters;  ///< `size` characters, the first lowest, and garbage.
  std::uint32_t size;
};

/// Computes four digits in half the time of eight; most quantities have no more.
[[nodiscard, gnu::always_inline]] constexpr inline ShortNumber short_number(
    std::uint32_t value) noexcept {
  // The marker keeps the last digit, so that 0 is one character.
  if (value < 10'000) {
    const std::uint32_t hundreds = value * 5'243 >> 19;
    const std::uint32_t pairs = hundreds | (value - 100 * hundreds) << 16;
    const std::uint32_t tens = (pairs * 103 >> 10) & 0x000F'000F;
    const std::uint32_t digits = tens | (pairs - 10 * tens) << 8;
    const auto zeros =
        static_cast<std::uint32_t>(std::countr_zero(digits | std::uint32_t{1} << 24)) / 8;
    return {digits, (digits | 0x3030'3030U) >> (8 * zeros), 4 - zeros};
  }
  const std::uint64_t digits = digits_of_value(value);
  const auto zeros =
      static_cast<std::uint32_t>(std::countr_zero(digits | std::uint64_t{1} << 56)) / 8;
  return {digits, (digits | eight_zero_characters) >> (8 * zeros), 8 - zeros};
}

/// Sums values of at most 9 in each byte, in the top byte of the product.
[[nodiscard, gnu::always_inline]] constexpr inline std::uint32_t sum_of_digits(
    std::uint64_t digits) noexcept {
  return static_cast<std::uint32_t>(digits * 0x0101'0101'0101'0101 >> 56);
}

/// Size of a text and sum of its bytes.
struct Rendered {
  std::size_t size;
  std::uint32_t sum;
};

/// Writes a number of nine or more digits; `out` needs 24 bytes.
Rendered render_long_digits(std::uint64_t value, char* out) noexcept;

/// Writes a number without leading zeros; `out` needs 24 bytes.
[[gnu::always_inline]] inline Rendered render_digits(std::uint64_t value, char* out) noexcept {
  if (value >= 100'000'000) [[unlikely]] {
    return render_long_digits(value, out);
  }
  ShortNumber number = short_number(static_cast<std::uint32_t>(value));
  store_word(out, number.characters);
  return {number.size, sum_of_digits(number.digits) + '0' * number.size};
}

/// The same without the sum.
inline std::size_t write_digits(std::uint64_t value, char* out) noexcept {
  return render_digits(value, out).size;
}

}  // namespace affix::inline v0::wire::detail
