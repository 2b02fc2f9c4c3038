// SPDX-License-Identifier: MIT
// Copies field values and sums their bytes. Most values have 1 to 16 bytes, for which a call costs
// more than the work: overlapping moves handle every size of a class without a loop, and fold for
// constant sizes. Summing in registers avoids a later pass over bytes that are not yet in the
// cache.
#pragma once

#include "affix/wire/detail/digits.hpp"

#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace affix::inline v0::wire::detail {

template <std::size_t Size>
[[gnu::always_inline]] inline void move_block(char* to, const char* from) noexcept {
  __builtin_memcpy(to, from, Size);
}

struct TextSum {
  std::uint32_t sum = 0;  ///< Of the bytes, for CheckSum.
  bool has_soh = false;
};

[[nodiscard, gnu::always_inline]] constexpr inline bool holds_soh(std::uint64_t word) noexcept {
  const std::uint64_t difference = word ^ 0x0101'0101'0101'0101;
  return ((difference - 0x0101'0101'0101'0101) & ~difference & 0x8080'8080'8080'8080) != 0;
}

/// Sum of one to sixteen bytes in two words, zero-padded. For constants the compiler folds the
/// arithmetic, which it cannot do with vector instructions.
[[nodiscard]] [[gnu::always_inline]] inline TextSum sum_of_words(std::uint64_t low,
                                                                 std::uint64_t high) noexcept {
#if defined(__SSE2__)
  if (!__builtin_constant_p(low)) {
    const __m128i bytes = _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
    const __m128i sums = _mm_sad_epu8(bytes, _mm_setzero_si128());
    const int at_soh = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(1)));
    return {static_cast<std::uint32_t>(_mm_cvtsi128_si32(sums) + _mm_extract_epi16(sums, 4)),
            at_soh != 0};
  }
#endif
  return {sum_of_word(low) + sum_of_word(high), holds_soh(low) || holds_soh(high)};
}

/// Sum of one to eight bytes.
[[nodiscard]] [[gnu::always_inline]] inline TextSum sum_of_words(std::uint64_t word) noexcept {
#if defined(__SSE2__)
  if (!__builtin_constant_p(word)) {
    const __m128i bytes = _mm_cvtsi64_si128(static_cast<long long>(word));
    const int at_soh = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(1)));
    return {static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm_sad_epu8(bytes, _mm_setzero_si128()))),
            at_soh != 0};
  }
#endif
  return {sum_of_word(word), holds_soh(word)};
}

/// Sum of one to sixteen bytes.
[[nodiscard]] inline TextSum sum_of_short_text(const char* text, std::size_t size) noexcept {
  if (size <= 8) {
    return sum_of_words(load_short(text, size));
  }
  return sum_of_words(load_word(text), load_word(text + size - 8) >> (8 * (16 - size)));
}

/// Writes exactly `size` bytes, 1 to 16, and sums them. The ranges must not overlap. Loads
/// everything before the first store: the compiler cannot know that they do not overlap, and would
/// load again.
[[gnu::always_inline]] inline TextSum copy_short_text(char* to, const char* from,
                                                      std::size_t size) noexcept {
  if (size > 8) {
    const std::uint64_t first = load_word(from);
    const std::uint64_t last = load_word(from + size - 8);
    store_word(to, first);
    store_word(to + size - 8, last);
    return sum_of_words(first, last >> (8 * (16 - size)));
  }
  if (size >= 4) {
    const std::uint32_t first = load_half_word(from);
    const std::uint32_t last = load_half_word(from + size - 4);
    store_half_word(to, first);
    store_half_word(to + size - 4, last);
    return sum_of_words(first | std::uint64_t{last} << (8 * (size - 4)));
  }
  const std::size_t middle = size / 2;
  const char first = from[0];
  const char second = from[middle];
  const char last = from[size - 1];
  to[0] = first;
  to[middle] = second;
  to[size - 1] = last;
  const auto byte = [](char character, std::size_t at) {
    return std::uint64_t{static_cast<unsigned char>(character)} << (8 * at);
  };
  return sum_of_words(byte(first, 0) | byte(second, middle) | byte(last, size - 1));
}

/// Does the same for sizes above 16: sixteen bytes at a time, or a copy and a kernel pass.
TextSum copy_long_text(char* to, const char* from, std::size_t size) noexcept;

/// Copies without a sum, any size but 0.
inline void copy_text(char* to, const char* from, std::size_t size) noexcept {
  if (size > 32) {
    __builtin_memcpy(to, from, size);
  } else if (size > 16) {
    move_block<16>(to, from);
    move_block<16>(to + size - 16, from + size - 16);
  } else if (size >= 8) {
    move_block<8>(to, from);
    move_block<8>(to + size - 8, from + size - 8);
  } else if (size >= 4) {
    move_block<4>(to, from);
    move_block<4>(to + size - 4, from + size - 4);
  } else {
    to[0] = from[0];
    to[size / 2] = from[size / 2];
    to[size - 1] = from[size - 1];
  }
}

/// Sum of a constant text, folded to a constant.
[[nodiscard]] constexpr std::uint32_t sum_of_constant(const char* text) noexcept {
  std::uint32_t sum = 0;
  for (; *text != '\0'; ++text) {
    sum += static_cast<unsigned char>(*text);
  }
  return sum;
}

}  // namespace affix::inline v0::wire::detail
