// SPDX-License-Identifier: MIT
// The SSE4.2 kernel: 16 bytes an operation, bit maps of 64. Tags are converted one by one, since
// SSE4.2 has no variable shifts.
#include "affix/wire/checksum.hpp"
#include "affix/wire/index.hpp"

#include "wire/kernels.hpp"

#ifdef AFFIX_KERNELS_X86

#include "wire/kernel_blocks.hpp"
#include "wire/kernel_edges.hpp"
#include "wire/marks.hpp"

#include <immintrin.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("sse4.2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("sse4.2,popcnt")
#endif

namespace affix::inline v0::wire {

namespace {

struct Block {
  __m128i parts[4];
};

[[gnu::always_inline]] inline Block load(const void* from) noexcept {
  const auto* parts = static_cast<const __m128i*>(from);
  return {{_mm_loadu_si128(parts), _mm_loadu_si128(parts + 1), _mm_loadu_si128(parts + 2),
           _mm_loadu_si128(parts + 3)}};
}

[[gnu::always_inline]] inline __m128i both_of(__m128i left, __m128i right) noexcept {
  return _mm_and_si128(left, right);
}

[[gnu::always_inline]] inline std::uint64_t map_of(const Block& block, char byte) noexcept {
  const __m128i wanted = _mm_set1_epi8(byte);
  std::uint64_t map = 0;
  for (int part = 0; part < 4; ++part) {
    const auto bits =
        static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(block.parts[part], wanted)));
    map |= std::uint64_t{bits} << (16 * part);
  }
  return map;
}

[[gnu::always_inline]] inline std::uint64_t sum_of(const Block& block) noexcept {
  const __m128i zero = _mm_setzero_si128();
  const __m128i low =
      _mm_add_epi64(_mm_sad_epu8(block.parts[0], zero), _mm_sad_epu8(block.parts[1], zero));
  const __m128i high =
      _mm_add_epi64(_mm_sad_epu8(block.parts[2], zero), _mm_sad_epu8(block.parts[3], zero));
  const __m128i both = _mm_add_epi64(low, high);
  return static_cast<std::uint64_t>(_mm_cvtsi128_si64(both)) +
         static_cast<std::uint64_t>(_mm_extract_epi64(both, 1));
}

#include "wire/kernel_maps16.inl"

void index_sse42(std::string_view message, FieldIndex& index,
                 const DataFields& data_fields) noexcept {
  index_by_maps_or_scalar(message, index, data_fields);
}

SumAndSoh sum_sse42(const char* bytes, std::size_t size) noexcept {
  return sum_by_blocks(bytes, size);
}

}  // namespace

constinit const KernelTable sse42_kernel{&index_sse42, &sum_sse42, &has_tags_and_values_scalar};

}  // namespace affix::inline v0::wire

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
