// SPDX-License-Identifier: MIT
// Common data of the bit-map kernels, without vectors: the maps of a block of 64 bytes, and the
// mask for the last block, whose first bytes are processed already. Data only, so that no kernel's
// instructions leak into another.
#pragma once

#include <cstdint>

namespace affix::inline v0::wire {

/// One bit for each of 64 bytes, the first byte's lowest.
struct Maps {
  std::uint64_t ends;    ///< SOH.
  std::uint64_t equals;  ///< Every `=`, including those in values.
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

/// Not `inline`: each kernel has its own copy, reached without the symbol-table look-up that a
/// common one would need in a shared library.
constexpr SlidingMask sliding_mask = make_sliding_mask();

}  // namespace affix::inline v0::wire
