// SPDX-License-Identifier: MIT
// Scenarios 12 and 13 of the session layer test cases, and messages after a Logout.

#include "session_case.hpp"

namespace affix::session_test {

TEST(Logout12, OursWaitsForTheAnswerThenDisconnects) {
  each_session([](Case& one) {
    one.endpoint.logout("bye");
    const Messages sent = one.peer.listen();
    ASSERT_EQ(types_of(sent), "5");
    EXPECT_EQ(field_of(sent[0], 58), "bye");
    EXPECT_EQ(one.endpoint.phase(), Phase::LogoutSent);
    EXPECT_TRUE(one.peer.pass(5 * ns_per_second - 1).empty());
    EXPECT_FALSE(one.endpoint.disconnect_reason);
    one.peer.pass(1);
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::LogoutTimeout);
    EXPECT_TRUE(one.endpoint.reported(Event::LogoutTimeout));
  });
}

TEST(Logout12, OursWaitsForAnAnswerThatLiesUnread) {
  each_session([](Case& one) {
    one.endpoint.logout();
    static_cast<void>(one.peer.listen());
    one.endpoint.session().on_reading_paused(one.clock.now());
    EXPECT_TRUE(one.peer.pass(60 * ns_per_second).empty());
    one.endpoint.session().on_reading_resumed(one.clock.now());
    EXPECT_EQ(one.endpoint.phase(), Phase::LogoutSent);
    // From here on it is late.
    one.peer.pass(5 * ns_per_second - 1);
    EXPECT_FALSE(one.endpoint.disconnect_reason);
    one.peer.pass(1);
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::LogoutTimeout);
  });
}

TEST(Logout12, MessagesBeforeTheAnswerAreTaken) {
  each_session([](Case& one) {
    one.endpoint.logout();
    static_cast<void>(one.peer.listen());
    EXPECT_TRUE(one.order("1").empty());
    EXPECT_EQ(one.delivered(), 1u);
    ASSERT_TRUE(one.peer.say("5").empty());
    EXPECT_EQ(one.expected(), 4u);
  });
}

TEST(Logout12, ResendRequestBeforeTheAnswerIsServed) {
  each_session([](Case& one) {
    ASSERT_TRUE(one.endpoint.send("D", "11=1"));
    one.endpoint.logout();
    static_cast<void>(one.peer.listen());
    EXPECT_EQ(types_of(one.peer.say("2", "7=2|16=3")), "D 4");
  });
}

TEST(Logout12, NothingIsSentAfterIt) {
  each_session([](Case& one) {
    one.endpoint.logout();
    const session::SendResult refused = one.endpoint.send("D", "11=1");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error(), session::SendError::LoggingOut);
    EXPECT_FALSE(one.endpoint.session().logout("", one.clock.now(), one.endpoint.out()));
  });
}

TEST(Logout13a, AnswerDisconnects) {
  each_session([](Case& one) {
    one.endpoint.logout();
    static_cast<void>(one.peer.listen());
    EXPECT_TRUE(one.peer.say("5").empty());
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::LogoutComplete);
    EXPECT_EQ(one.expected(), 3u);
  });
}

TEST(Logout13b, TheirsIsAnsweredAndTheyDisconnect) {
  each_session([](Case& one) {
    const Messages sent = one.peer.say("5", "58=night");
    ASSERT_EQ(types_of(sent), "5");
    EXPECT_EQ(one.expected(), 3u);
    EXPECT_FALSE(one.endpoint.disconnect_reason);
    one.endpoint.disconnect();
    EXPECT_EQ(one.endpoint.phase(), Phase::Disconnected);
    EXPECT_EQ(one.expected(), 3u);
  });
}

TEST(Logout13b, TheyAreDisconnectedWhenTheyDoNot) {
  each_session([](Case& one) {
    one.peer.say("5");
    one.peer.pass(10 * ns_per_second - 1);
    EXPECT_FALSE(one.endpoint.disconnect_reason);
    one.peer.pass(1);
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::LogoutTimeout);
  });
}

TEST(Logout13b, TheirDisconnectionMayLieUnread) {
  each_session([](Case& one) {
    one.peer.say("5");
    one.endpoint.session().on_reading_paused(one.clock.now());
    one.peer.pass(60 * ns_per_second);
    EXPECT_EQ(one.endpoint.phase(), Phase::LogoutAnswered);
    EXPECT_FALSE(one.endpoint.reported(Event::LogoutTimeout));
  });
}

TEST(Logout13b, NothingIsProcessedAfterIt) {
  each_session([](Case& one) {
    one.peer.say("5");
    EXPECT_TRUE(one.order("1").empty());
    EXPECT_TRUE(one.peer.say("2", "7=1|16=0").empty());
    EXPECT_TRUE(one.peer.say("5").empty());
    EXPECT_EQ(one.delivered(), 0u);
    EXPECT_EQ(one.expected(), 3u);
    EXPECT_TRUE(one.endpoint.reported(Event::AfterLogout));
  });
}

TEST(Logout13b, AheadOfAGapIsAnsweredAtOnceAndNotCounted) {
  each_session([](Case& one) {
    EXPECT_EQ(types_of(one.peer.say("5", "", {.sequence = 7})), "5");
    EXPECT_EQ(one.expected(), 2u);
  });
}

TEST(Logout, ResentOneDoesNotEndTheSession) {
  each_session([](Case& one) {
    EXPECT_TRUE(
        one.peer
            .say("5", "", {.sequence = 2, .possible_duplicate = true, .extra = "122=" + one.ago(1)})
            .empty());
    EXPECT_EQ(one.endpoint.phase(), Phase::Active);
    EXPECT_EQ(one.expected(), 3u);
  });
}

TEST(Logout, FaultOfTheirsAfterOursEndsItWithoutASecondOne) {
  each_session([](Case& one) {
    one.order("1");
    one.endpoint.logout();
    static_cast<void>(one.peer.listen());
    EXPECT_TRUE(one.order("1", {.sequence = 2}).empty());
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::PeerFault);
  });
}

TEST(Logout, ForFaultOfTheirsWaitsForAnAnswerThatLiesUnread) {
  each_session([](Case& one) {
    one.order("1");
    EXPECT_EQ(types_of(one.order("1", {.sequence = 2})), "5");
    one.endpoint.session().on_reading_paused(one.clock.now());
    one.peer.pass(60 * ns_per_second);
    one.endpoint.session().on_reading_resumed(one.clock.now());
    EXPECT_EQ(one.endpoint.phase(), Phase::LogoutForced);
    one.peer.say("5");
    EXPECT_TRUE(one.endpoint.reported(Event::LogoutAnswered));
  });
}

TEST(Logout, FaultMayCloseAtOnceWhenConfigured) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.fault_logout = session::FaultLogout::CloseAtOnce;
  Case one(options);
  one.log_on();
  one.order("1");
  EXPECT_EQ(types_of(one.order("1", {.sequence = 2})), "5");
  EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::PeerFault);
}

TEST(Logout, TextWithSohIsCutThere) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.log_on();
  one.endpoint.logout(
      "fine\x01"
      "10=000\x01");
  const Messages sent = one.peer.listen();
  ASSERT_EQ(types_of(sent), "5");
  EXPECT_EQ(field_of(sent[0], 58), "fine");
}

}  // namespace affix::session_test
