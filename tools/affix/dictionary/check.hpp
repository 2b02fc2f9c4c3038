// SPDX-License-Identifier: MIT
// `affix dictionary check`, and the loading that all of `affix dictionary` begins with.
#pragma once

#include "affix/dictionary/load.hpp"

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::tools::dictionary {

struct CheckOptions {
  std::vector<std::string> paths;
  bool strict = false;  ///< Warnings count as errors.
};

/// A line for every problem of every file, and one for each file at last. 1 when a file has errors.
[[nodiscard]] int check(const CheckOptions& options, std::FILE* out);

/// The dictionary of a file; nothing when it has errors, all of which are then written to
/// `problems`. Warnings are written when `with_warnings`.
[[nodiscard]] std::optional<affix::dictionary::Dictionary> open_dictionary(const std::string& path,
                                                                           bool with_warnings,
                                                                           std::FILE* problems);

}  // namespace affix::inline v0::tools::dictionary
