// SPDX-License-Identifier: MIT
// Reads a dictionary's file.
#pragma once

#include "affix/dictionary/problem.hpp"

#include <cstddef>
#include <expected>
#include <string>

namespace affix::inline v0::dictionary {

/// At most `bytes_max` and one more, so that the limit is reported for a larger file. The error is
/// one of the whole file.
[[nodiscard]] std::expected<std::string, Problem> read_file_bytes(const std::string& path,
                                                                  std::size_t bytes_max);

}  // namespace affix::inline v0::dictionary
