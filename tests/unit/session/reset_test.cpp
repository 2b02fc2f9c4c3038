// SPDX-License-Identifier: MIT
// Scenarios 9, 10 and 11 of the session layer test cases; 141, 789 and resets by option and by an
// operator.

#include "session_case.hpp"

namespace affix::session_test {

TEST(SequenceReset10a, GapFillAheadAsksForResend) {
  each_session([](Case& one) {
    EXPECT_EQ(types_of(one.peer.say("4", "123=Y|36=10", {.sequence = 5})), "2");
    EXPECT_EQ(one.expected(), 2u);
    // It counts once it is in sequence.
    one.peer.say("4", "123=Y|36=5", {.sequence = 2, .possible_duplicate = true});
    EXPECT_EQ(one.expected(), 10u);
  });
}

TEST(SequenceReset10b, GapFillMovesTheExpectedNumber) {
  each_session([](Case& one) {
    EXPECT_TRUE(one.peer.say("4", "123=Y|36=20", {.sequence = 2}).empty());
    EXPECT_EQ(one.expected(), 20u);
    EXPECT_EQ(one.endpoint.received.back().expected_after, 20u);
  });
}

TEST(SequenceReset10c, GapFillBelowWithPossDupIsIgnored) {
  each_session([](Case& one) {
    one.order("1");
    EXPECT_TRUE(
        one.peer.say("4", "123=Y|36=20", {.sequence = 2, .possible_duplicate = true}).empty());
    EXPECT_EQ(one.expected(), 3u);
  });
}

TEST(SequenceReset10d, GapFillBelowWithoutPossDupLogsOut) {
  each_session([](Case& one) {
    one.order("1");
    EXPECT_EQ(types_of(one.peer.say("4", "123=Y|36=20", {.sequence = 2})), "5");
    EXPECT_EQ(one.expected(), 3u);
  });
}

TEST(SequenceReset10e, GapFillThatLowersIsRejected) {
  for (const std::string_view lower : {"1", "2"}) {
    each_session([&](Case& one) {
      const Messages sent = one.peer.say("4", "123=Y|36=" + std::string(lower), {.sequence = 2});
      ASSERT_EQ(types_of(sent), "3");
      expect_reject(one, sent[0], "5", "36", "2");
      EXPECT_NE(field_of(sent[0], 58).find("lower sequence number"), std::string_view::npos);
      EXPECT_EQ(one.expected(), 3u);
    });
  }
}

// QuickFIX's answer to a request for the next number.
TEST(SequenceReset10e, AnAnswerThatFillsNothingTakesNoNumber) {
  each_session([&](Case& one) {
    const Messages sent =
        one.peer.say("4", "123=Y|36=2", {.sequence = 2, .possible_duplicate = true});
    ASSERT_EQ(types_of(sent), "3");
    expect_reject(one, sent[0], "5", "36", "2");
    EXPECT_EQ(one.expected(), 2u);
    one.order("with the number that it said", {.sequence = 2});
    EXPECT_EQ(one.delivered(), 1u);
  });
}

TEST(SequenceReset10, NewSeqNoMustBeThereAndANumber) {
  for (const auto& [fields, reason] : {std::pair{"123=Y", "1"},
                                       {"123=Y|36=x", "6"},
                                       {"123=Y|36=-4", "5"},
                                       {"123=Y|36=99999999999999999999", "5"}}) {
    each_session([&](Case& one) {
      const Messages sent = one.peer.say("4", fields, {.sequence = 2});
      ASSERT_EQ(types_of(sent), "3");
      expect_reject(one, sent[0], reason, "36", "2");
      EXPECT_EQ(one.expected(), 3u);
    });
  }
}

TEST(SequenceReset11a, ResetSetsTheExpectedNumberWhateverItsOwn) {
  for (const std::uint64_t number : {1u, 2u, 50u}) {
    each_session([&](Case& one) {
      EXPECT_TRUE(one.peer.say("4", "123=N|36=20", {.sequence = number}).empty());
      EXPECT_EQ(one.expected(), 20u);
      EXPECT_TRUE(one.order("1", {.sequence = 20}).empty());
      EXPECT_EQ(one.delivered(), 1u);
    });
  }
}

TEST(SequenceReset11a, NumberOfZeroIsNoFault) {
  each_session([](Case& one) {
    const std::string reset =
        testing::make_message("8=" + std::string(one.options().begin_string) +
                              "|35=4|34=0|49=THEM|56=US|52=" + one.ago(0) + "|36=9");
    EXPECT_TRUE(one.peer.say_bytes(reset).empty());
    EXPECT_EQ(one.expected(), 9u);
  });
}

TEST(SequenceReset11b, EqualIsAcceptedWithAWarning) {
  each_session([](Case& one) {
    EXPECT_TRUE(one.peer.say("4", "36=2", {.sequence = 7}).empty());
    EXPECT_EQ(one.expected(), 2u);
    EXPECT_TRUE(one.endpoint.reported(Event::ResetWithoutEffect));
  });
}

TEST(SequenceReset11c, LowerIsRejectedAndNothingChanges) {
  each_session([](Case& one) {
    one.order("1");
    const Messages sent = one.peer.say("4", "123=N|36=2", {.sequence = 3});
    ASSERT_EQ(types_of(sent), "3");
    expect_reject(one, sent[0], "5", "36", "3");
    EXPECT_EQ(one.expected(), 3u);
  });
}

TEST(SequenceReset11, DropsHeldMessagesBelow) {
  each_session([](Case& one) {
    one.order("held", {.sequence = 5});
    one.order("held too", {.sequence = 9});
    one.peer.say("4", "123=N|36=8", {.sequence = 3});
    EXPECT_EQ(one.expected(), 8u);
    EXPECT_EQ(one.delivered(), 0u);
    one.order("8", {.sequence = 8});
    EXPECT_EQ(one.delivered(), 2u);
    EXPECT_EQ(one.expected(), 10u);
  });
}

TEST(SequenceReset9, LossOfStateIsHealedByAReset) {
  each_session([](Case& one) {
    one.order("1");
    ASSERT_TRUE(
        one.endpoint.session().send_sequence_reset(1'000'000, one.clock.now(), one.endpoint.out()));
    one.endpoint.carry_out();
    const Messages sent = one.peer.listen();
    ASSERT_EQ(types_of(sent), "4");
    EXPECT_EQ(field_of(sent[0], 36), "1000000");
    EXPECT_EQ(field_of(sent[0], 123), "N");
    EXPECT_EQ(one.endpoint.state().next_outgoing, 1'000'000u);
    ASSERT_TRUE(one.endpoint.send("D", "11=1"));
    EXPECT_EQ(field_of(one.peer.listen().at(0), 34), "1000000");
    EXPECT_FALSE(
        one.endpoint.session().send_sequence_reset(5, one.clock.now(), one.endpoint.out()));
  });
}

TEST(Reset141, AtLogonBothNumbersStartOver) {
  each_version(Role::Acceptor, [](Case& one) {
    if (one.version() == Version::Fix40) {
      return;
    }
    one.endpoint.session().set_next_expected(40, one.endpoint.out());
    one.endpoint.session().set_next_outgoing(50, one.endpoint.out());
    one.endpoint.carry_out();
    one.endpoint.stored[49] = "old";
    one.connect();
    const Messages sent = one.peer.say("A", one.logon_fields("141=Y"));
    ASSERT_EQ(types_of(sent), "A");
    EXPECT_EQ(field_of(sent[0], 34), "1");
    EXPECT_EQ(field_of(sent[0], 141), "Y");
    EXPECT_EQ(one.expected(), 2u);
    EXPECT_EQ(one.endpoint.state().next_outgoing, 2u);
    EXPECT_EQ(one.endpoint.events.back().why, session::NumbersMoved::Reset);
    EXPECT_EQ(one.endpoint.stored.size(), 1u);  // Earlier messages cannot be resent.
  });
}

TEST(Reset141, InitiatorResetsAtLogonWhenConfigured) {
  for (const std::string_view version : versions) {
    SessionOptions options = make_options(Role::Initiator, version);
    options.reset_on_logon = true;
    Case one(options);
    one.endpoint.session().set_next_expected(40, one.endpoint.out());
    one.endpoint.session().set_next_outgoing(50, one.endpoint.out());
    one.endpoint.carry_out();
    const Messages sent = one.connect();
    ASSERT_EQ(types_of(sent), "A");
    EXPECT_EQ(field_of(sent[0], 34), "1");
    EXPECT_EQ(field_of(sent[0], 141), version == "FIX.4.0" ? "" : "Y");
    one.peer.say("A", one.logon_fields("141=Y"));
    EXPECT_EQ(one.expected(), 2u);
    EXPECT_EQ(one.endpoint.state().next_outgoing, 2u);
  }
}

TEST(Reset141, AnswerThatResetsWithoutBeingAsked) {
  Case one(Role::Initiator, "FIX.4.4");
  one.endpoint.session().set_next_expected(40, one.endpoint.out());
  one.endpoint.session().set_next_outgoing(50, one.endpoint.out());
  one.endpoint.carry_out();
  one.connect();
  one.peer.say("A", one.logon_fields("141=Y"));
  EXPECT_EQ(one.endpoint.phase(), Phase::Active);
  EXPECT_EQ(one.expected(), 2u);
  EXPECT_EQ(one.endpoint.state().next_outgoing, 2u);
}

TEST(Reset141, InMidSessionIsAnswered) {
  each_session([](Case& one) {
    if (one.version() == Version::Fix40) {
      return;
    }
    one.order("1");
    ASSERT_TRUE(one.endpoint.send("D", "11=1"));
    static_cast<void>(one.peer.listen());
    const Messages sent = one.peer.say("A", one.logon_fields("141=Y"), {.sequence = 1});
    ASSERT_EQ(types_of(sent), "A");
    EXPECT_EQ(field_of(sent[0], 34), "1");
    EXPECT_EQ(field_of(sent[0], 141), "Y");
    EXPECT_EQ(one.expected(), 2u);
    EXPECT_EQ(one.endpoint.state().next_outgoing, 2u);
    EXPECT_EQ(one.endpoint.phase(), Phase::Active);
    one.order("2", {.sequence = 2});
    EXPECT_EQ(one.delivered(), 2u);
  });
}

TEST(Reset141, InMidSessionIsRefusedWhenConfigured) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.mid_session_reset = session::MidSessionReset::Refuse;
  Case one(options);
  one.log_on();
  one.order("1");
  EXPECT_EQ(types_of(one.peer.say("A", one.logon_fields("141=Y"), {.sequence = 1})), "5");
  EXPECT_EQ(one.expected(), 3u);
}

TEST(Reset141, OursInMidSession) {
  each_session([](Case& one) {
    if (one.version() == Version::Fix40) {
      EXPECT_FALSE(one.endpoint.session().reset(one.clock.now(), one.endpoint.out()));
      return;
    }
    one.order("1");
    ASSERT_TRUE(one.endpoint.session().reset(one.clock.now(), one.endpoint.out()));
    one.endpoint.carry_out();
    const Messages sent = one.peer.listen();
    ASSERT_EQ(types_of(sent), "A");
    EXPECT_EQ(field_of(sent[0], 34), "1");
    EXPECT_EQ(field_of(sent[0], 141), "Y");
    const session::SendResult refused = one.endpoint.send("D", "11=1");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error(), session::SendError::Resetting);
    // A message in transit keeps its number.
    one.order("2");
    EXPECT_EQ(one.delivered(), 2u);
    EXPECT_TRUE(one.peer.say("A", one.logon_fields("141=Y"), {.sequence = 1}).empty());
    EXPECT_EQ(one.endpoint.phase(), Phase::Active);
    EXPECT_EQ(one.expected(), 2u);
    EXPECT_EQ(one.endpoint.state().next_outgoing, 2u);
    EXPECT_TRUE(one.endpoint.send("D", "11=1"));
  });
}

// After our Logon they would interpret it in the new numbers.
TEST(Reset141, OursAsksForNothingOfTheOldNumbersMeanwhile) {
  SessionOptions options = make_options(Role::Initiator, "FIX.4.4");
  options.resend_expiry_ns = ns_per_second;
  Case one(options);
  one.log_on();
  EXPECT_EQ(types_of(one.order("ahead", {.sequence = 4})), "2");
  ASSERT_TRUE(one.endpoint.session().reset(one.clock.now(), one.endpoint.out()));
  one.endpoint.carry_out();
  ASSERT_EQ(types_of(one.peer.listen()), "A");
  EXPECT_EQ(types_of(one.peer.say("4", "123=Y|36=3", {.sequence = 2, .possible_duplicate = true})),
            "");
  EXPECT_EQ(types_of(one.order("further ahead", {.sequence = 9})), "");
  EXPECT_EQ(types_of(one.peer.pass(3 * ns_per_second)), "");
  EXPECT_EQ(one.endpoint.phase(), Phase::ResetSent);
  EXPECT_EQ(types_of(one.peer.say("A", one.logon_fields("141=Y|"), {.sequence = 1})), "");
  one.order("1", {.sequence = 2});
  EXPECT_EQ(one.delivered(), 1u);
  EXPECT_EQ(one.expected(), 3u);
}

TEST(Reset141, OursWaitsForAnAnswerThatLiesUnread) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.log_on();
  ASSERT_TRUE(one.endpoint.session().reset(one.clock.now(), one.endpoint.out()));
  one.endpoint.session().on_reading_paused(one.clock.now());
  one.peer.pass(60 * ns_per_second);
  EXPECT_EQ(one.endpoint.phase(), Phase::ResetSent);
  one.endpoint.session().on_reading_resumed(one.clock.now());
  one.peer.say("A", one.logon_fields("141=Y"), {.sequence = 1});
  EXPECT_EQ(one.endpoint.phase(), Phase::Active);
}

TEST(Reset141, OursWithoutAnswerTimesOut) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.log_on();
  ASSERT_TRUE(one.endpoint.session().reset(one.clock.now(), one.endpoint.out()));
  one.peer.pass(5 * ns_per_second);
  EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::LogonTimeout);
}

TEST(Reset141, SecretsOfAMidSessionLogonAreNotStored) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.log_on();
  one.peer.say("A", one.logon_fields("141=Y|554=secret"), {.sequence = 1});
  for (const auto& received : one.endpoint.received) {
    EXPECT_EQ(received.bytes.find("secret"), std::string::npos);
  }
}

TEST(ResetOption, AcceptorStartsOverAtEveryLogon) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.2");
  options.reset_on_logon = true;
  Case one(options);
  one.log_on();
  one.order("1");
  one.endpoint.disconnect();
  EXPECT_EQ(one.expected(), 3u);
  one.connect();
  const Messages sent = one.peer.say("A", one.logon_fields(), {.sequence = 1});
  ASSERT_EQ(types_of(sent), "A");
  EXPECT_EQ(field_of(sent[0], 34), "1");
  EXPECT_EQ(one.expected(), 2u);
}

TEST(ResetOption, OnDisconnect) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.reset_on_disconnect = true;
  Case one(options);
  one.log_on();
  one.endpoint.disconnect();
  EXPECT_EQ(one.expected(), 1u);
  EXPECT_EQ(one.endpoint.state().next_outgoing, 1u);
  EXPECT_EQ(one.endpoint.events.back().why, session::NumbersMoved::Reset);
}

TEST(ResetOption, OnLogoutOnly) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.reset_on_logout = true;
  for (const bool ours : {true, false}) {
    Case one(options);
    one.log_on();
    one.endpoint.disconnect();
    EXPECT_EQ(one.expected(), 2u);
    one.connect();
    one.peer.say("A", one.logon_fields());
    if (ours) {
      one.endpoint.logout();
      static_cast<void>(one.peer.listen());
    }
    one.peer.say("5");
    one.endpoint.disconnect();
    EXPECT_EQ(one.expected(), 1u);
    EXPECT_EQ(one.endpoint.state().next_outgoing, 1u);
  }
}

TEST(NextExpected789, PeerThatIsBehindIsBroughtUpToDate) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  Case one(options);
  one.log_on();
  for (int number = 0; number < 3; ++number) {
    ASSERT_TRUE(one.endpoint.send("D", "11=" + std::to_string(number)));  // 2 to 4
  }
  static_cast<void>(one.peer.listen());
  one.endpoint.disconnect();
  one.connect();
  const Messages sent = one.peer.say("A", one.logon_fields("789=3"));
  ASSERT_EQ(types_of(sent), "A D D 4");
  EXPECT_EQ(field_of(sent[0], 34), "5");
  EXPECT_EQ(field_of(sent[0], 789), "3");
  EXPECT_EQ(field_of(sent[1], 34), "3");
  EXPECT_EQ(field_of(sent[1], 43), "Y");
  EXPECT_EQ(field_of(sent[3], 34), "5");
  EXPECT_EQ(field_of(sent[3], 36), "6");
}

TEST(NextExpected789, PeerThatMissesOneMessageGetsIt) {
  each_version(Role::Acceptor, [](Case& one) {
    one.log_on();
    ASSERT_TRUE(one.endpoint.send("D", "11=1"));
    static_cast<void>(one.peer.listen());
    one.endpoint.disconnect();
    one.connect();
    EXPECT_EQ(types_of(one.peer.say("A", one.logon_fields("789=2"))), "A D 4");
  });
}

TEST(NextExpected789, PeerThatIsUpToDateGetsNothing) {
  each_version(Role::Initiator, [](Case& one) {
    one.connect();
    EXPECT_TRUE(one.peer.say("A", one.logon_fields("789=2")).empty());
  });
  each_version(Role::Acceptor, [](Case& one) {
    one.connect();
    EXPECT_EQ(types_of(one.peer.say("A", one.logon_fields("789=1"))), "A");
  });
}

TEST(NextExpected789, OurGapIsNotAskedForTwice) {
  SessionOptions options = make_options(Role::Initiator, "FIX.4.4");
  options.include_next_expected = true;
  Case one(options);
  Messages sent = one.connect();
  EXPECT_EQ(field_of(sent[0], 789), "1");
  EXPECT_TRUE(one.peer.say("A", one.logon_fields("789=2"), {.sequence = 4}).empty());
  EXPECT_EQ(one.expected(), 1u);
  one.peer.say("4", "123=Y|36=4", {.sequence = 1, .possible_duplicate = true});
  EXPECT_EQ(one.expected(), 5u);
}

TEST(NextExpected789, OurGapIsAskedForWhenNothingComes) {
  SessionOptions options = make_options(Role::Initiator, "FIX.4.4");
  options.include_next_expected = true;
  Case one(options);
  one.connect();
  one.peer.say("A", one.logon_fields("789=2"), {.sequence = 4});
  const Messages sent = one.peer.pass(30 * ns_per_second);
  EXPECT_EQ(types_of(sent), "2");
}

TEST(NextExpected789, PeerWithoutItIsAskedAtOnce) {
  SessionOptions options = make_options(Role::Initiator, "FIX.4.4");
  options.include_next_expected = true;
  Case one(options);
  one.connect();
  EXPECT_EQ(types_of(one.peer.say("A", one.logon_fields(), {.sequence = 4})), "2");
}

TEST(NextExpected789, AboveTheLastSentNumberIsRefused) {
  each_version(Role::Acceptor, [](Case& one) {
    one.connect();
    const Messages sent = one.peer.say("A", one.logon_fields("789=2"));
    ASSERT_EQ(types_of(sent), "5");
    EXPECT_NE(field_of(sent[0], 58).find("789"), std::string_view::npos);
  });
}

TEST(NumbersByHand, AreTakenAndReportedTheJournal) {
  each_case([](Case& one) {
    EXPECT_TRUE(one.endpoint.session().set_next_outgoing(10, one.endpoint.out()));
    EXPECT_TRUE(one.endpoint.session().set_next_expected(20, one.endpoint.out()));
    EXPECT_FALSE(one.endpoint.session().set_next_outgoing(0, one.endpoint.out()));
    EXPECT_FALSE(one.endpoint.session().set_next_expected(0, one.endpoint.out()));
    one.endpoint.carry_out();
    ASSERT_EQ(one.endpoint.events.size(), 2u);
    EXPECT_EQ(one.endpoint.events[1].next_outgoing, 10u);
    EXPECT_EQ(one.endpoint.events[1].next_expected, 20u);
    EXPECT_EQ(one.endpoint.events[1].why, session::NumbersMoved::ByHand);
  });
}

}  // namespace affix::session_test
