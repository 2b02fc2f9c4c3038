// SPDX-License-Identifier: MIT
// The scenarios supplied with affix.
#pragma once

#include <string>

namespace affix::inline v0::tools::certify {

/// AFFIX_SCENARIOS in the environment; otherwise ../share/affix/scenarios relative to an installed
/// program; otherwise the source tree of the build.
[[nodiscard]] std::string standard_scenarios();

/// `path` if it exists or is absolute; otherwise that name below standard_scenarios(), such as
/// "session" or "orders/cancel.scenario", if that exists.
[[nodiscard]] std::string find_scenarios(const std::string& path);

}  // namespace affix::inline v0::tools::certify
