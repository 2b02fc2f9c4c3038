// SPDX-License-Identifier: MIT
// `affix dictionary convert`: reads any format, writes the canonical form.
#pragma once

#include <cstdio>
#include <string>

namespace affix::inline v0::tools::dictionary {

struct ConvertOptions {
  std::string path;
  std::string output;   ///< Empty: standard output.
  std::string version;  ///< Replaces the file's own version; empty: keeps it.
};

/// Writes the dictionary, warnings and errors to standard error. The output file appears complete
/// or not at all. Returns the exit status.
[[nodiscard]] int convert(const ConvertOptions& options, std::FILE* out);

}  // namespace affix::inline v0::tools::dictionary
