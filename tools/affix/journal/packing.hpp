// SPDX-License-Identifier: MIT
// Bytes packed into a file that is there as a whole or not at all.
#pragma once

#include "affix/base/error.hpp"

#include "journal/archive.hpp"

#include <expected>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::journal {

/// ".gz", ".zst", or nothing.
[[nodiscard]] std::string_view ending_of(Packing packing) noexcept;

/// Writes through to the disk under another name first. NoSpace, Io, Denied.
[[nodiscard]] std::expected<void, base::Error> write_packed(const std::string& path,
                                                            std::string_view bytes,
                                                            Packing packing);

}  // namespace affix::inline v0::tools::journal
