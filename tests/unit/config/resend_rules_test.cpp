// SPDX-License-Identifier: MIT
// Reading `resend_policy`: types, ages, refused values and their errors.
#include "config/resend_rules.hpp"

#include "affix/base/time.hpp"

#include "support/has_message.hpp"

#include <gtest/gtest.h>
#include <string>

namespace affix::config {
namespace {

using session::ResendAction;
using session::ResendPolicy;
using support::has_message;

std::expected<ResendRules, base::Error> read_policy(const std::string& text) {
  // Types of more than eight characters view the settings.
  static SessionSettings settings;
  settings.resend_policy = text;
  return resend_rules_of(settings);
}

TEST(ResendRules, NothingSaidMeansReplay) {
  const auto rules = read_policy("");
  ASSERT_TRUE(rules);
  EXPECT_TRUE(rules->rules.empty());
  EXPECT_EQ(rules->otherwise, ResendPolicy{});
}

TEST(ResendRules, TypesAndTheRest) {
  const auto rules = read_policy(" D : GAP_FILL ,8:REPLAY, F:YOUNGER_THAN_5s,*:GAP_FILL");
  ASSERT_TRUE(rules);
  ASSERT_EQ(rules->rules.size(), 3U);
  EXPECT_EQ(rules->rules[0].type, wire::MsgType("D"));
  EXPECT_EQ(rules->rules[0].policy.action, ResendAction::GapFill);
  EXPECT_EQ(rules->rules[1].policy.action, ResendAction::Replay);
  EXPECT_EQ(rules->rules[2].policy, (ResendPolicy{ResendAction::ReplayIfYounger, 5'000'000'000}));
  EXPECT_EQ(rules->otherwise.action, ResendAction::GapFill);
}

TEST(ResendRules, AgesHaveUnits) {
  const auto age = [](const std::string& text) {
    const auto rules = read_policy("D:YOUNGER_THAN_" + text);
    return rules ? rules->rules[0].policy.age_max_ns : -1;
  };
  EXPECT_EQ(age("250ms"), 250 * base::ns_per_ms);
  EXPECT_EQ(age("5s"), 5 * base::ns_per_second);
  EXPECT_EQ(age("2m"), 120 * base::ns_per_second);
  EXPECT_EQ(age("1h"), 3'600 * base::ns_per_second);
  for (const char* wrong : {"", "5", "s", "0s", "-1s", "5d", "5 s", "9000h", "9223372036854775807s",
                            "99999999999999999999s"}) {
    EXPECT_EQ(age(wrong), -1) << wrong;
  }
}

TEST(ResendRules, LongTypesAreKeptWhole) {
  const auto rules = read_policy("ABCDEFGHIJ:GAP_FILL");
  ASSERT_TRUE(rules);
  EXPECT_EQ(rules->rules[0].type, wire::MsgType("ABCDEFGHIJ"));
  EXPECT_FALSE(rules->rules[0].type == wire::MsgType("ABCDEFGHIK"));
}

TEST(ResendRules, AWrongRuleIsNamed) {
  const auto fault = [](const std::string& text) {
    const auto rules = read_policy(text);
    return rules ? std::string("none") : rules.error().text();
  };
  EXPECT_TRUE(has_message(fault("D"), "C236", {"'D'"}));
  EXPECT_TRUE(has_message(fault("D:replay"), "C236", {"'D:replay'"}));
  EXPECT_TRUE(has_message(fault(":REPLAY"), "C236", {"':REPLAY'"}));
  EXPECT_TRUE(has_message(fault("8:REPLAY,,D:REPLAY"), "C236", {"''"}));
  EXPECT_TRUE(has_message(fault("A:REPLAY"), "C236", {"'A:REPLAY'", "session message"}));
  EXPECT_TRUE(has_message(fault("D:REPLAY,D:GAP_FILL"), "C236", {"'D'", "twice"}));
  EXPECT_TRUE(has_message(fault("*:REPLAY,*:GAP_FILL"), "C236", {"'*'", "twice"}));
}

}  // namespace
}  // namespace affix::config
