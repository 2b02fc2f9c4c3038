// SPDX-License-Identifier: MIT
// The NEON kernel: 16 bytes an operation, bit maps of 64 by pairwise additions, tags one by one.
#include "affix/wire/checksum.hpp"
#include "affix/wire/index.hpp"

#include "wire/kernels.hpp"

#ifdef AFFIX_KERNELS_ARM

#include "wire/kernel_blocks.hpp"
#include "wire/kernel_edges.hpp"
#include "wire/marks.hpp"

#include <arm_neon.h>

namespace affix::inline v0::wire {

namespace {

struct Block {
  uint8x16_t parts[4];
};

[[gnu::always_inline]] inline Block load(const void* from) noexcept {
  const auto* bytes = static_cast<const std::uint8_t*>(from);
  return {{vld1q_u8(bytes), vld1q_u8(bytes + 16), vld1q_u8(bytes + 32), vld1q_u8(bytes + 48)}};
}

[[gnu::always_inline]] inline uint8x16_t both_of(uint8x16_t left, uint8x16_t right) noexcept {
  return vandq_u8(left, right);
}

/// Each matching byte keeps one bit of its place in eight; three pairwise additions join all
/// 64.
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

#include "wire/kernel_maps16.inl"

void index_neon(std::string_view message, FieldIndex& index,
                const DataFields& data_fields) noexcept {
  index_by_maps_or_scalar(message, index, data_fields);
}

SumAndSoh sum_neon(const char* bytes, std::size_t size) noexcept {
  return sum_by_blocks(bytes, size);
}

}  // namespace

constinit const KernelTable neon_kernel{&index_neon, &sum_neon, &has_tags_and_values_scalar};

}  // namespace affix::inline v0::wire

#endif
