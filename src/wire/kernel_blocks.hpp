// SPDX-License-Identifier: MIT
// What the kernels of bit maps have in common before any vector: the maps of a block of 64 bytes,
// and the mask for the last block, of which the first bytes are done already. Data only, so that
// no kernel's instructions leak into another.
#pragma once

#include <cstdint>

namespace affix::inline v0::wire {

/// One bit for each of 64 bytes, the first byte's lowest.
struct Maps {
  std::uint64_t ends;    ///< SOH.
  std::uint64_t equals;  ///< Every `=`, those inside values too.
};

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

/// Not `inline`: each kernel has its own, which it reaches without a look into a table of symbols
/// that a shared library would need for a common one.
constexpr SlidingMask sliding_mask = make_sliding_mask();

}  // namespace affix::inline v0::wire
