// SPDX-License-Identifier: MIT
// A prefix for ids that differs in every run of a program.
#pragma once

#include <string>

namespace affix::inline v0::tools {

/// Seconds since the epoch in base 36 and a dash: "TOUYJY-".
[[nodiscard]] std::string run_prefix();

}  // namespace affix::inline v0::tools
