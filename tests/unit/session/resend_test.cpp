// SPDX-License-Identifier: MIT
// Scenarios 8 and 20 of the session layer test cases; limits on requests and answers.

#include "session_case.hpp"

namespace affix::session_test {

namespace {

/// Sends `count` orders, with the numbers from 2 on.
void send_orders(Case& one, int count) {
  for (int number = 0; number < count; ++number) {
    ASSERT_TRUE(
        one.endpoint.send("D", "11=" + std::to_string(number) + "|55=X|60=20260105-09:00:00"));
  }
  static_cast<void>(one.peer.listen());
}

std::string range(std::uint64_t from, std::uint64_t to) {
  return "7=" + std::to_string(from) + "|16=" + std::to_string(to);
}

std::string open_end(Case& one) {
  return one.version() <= Version::Fix41 ? "16=999999" : "16=0";
}

}  // namespace

TEST(Resend8, ApplicationMessagesComeAgainSessionMessagesAreGapFilled) {
  each_session([](Case& one) {
    send_orders(one, 2);                             // 2, 3
    one.peer.say("1", "112=x");                      // our Heartbeat: 4
    one.peer.say("1", "112=y");                      // 5
    ASSERT_TRUE(one.endpoint.send("D", "11=last"));  // 6
    static_cast<void>(one.peer.listen());
    const std::string original(field_of(one.endpoint.stored.at(2), 52));
    one.clock.advance(3 * ns_per_second);
    const Messages sent = one.peer.say("2", "7=1|" + open_end(one));
    ASSERT_EQ(types_of(sent), "4 D D 4 D");
    EXPECT_EQ(field_of(sent[0], 34), "1");
    EXPECT_EQ(field_of(sent[0], 36), "2");
    EXPECT_EQ(field_of(sent[0], 123), "Y");
    EXPECT_EQ(field_of(sent[0], 43), "Y");
    EXPECT_EQ(field_of(sent[0], 122), field_of(sent[0], 52));
    EXPECT_EQ(field_of(sent[1], 34), "2");
    EXPECT_EQ(field_of(sent[1], 43), "Y");
    EXPECT_EQ(field_of(sent[1], 122), original);
    EXPECT_NE(field_of(sent[1], 52), original);
    EXPECT_EQ(field_of(sent[1], 11), "0");
    EXPECT_EQ(field_of(sent[1], 60), "20260105-09:00:00");
    EXPECT_EQ(field_of(sent[3], 34), "4");
    EXPECT_EQ(field_of(sent[3], 36), "6");
    EXPECT_EQ(field_of(sent[4], 34), "6");
    EXPECT_EQ(one.endpoint.state().next_outgoing, 7u);
    ASSERT_EQ(one.endpoint.resent.size(), 1u);
    EXPECT_EQ(one.endpoint.resent[0].from, 1u);
    EXPECT_EQ(one.endpoint.resent[0].to, 6u);
    for (const std::string& message : sent) {
      wire::FieldIndexOf<64> index;
      wire::index_message(message, index);
      EXPECT_TRUE(index.clean()) << readable(message);
    }
  });
}

TEST(Resend8, RunOfSessionMessagesAtTheEndIsClosed) {
  each_session([](Case& one) {
    send_orders(one, 1);
    one.peer.say("1", "112=x");
    const Messages sent = one.peer.say("2", range(2, 3));
    ASSERT_EQ(types_of(sent), "D 4");
    EXPECT_EQ(field_of(sent[1], 34), "3");
    EXPECT_EQ(field_of(sent[1], 36), "4");
  });
}

TEST(Resend8, PartOfTheRangeOnly) {
  each_session([](Case& one) {
    send_orders(one, 5);
    const Messages sent = one.peer.say("2", range(3, 4));
    ASSERT_EQ(types_of(sent), "D D");
    EXPECT_EQ(field_of(sent[0], 34), "3");
    EXPECT_EQ(field_of(sent[1], 34), "4");
  });
}

TEST(Resend8, EndBeyondTheLastMeansTheLast) {
  each_session([](Case& one) {
    send_orders(one, 1);
    EXPECT_EQ(types_of(one.peer.say("2", range(2, 500))), "D");
  });
}

TEST(Resend8, GapFillOnlyWhenConfigured) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.resend_answer = session::ResendAnswer::GapFill;
  Case one(options);
  one.log_on();
  send_orders(one, 4);
  const Messages sent = one.peer.say("2", "7=2|16=0");
  ASSERT_EQ(types_of(sent), "4");
  EXPECT_EQ(field_of(sent[0], 34), "2");
  EXPECT_EQ(field_of(sent[0], 36), "6");
}

TEST(Resend8, VetoedMessageIsGapFilled) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.log_on();
  one.endpoint.resend_veto = [](std::string_view stored) { return field_of(stored, 11) == "1"; };
  send_orders(one, 3);
  const Messages sent = one.peer.say("2", "7=2|16=0");
  ASSERT_EQ(types_of(sent), "D 4 D");
  EXPECT_EQ(field_of(sent[1], 34), "3");
  EXPECT_EQ(field_of(sent[1], 36), "4");
}

TEST(Resend8, MarksPossResendWhenConfigured) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.mark_possible_resend = true;
  Case one(options);
  one.log_on();
  send_orders(one, 1);
  const Messages sent = one.peer.say("2", "7=2|16=0");
  ASSERT_EQ(types_of(sent), "D");
  EXPECT_EQ(field_of(sent[0], 97), "Y");
}

// A peer rejects a SendingTime other than the present, and an OrigSendingTime after it.
TEST(Resend8, AfterTheClockWasSetBackBothTimesAreNow) {
  each_session([](Case& one) {
    send_orders(one, 1);
    one.clock.step_utc(-60 * ns_per_second);
    const Messages answered = one.peer.say("1", "112=when");
    ASSERT_EQ(types_of(answered), "0");
    const Messages sent = one.peer.say("2", range(2, 2));
    ASSERT_EQ(types_of(sent), "D");
    EXPECT_EQ(field_of(sent[0], 52), field_of(answered[0], 52));
    EXPECT_EQ(field_of(sent[0], 122), field_of(answered[0], 52));
  });
}

TEST(Resend8, AClockSetBackByLessThanSinceThenChangesNoOriginalTime) {
  each_session([](Case& one) {
    send_orders(one, 1);
    const Messages first = one.peer.say("2", range(2, 2));
    ASSERT_EQ(types_of(first), "D");
    one.clock.advance(20 * ns_per_second);
    one.clock.step_utc(-10 * ns_per_second);
    const Messages again = one.peer.say("2", range(2, 2));
    ASSERT_FALSE(again.empty());
    EXPECT_EQ(field_of(again.back(), 122), field_of(first[0], 122));
    EXPECT_GT(field_of(again.back(), 52), field_of(first[0], 52));
  });
}

TEST(Resend8, DataFieldsComeAgainByteForByte) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.log_on();
  wire::Encoder encoder = one.endpoint.session().begin("B", one.clock.now(), one.endpoint.out());
  encoder.text(148, "news");
  encoder.data(95, 96,
               "a\x01"
               "43=N\x01"
               "b");
  ASSERT_TRUE(one.endpoint.session().commit(encoder, one.clock.now(), one.endpoint.out()));
  one.endpoint.carry_out();
  static_cast<void>(one.peer.listen());
  const Messages sent = one.peer.say("2", "7=2|16=0");
  ASSERT_FALSE(sent.empty());
  EXPECT_NE(sent[0].find("96=a\x01"
                         "43=N\x01"
                         "b\x01"),
            std::string::npos);
  wire::FieldIndexOf<64> index;
  wire::index_message(sent[0], index);
  EXPECT_TRUE(index.clean());
}

TEST(Resend8, BadRangesAreRejectedAndNothingIsResent) {
  for (const auto& [fields, reason, tag] : {std::tuple{"7=0|16=0", "5", "7"},
                                            {"7=3|16=2", "5", "16"},
                                            {"7=99|16=0", "5", "7"},
                                            {"7=-1|16=0", "5", "7"},
                                            {"7=1|16=-1", "5", "16"},
                                            {"16=0", "1", "7"},
                                            {"7=1", "1", "16"},
                                            {"7=x|16=0", "6", "7"},
                                            {"7=1|16=1.5", "6", "16"},
                                            {"7=99999999999999999999|16=0", "5", "7"}}) {
    each_session([&](Case& one) {
      SCOPED_TRACE(fields);
      send_orders(one, 3);
      const Messages sent = one.peer.say("2", fields);
      ASSERT_EQ(types_of(sent), "3");
      expect_reject(one, sent[0], reason, tag, "2");
      EXPECT_EQ(one.expected(), 3u);
    });
  }
}

TEST(Resend, LiveMessagesGoOutBetweenPagesWithTheirOwnNumbers) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.log_on();
  send_orders(one, 10);  // 2 to 11
  one.endpoint.replay_page = 3;
  one.endpoint.now = one.clock.now();
  one.endpoint.receive(one.peer.message("2", "7=2|16=0"));
  Messages sent;
  int live = 0;
  while (one.endpoint.replay_some()) {
    if (live < 2) {
      ASSERT_TRUE(one.endpoint.send("D", "11=live" + std::to_string(live++)));
    }
    for (std::string& message : testing::split_messages(one.endpoint.take_output())) {
      sent.push_back(std::move(message));
    }
  }
  ASSERT_EQ(sent.size(), 12u);
  EXPECT_EQ(field_of(sent[3], 34), "12");
  EXPECT_FALSE(has_field(sent[3], 43));
  std::uint64_t next = 2;
  for (const std::string& message : sent) {
    if (has_field(message, 43)) {
      EXPECT_EQ(field_of(message, 34), std::to_string(next++));
    }
  }
  EXPECT_EQ(next, 12u);
}

TEST(Resend, RequestDuringAReplayIsAnsweredAfterIt) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.log_on();
  send_orders(one, 6);
  one.endpoint.replay_page = 2;
  one.endpoint.receive(one.peer.message("2", "7=2|16=0"));
  ASSERT_TRUE(one.endpoint.replay_some());
  const Messages sent = one.peer.say("2", "7=4|16=5");
  std::string numbers;
  for (const std::string& message : sent) {
    numbers += field_of(message, 34);
  }
  EXPECT_EQ(numbers, "23456745");
}

TEST(Resend20, BothSidesAskAtOnce) {
  each_session([](Case& one) {
    send_orders(one, 3);  // 2 to 4
    EXPECT_EQ(types_of(one.order("gap", {.sequence = 5})), "2");
    const Messages sent = one.peer.say("2", range(2, 4), {.sequence = 6});
    // Their request is answered though it came ahead of the gap; then ours is repeated, as the gap
    // is still open.
    ASSERT_EQ(types_of(sent), "D D D 2");
    EXPECT_EQ(field_of(sent[3], 7), "2");
    one.peer.say("4", "123=Y|36=5", {.sequence = 2, .possible_duplicate = true});
    EXPECT_EQ(one.expected(), 7u);
    EXPECT_EQ(one.delivered(), 1u);
  });
}

TEST(Resend20, NotAskedAgainWhenTheGapIsClosed) {
  each_session([](Case& one) {
    send_orders(one, 3);
    one.endpoint.replay_page = 1;
    one.order("gap", {.sequence = 4});
    one.endpoint.receive(one.peer.message("2", range(2, 4), {.sequence = 5}));
    ASSERT_TRUE(one.endpoint.replay_some());
    const Messages sent =
        one.peer.say("4", "123=Y|36=4", {.sequence = 2, .possible_duplicate = true});
    EXPECT_EQ(types_of(sent), "D D D");
  });
}

TEST(Resend, UnansweredRequestIsRepeatedThenAbandoned) {
  each_session([](Case& one) {
    EXPECT_EQ(types_of(one.order("1", {.sequence = 9})), "2");
    std::string sent;
    for (int second = 0; second < 95 && !one.endpoint.disconnect_reason; ++second) {
      for (const std::string& message : one.peer.pass(ns_per_second)) {
        sent += type_of(message) == "0" ? "" : type_of(message);
      }
      if (one.endpoint.phase() == Phase::Active) {
        one.peer.say("0", "", {.sequence = static_cast<std::uint64_t>(10 + second)});
      }
    }
    EXPECT_EQ(sent, "225");
    EXPECT_TRUE(one.endpoint.reported(Event::ResendAbandoned));
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::PeerFault);
    EXPECT_EQ(one.expected(), 2u);
  });
}

TEST(Resend, IsNotRequestedAgainWhileReadingIsPaused) {
  each_session([](Case& one) {
    EXPECT_EQ(types_of(one.order("1", {.sequence = 9})), "2");
    one.endpoint.session().on_reading_paused(one.clock.now());
    for (const std::string& message : one.peer.pass(200 * ns_per_second)) {
      EXPECT_EQ(type_of(message), "0");
    }
    one.endpoint.session().on_reading_resumed(one.clock.now());
    EXPECT_EQ(one.endpoint.phase(), Phase::Active);
    // From here on it is late.
    one.peer.say("0", "", {.sequence = 10});
    EXPECT_NE(types_of(one.peer.pass(31 * ns_per_second)).find('2'), std::string::npos);
  });
}

TEST(Resend, IsNotRequestedAgainWhileItsHeldMessageWaits) {
  each_session([](Case& one) {
    EXPECT_EQ(types_of(one.order("ahead", {.sequence = 3})), "2");
    // The caller does not release the held one.
    const std::string missing = one.peer.message("D", "11=missing|55=X|54=1|38=1");
    wire::FieldIndexOf<64> index;
    wire::index_message(missing, index);
    session::Session& session = one.endpoint.session();
    EXPECT_EQ(
        session.on_message(wire::MessageView(missing, index), one.clock.now(), one.endpoint.out()),
        session::Progress::More);
    const auto drop_actions = [&] {
      while (one.endpoint.out().next_action() != nullptr) {
      }
    };
    drop_actions();
    one.clock.advance(31 * ns_per_second);
    session.on_time(one.clock.now(), one.endpoint.out());
    drop_actions();
    const std::string sent = one.endpoint.take_output();
    EXPECT_EQ(sent.find("\x01"
                        "35=2\x01"),
              std::string::npos);
    one.endpoint.carry_out();
    EXPECT_EQ(one.expected(), 4U);
  });
}

TEST(Resend, ProgressKeepsTheRequestAlive) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.log_on();
  one.order("last", {.sequence = 20});
  for (std::uint64_t number = 2; number < 20; ++number) {
    one.peer.pass(20 * ns_per_second);
    one.order("x", {.sequence = number, .possible_duplicate = true, .extra = "122=" + one.ago(1)});
  }
  EXPECT_EQ(one.endpoint.report_count(Event::ResendRequested), 1u);
  EXPECT_EQ(one.expected(), 21u);
}

TEST(Resend, AttemptsAreCountedAnewAfterProgress) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.resend_range_max = 1;
  Case one(options);
  one.log_on();
  one.order("last", {.sequence = 30});
  for (std::uint64_t number = 2; number < 30; ++number) {
    one.order("x", {.sequence = number, .possible_duplicate = true, .extra = "122=" + one.ago(1)});
  }
  EXPECT_EQ(one.endpoint.report_count(Event::ResendRequested), 28u);
  EXPECT_EQ(one.expected(), 31u);
}

TEST(Resend8, AResentMessageIsNotMarkedTwice) {
  // A stored message that has 43, 122 and 369 already, as if the caller stored resent copies.
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.include_last_processed = true;
  Case one(options);
  one.log_on();
  send_orders(one, 1);
  std::string text = readable(one.endpoint.stored.at(2));
  text.erase(text.find("9="), text.find("35=") - text.find("9="));
  text.erase(text.rfind("10="));
  text.insert(text.find("|52=") + 1, "43=Y|122=20260105-08:00:00|");
  one.endpoint.stored[2] = testing::make_message(text);
  const Messages sent = one.peer.say("2", "7=2|16=0");
  ASSERT_EQ(types_of(sent), "D");
  wire::FieldIndexOf<64> index;
  wire::index_message(sent[0], index);
  const wire::MessageView view(sent[0], index);
  for (const std::uint32_t once : {43u, 122u, 369u, 52u, 34u}) {
    EXPECT_TRUE(view.has(once)) << once;
    EXPECT_FALSE(view.nth(once, 1)) << once;
  }
}

TEST(Resend, HeldMessagesDoNotOutliveTheirConnection) {
  each_session([](Case& one) {
    one.order("held", {.sequence = 4});
    one.endpoint.disconnect();
    one.peer.next_sequence = 2;
    one.log_on();
    one.order("3", {.sequence = 3});
    EXPECT_EQ(one.expected(), 4u);
    EXPECT_EQ(one.delivered(), 1u);
  });
}

TEST(Resend, LargeGapIsAskedForInPieces) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.resend_range_max = 3;
  Case one(options);
  one.log_on();
  Messages sent = one.order("last", {.sequence = 10});
  ASSERT_EQ(types_of(sent), "2");
  EXPECT_EQ(field_of(sent[0], 7), "2");
  EXPECT_EQ(field_of(sent[0], 16), "4");
  one.order("2", {.sequence = 2, .possible_duplicate = true, .extra = "122=" + one.ago(1)});
  one.order("3", {.sequence = 3, .possible_duplicate = true, .extra = "122=" + one.ago(1)});
  sent = one.order("4", {.sequence = 4, .possible_duplicate = true, .extra = "122=" + one.ago(1)});
  ASSERT_EQ(types_of(sent), "2");
  EXPECT_EQ(field_of(sent[0], 7), "5");
  EXPECT_EQ(field_of(sent[0], 16), "7");
  sent = one.peer.say("4", "123=Y|36=8", {.sequence = 5, .possible_duplicate = true});
  ASSERT_EQ(types_of(sent), "2");
  EXPECT_EQ(field_of(sent[0], 7), "8");
  one.peer.say("4", "123=Y|36=10", {.sequence = 8, .possible_duplicate = true});
  EXPECT_EQ(one.expected(), 11u);
  EXPECT_EQ(one.delivered(), 4u);
}

TEST(Resend, OnlyTheGapIsAskedForWhenConfigured) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.resend_end = session::ResendEnd::Gap;
  Case one(options);
  one.log_on();
  const Messages sent = one.order("5", {.sequence = 5});
  ASSERT_EQ(types_of(sent), "2");
  EXPECT_EQ(field_of(sent[0], 16), "4");
  one.peer.say("4", "123=Y|36=5", {.sequence = 2, .possible_duplicate = true});
  EXPECT_EQ(one.expected(), 6u);
  EXPECT_EQ(one.delivered(), 1u);
}

TEST(Resend, EndsWithTheConnection) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.log_on();
  send_orders(one, 5);
  one.endpoint.replay_page = 2;
  one.endpoint.receive(one.peer.message("2", "7=2|16=0"));
  ASSERT_TRUE(one.endpoint.replay_some());
  one.endpoint.disconnect();
  EXPECT_FALSE(one.endpoint.session().replaying());
  ASSERT_EQ(one.endpoint.resent.size(), 1u);
  EXPECT_EQ(one.endpoint.resent[0].to, 3u);
}

TEST(Resend, LargeMessagesWaitForRoomInTheOutbox) {
  const SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  testing::ManualClock clock;
  testing::SessionEndpoint endpoint(options, 48 * 1024);
  testing::ScriptedPeer peer(endpoint, clock);
  endpoint.now = clock.now();
  endpoint.connect();
  peer.say("A", "98=0|108=30");
  for (int number = 0; number < 4; ++number) {
    ASSERT_TRUE(endpoint.send("D", "58=" + std::string(20'000, 'x')));
    static_cast<void>(peer.listen());
  }
  const Messages sent = peer.say("2", "7=1|16=0");
  EXPECT_EQ(types_of(sent), "4 D D D D");
}

}  // namespace affix::session_test
