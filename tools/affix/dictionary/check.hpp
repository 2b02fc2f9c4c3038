// SPDX-License-Identifier: MIT
// `affix dictionary check`, and the loading step of every `affix dictionary` command.
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

/// Prints a line for every problem of every file, and at the end one for each file. Returns 1 when
/// a file has errors.
[[nodiscard]] int check(const CheckOptions& options, std::FILE* out);

/// Loads the dictionary of a file; nullopt if it has errors, all of which are written to
/// `problems`. Also writes warnings if `with_warnings`.
[[nodiscard]] std::optional<affix::dictionary::Dictionary> open_dictionary(const std::string& path,
                                                                           bool with_warnings,
                                                                           std::FILE* problems);

}  // namespace affix::inline v0::tools::dictionary
