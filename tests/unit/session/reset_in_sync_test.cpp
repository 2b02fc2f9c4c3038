// SPDX-License-Identifier: MIT
// Resets during a session that lose no message: ours waits for proof that nothing is missing,
// theirs is refused while messages are missing.
#include "affix/testing/session_pair.hpp"

#include "session_case.hpp"

namespace affix::session_test {
namespace {

SessionOptions in_sync(Role role, std::string_view version = "FIX.4.4") {
  SessionOptions options = make_options(role, version);
  options.reset_start = session::ResetStart::InSync;
  options.mid_session_reset = session::MidSessionReset::AcceptInSync;
  options.include_next_expected = true;
  return options;
}

Messages reset(Case& one) {
  EXPECT_TRUE(one.endpoint.session().reset(one.clock.now(), one.endpoint.out()));
  one.endpoint.carry_out();
  return one.peer.listen();
}

TEST(ResetInSync, TheTestRequestIsAnsweredBeforeTheLogon) {
  for (const Role role : {Role::Acceptor, Role::Initiator}) {
    Case one(in_sync(role));
    one.log_on("789=1|");
    const Messages test = reset(one);
    ASSERT_EQ(types_of(test), "1");
    EXPECT_TRUE(one.endpoint.send("D", "11=1"));  // The session continues meanwhile.
    static_cast<void>(one.endpoint.take_output());
    EXPECT_EQ(types_of(one.peer.say("0", "112=other")), "");
    const Messages logon = one.peer.say("0", "112=" + std::string(field_of(test[0], 112)));
    ASSERT_EQ(types_of(logon), "A");
    EXPECT_EQ(field_of(logon[0], 34), "1");
    EXPECT_EQ(field_of(logon[0], 141), "Y");
    EXPECT_EQ(field_of(logon[0], 789), "1");
    one.order("on its way");
    EXPECT_EQ(one.delivered(), 1u);
    one.peer.say("A", one.logon_fields("141=Y"), {.sequence = 1});
    EXPECT_EQ(one.endpoint.phase(), Phase::Active);
    EXPECT_EQ(one.expected(), 2u);
  }
}

TEST(ResetInSync, WaitsUntilOurGapIsClosed) {
  Case one(in_sync(Role::Acceptor));
  one.log_on();
  one.order("ahead", {.sequence = 4});
  EXPECT_EQ(types_of(reset(one)), "");
  const Messages test =
      one.peer.say("4", "123=Y|36=4", {.sequence = 2, .possible_duplicate = true});
  ASSERT_EQ(types_of(test), "1");
  EXPECT_EQ(one.delivered(), 1u);
}

TEST(ResetInSync, AResendTheyAskForMeanwhileComesFirstAndIsProvedAnew) {
  Case one(in_sync(Role::Acceptor));
  one.log_on();
  ASSERT_TRUE(one.endpoint.send("D", "11=1"));
  static_cast<void>(one.endpoint.take_output());
  const Messages first = reset(one);
  ASSERT_EQ(types_of(first), "1");
  const Messages again = one.peer.say("2", "7=2|16=0");
  ASSERT_EQ(types_of(again), "D 4 1");
  EXPECT_NE(field_of(again[2], 112), field_of(first[0], 112));
  EXPECT_EQ(types_of(one.peer.say("0", "112=" + std::string(field_of(first[0], 112)))), "");
  EXPECT_EQ(types_of(one.peer.say("0", "112=" + std::string(field_of(again[2], 112)))), "A");
}

TEST(ResetInSync, IsAbandonedWhenTheProofDoesNotCome) {
  Case one(in_sync(Role::Acceptor));
  one.log_on();
  ASSERT_EQ(types_of(reset(one)), "1");
  one.peer.pass(6 * ns_per_second);
  EXPECT_TRUE(one.endpoint.reported(Event::ResetAbandoned));
  EXPECT_EQ(one.endpoint.phase(), Phase::Active);
  EXPECT_EQ(types_of(one.peer.say("0", "112=1")), "");
  EXPECT_EQ(types_of(reset(one)), "1");
}

TEST(ResetInSync, IsForgottenWithTheConnection) {
  Case one(in_sync(Role::Acceptor));
  one.log_on();
  ASSERT_EQ(types_of(reset(one)), "1");
  one.endpoint.disconnect();
  one.log_on();
  EXPECT_EQ(types_of(one.peer.say("0", "112=1")), "");
}

TEST(ResetInSync, TheirsIsRefusedWhileSomethingOfTheirsIsMissing) {
  for (const Role role : {Role::Acceptor, Role::Initiator}) {
    Case one(in_sync(role));
    one.log_on();
    one.order("ahead", {.sequence = 5});
    const Messages sent = one.peer.say("A", one.logon_fields("141=Y"), {.sequence = 1});
    ASSERT_EQ(types_of(sent), "5");
    EXPECT_EQ(field_of(sent[0], 58), "Sequence numbers are not reset while messages are missing");
    EXPECT_EQ(one.expected(), 2u);
  }
}

TEST(ResetInSync, TheirsIsAnsweredWhenNothingIs) {
  Case one(in_sync(Role::Acceptor));
  one.log_on();
  one.order("1");
  const Messages sent = one.peer.say("A", one.logon_fields("141=Y|789=1"), {.sequence = 1});
  ASSERT_EQ(types_of(sent), "A");
  EXPECT_EQ(field_of(sent[0], 789), "2");
  EXPECT_EQ(one.endpoint.phase(), Phase::Active);
}

/// Two such sessions that trade over a link with a delay, and reset while messages are in transit.
TEST(ResetInSync, NothingInFlightIsLostInEitherRole) {
  for (const bool by_initiator : {true, false}) {
    for (const bool both : {false, true}) {
      testing::SessionPair pair(in_sync(Role::Initiator), 5 * ns_per_ms);
      pair.connect();
      pair.run(ns_per_second);
      ASSERT_EQ(pair.initiator.phase(), Phase::Active);
      int sent_by_initiator = 0;
      int sent_by_acceptor = 0;
      int resets = 0;
      for (int round = 0; round < 400; ++round) {
        for (testing::SessionEndpoint* side : {&pair.initiator, &pair.acceptor}) {
          int& count = side == &pair.initiator ? sent_by_initiator : sent_by_acceptor;
          const session::SendResult result = side->send("D", "11=" + std::to_string(count));
          if (result) {
            ++count;
          } else {
            ASSERT_EQ(result.error(), session::SendError::Resetting);
          }
        }
        if (round % 50 == 20) {
          testing::SessionEndpoint& one = by_initiator ? pair.initiator : pair.acceptor;
          testing::SessionEndpoint& other = by_initiator ? pair.acceptor : pair.initiator;
          ++resets;
          ASSERT_TRUE(one.session().reset(pair.clock.now(), one.out()));
          one.carry_out();
          if (both) {
            ASSERT_TRUE(other.session().reset(pair.clock.now(), other.out()));
            other.carry_out();
          }
        }
        pair.run(ns_per_ms);
      }
      pair.run(ns_per_second);
      ASSERT_EQ(pair.initiator.phase(), Phase::Active);
      ASSERT_EQ(pair.acceptor.phase(), Phase::Active);
      EXPECT_GE(pair.initiator.report_count(Event::NumbersReset), static_cast<std::size_t>(resets));
      ASSERT_EQ(pair.acceptor.delivered.size(), static_cast<std::size_t>(sent_by_initiator));
      ASSERT_EQ(pair.initiator.delivered.size(), static_cast<std::size_t>(sent_by_acceptor));
      for (int at = 0; at < sent_by_initiator; ++at) {
        ASSERT_EQ(field_of(pair.acceptor.delivered[static_cast<std::size_t>(at)].bytes, 11),
                  std::to_string(at));
      }
      EXPECT_EQ(pair.initiator.state().next_outgoing, pair.acceptor.state().next_expected);
      EXPECT_EQ(pair.acceptor.state().next_outgoing, pair.initiator.state().next_expected);
      EXPECT_EQ(pair.initiator.report_count(Event::ResendRequested), 0u);
    }
  }
}

}  // namespace
}  // namespace affix::session_test
