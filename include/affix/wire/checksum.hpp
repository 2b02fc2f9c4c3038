// SPDX-License-Identifier: MIT
// Computes the byte sum for CheckSum (10) with the active kernel. The index checks
// its own message; these functions are for encoders and for bytes without an
// index.
#pragma once

#include <cstdint>
#include <string_view>

namespace affix::inline v0::wire {

/// Properties that an encoder needs of finished bytes: the sum for CheckSum, and the number of
/// SOH.
struct SumAndSoh {
  std::uint32_t sum = 0;        ///< Of all bytes, modulo 2^32; CheckSum is its lowest eight bits.
  std::uint32_t soh_count = 0;  ///< Number of SOH bytes.

  friend constexpr bool operator==(const SumAndSoh&, const SumAndSoh&) noexcept = default;
};

/// Computes sum and number of SOH in one pass. No allocation; reads no byte outside `bytes`.
[[nodiscard]] SumAndSoh sum_and_soh(std::string_view bytes) noexcept;

/// Sum of `bytes` modulo 256: CheckSum's value if `bytes` is a message up to its `10=`.
[[nodiscard]] std::uint8_t checksum(std::string_view bytes) noexcept;

}  // namespace affix::inline v0::wire
