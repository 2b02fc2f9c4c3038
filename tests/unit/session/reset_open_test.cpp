// SPDX-License-Identifier: MIT
// Our reset, interrupted by the end of the connection or process: the peer may or may not know of
// it, so it is repeated until answered.
#include "affix/testing/session_pair.hpp"

#include "session_case.hpp"

namespace affix::session_test {
namespace {

/// Our reset is sent and its answer never arrives.
void cut_short(Case& one) {
  one.log_on();
  one.order("before");
  ASSERT_TRUE(one.endpoint.session().reset(one.clock.now(), one.endpoint.out()));
  one.endpoint.carry_out();
  ASSERT_EQ(types_of(one.peer.listen()), "A");
  one.order("of the old numbers");
  EXPECT_EQ(one.delivered(), 2u);
  EXPECT_EQ(one.endpoint.received.back().expected_after, session::expected_unknown);
  one.endpoint.disconnect();
}

TEST(ResetOpen, AnInitiatorSaysItAgainAndTheAnswerCloses) {
  for (const bool restarts : {false, true}) {
    Case one(Role::Initiator, "FIX.4.4");
    cut_short(one);
    if (restarts) {
      one.endpoint.restart();
    }
    const Messages logon = one.connect();
    ASSERT_EQ(types_of(logon), "A");
    EXPECT_EQ(field_of(logon[0], 34), "1");
    EXPECT_EQ(field_of(logon[0], 141), "Y");
    EXPECT_TRUE(one.endpoint.state().reset_open);
    one.peer.next_sequence = 1;
    EXPECT_EQ(types_of(one.peer.say("A", one.logon_fields("141=Y|"))), "");
    EXPECT_EQ(one.endpoint.phase(), Phase::Active);
    EXPECT_FALSE(one.endpoint.state().reset_open);
    EXPECT_EQ(one.expected(), 2u);
    EXPECT_EQ(one.endpoint.session().next_sender_seq(), 2u);
    EXPECT_EQ(one.endpoint.received.back().expected_after, 2u);
    one.endpoint.disconnect();
    EXPECT_FALSE(has_field(one.connect().at(0), 141));
  }
}

TEST(ResetOpen, AnAnswerAheadOfAGapClosesItInTheRecordsToo) {
  Case one(Role::Initiator, "FIX.4.4");
  cut_short(one);
  one.connect();
  const Messages asked = one.peer.say("A", one.logon_fields("141=Y|"), {.sequence = 2});
  ASSERT_EQ(types_of(asked), "2");
  EXPECT_FALSE(one.endpoint.state().reset_open);
  one.endpoint.restart();
  EXPECT_FALSE(one.endpoint.state().reset_open);
  EXPECT_EQ(one.expected(), 1u);
  EXPECT_EQ(one.endpoint.session().next_sender_seq(), 3u);
}

TEST(ResetOpen, AnAcceptorTakesAnyNumberAndSaysItInItsAnswer) {
  for (const std::uint64_t number : {std::uint64_t{1}, std::uint64_t{4}, std::uint64_t{50}}) {
    Case one(Role::Acceptor, "FIX.4.4");
    cut_short(one);
    one.endpoint.restart();
    one.connect();
    const Messages answer = one.peer.say("A", one.logon_fields("789=99|"), {.sequence = number});
    ASSERT_EQ(types_of(answer), "A");
    EXPECT_EQ(field_of(answer[0], 34), "1");
    EXPECT_EQ(field_of(answer[0], 141), "Y");
    EXPECT_EQ(one.endpoint.phase(), Phase::Active);
    // Only a message with the new numbers shows that they have received it.
    EXPECT_TRUE(one.endpoint.state().reset_open);
    one.order("new", {.sequence = one.expected()});
    EXPECT_FALSE(one.endpoint.state().reset_open);
    EXPECT_EQ(one.delivered(), 3u);
  }
}

TEST(ResetOpen, AnAcceptorSaysItOnceMoreWhenItsAnswerIsLost) {
  Case one(Role::Acceptor, "FIX.4.4");
  cut_short(one);
  one.connect();
  ASSERT_EQ(types_of(one.peer.say("A", one.logon_fields(), {.sequence = 4})), "A");
  one.endpoint.disconnect();
  one.endpoint.restart();
  one.connect();
  const Messages answer = one.peer.say("A", one.logon_fields(), {.sequence = 5});
  ASSERT_EQ(types_of(answer), "A");
  EXPECT_EQ(field_of(answer[0], 141), "Y");
}

TEST(ResetOpen, TheirOwnResetClosesIt) {
  Case one(Role::Acceptor, "FIX.4.4");
  cut_short(one);
  one.connect();
  one.peer.next_sequence = 1;
  ASSERT_EQ(types_of(one.peer.say("A", one.logon_fields("141=Y|"))), "A");
  EXPECT_FALSE(one.endpoint.state().reset_open);
  EXPECT_EQ(one.expected(), 2u);
}

TEST(ResetOpen, AnOperatorsNumberClosesIt) {
  Case one(Role::Initiator, "FIX.4.4");
  cut_short(one);
  ASSERT_TRUE(one.endpoint.session().set_next_expected(7, one.endpoint.out()));
  one.endpoint.carry_out();
  EXPECT_FALSE(one.endpoint.state().reset_open);
  EXPECT_EQ(one.endpoint.events.back().next_expected, 7u);
}

TEST(ResetOpen, TwoSessionsAgreeAgainWhereverTheResetWasCut) {
  for (const Role asks : {Role::Initiator, Role::Acceptor}) {
    for (int way = 0; way < 3; ++way) {  // Cases: nothing arrives; the Logon does; the answer does
                                         // too.
      testing::SessionPair pair(make_options(Role::Initiator, "FIX.4.4"));
      pair.connect();
      pair.run(10 * ns_per_ms);
      ASSERT_TRUE(pair.initiator.send("D", "11=1"));
      pair.run(10 * ns_per_ms);
      testing::SessionEndpoint& asking = asks == Role::Initiator ? pair.initiator : pair.acceptor;
      ASSERT_TRUE(asking.session().reset(pair.clock.now(), asking.out()));
      asking.carry_out();
      pair.run(way * ns_per_ms);
      pair.cut();
      asking.restart();
      pair.connect();
      pair.run(100 * ns_per_ms);
      ASSERT_TRUE(pair.initiator.send("D", "11=2"));
      ASSERT_TRUE(pair.acceptor.send("D", "11=3"));
      pair.run(100 * ns_per_ms);
      EXPECT_EQ(pair.acceptor.delivered.size(), 2u);
      EXPECT_EQ(pair.initiator.delivered.size(), 1u);
      EXPECT_EQ(pair.initiator.state().next_outgoing, pair.acceptor.state().next_expected);
      EXPECT_EQ(pair.acceptor.state().next_outgoing, pair.initiator.state().next_expected);
      EXPECT_FALSE(asking.state().reset_open);
    }
  }
}

}  // namespace
}  // namespace affix::session_test
