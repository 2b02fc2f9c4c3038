// SPDX-License-Identifier: MIT
// Parses `rule:ACTION` lists.
#include "config/validation_rules.hpp"

#include "config/list_text.hpp"

#include <algorithm>
#include <string_view>

namespace affix::inline v0::config {

namespace {

using dictionary::Rule;
using dictionary::RuleAction;

std::string known_rules() {
  std::string names;
  for (std::size_t at = 0; at < dictionary::rule_count; ++at) {
    names += (at == 0 ? "" : ", ") + std::string(dictionary::to_text(static_cast<Rule>(at)));
  }
  return names;
}

dictionary::Rules preset_of(const SessionSettings& settings) noexcept {
  if (settings.validation_preset == ValidationPreset::Tolerant) {
    return dictionary::Rules::tolerant();
  }
  return settings.validation_preset == ValidationPreset::Quickfix ? dictionary::Rules::quickfix()
                                                                  : dictionary::Rules::strict();
}

}  // namespace

std::expected<dictionary::Rules, base::Error> validation_rules_of(const SessionSettings& settings) {
  dictionary::Rules rules = preset_of(settings);
  if (!settings.validate_repeating_groups) {
    for (const Rule rule : {Rule::GroupCount, Rule::GroupStart, Rule::GroupOrder}) {
      rules.set(rule, RuleAction::Off);
    }
  }
  std::string_view rest = settings.validation_rules;
  while (!rest.empty()) {
    const std::string_view piece = take_piece(rest);
    const std::size_t colon = std::min(piece.find(':'), piece.size());
    const auto rule = dictionary::rule_from_text(base::trimmed(piece.substr(0, colon)));
    const auto action = dictionary::rule_action_from_text(
        base::trimmed(piece.substr(std::min(colon + 1, piece.size()))));
    if (!rule || !action) {
      return base::invalid_argument(
          "'" + std::string(piece) +
              "' is not rule:ACTION with one of REJECT, WARN, OFF and a rule of " + known_rules(),
          "C235");
    }
    rules.set(*rule, *action);
  }
  return rules;
}

}  // namespace affix::inline v0::config
