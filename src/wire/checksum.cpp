// SPDX-License-Identifier: MIT
// The sum of bytes, by the kernel in use.
#include "affix/wire/checksum.hpp"

#include "wire/kernels.hpp"

namespace affix::inline v0::wire {

SumAndSoh sum_and_soh(std::string_view bytes) noexcept {
  return active_sum.load(std::memory_order_relaxed)(bytes.data(), bytes.size());
}

std::uint8_t checksum(std::string_view bytes) noexcept {
  return static_cast<std::uint8_t>(sum_and_soh(bytes).sum);
}

}  // namespace affix::inline v0::wire
