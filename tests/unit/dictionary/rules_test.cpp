// SPDX-License-Identifier: MIT
// Rules and their names.

#include "affix/dictionary/rules.hpp"

#include <gtest/gtest.h>
#include <optional>
#include <set>
#include <string>

namespace affix::dictionary {

TEST(Rules, EveryNameNamesItsRule) {
  std::set<std::string> names;
  for (std::size_t at = 0; at < rule_count; ++at) {
    const auto rule = static_cast<Rule>(at);
    EXPECT_EQ(rule_from_text(to_text(rule)), rule);
    names.insert(to_text(rule));
  }
  EXPECT_EQ(names.size(), rule_count);
  EXPECT_EQ(rule_from_text("UNKNOWN_TAG"), std::nullopt);
  EXPECT_EQ(rule_from_text(""), std::nullopt);
  for (const RuleAction action : {RuleAction::Reject, RuleAction::Warn, RuleAction::Off}) {
    EXPECT_EQ(rule_action_from_text(to_text(action)), action);
  }
  EXPECT_EQ(rule_action_from_text("reject"), std::nullopt);
}

TEST(Rules, HoldOneActionForEach) {
  Rules rules = Rules::none();
  EXPECT_EQ(rules.watched(), 0u);
  for (const RuleAction action : {RuleAction::Warn, RuleAction::Reject, RuleAction::Off,
                                  RuleAction::Reject, RuleAction::Warn, RuleAction::Off}) {
    rules.set(Rule::GroupOrder, action);
    EXPECT_EQ(rules.action(Rule::GroupOrder), action);
    EXPECT_EQ(rules.action(Rule::UnknownMsgType), RuleAction::Off);
    EXPECT_EQ(rules.watched() != 0, action != RuleAction::Off);
  }
  for (std::size_t at = 0; at < rule_count; ++at) {
    EXPECT_EQ(Rules::all().action(static_cast<Rule>(at)), RuleAction::Reject);
  }
}

TEST(Rules, ReasonsAreThoseOfTheSessionLayer) {
  EXPECT_EQ(reject_reason(Rule::UnknownTag), 0);
  EXPECT_EQ(reject_reason(Rule::UserDefinedTag), 0);
  EXPECT_EQ(reject_reason(Rule::RequiredMissing), 1);
  EXPECT_EQ(reject_reason(Rule::TagNotAllowed), 2);
  EXPECT_EQ(reject_reason(Rule::EmptyValue), 4);
  EXPECT_EQ(reject_reason(Rule::ValueNotListed), 5);
  EXPECT_EQ(reject_reason(Rule::ValueFormat), 6);
  EXPECT_EQ(reject_reason(Rule::UnknownMsgType), 11);
  EXPECT_EQ(reject_reason(Rule::RepeatedTag), 13);
  EXPECT_EQ(reject_reason(Rule::SectionOrder), 14);
  EXPECT_EQ(reject_reason(Rule::GroupStart), 15);
  EXPECT_EQ(reject_reason(Rule::GroupOrder), 15);
  EXPECT_EQ(reject_reason(Rule::GroupCount), 16);
}

}  // namespace affix::dictionary
