// SPDX-License-Identifier: MIT
// The first place of a tag in an index: a vector compare of the tags' low bytes, thirty-two fields
// a step, in line. Uses only what every CPU of the target has (SSE2, NEON), so no dispatch is
// needed.
#pragma once

#include <bit>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

#include "affix/wire/index.hpp"

namespace affix::inline v0::wire {

/// Position that no field has.
inline constexpr std::uint32_t no_position = 0xFFFF'FFFF;

namespace detail {

/// What FieldIndex::marks has for a tag.
[[nodiscard]] constexpr std::uint8_t mark_of(std::uint32_t tag) noexcept {
  return static_cast<std::uint8_t>(tag);
}

/// Bit n is set when marks[n] == mark, for n below 32.
[[nodiscard]] inline std::uint32_t matches_of_step(const std::uint8_t* marks,
                                                   std::uint8_t mark) noexcept {
  static_assert(FieldIndex::mark_step == 32);
#if defined(__SSE2__)
  const __m128i wanted = _mm_set1_epi8(static_cast<char>(mark));
  const auto matches = [&](std::uint32_t at) {
    const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(marks + at));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(some, wanted)));
  };
  return matches(0) | matches(16) << 16;
#elif defined(__ARM_NEON) && defined(__aarch64__)
  // NEON has no movemask: each lane keeps its own bit, and neighbours are added.
  const uint8x16_t bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const uint8x16_t wanted = vdupq_n_u8(mark);
  const uint8x16_t low = vandq_u8(vceqq_u8(vld1q_u8(marks), wanted), bits);
  const uint8x16_t high = vandq_u8(vceqq_u8(vld1q_u8(marks + 16), wanted), bits);
  const uint8x16_t pairs = vpaddq_u8(low, high);
  const uint8x16_t fours = vpaddq_u8(pairs, pairs);
  return vgetq_lane_u32(vreinterpretq_u32_u8(vpaddq_u8(fours, fours)), 0);
#else
  std::uint32_t matches = 0;
  for (std::uint32_t at = 0; at < FieldIndex::mark_step; ++at) {
    matches |= static_cast<std::uint32_t>(marks[at] == mark) << at;
  }
  return matches;
#endif
}

/// Position of the first `tag` (not 0) at or behind `from`, which is a field's or the count; or
/// no_position.
[[nodiscard, gnu::pure]] std::uint32_t find_tag_from(const FieldIndex& index, std::uint32_t from,
                                                     std::uint32_t tag) noexcept;

/// find_tag_from the first field; in line as far as most messages reach.
[[nodiscard, gnu::always_inline]] inline std::uint32_t find_tag(const FieldIndex& index,
                                                                std::uint32_t tag) noexcept {
  const std::uint8_t mark = mark_of(tag);
  const std::uint32_t matches = matches_of_step(index.marks, mark);
  if (__builtin_expect_with_probability(matches != 0, 1, 0.99)) {
    // In 64 bits, so that no address needs it widened.
    const auto found = static_cast<std::uint32_t>(__builtin_ctz(matches));
    // Behind the last field are marks of zero, and tags of older messages.
    if (__builtin_expect_with_probability(index.tags[found] == tag && mark != 0, 1, 0.9999)) {
      return static_cast<std::uint32_t>(found);
    }
  } else if (index.count <= FieldIndex::mark_step) {
    return no_position;
  }
  return find_tag_from(index, 0, tag);
}

}  // namespace detail

}  // namespace affix::inline v0::wire
