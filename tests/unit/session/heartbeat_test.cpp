// SPDX-License-Identifier: MIT
// Scenarios 4, 5 and 6 of the session layer test cases.

#include "session_case.hpp"

namespace affix::session_test {

TEST(Heartbeat4a, SentAfterSilenceOfOurs) {
  each_session([](Case& one) {
    EXPECT_TRUE(one.peer.pass(30 * ns_per_second - 1).empty());
    const Messages sent = one.peer.pass(1);
    ASSERT_EQ(types_of(sent), "0");
    EXPECT_FALSE(has_field(sent[0], 112));
    EXPECT_EQ(field_of(sent[0], 34), std::to_string(one.endpoint.state().next_outgoing - 1));
  });
}

TEST(Heartbeat4a, AnythingSentPostponesIt) {
  each_session([](Case& one) {
    one.peer.pass(20 * ns_per_second);
    ASSERT_TRUE(one.endpoint.send("D", "11=1"));
    EXPECT_EQ(types_of(one.peer.listen()), "D");
    one.peer.say("0");
    EXPECT_TRUE(one.peer.pass(29 * ns_per_second).empty());
    EXPECT_EQ(types_of(one.peer.pass(ns_per_second)), "0");
  });
}

TEST(Heartbeat4b, TestRequestIsAnsweredWithItsId) {
  each_session([](Case& one) {
    const Messages sent = one.peer.say("1", "112=are you there");
    ASSERT_EQ(types_of(sent), "0");
    EXPECT_EQ(field_of(sent[0], 112), "are you there");
    EXPECT_EQ(one.expected(), 3u);
  });
}

TEST(Heartbeat4b, TestRequestAheadOfAGapIsAnsweredOnce) {
  each_session([](Case& one) {
    EXPECT_EQ(types_of(one.peer.say("1", "112=x", {.sequence = 3})), "0 2");
    EXPECT_TRUE(one.order("1", {.sequence = 2}).empty());
    EXPECT_EQ(one.expected(), 4u);
  });
}

TEST(Heartbeat4b, TestRequestWithoutIdIsRejected) {
  each_session([](Case& one) {
    Messages sent = one.peer.say("1");
    ASSERT_EQ(types_of(sent), "3");
    expect_reject(one, sent[0], "1", "112", "2");
    sent = one.peer.say("1", "112=");
    ASSERT_EQ(types_of(sent), "3");
    expect_reject(one, sent[0], "4", "112", "3");
    EXPECT_EQ(one.expected(), 4u);
  });
}

TEST(Heartbeat5, HeartbeatReceivedIsCounted) {
  each_session([](Case& one) {
    EXPECT_TRUE(one.peer.say("0").empty());
    EXPECT_EQ(one.expected(), 3u);
    EXPECT_EQ(one.delivered(), 0u);
  });
}

TEST(Heartbeat6, SilenceOfTheirsIsTested) {
  each_session([](Case& one) {
    EXPECT_EQ(types_of(one.peer.pass(36 * ns_per_second - 1)), "0");
    const Messages sent = one.peer.pass(1);
    ASSERT_EQ(types_of(sent), "1");
    const std::string id(field_of(sent[0], 112));
    EXPECT_FALSE(id.empty());
    EXPECT_TRUE(one.peer.say("0", "112=" + id).empty());
    EXPECT_EQ(one.endpoint.state().test_open, 0u);
    EXPECT_EQ(types_of(one.peer.pass(35 * ns_per_second)), "0");
    EXPECT_FALSE(one.endpoint.disconnect_reason);
  });
}

TEST(Heartbeat6, HeartbeatNeedNotBeTheNextMessage) {
  each_session([](Case& one) {
    one.peer.pass(36 * ns_per_second);
    one.order("1");
    one.order("2");
    EXPECT_NE(one.endpoint.state().test_open, 0u);
    one.peer.say("0", "112=" + std::to_string(one.endpoint.state().test_open));
    EXPECT_EQ(one.endpoint.state().test_open, 0u);
  });
}

TEST(Heartbeat6, IsNoSilenceWhileReadingIsPaused) {
  each_session([](Case& one) {
    one.endpoint.session().on_reading_paused(one.clock.now());
    for (const std::string& message : one.peer.pass(300 * ns_per_second)) {
      EXPECT_EQ(type_of(message), "0");
    }
    one.endpoint.session().on_reading_resumed(one.clock.now());
    EXPECT_EQ(one.endpoint.phase(), Phase::Active);
    static_cast<void>(one.peer.pass(300 * ns_per_second));
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::PeerSilent);
  });
}

TEST(Heartbeat6, SilenceAfterTheTestDisconnects) {
  each_session([](Case& one) {
    one.peer.pass(72 * ns_per_second - 1);
    EXPECT_FALSE(one.endpoint.disconnect_reason);
    EXPECT_TRUE(one.peer.pass(1).empty());
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::PeerSilent);
  });
}

TEST(Heartbeat6, OtherTrafficWithoutThatHeartbeatIsReported) {
  each_session([](Case& one) {
    one.peer.pass(36 * ns_per_second);
    one.peer.pass(20 * ns_per_second);
    one.order("1");
    one.peer.pass(17 * ns_per_second);
    EXPECT_FALSE(one.endpoint.disconnect_reason);
    EXPECT_TRUE(one.endpoint.reported(Event::TestUnanswered));
  });
}

TEST(Heartbeat6, OtherTrafficIsNotEnoughWhenConfigured) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.test_answer = session::TestAnswer::MatchingHeartbeat;
  Case one(options);
  one.log_on();
  one.peer.pass(36 * ns_per_second);
  one.order("1");
  one.peer.say("0", "112=999");
  one.peer.pass(36 * ns_per_second);
  EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::PeerSilent);
}

TEST(Heartbeat6, AnAnswerAheadOfAGapCounts) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.test_answer = session::TestAnswer::MatchingHeartbeat;
  Case one(options);
  one.log_on();
  EXPECT_EQ(types_of(one.peer.pass(36 * ns_per_second)), "0 1");
  ++one.peer.next_sequence;  // A message that does not arrive.
  EXPECT_EQ(types_of(one.peer.say("0", "112=1")), "2");
  // The resend fills the Heartbeat's number, too.
  one.peer.say("4", "123=Y|36=" + std::to_string(one.peer.next_sequence),
               {.sequence = one.expected(), .possible_duplicate = true});
  EXPECT_EQ(one.expected(), one.peer.next_sequence);
  one.peer.pass(20 * ns_per_second);
  one.peer.say("0");
  one.peer.pass(20 * ns_per_second);
  EXPECT_EQ(one.endpoint.phase(), Phase::Active);
}

/// Due time, in nanoseconds after its last message, of a session that logs on `late_ns` after a
/// whole second.
std::int64_t due_after(std::int64_t late_ns, const std::string& interval_seconds) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.clock.advance(late_ns);
  one.connect();
  one.peer.say("A", "98=0|108=" + interval_seconds);
  return one.endpoint.session().deadline() - one.endpoint.state().last_sent_ns;
}

TEST(Heartbeat, SessionsOfOneIntervalShareTheirWakeUps) {
  const std::int64_t first = due_after(0, "30");
  for (const std::int64_t late_ns : {std::int64_t{1}, 7 * ns_per_ms, 50 * ns_per_ms - 1}) {
    EXPECT_EQ(late_ns + due_after(late_ns, "30"), first) << late_ns;
  }
  EXPECT_EQ(due_after(50 * ns_per_ms, "30"), 30 * ns_per_second);
}

TEST(Heartbeat, IsNeverLateAndNeverEarlyByMoreThanAFiveHundredth) {
  for (const std::int64_t seconds : {1, 2, 7, 24, 25, 30, 60, 3600}) {
    const std::int64_t interval = seconds * ns_per_second;
    for (const std::int64_t late_ns :
         {std::int64_t{0}, std::int64_t{1}, 49 * ns_per_ms + 999'999}) {
      const std::int64_t due = due_after(late_ns, std::to_string(seconds));
      EXPECT_LE(due, interval) << seconds << " s, " << late_ns;
      EXPECT_GE(due, interval - interval / 500) << seconds << " s, " << late_ns;
    }
  }
}

TEST(Heartbeat, OfAShortIntervalIsDueToTheNanosecond) {
  EXPECT_EQ(due_after(1, "24"), 24 * ns_per_second);
  EXPECT_EQ(due_after(49 * ns_per_ms, "1"), ns_per_second);
}

TEST(Heartbeat, OnTheGridIsSentWhenItIsDue) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.clock.advance(20 * ns_per_ms + 1);
  one.log_on();
  EXPECT_TRUE(
      one.peer.pass(one.endpoint.session().deadline() - one.clock.now().steady_ns - 1).empty());
  EXPECT_EQ(types_of(one.peer.pass(1)), "0");
  EXPECT_GT(one.endpoint.session().deadline(), one.clock.now().steady_ns);
}

TEST(Heartbeat, IntervalOfZeroMeansNone) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  Case one(options);
  one.connect();
  one.peer.say("A", "98=0|108=0");
  EXPECT_TRUE(one.peer.pass(10'000 * ns_per_second).empty());
  EXPECT_EQ(one.endpoint.session().deadline(), session::no_deadline);
}

TEST(Heartbeat, AcceptorTakesTheInitiatorsInterval) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.connect();
  const Messages sent = one.peer.say("A", "98=0|108=7");
  EXPECT_EQ(field_of(sent[0], 108), "7");
  EXPECT_EQ(types_of(one.peer.pass(7 * ns_per_second)), "0");
}

TEST(Heartbeat, TestPeerAsksNow) {
  each_session([](Case& one) {
    ASSERT_TRUE(one.endpoint.session().test_peer(one.clock.now(), one.endpoint.out()));
    one.endpoint.carry_out();
    const Messages sent = one.peer.listen();
    ASSERT_EQ(types_of(sent), "1");
    one.peer.say("0", "112=" + std::string(field_of(sent[0], 112)));
    EXPECT_EQ(one.endpoint.state().test_open, 0u);
  });
}

TEST(Heartbeat, FullOutboxNeitherGrowsNorStopsTheClock) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  Case one(options);
  one.log_on();
  while (one.endpoint.out().ready()) {
    ASSERT_TRUE(one.endpoint.send("D", "58=" + std::string(4000, 'x')));
  }
  const std::size_t bytes = one.endpoint.out().bytes().size();
  const session::SendResult refused = one.endpoint.send("D", "11=1");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), session::SendError::OutboxFull);
  for (int second = 0; second < 72; ++second) {
    one.clock.advance(ns_per_second);
    one.endpoint.now = one.clock.now();
    one.endpoint.tick();
    EXPECT_TRUE(one.endpoint.disconnect_reason ||
                one.endpoint.session().deadline() > one.clock.now().steady_ns);
  }
  EXPECT_EQ(one.endpoint.out().bytes().size(), bytes);
  EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::PeerSilent);
}

TEST(Heartbeat, AskingAgainAndAgainGivesASilentPeerNoMoreTime) {
  each_session([](Case& one) {
    for (int second = 0; second < 36 + 36; ++second) {
      static_cast<void>(one.endpoint.session().test_peer(one.clock.now(), one.endpoint.out()));
      one.endpoint.carry_out();
      one.peer.pass(ns_per_second);
    }
    EXPECT_TRUE(one.endpoint.reported(Event::PeerSilent));
  });
}

TEST(Heartbeat, AskingAgainGivesAPeerThatAnswersItsTime) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.test_answer = session::TestAnswer::MatchingHeartbeat;
  Case one(options);
  one.log_on();
  for (int second = 0; second < 200; ++second) {
    static_cast<void>(one.endpoint.session().test_peer(one.clock.now(), one.endpoint.out()));
    one.endpoint.carry_out();
    for (const std::string& message : one.peer.listen()) {
      if (type_of(message) == "1") {
        one.peer.say("0", "112=" + std::string(field_of(message, 112)));
      }
    }
    one.peer.pass(ns_per_second);
  }
  EXPECT_EQ(one.endpoint.phase(), Phase::Active);
}

TEST(TestRequest4b, AnyTestReqIdThatFitsAMessageIsAnswered) {
  each_session([](Case& one) {
    for (const std::size_t size : {1'023UL, 1'024UL, 1'025UL, 5'000UL, 16'384UL, 60'000UL}) {
      const std::string id(size, 'x');
      const Messages sent = one.peer.say("1", "112=" + id);
      ASSERT_EQ(types_of(sent), "0") << size;
      EXPECT_TRUE(field_of(sent[0], 112) == id) << size;
    }
  });
}

TEST(TestRequest4b, AnOutboxWithoutRoomIsWaitedForNotAnsweredWithLess) {
  const std::string filler = "58=" + std::string(14'000, 'y');
  const std::string id(60'000, 'x');
  int waited = 0;
  bool full = false;
  for (int messages = 0; !full; ++messages) {
    SCOPED_TRACE(messages);
    Case one(Role::Acceptor, "FIX.4.4");
    one.log_on();
    for (int count = 0; count < messages && !full; ++count) {
      full = !one.endpoint.send("D", filler);
    }
    one.endpoint.now = one.clock.now();
    const std::string request = one.peer.message("1", "112=" + id);
    wire::FieldIndexOf<32> index;
    wire::index_message(request, index);
    const wire::MessageView view(request, index);
    session::Session& session = one.endpoint.session();
    session::Progress progress = session.on_message(view, one.clock.now(), one.endpoint.out());
    if (progress == session::Progress::Blocked) {
      ++waited;
      static_cast<void>(one.endpoint.take_output());
      progress = session.on_message(view, one.clock.now(), one.endpoint.out());
    }
    EXPECT_EQ(progress, session::Progress::Done);
    one.endpoint.carry_out();
    const Messages sent = one.peer.listen();
    ASSERT_FALSE(sent.empty());
    EXPECT_EQ(type_of(sent.back()), "0");
    EXPECT_TRUE(field_of(sent.back(), 112) == id);
  }
  EXPECT_GT(waited, 1) << "also for an outbox with room for other messages";
}

}  // namespace affix::session_test
