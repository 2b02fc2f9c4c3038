// SPDX-License-Identifier: MIT
// Finds the first field with a tag in an index: inline at the place learnt for these marks, or by a
// vector compare of the marks, sixteen fields per step. Uses only baseline instructions of the
// target (SSE2, NEON), so it needs no dispatch.
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

/// A position that no field has.
inline constexpr std::uint32_t no_position = 0xFFFF'FFFF;

namespace detail {

/// The mark of a tag in FieldIndex::marks.
[[nodiscard]] constexpr std::uint8_t mark_of(std::uint32_t tag) noexcept {
  return static_cast<std::uint8_t>(tag);
}

/// Marks compared by one vector instruction.
inline constexpr std::uint32_t mark_half_step = 16;
static_assert(FieldIndex::mark_step == 2 * mark_half_step);

/// Bit n is set if marks[n] == mark, for n below 16.
[[nodiscard, gnu::always_inline]] inline std::uint32_t matches_of_half_step(
    const std::uint8_t* marks, std::uint8_t mark) noexcept {
#if defined(__SSE2__)
  const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(marks));
  const __m128i wanted = _mm_set1_epi8(static_cast<char>(mark));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(some, wanted)));
#elif defined(__ARM_NEON) && defined(__aarch64__)
  // NEON has no movemask: each lane keeps its own bit, and neighbours are added.
  const uint8x16_t bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const uint8x16_t found = vandq_u8(vceqq_u8(vld1q_u8(marks), vdupq_n_u8(mark)), bits);
  const uint8x16_t pairs = vpaddq_u8(found, found);
  const uint8x16_t fours = vpaddq_u8(pairs, pairs);
  return vgetq_lane_u16(vreinterpretq_u16_u8(vpaddq_u8(fours, fours)), 0);
#else
  std::uint32_t matches = 0;
  for (std::uint32_t at = 0; at < mark_half_step; ++at) {
    matches |= static_cast<std::uint32_t>(marks[at] == mark) << at;
  }
  return matches;
#endif
}

/// Position of the first `tag` (not 0) from position `from`, at most the count; or
/// no_position.
[[nodiscard, gnu::pure]] std::uint32_t find_tag_from(const FieldIndex& index, std::uint32_t from,
                                                     std::uint32_t tag) noexcept;

/// find_tag for a tag not at its place. Pure, so that registers stay valid across it.
[[nodiscard, gnu::pure]] std::uint32_t find_tag_anew(const FieldIndex& index,
                                                     std::uint32_t tag) noexcept;

/// Position of the first `tag`; inline if the tag is at its place.
[[nodiscard, gnu::always_inline]] inline std::uint32_t find_tag(const FieldIndex& index,
                                                                std::uint32_t tag) noexcept {
  std::uint32_t place = 0;
  if (index.at_its_place(tag, place)) [[likely]] {
    return place;
  }
  return find_tag_anew(index, tag);
}

}  // namespace detail

}  // namespace affix::inline v0::wire
