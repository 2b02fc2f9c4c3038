// SPDX-License-Identifier: MIT
// `affix dictionary convert`: any format in, the canonical form out.
#pragma once

#include <cstdio>
#include <string>

namespace affix::inline v0::tools::dictionary {

struct ConvertOptions {
  std::string path;
  std::string output;   ///< Empty: standard output.
  std::string version;  ///< What the file's own words are replaced by; empty: they stay.
};

/// Writes the dictionary, warnings and errors to standard error. A file appears whole or not at
/// all. The exit status.
[[nodiscard]] int convert(const ConvertOptions& options, std::FILE* out);

}  // namespace affix::inline v0::tools::dictionary
