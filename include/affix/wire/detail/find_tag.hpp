// SPDX-License-Identifier: MIT
// The first place of a tag in an index's tag array: a vector compare, sixteen tags a step, in line.
// Uses only what every CPU of the target has (SSE2, NEON), so no dispatch is needed.
#pragma once

#include <bit>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

#include "affix/wire/index.hpp"

namespace affix::inline v0::wire::detail {

/// Tags looked at in one step; entries up to that many behind the last are read, which
/// FieldIndex::slack allows.
inline constexpr std::uint32_t find_step = 16;
static_assert(find_step <= FieldIndex::slack);

/// Bit n is set when tags[n] == tag, for n below 16.
[[nodiscard]] inline std::uint32_t matches_of_step(const std::uint32_t* tags,
                                                   std::uint32_t tag) noexcept {
#if defined(__SSE2__)
  const __m128i wanted = _mm_set1_epi32(static_cast<int>(tag));
  const auto equal = [&](std::uint32_t at) {
    return _mm_cmpeq_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(tags + at)), wanted);
  };
  // Saturating packs turn lanes of all ones into bytes of all ones, in order.
  const __m128i low = _mm_packs_epi32(equal(0), equal(4));
  const __m128i high = _mm_packs_epi32(equal(8), equal(12));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
#elif defined(__ARM_NEON) && defined(__aarch64__)
  const uint32x4_t wanted = vdupq_n_u32(tag);
  const auto equal = [&](std::uint32_t at) {
    return vmovn_u32(vceqq_u32(vld1q_u32(tags + at), wanted));
  };
  const uint8x8_t low = vmovn_u16(vcombine_u16(equal(0), equal(4)));
  const uint8x8_t high = vmovn_u16(vcombine_u16(equal(8), equal(12)));
  // NEON has no movemask: each lane keeps its own bit, and the lanes are added.
  const uint8x8_t bits = {1, 2, 4, 8, 16, 32, 64, 128};
  return static_cast<std::uint32_t>(vaddv_u8(vand_u8(low, bits))) |
         static_cast<std::uint32_t>(vaddv_u8(vand_u8(high, bits))) << 8;
#else
  std::uint32_t matches = 0;
  for (std::uint32_t at = 0; at < find_step; ++at) {
    matches |= static_cast<std::uint32_t>(tags[at] == tag) << at;
  }
  return matches;
#endif
}

/// Position of the first `tag` in [from, to), or one not below `to`: entries there hold an older
/// message's tags, and a match there means that there is none before it.
[[nodiscard]] inline std::uint32_t find_tag(const std::uint32_t* tags, std::uint32_t from,
                                            std::uint32_t to, std::uint32_t tag) noexcept {
  for (std::uint32_t at = from; at < to; at += find_step) {
    const std::uint32_t matches = matches_of_step(tags + at, tag);
    if (matches != 0) {
      return at + static_cast<std::uint32_t>(std::countr_zero(matches));
    }
  }
  return to;
}

}  // namespace affix::inline v0::wire::detail
