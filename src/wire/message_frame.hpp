// SPDX-License-Identifier: MIT
// Bytes before and after a body: `8=..|9=nnn|` right-aligned before it, `10=nnn|` after it.
#pragma once

#include "affix/wire/convert.hpp"
#include "affix/wire/detail/digits.hpp"
#include "affix/wire/index.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::wire::detail {

inline constexpr std::string_view message_start{"8=FIX"};

/// SOH and `9=`.
inline constexpr std::string_view length_start{
    "\x01"
    "9=",
    3};

/// Room before a body: the prefix, nine digits and SOH.
inline constexpr std::size_t body_length_digits_max = 9;
inline constexpr std::size_t body_size_max = 999'999'999;

inline constexpr std::size_t trailer_size = 7;
/// The trailer is stored as one word.
inline constexpr std::size_t trailer_room = 8;

struct PlacedLength {
  char* begin;        ///< The message's first byte.
  std::uint32_t sum;  ///< Of BodyLength's digits and its SOH.
};

/// Writes BodyLength so that its SOH is the last byte before `body`, and moves the prefix
/// (`8=..|9=`, `prefix_size` bytes, now at `prefix`) before it.
inline PlacedLength place_body_length(char* body, std::size_t body_size, char* prefix,
                                      std::size_t prefix_size) noexcept {
  constexpr auto soh_value = static_cast<unsigned char>(soh);
  if (body_size - 100 < 900 && prefix == body - 4 - prefix_size) [[likely]] {
    // Three digits, as in most messages, which expect the prefix where it is.
    const std::uint64_t digits = three_digits(static_cast<std::uint32_t>(body_size));
    store_word_start(body - 4, digits | std::uint64_t{soh_value} << 24, 4);
    return {prefix, sum_of_word(digits) + soh_value};
  }
  char text[integer_room];
  Rendered digits = render_digits(body_size, text);
  char* const begin = body - 1 - digits.size - prefix_size;
  if (begin != prefix) {
    __builtin_memmove(begin, prefix, prefix_size);
  }
  __builtin_memcpy(begin + prefix_size, text, digits.size);
  body[-1] = soh;
  return {begin, digits.sum + soh_value};
}

/// Writes `10=`, three digits and SOH; writes trailer_room bytes.
inline void store_trailer(char* at, std::uint32_t sum) noexcept {
  constexpr std::uint64_t frame = 0x0001'0000'003D'3031;  // "10=", three places and SOH.
  store_word(at, frame | std::uint64_t{three_digits(sum & 0xFF)} << 24);
}

}  // namespace affix::inline v0::wire::detail
