// SPDX-License-Identifier: MIT
// ResendRequests that are repeated with PossDupFlag for every further message of a gap.
#include "affix/session/practice.hpp"

#include "session_case.hpp"

namespace affix::session_test {
namespace {

using session::RepeatedResendRequest;

SessionOptions with(RepeatedResendRequest rule) {
  SessionOptions options = make_options(Role::Initiator, "FIX.4.2");
  options.practice.repeated_resend_request = rule;
  return options;
}

/// Sends two orders, which the peer misses.
void send_two(Case& one) {
  one.log_on();
  ASSERT_TRUE(one.endpoint.send("D", "11=1"));
  ASSERT_TRUE(one.endpoint.send("D", "11=2"));
  static_cast<void>(one.endpoint.take_output());
}

const Header repeated{.sequence = 2, .possible_duplicate = true};

TEST(RepeatedRequest, IsDiscardedWhenTheFirstCame) {
  Case one(with(RepeatedResendRequest::Discarded));
  send_two(one);
  EXPECT_EQ(types_of(one.peer.say("2", "7=2|16=0")), "D D");
  EXPECT_EQ(types_of(one.peer.say("2", "7=2|16=0", repeated)), "");
  EXPECT_EQ(types_of(one.peer.say("2", "7=2|16=0", repeated)), "");
  EXPECT_EQ(one.endpoint.report_count(Event::DuplicateIgnored), 2u);
  EXPECT_EQ(one.expected(), 3u);
}

TEST(RepeatedRequest, AheadOfAGapOfOursToo) {
  Case one(with(RepeatedResendRequest::Discarded));
  send_two(one);
  EXPECT_EQ(types_of(one.peer.say("2", "7=2|16=3", {.sequence = 5})), "2 D D");
  EXPECT_EQ(types_of(one.peer.say("2", "7=2|16=3", {.sequence = 5, .possible_duplicate = true})),
            "");
  EXPECT_EQ(types_of(one.peer.say("2", "7=2|16=3", {.sequence = 7, .possible_duplicate = true})),
            "D D 2");  // That one is new.
}

TEST(RepeatedRequest, StandsForTheFirstWhenThatWasLost) {
  Case one(with(RepeatedResendRequest::Discarded));
  send_two(one);
  EXPECT_EQ(types_of(one.peer.say("2", "7=2|16=0", repeated)), "D D");
  EXPECT_EQ(one.expected(), 3u);
}

TEST(RepeatedRequest, IsJudgedAsAnyDuplicateByDefault) {
  Case one(with(RepeatedResendRequest::Judged));
  send_two(one);
  one.peer.say("2", "7=2|16=0");
  const Messages sent = one.peer.say("2", "7=2|16=0", repeated);
  ASSERT_EQ(types_of(sent), "3");
  EXPECT_EQ(field_of(sent[0], 371), "122");
}

}  // namespace
}  // namespace affix::session_test
