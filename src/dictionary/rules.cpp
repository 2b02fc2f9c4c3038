// SPDX-License-Identifier: MIT
// Names and reject reasons of the validator's rules.

#include "affix/dictionary/rules.hpp"

#include <array>

namespace affix::inline v0::dictionary {

namespace {

struct Row {
  Rule rule;
  const char* name;
  std::uint16_t reason;
};

// Reasons follow session layer test cases 2q and 14a to 14j.
constexpr std::array rows{
    Row{Rule::UnknownMsgType, "unknown_msg_type", 11},
    Row{Rule::SectionOrder, "section_order", 14},
    Row{Rule::RequiredMissing, "required_missing", 1},
    Row{Rule::UnknownTag, "unknown_tag", 0},
    Row{Rule::UserDefinedTag, "user_defined_tag", 0},
    Row{Rule::TagNotAllowed, "tag_not_allowed", 2},
    Row{Rule::EmptyValue, "empty_value", 4},
    Row{Rule::ValueFormat, "value_format", 6},
    Row{Rule::ValueNotListed, "value_not_listed", 5},
    Row{Rule::RepeatedTag, "repeated_tag", 13},
    Row{Rule::GroupCount, "group_count", 16},
    Row{Rule::GroupStart, "group_start", 15},
    Row{Rule::GroupOrder, "group_order", 15},
};
static_assert(rows.size() == rule_count);

constexpr bool rows_are_in_order() {
  for (std::size_t at = 0; at < rows.size(); ++at) {
    if (static_cast<std::size_t>(rows[at].rule) != at) {
      return false;
    }
  }
  return true;
}

static_assert(rows_are_in_order());

const Row& row(Rule rule) noexcept {
  return rows[static_cast<std::size_t>(rule)];
}

}  // namespace

const char* to_text(Rule rule) noexcept {
  return row(rule).name;
}

const char* to_text(RuleAction action) noexcept {
  switch (action) {
    case RuleAction::Reject:
      return "REJECT";
    case RuleAction::Warn:
      return "WARN";
    case RuleAction::Off:
      return "OFF";
  }
  return "unknown";
}

std::optional<Rule> rule_from_text(std::string_view text) noexcept {
  for (const Row& candidate : rows) {
    if (text == candidate.name) {
      return candidate.rule;
    }
  }
  return std::nullopt;
}

std::optional<RuleAction> rule_action_from_text(std::string_view text) noexcept {
  for (const RuleAction action : {RuleAction::Reject, RuleAction::Warn, RuleAction::Off}) {
    if (text == to_text(action)) {
      return action;
    }
  }
  return std::nullopt;
}

std::uint16_t reject_reason(Rule rule) noexcept {
  return row(rule).reason;
}

}  // namespace affix::inline v0::dictionary
