// SPDX-License-Identifier: MIT
// The versions of CRC-32C, for the selection and for the test that compares them. Private to base.
// Each continues from `previous` and sums `head`, then `rest`; when `to` is not null it copies both
// there, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::base::crc32c_kernels {

using Kernel = std::uint32_t (*)(char* to, std::string_view head, std::string_view rest,
                                 std::uint32_t previous) noexcept;

/// A reflected polynomial times x, modulo that of CRC-32C.
[[nodiscard]] constexpr std::uint32_t times_x(std::uint32_t polynomial) noexcept {
  return (polynomial >> 1) ^ ((polynomial & 1U) != 0 ? 0x82F63B78U : 0U);
}

/// Works on every CPU.
[[nodiscard]] std::uint32_t table(char* to, std::string_view head, std::string_view rest,
                                  std::uint32_t previous) noexcept;

/// Needs SSE4.2 and PCLMULQDQ. Null when not compiled in.
extern const Kernel sse42;

/// Needs AVX-512 with BW, VL, VBMI and VBMI2, VPCLMULQDQ, and what sse42 needs. Null when not
/// compiled in.
extern const Kernel avx512;

/// Needs the CRC extension of ARMv8. Null when not compiled in.
extern const Kernel armv8;

/// True if this build has the version, and this CPU supports it.
[[nodiscard]] bool has_sse42() noexcept;
[[nodiscard]] bool has_avx512() noexcept;
[[nodiscard]] bool has_armv8() noexcept;

}  // namespace affix::inline v0::base::crc32c_kernels
