// SPDX-License-Identifier: MIT
// Writes generated headers to disk so that build systems rebuild only what changed.
#pragma once

#include "affix/base/error.hpp"

#include "codegen/generated_file.hpp"

#include <cstddef>
#include <expected>
#include <span>
#include <string>

namespace affix::inline v0::tools::codegen {

struct Written {
  std::size_t changed = 0;  ///< New or different files that were written.
  std::size_t unchanged = 0;
};

/// Writes `files` below `directory`, which it creates if missing. Does not touch a file whose
/// contents are equal. Writes atomically (a temporary file, then a rename). Ignores files that are
/// not in `files`. Errors: Io and Denied, with the path. System calls.
[[nodiscard]] std::expected<Written, base::Error> write_files(const std::string& directory,
                                                              std::span<const GeneratedFile> files);

}  // namespace affix::inline v0::tools::codegen
