// SPDX-License-Identifier: MIT
// Writes packed bytes to a file that appears complete or not at all.
#pragma once

#include "affix/base/error.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::journal {

enum class Packing : std::uint8_t { None, Gzip, Zstd };

/// ".gz", ".zst", or nothing.
[[nodiscard]] std::string_view ending_of(Packing packing) noexcept;

/// Writes to a temporary name, flushed to the disk, first. NoSpace, Io, Denied.
[[nodiscard]] std::expected<void, base::Error> write_packed(const std::string& path,
                                                            std::string_view bytes,
                                                            Packing packing);

}  // namespace affix::inline v0::tools::journal
