// SPDX-License-Identifier: MIT
// Translates a session group's keys into the rules for validating its messages.
#pragma once

#include "affix/base/error.hpp"
#include "affix/config/configuration.hpp"
#include "affix/dictionary/rules.hpp"

#include <expected>

namespace affix::inline v0::config {

/// The preset, then `validate_repeating_groups`, then each `rule:ACTION` of `validation_rules`. An
/// error names the piece that is unknown and the allowed ones.
[[nodiscard]] std::expected<dictionary::Rules, base::Error> validation_rules_of(
    const SessionSettings& settings);

}  // namespace affix::inline v0::config
