// SPDX-License-Identifier: MIT
// From a session group's words to the rules its messages are judged by.
#pragma once

#include "affix/dictionary/rules.hpp"
#include "affix/engine/configuration.hpp"

#include <expected>
#include <string>

namespace affix::inline v0::engine {

/// The preset, then `validate_repeating_groups`, then each `rule:ACTION` of `validation_rules`. An
/// error names the piece that is neither and what is allowed.
[[nodiscard]] std::expected<dictionary::Rules, std::string> validation_rules_of(
    const SessionSettings& settings);

}  // namespace affix::inline v0::engine
