// SPDX-License-Identifier: MIT
// Formats measurements and findings as text and as JSON.
#pragma once

#include "doctor/finding.hpp"
#include "doctor/measured.hpp"

#include <string>

namespace affix::inline v0::tools::doctor {

/// Costs come first, each with its remedy; then unknown and good findings.
[[nodiscard]] std::string report_text(const Measured& measured, const Findings& findings);

/// One object, on one line.
[[nodiscard]] std::string report_json(const Measured& measured, const Findings& findings);

}  // namespace affix::inline v0::tools::doctor
