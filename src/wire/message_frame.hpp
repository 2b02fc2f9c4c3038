// SPDX-License-Identifier: MIT
// What stands before and behind a body: `8=..|9=nnn|` right-aligned before it, `10=nnn|` behind it.
// Shared by the encoder and by prepared messages.
#pragma once

#include "affix/wire/detail/digits.hpp"
#include "affix/wire/index.hpp"

#include <cstddef>
#include <cstdint>

namespace affix::inline v0::wire::detail {

/// Room before a body: the prefix, nine digits and SOH.
inline constexpr std::size_t body_length_digits_max = 9;
inline constexpr std::size_t body_size_max = 999'999'999;

inline constexpr std::size_t trailer_size = 7;
/// The trailer is stored as one word.
inline constexpr std::size_t trailer_room = 8;

/// Writes BodyLength so that its SOH is the last byte before `body`, and brings the prefix
/// (`8=..|9=`, `prefix_size` bytes, now at `prefix`) before it. Returns the message's first byte.
inline char* place_body_length(char* body, std::size_t body_size, char* prefix,
                               std::size_t prefix_size) noexcept {
  char digits[24];
  const std::size_t count = write_digits(body_size, digits);
  char* const begin = body - 1 - count - prefix_size;
  if (begin != prefix) {
    __builtin_memmove(begin, prefix, prefix_size);
  }
  char* const value = begin + prefix_size;
  if (count == 3) [[likely]] {
    __builtin_memcpy(value, digits, 3);
  } else {
    __builtin_memcpy(value, digits, count);
  }
  body[-1] = soh;
  return begin;
}

/// `10=`, three digits and SOH; trailer_room bytes are written.
inline void store_trailer(char* at, std::uint32_t sum) noexcept {
  constexpr std::uint64_t frame = 0x0001'3030'303D'3031;  // "10=000" and SOH.
  // The digits of a number below 1000 are the top three of eight: down by five places, up by three.
  store_word(at, frame + (digits_of_value(sum & 0xFF) >> 40 << 24));
}

}  // namespace affix::inline v0::wire::detail
