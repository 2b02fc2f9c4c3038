// SPDX-License-Identifier: MIT
// A configuration's words for the validation of messages, and keys that depend on each other.
#include "config/validation_rules.hpp"

#include "support/has_message.hpp"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace affix::config {
namespace {

using dictionary::Rule;
using dictionary::RuleAction;
using dictionary::Rules;

TEST(ValidationRules, StartFromThePreset) {
  SessionSettings settings;
  EXPECT_EQ(validation_rules_of(settings).value(), Rules::strict());
  settings.validation_preset = config::ValidationPreset::Tolerant;
  EXPECT_EQ(validation_rules_of(settings).value(), Rules::tolerant());
}

TEST(ValidationRules, TakeEachPieceInTurn) {
  SessionSettings settings;
  settings.validation_rules = "unknown_tag:OFF, group_order : WARN,unknown_tag:WARN,";
  Rules expected = Rules::strict();
  expected.set(Rule::UnknownTag, RuleAction::Warn);
  expected.set(Rule::GroupOrder, RuleAction::Warn);
  EXPECT_EQ(validation_rules_of(settings).value(), expected);
}

TEST(ValidationRules, RepeatingGroupsCanBeLeftAlone) {
  SessionSettings settings;
  settings.validate_repeating_groups = false;
  settings.validation_rules = "group_count:REJECT";
  const Rules rules = validation_rules_of(settings).value();
  EXPECT_EQ(rules.action(Rule::GroupOrder), RuleAction::Off);
  EXPECT_EQ(rules.action(Rule::GroupStart), RuleAction::Off);
  EXPECT_EQ(rules.action(Rule::GroupCount), RuleAction::Reject);
}

TEST(ValidationRules, NameTheWrongRule) {
  for (const std::string_view wrong :
       {"unknown_tag", "unknown_tag:", ":OFF", "unknown_tag:off", "unknown:OFF", "unknown_tag=OFF",
        "unknown_tag:OFF:WARN", "unknown_tag:OFF unknown_tag:OFF"}) {
    SessionSettings settings;
    settings.validation_rules = wrong;
    const auto rules = validation_rules_of(settings);
    ASSERT_FALSE(rules) << wrong;
    EXPECT_NE(rules.error().message.find("'" + std::string(wrong) + "'"), std::string::npos);
    EXPECT_NE(rules.error().message.find("group_order"), std::string::npos);
  }
}

TEST(ValidationRules, FilesAreRefusedWithLines) {
  const auto refused = [](std::string_view keys, std::string_view version) {
    const auto result = parse_configuration(
        "[SERVER]\naccept_port=0\n[S]\nsender_comp_id=A\ntarget_comp_id=B\ndefault_app_ver_id=9\n"
        "begin_string=" +
            std::string(version) + "\n" + std::string(keys) + "\n",
        "t.ini");
    return result ? std::string("accepted") : text_of(result.error());
  };
  EXPECT_EQ(refused("dictionary=a.xml", "FIX.4.4"), "accepted");
  EXPECT_EQ(refused("dictionary=a.xml\ntransport_dictionary=t.xml\nfurther_dictionaries=b.xml",
                    "FIXT.1.1"),
            "accepted");
  using support::has_message;
  EXPECT_TRUE(has_message(refused("validation_rules=all:OFF", "FIX.4.4"), "C235",
                          {"t.ini:8: key 'validation_rules'", "'all:OFF'"}));
  EXPECT_TRUE(has_message(refused("validation_preset=LAX", "FIX.4.4"), "C206",
                          {"t.ini:8: ", "'LAX'", "STRICT|TOLERANT"}));
  EXPECT_TRUE(has_message(refused("transport_dictionary=t.xml", "FIX.4.4"), "C226",
                          {"t.ini:8: key 'transport_dictionary'"}));
  EXPECT_TRUE(
      has_message(refused("dictionary=a.xml", "FIXT.1.1"), "C226", {"'transport_dictionary'"}));
  EXPECT_TRUE(has_message(refused("further_dictionaries=a.xml", "FIXT.1.1"), "C226",
                          {"'further_dictionaries'", "'dictionary'"}));
}

}  // namespace
}  // namespace affix::config
