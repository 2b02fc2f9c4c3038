// SPDX-License-Identifier: MIT
// Resend rules for stored messages: by type, by age; and resends that would never end.
#include "affix/session/resend_policy.hpp"

#include "session_case.hpp"

#include <array>

namespace affix::session_test {
namespace {

using session::ResendAction;
using session::ResendPolicy;
using session::ResendRule;

/// An acceptor that sent an order (2), a report (3) and an order (4), ten seconds apart.
class Policy {
 public:
  explicit Policy(std::vector<ResendRule> rules, ResendPolicy otherwise = {})
      : rules_(std::move(rules)) {
    SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
    options.resend_rules = rules_;
    options.resend_policy = otherwise;
    options.time_precision = wire::TimePrecision::Millis;
    EXPECT_EQ(session::option_fault(options), session::OptionFault::None);
    one.emplace(options);
    one->log_on();
    for (const char* type : {"D", "8", "D"}) {
      one->endpoint.now = one->clock.now();
      EXPECT_TRUE(one->endpoint.send(type, "11=x"));
      static_cast<void>(one->endpoint.take_output());
      one->clock.advance(10 * ns_per_second);
    }
    one->endpoint.now = one->clock.now();
  }

  /// Types of the messages sent in answer to a request for everything.
  std::string answer() { return types_of(one->peer.say("2", "7=2|16=0")); }

  std::optional<Case> one;

 private:
  std::vector<ResendRule> rules_;
};

TEST(ResendPolicy, WithoutRulesEverythingComesAgain) {
  EXPECT_EQ(Policy({}).answer(), "D 8 D");
}

TEST(ResendPolicy, TypesThatAreNeverResentAreGapFilled) {
  Policy policy({{"D", {ResendAction::GapFill, 0}}});
  const Messages sent = policy.one->peer.say("2", "7=2|16=0");
  ASSERT_EQ(types_of(sent), "4 8 4");
  EXPECT_EQ(field_of(sent[0], 34), "2");
  EXPECT_EQ(field_of(sent[0], 36), "3");
  EXPECT_EQ(field_of(sent[2], 34), "4");
  EXPECT_EQ(field_of(sent[2], 36), "5");
}

TEST(ResendPolicy, OnlyYoungMessagesComeAgain) {
  // 30, 20 and 10 seconds old.
  const std::vector<ResendRule> rules{{"D", {ResendAction::ReplayIfYounger, 15 * ns_per_second}}};
  EXPECT_EQ(Policy(rules).answer(), "4 8 D");
  EXPECT_EQ(Policy({}, {ResendAction::ReplayIfYounger, 25 * ns_per_second}).answer(), "4 8 D");
  EXPECT_EQ(Policy({}, {ResendAction::ReplayIfYounger, 10 * ns_per_second}).answer(), "4");
}

TEST(ResendPolicy, FirstRuleOfATypeCountsAndOthersHaveTheRest) {
  Policy policy({{"8", {ResendAction::Replay, 0}}, {"8", {ResendAction::GapFill, 0}}},
                {ResendAction::GapFill, 0});
  EXPECT_EQ(policy.answer(), "4 8 4");
}

TEST(ResendPolicy, ClockSetBackMakesNothingYoung) {
  Policy policy({}, {ResendAction::ReplayIfYounger, 60 * ns_per_second});
  policy.one->clock.step_utc(-3600 * ns_per_second);
  policy.one->endpoint.now = policy.one->clock.now();
  EXPECT_EQ(types_of(policy.one->peer.say("2", "7=2|16=0")), "4");
}

TEST(ResendPolicy, LongTypesAreDistinguished) {
  Policy policy({{"ABCDEFGHIJ", {ResendAction::GapFill, 0}}});
  ASSERT_TRUE(policy.one->endpoint.send("ABCDEFGHIJ", "11=x"));
  ASSERT_TRUE(policy.one->endpoint.send("ABCDEFGHIK", "11=x"));
  static_cast<void>(policy.one->endpoint.take_output());
  EXPECT_EQ(types_of(policy.one->peer.say("2", "7=5|16=0")), "4 ABCDEFGHIK");
}

TEST(ResendPolicy, AgesAreAboveZero) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.resend_policy = {ResendAction::ReplayIfYounger, 0};
  EXPECT_NE(session::option_fault(options), session::OptionFault::None);
  options.resend_policy = {};
  const std::array<ResendRule, 1> rules{ResendRule{"D", {ResendAction::ReplayIfYounger, -1}}};
  options.resend_rules = rules;
  EXPECT_NE(session::option_fault(options), session::OptionFault::None);
}

TEST(ResendRepeated, TheSameRequestAgainAndAgainEnds) {
  each_session([](Case& one) {
    ASSERT_TRUE(one.endpoint.send("D", "11=1"));
    static_cast<void>(one.endpoint.take_output());
    const std::uint32_t most = one.options().resend_repeats_max;
    for (std::uint32_t asked = 0; asked < most; ++asked) {
      ASSERT_EQ(types_of(one.peer.say("2", "7=2|16=2")), "D") << asked;
    }
    const Messages end = one.peer.say("2", "7=2|16=2");
    ASSERT_EQ(types_of(end), "5");
    EXPECT_EQ(field_of(end[0], 58), "The same resend was requested too often");
    EXPECT_TRUE(one.endpoint.reported(Event::ResendRepeated));
    one.peer.say("5");
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::PeerFault);
  });
}

TEST(ResendRepeated, AheadOfAGapTheyAreCountedToo) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.log_on();
  ASSERT_TRUE(one.endpoint.send("D", "11=1"));
  static_cast<void>(one.endpoint.take_output());
  std::uint64_t number = 10;
  for (; number < 60 && one.endpoint.phase() == Phase::Active; ++number) {
    one.peer.say("2", "7=2|16=2", {.sequence = number});
  }
  EXPECT_EQ(number, 10 + one.options().resend_repeats_max + 1);
  EXPECT_EQ(one.endpoint.phase(), Phase::LogoutForced);
}

TEST(ResendRepeated, RequestsThatMoveOnOrComeSlowlyAreNoLoop) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.log_on();
  ASSERT_TRUE(one.endpoint.send("D", "11=1"));
  ASSERT_TRUE(one.endpoint.send("D", "11=2"));
  for (int round = 0; round < 50; ++round) {
    one.peer.say("2", "7=2|16=2");
    one.peer.say("2", "7=3|16=3");
  }
  for (int round = 0; round < 50; ++round) {
    for (int part = 0; part < 3; ++part) {
      one.peer.pass(20 * ns_per_second);
      one.peer.say("0");
    }
    one.peer.say("2", "7=2|16=2");
  }
  EXPECT_EQ(one.endpoint.phase(), Phase::Active);
}

TEST(ResendSkipped, MessagesThatAResendLeavesOutAreRequestedAtOnce) {
  each_session([](Case& one) {
    const auto again = [&](std::uint64_t number) {
      return one.order(
          "again", {.sequence = number, .possible_duplicate = true, .extra = "122=" + one.ago(1)});
    };
    EXPECT_EQ(types_of(one.order("ahead", {.sequence = 9})), "2");
    EXPECT_EQ(types_of(again(2)), "");
    const Messages asked = again(4);  // 3 was lost.
    ASSERT_EQ(types_of(asked), "2");
    EXPECT_EQ(field_of(asked[0], 7), "3");
    EXPECT_EQ(types_of(again(5)), "");  // Only once for this place.
    EXPECT_EQ(types_of(again(3)), "");
    EXPECT_EQ(one.expected(), 6u);
    EXPECT_EQ(types_of(again(7)), "2");
    EXPECT_EQ(types_of(again(6)), "");
    EXPECT_EQ(types_of(again(8)), "");
    EXPECT_EQ(one.expected(), 10u);
    EXPECT_EQ(one.delivered(), 8u);
  });
}

TEST(ResendSkipped, TheFirstOneToo) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.log_on();
  one.order("ahead", {.sequence = 5});
  const Messages asked =
      one.order("again", {.sequence = 3, .possible_duplicate = true, .extra = "122=" + one.ago(1)});
  ASSERT_EQ(types_of(asked), "2");
  EXPECT_EQ(field_of(asked[0], 7), "2");
}

TEST(ResendSkipped, ANewGapIsAskedForOnce) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.log_on();
  EXPECT_EQ(
      types_of(one.order(
          "again", {.sequence = 5, .possible_duplicate = true, .extra = "122=" + one.ago(1)})),
      "2");
}

TEST(ResendSkipped, AwaitsTheExpiryWhenConfigured) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.skipped_in_resend = session::SkippedInResend::AwaitExpiry;
  Case one(options);
  one.log_on();
  one.order("ahead", {.sequence = 5});
  EXPECT_EQ(
      types_of(one.order(
          "again", {.sequence = 3, .possible_duplicate = true, .extra = "122=" + one.ago(1)})),
      "");
}

}  // namespace
}  // namespace affix::session_test
