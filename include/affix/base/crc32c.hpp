// SPDX-License-Identifier: MIT
// CRC-32C (Castagnoli), the checksum of stored records: table, SSE4.2, AVX-512 and
// ARMv8 versions, the fastest that this CPU has chosen on first use. All give the same result.
#pragma once

#include <cstdint>
#include <string_view>

namespace affix::inline v0::base {

/// CRC-32C of `bytes`, continued from `previous`: crc32c(b, crc32c(a)) is that of a and b together.
/// About a third of a cycle per byte with the instruction. Any thread.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes, std::uint32_t previous = 0) noexcept;

/// The same while copying `from` to `to`, which must not overlap: the copy hides behind the
/// checksum.
[[nodiscard]] std::uint32_t crc32c_copy(char* to, std::string_view from,
                                        std::uint32_t previous = 0) noexcept;

/// The same for two ranges that end up one behind the other, such as a header and what it heads, in
/// one call. `head` is meant to be short: it is summed by itself, in front of the rest.
[[nodiscard]] std::uint32_t crc32c_copy(char* to, std::string_view head, std::string_view rest,
                                        std::uint32_t previous) noexcept;

/// The version chosen: "table", "sse42", "avx512" or "armv8". Static storage.
[[nodiscard]] const char* crc32c_kernel() noexcept;

}  // namespace affix::inline v0::base
