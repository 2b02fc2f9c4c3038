// SPDX-License-Identifier: MIT
// The NEON kernel: 16 bytes an operation, bit maps of 64 by pairwise additions, tags one by one.
#include "wire/kernels.hpp"

#ifdef AFFIX_KERNELS_ARM

#include "wire/kernel_edges.hpp"

#include <arm_neon.h>

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
  uint8x16_t parts[4];
};

[[gnu::always_inline]] inline Block load(const void* from) noexcept {
  const auto* bytes = static_cast<const std::uint8_t*>(from);
  return {{vld1q_u8(bytes), vld1q_u8(bytes + 16), vld1q_u8(bytes + 32), vld1q_u8(bytes + 48)}};
}

/// Each byte that matches keeps one bit of its place in eight; three pairwise additions bring all
/// 64 together.
[[gnu::always_inline]] inline std::uint64_t map_of(const Block& block, char byte) noexcept {
  constexpr std::uint8_t places[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const uint8x16_t place = vld1q_u8(places);
  const uint8x16_t wanted = vdupq_n_u8(static_cast<std::uint8_t>(byte));
  const uint8x16_t low = vpaddq_u8(vandq_u8(vceqq_u8(block.parts[0], wanted), place),
                                   vandq_u8(vceqq_u8(block.parts[1], wanted), place));
  const uint8x16_t high = vpaddq_u8(vandq_u8(vceqq_u8(block.parts[2], wanted), place),
                                    vandq_u8(vceqq_u8(block.parts[3], wanted), place));
  const uint8x16_t both = vpaddq_u8(low, high);
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(both, both)), 0);
}

[[gnu::always_inline]] inline std::uint64_t sum_of(const Block& block) noexcept {
  const uint16x8_t low = vpadalq_u8(vpaddlq_u8(block.parts[0]), block.parts[1]);
  const uint16x8_t both = vpadalq_u8(vpadalq_u8(low, block.parts[2]), block.parts[3]);
  return vaddlvq_u16(both);
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
    block.parts[part] = vandq_u8(block.parts[part], mask.parts[part]);
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

void index_neon(std::string_view message, FieldIndex& index,
                const DataFields& data_fields) noexcept {
  if (!index_by_maps(message.data(), static_cast<std::uint32_t>(message.size()), index,
                     data_fields)) [[unlikely]] {
    index_scalar(message, index, data_fields);
  }
}

SumAndSoh sum_neon(const char* bytes, std::size_t size) noexcept {
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

constinit const KernelTable neon_kernel{&index_neon, &sum_neon};

}  // namespace affix::inline v0::wire

#endif
