// SPDX-License-Identifier: MIT
// The SSE4.2 kernel: 16 bytes an operation, bit maps of 64. Without variable shifts tags are made
// one by one.
#include "wire/kernels.hpp"

#ifdef AFFIX_KERNELS_X86

#include "wire/kernel_edges.hpp"

#include <immintrin.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("sse4.2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("sse4.2,popcnt")
#endif

namespace affix::inline v0::wire {

namespace {

struct Maps {
  std::uint64_t ends;
  std::uint64_t equals;
};

using Sums = std::uint64_t;

/// 64 when there is none, as store_begins counts on.
[[gnu::always_inline]] inline std::size_t lowest_bit(std::uint64_t map) noexcept {
  return map == 0 ? 64 : static_cast<std::size_t>(__builtin_ctzll(map));
}

[[gnu::always_inline]] inline Sums no_sums() noexcept {
  return 0;
}

[[gnu::always_inline]] inline std::uint32_t total(Sums sums) noexcept {
  return static_cast<std::uint32_t>(sums);
}

struct Block {
  __m128i parts[4];
};

[[gnu::always_inline]] inline Block load(const void* from) noexcept {
  const auto* parts = static_cast<const __m128i*>(from);
  return {{_mm_loadu_si128(parts), _mm_loadu_si128(parts + 1), _mm_loadu_si128(parts + 2),
           _mm_loadu_si128(parts + 3)}};
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

[[gnu::always_inline]] inline Maps maps_of(const Block& block) noexcept {
  return {map_of(block, soh), map_of(block, '=')};
}

[[gnu::always_inline]] inline Maps map_block(const char* bytes, Sums& sums) noexcept {
  const Block block = load(bytes);
  sums += sum_of(block);
  return maps_of(block);
}

/// 64 zeros, then 64 times 255: from byte 64 - n, a mask without the first n bytes.
struct SlidingMask {
  alignas(64) std::uint8_t bytes[128];
};

constexpr SlidingMask make_sliding_mask() noexcept {
  SlidingMask result{};
  for (std::uint32_t at = 64; at < 128; ++at) {
    result.bytes[at] = 255;
  }
  return result;
}

constexpr SlidingMask sliding_mask = make_sliding_mask();

[[gnu::always_inline]] inline Block load_last(const char* bytes, std::size_t done) noexcept {
  Block block = load(bytes);
  const Block mask = load(sliding_mask.bytes + 64 - done);
  for (int part = 0; part < 4; ++part) {
    block.parts[part] = _mm_and_si128(block.parts[part], mask.parts[part]);
  }
  return block;
}

[[gnu::always_inline]] inline Maps map_last(const char* bytes, std::uint32_t done,
                                            Sums& sums) noexcept {
  const Block block = load_last(bytes, done);
  sums += sum_of(block);
  return maps_of(block);
}

[[gnu::always_inline]] inline edges::Tags convert_tags(const char* bytes, FieldIndex& index,
                                                       std::uint32_t count,
                                                       const DataFields& data_fields) noexcept {
  return edges::convert_tags(bytes, index, count, data_fields);
}

#include "wire/kernel_maps.inl"

void index_sse42(std::string_view message, FieldIndex& index,
                 const DataFields& data_fields) noexcept {
  if (!index_by_maps(message.data(), static_cast<std::uint32_t>(message.size()), index,
                     data_fields)) [[unlikely]] {
    index_scalar(message, index, data_fields);
  }
}

SumAndSoh sum_sse42(const char* bytes, std::size_t size) noexcept {
  if (size < 64) {
    return scalar_kernel.sum(bytes, size);
  }
  std::uint64_t sum = 0;
  std::uint64_t soh_count = 0;
  std::size_t at = 0;
  for (; size - at >= 64; at += 64) {
    const Block block = load(bytes + at);
    sum += sum_of(block);
    soh_count += static_cast<std::uint64_t>(__builtin_popcountll(map_of(block, soh)));
  }
  if (at < size) {
    const Block block = load_last(bytes + size - 64, at + 64 - size);
    sum += sum_of(block);
    soh_count += static_cast<std::uint64_t>(__builtin_popcountll(map_of(block, soh)));
  }
  return {static_cast<std::uint32_t>(sum), static_cast<std::uint32_t>(soh_count)};
}

}  // namespace

constinit const KernelTable sse42_kernel{&index_sse42, &sum_sse42};

}  // namespace affix::inline v0::wire

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
