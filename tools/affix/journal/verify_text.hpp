// SPDX-License-Identifier: MIT
// What verifying and repairing found, as text.
#pragma once

#include "affix/journal/repair.hpp"
#include "affix/journal/verify.hpp"

#include <string>

namespace affix::inline v0::tools::journal {

/// One line for a sound journal; with `all`, a line per segment too. Findings always, a line each.
[[nodiscard]] std::string text_of(const affix::journal::Verification& verification, bool all);

[[nodiscard]] std::string text_of(const affix::journal::Repair& repair, bool applied);

}  // namespace affix::inline v0::tools::journal
