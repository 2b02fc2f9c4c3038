// SPDX-License-Identifier: MIT
// Results of verifying and repairing, as text and as JSON.
#pragma once

#include "affix/journal/repair.hpp"
#include "affix/journal/verify.hpp"

#include <string>

namespace affix::inline v0::tools::journal {

/// One line for a journal without faults; with `all`, also a line per segment. Always all findings,
/// a line each.
[[nodiscard]] std::string text_of(const affix::journal::Verification& verification, bool all);

[[nodiscard]] std::string text_of(const affix::journal::Repair& repair, bool applied);

/// One object on a line, with every segment and every finding.
[[nodiscard]] std::string json_of(const affix::journal::Verification& verification);
[[nodiscard]] std::string json_of(const affix::journal::Repair& repair, bool applied);

}  // namespace affix::inline v0::tools::journal
