// SPDX-License-Identifier: MIT
// The sum over bytes that CheckSum (10) is made of, by the kernel in use.
// The index checks its message by itself; this is for encoders and for whoever has bytes without an
// index.
#pragma once

#include <cstdint>
#include <string_view>

namespace affix::inline v0::wire {

/// What an encoder must know of its finished bytes: the sum for CheckSum, and that no value brought
/// a SOH of its own.
struct SumAndSoh {
  std::uint32_t sum = 0;        ///< Of all bytes, modulo 2^32; CheckSum is its lowest eight bits.
  std::uint32_t soh_count = 0;  ///< Bytes that are SOH.

  friend constexpr bool operator==(const SumAndSoh&, const SumAndSoh&) noexcept = default;
};

/// Sum and number of SOH in one pass. No allocation; reads no byte outside `bytes`.
[[nodiscard]] SumAndSoh sum_and_soh(std::string_view bytes) noexcept;

/// The sum of `bytes` modulo 256: CheckSum's value when `bytes` is a message up to its `10=`.
[[nodiscard]] std::uint8_t checksum(std::string_view bytes) noexcept;

}  // namespace affix::inline v0::wire
