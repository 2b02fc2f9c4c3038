// SPDX-License-Identifier: MIT
// What was measured and found, as text and as JSON.
#pragma once

#include "doctor/finding.hpp"
#include "doctor/measured.hpp"

#include <string>

namespace affix::inline v0::tools::doctor {

/// What costs comes first, each with what to do; then what is not known and what is fine.
[[nodiscard]] std::string report_text(const Measured& measured, const Findings& findings);

/// One object, a line.
[[nodiscard]] std::string report_json(const Measured& measured, const Findings& findings);

}  // namespace affix::inline v0::tools::doctor
