// SPDX-License-Identifier: MIT
// Generated headers to disk, so that build systems do no more than they must.
#pragma once

#include "affix/base/error.hpp"
#include "affix/codegen/generate.hpp"

#include <cstddef>
#include <expected>
#include <span>
#include <string>

namespace affix::inline v0::codegen {

struct Written {
  std::size_t changed = 0;  ///< Files that were new or different, and so were written.
  std::size_t unchanged = 0;
};

/// Writes `files` below `directory`, which is made when it is not there. A file that holds its text
/// already is not touched; each is whole or not there (written beside its place and renamed). Files
/// that are not among `files` are left alone. Io and Denied with the path. System calls.
[[nodiscard]] std::expected<Written, base::Error> write_files(const std::string& directory,
                                                              std::span<const GeneratedFile> files);

}  // namespace affix::inline v0::codegen
