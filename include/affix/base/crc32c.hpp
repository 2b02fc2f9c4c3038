// SPDX-License-Identifier: MIT
// CRC-32C (Castagnoli), the checksum of stored records: table, SSE4.2, AVX-512 and ARMv8 versions;
// the first use selects the fastest. All give the same result.
#pragma once

#include <cstdint>
#include <string_view>

namespace affix::inline v0::base {

/// CRC-32C of `bytes`, continued from `previous`: crc32c(b, crc32c(a)) is that of a and b together.
/// About a third of a cycle per byte with the instruction. Any thread.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes, std::uint32_t previous = 0) noexcept;

/// Does the same while copying `from` to `to`, which must not overlap; copying adds no time to the
/// checksum.
[[nodiscard]] std::uint32_t crc32c_copy(char* to, std::string_view from,
                                        std::uint32_t previous = 0) noexcept;

/// Does the same for two adjacent ranges, such as a header and its contents, in one call. `head`
/// should be short: it is processed separately, before the rest.
[[nodiscard]] std::uint32_t crc32c_copy(char* to, std::string_view head, std::string_view rest,
                                        std::uint32_t previous) noexcept;

/// The selected version: "table", "sse42", "avx512" or "armv8". Static storage.
[[nodiscard]] const char* crc32c_kernel() noexcept;

}  // namespace affix::inline v0::base
