// SPDX-License-Identifier: MIT
// Results of scenarios as lines of a terminal.
#pragma once

#include "affix/certify/run.hpp"

#include <string>
#include <vector>

namespace affix::inline v0::tools::certify {

/// A line for each file, with a mark for each scenario: `.` passed, `F` failed, `s` skipped.
[[nodiscard]] std::string picture_of(const std::vector<affix::certify::Result>& results);

/// "41 passed, 1 failed, 3 skipped".
[[nodiscard]] std::string summary_of(const std::vector<affix::certify::Result>& results);

}  // namespace affix::inline v0::tools::certify
