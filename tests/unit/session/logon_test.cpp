// SPDX-License-Identifier: MIT
// Scenarios 1B, 1S and 2S of the session layer test cases, and affix's further requirements on a
// Logon.

#include "session_case.hpp"

namespace affix::session_test {

TEST(Logon1B, SendsLogonFirst) {
  each_version(Role::Initiator, [](Case& one) {
    const Messages sent = one.connect();
    ASSERT_EQ(types_of(sent), "A");
    EXPECT_EQ(field_of(sent[0], 34), "1");
    EXPECT_EQ(field_of(sent[0], 49), "US");
    EXPECT_EQ(field_of(sent[0], 56), "THEM");
    EXPECT_EQ(field_of(sent[0], 98), "0");
    EXPECT_EQ(field_of(sent[0], 108), "30");
    EXPECT_EQ(field_of(sent[0], 1137), one.version() == Version::Fixt11 ? "9" : "");
    EXPECT_EQ(one.endpoint.phase(), Phase::LogonSent);
    EXPECT_EQ(one.endpoint.stored.at(1), sent[0]);
  });
}

TEST(Logon1B, ValidAnswerMakesTheSessionActive) {
  each_version(Role::Initiator, [](Case& one) {
    one.connect();
    EXPECT_TRUE(one.peer.say("A", one.logon_fields()).empty());
    EXPECT_EQ(one.endpoint.phase(), Phase::Active);
    EXPECT_EQ(one.expected(), 2u);
  });
}

TEST(Logon1B, AnswerWithHighNumberAsksForResend) {
  each_version(Role::Initiator, [](Case& one) {
    one.connect();
    const Messages sent = one.peer.say("A", one.logon_fields(), {.sequence = 5});
    ASSERT_EQ(types_of(sent), "2");
    EXPECT_EQ(field_of(sent[0], 7), "1");
    EXPECT_EQ(field_of(sent[0], 16), one.version() <= Version::Fix41 ? "999999" : "0");
    EXPECT_EQ(one.endpoint.phase(), Phase::Active);
    EXPECT_EQ(one.expected(), 1u);
  });
}

TEST(Logon1B, InvalidAnswerGetsLogoutAndDisconnect) {
  each_version(Role::Initiator, [](Case& one) {
    one.connect();
    const Messages sent = one.peer.say("A", "98=0|108=no|1137=9");
    ASSERT_EQ(types_of(sent), "5");
    EXPECT_TRUE(has_field(sent[0], 58));
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::LogonRefused);
    EXPECT_EQ(one.expected(), 1u);
  });
}

TEST(Logon1B, FirstMessageOtherThanLogonDisconnects) {
  each_version(Role::Initiator, [](Case& one) {
    one.connect();
    EXPECT_TRUE(one.peer.say("0").empty());
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::FirstNotLogon);
    EXPECT_TRUE(one.endpoint.reported(Event::FirstNotLogon));
    EXPECT_EQ(one.expected(), 1u);
  });
}

TEST(Logon1B, LogoutInsteadOfLogonIsReportedWithItsText) {
  each_version(Role::Initiator, [](Case& one) {
    one.connect();
    EXPECT_TRUE(one.peer.say("5", "58=wrong password").empty());
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::LogonRejected);
    ASSERT_FALSE(one.endpoint.reports.empty());
    EXPECT_EQ(one.endpoint.reports.back().text, "wrong password");
    EXPECT_EQ(one.expected(), 1u);
  });
}

TEST(Logon1S, ValidLogonIsAnswered) {
  each_version(Role::Acceptor, [](Case& one) {
    EXPECT_TRUE(one.connect().empty());
    const Messages sent = one.peer.say("A", one.logon_fields());
    ASSERT_EQ(types_of(sent), "A");
    EXPECT_EQ(field_of(sent[0], 34), "1");
    EXPECT_EQ(field_of(sent[0], 108), "30");
    EXPECT_EQ(field_of(sent[0], 98), "0");
    EXPECT_EQ(one.endpoint.phase(), Phase::Active);
    EXPECT_EQ(one.expected(), 2u);
    ASSERT_EQ(one.endpoint.received.size(), 1u);
    EXPECT_EQ(one.endpoint.received[0].expected_after, 2u);
  });
}

TEST(Logon1S, HighNumberIsAnsweredAndAskedFor) {
  each_version(Role::Acceptor, [](Case& one) {
    one.connect();
    const Messages sent = one.peer.say("A", one.logon_fields(), {.sequence = 4});
    ASSERT_EQ(types_of(sent), "A 2");
    EXPECT_EQ(field_of(sent[1], 7), "1");
    EXPECT_EQ(one.expected(), 1u);
    // The Logon's own number counts once the gap before it is closed.
    EXPECT_TRUE(
        one.peer.say("4", "123=Y|36=4", {.sequence = 1, .possible_duplicate = true}).empty());
    EXPECT_EQ(one.expected(), 5u);
    EXPECT_TRUE(one.endpoint.reported(Event::GapClosed));
  });
}

TEST(Logon1S, UnknownIdentityIsClosedWithoutAWord) {
  each_version(Role::Acceptor, [](Case& one) {
    for (const Header& header :
         {Header{.sequence = 1, .sender = "STRANGER"}, Header{.sequence = 1, .target = "STRANGER"},
          Header{.sequence = 1, .begin_string = "FIX.9.9"}}) {
      one.connect();
      EXPECT_TRUE(one.peer.say("A", one.logon_fields(), header).empty());
      EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::IdentityUnknown);
      one.endpoint.disconnect();
    }
    EXPECT_EQ(one.endpoint.state().next_expected, 1u);
    EXPECT_EQ(one.endpoint.state().next_outgoing, 1u);
  });
}

TEST(Logon1B, AnAnswerForAnotherSessionNamesItsWrongField) {
  const auto reported = [](const Header& header, session::Event event, std::uint64_t tag) {
    Case one(Role::Initiator, "FIX.4.4");
    one.connect();
    one.peer.say("A", one.logon_fields(), header);
    const auto found = std::find_if(one.endpoint.reports.begin(), one.endpoint.reports.end(),
                                    [&](const auto& report) { return report.event == event; });
    return found != one.endpoint.reports.end() && found->second == tag &&
           one.endpoint.reported(Event::LogonRefused);
  };
  EXPECT_TRUE(reported({.sequence = 1, .begin_string = "FIX.4.2"}, Event::WrongBeginString, 0));
  EXPECT_TRUE(reported({.sequence = 1, .sender = "STRANGER"}, Event::WrongCompId, 49));
}

TEST(Logon1S, InvalidLogonGetsLogoutWithTextAndChangesNothing) {
  each_version(Role::Acceptor, [](Case& one) {
    const std::string appl = one.version() == Version::Fixt11 ? "|1137=9" : "";
    const std::vector<std::string> bad{"98=0",
                                       "98=0|108=",
                                       "98=0|108=abc",
                                       "98=0|108=-1",
                                       "98=0|108=1.5",
                                       "108=30",
                                       "98=1|108=30",
                                       "98=0|108=99999999999",
                                       "98=0|108=30|141=X",
                                       "98=0|108=30|789=x",
                                       "98=0|108=30|789=0",
                                       "98=0|108=30|789=2",
                                       "98=0|108=30|34=9"};
    for (const std::string& fields : bad) {
      SCOPED_TRACE(fields);
      one.connect();
      const Messages sent = one.peer.say("A", fields + appl, {.sequence = 1});
      ASSERT_FALSE(sent.empty());
      EXPECT_EQ(type_of(sent.back()), "5");
      EXPECT_TRUE(has_field(sent.back(), 58));
      EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::LogonRefused);
      one.endpoint.disconnect();
      EXPECT_EQ(one.endpoint.state().next_expected, 1u);
      EXPECT_EQ(one.endpoint.state().next_outgoing, 1u);
      EXPECT_TRUE(one.endpoint.stored.empty());
      EXPECT_TRUE(one.endpoint.received.empty());
    }
    // The session is free.
    one.log_on();
  });
}

TEST(Logon1S, StaleLogonIsRefused) {
  each_version(Role::Acceptor, [](Case& one) {
    for (const std::string& time : {one.ago(3600), one.ago(-3600), std::string("yesterday")}) {
      one.connect();
      EXPECT_EQ(
          types_of(one.peer.say("A", one.logon_fields(), {.sequence = 1, .sending_time = time})),
          "5");
      EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::LogonRefused);
      one.endpoint.disconnect();
    }
    EXPECT_EQ(one.expected(), 1u);
  });
}

TEST(Logon1S, LowNumberIsRefusedWithBothNumbers) {
  each_version(Role::Acceptor, [](Case& one) {
    one.endpoint.session().set_next_expected(7, one.endpoint.out());
    one.connect();
    const Messages sent = one.peer.say("A", one.logon_fields(), {.sequence = 3});
    ASSERT_EQ(types_of(sent), "5");
    EXPECT_EQ(field_of(sent[0], 58), "MsgSeqNum too low, expecting 7 but received 3");
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::LogonRefused);
    EXPECT_EQ(one.expected(), 7u);
  });
}

TEST(Logon1S, FixtLogonNeedsDefaultApplVerId) {
  Case one(Role::Acceptor, "FIXT.1.1");
  one.connect();
  EXPECT_EQ(types_of(one.peer.say("A", "98=0|108=30")), "5");
}

TEST(Logon2S, FirstMessageOtherThanLogonDisconnects) {
  each_version(Role::Acceptor, [](Case& one) {
    for (const std::string_view type : {"0", "1", "2", "3", "4", "5", "D", "AE", "AA"}) {
      SCOPED_TRACE(type);
      one.connect();
      EXPECT_TRUE(
          one.peer.say(type, one.logon_fields("112=x|7=1|16=0|36=100"), {.sequence = 1}).empty());
      EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::FirstNotLogon);
      EXPECT_TRUE(one.peer.say("A", one.logon_fields(), {.sequence = 1})
                      .empty());  // Too late on this connection.
      one.endpoint.disconnect();
    }
    EXPECT_EQ(one.expected(), 1u);
    EXPECT_EQ(one.delivered(), 0u);
    EXPECT_EQ(one.endpoint.logons_requested, 0u);
  });
}

TEST(Logon2S, GarbledFirstMessageDisconnects) {
  each_case([](Case& one) {
    one.connect();
    std::string logon = one.peer.message("A", one.logon_fields());
    logon[logon.size() - 2] = logon[logon.size() - 2] == '0' ? '1' : '0';
    EXPECT_TRUE(one.peer.say_bytes(logon).empty());
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::FirstNotLogon);
    EXPECT_EQ(one.expected(), 1u);
  });
}

TEST(Logon, MissingOneIsTimedOut) {
  each_case([](Case& one) {
    one.connect();
    one.peer.pass(5 * ns_per_second - 1);
    EXPECT_FALSE(one.endpoint.disconnect_reason);
    one.peer.pass(1);
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::LogonTimeout);
  });
}

TEST(Logon, ApplicationMayAnswerLater) {
  each_case([](Case& one) {
    one.endpoint.logon_answer = testing::SessionEndpoint::LogonAnswer::Later;
    one.connect();
    EXPECT_TRUE(one.peer.say("A", one.logon_fields()).empty());
    EXPECT_EQ(one.endpoint.phase(), Phase::LogonPending);
    EXPECT_EQ(one.expected(), 1u);
    one.peer.pass(ns_per_second);
    one.endpoint.accept_logon();
    EXPECT_EQ(types_of(one.peer.listen()), one.acceptor() ? "A" : "");
    EXPECT_EQ(one.endpoint.phase(), Phase::Active);
    EXPECT_EQ(one.expected(), 2u);
    one.order("1");
    EXPECT_EQ(one.delivered(), 1u);
  });
}

TEST(Logon, NothingIsTakenWhileTheAnswerIsOpen) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.endpoint.logon_answer = testing::SessionEndpoint::LogonAnswer::Later;
  one.connect();
  one.peer.say("A", one.logon_fields());
  const std::string order = one.peer.message("D", "11=1");
  wire::FieldIndexOf<64> index;
  wire::index_message(order, index);
  EXPECT_EQ(one.endpoint.session().on_message({order, index}, one.clock.now(), one.endpoint.out()),
            session::Progress::Blocked);
  EXPECT_EQ(one.delivered(), 0u);
}

TEST(Logon, RefusedByTheApplicationChangesNothing) {
  each_version(Role::Acceptor, [](Case& one) {
    one.endpoint.logon_answer = testing::SessionEndpoint::LogonAnswer::Refuse;
    one.endpoint.refusal_text = "password";
    one.connect();
    const std::string reset = one.version() == Version::Fix40 ? "" : "141=Y";
    const Messages sent = one.peer.say("A", one.logon_fields(reset));
    ASSERT_EQ(types_of(sent), "5");
    EXPECT_EQ(field_of(sent[0], 58), "password");
    EXPECT_EQ(field_of(sent[0], 34), "1");
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::LogonRefused);
    EXPECT_TRUE(one.endpoint.events.empty());
    one.endpoint.disconnect();
    EXPECT_EQ(one.endpoint.state().next_outgoing, 1u);
    EXPECT_EQ(one.endpoint.state().next_expected, 1u);
    EXPECT_TRUE(one.endpoint.stored.empty());
  });
}

TEST(Logon, RefusalWithoutTextClosesWithoutAWord) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.endpoint.logon_answer = testing::SessionEndpoint::LogonAnswer::Refuse;
  one.endpoint.refusal_text = "";
  one.connect();
  EXPECT_TRUE(one.peer.say("A", one.logon_fields()).empty());
  EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::LogonRefused);
}

TEST(Logon, RefusalTakesANumberWhenConfigured) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.refusal_number = session::RefusalNumber::Take;
  Case one(options);
  one.endpoint.logon_answer = testing::SessionEndpoint::LogonAnswer::Refuse;
  one.connect();
  EXPECT_EQ(types_of(one.peer.say("A", one.logon_fields())), "5");
  EXPECT_EQ(one.endpoint.state().next_outgoing, 2u);
  EXPECT_EQ(one.endpoint.stored.size(), 1u);
}

TEST(Logon, CredentialsAreSentAndNeverStored) {
  SessionOptions options = make_options(Role::Initiator, "FIX.4.4");
  options.username = "me";
  options.password = "secret";
  options.new_password = "newer";
  Case one(options);
  const Messages sent = one.connect();
  ASSERT_EQ(types_of(sent), "A");
  EXPECT_EQ(field_of(sent[0], 553), "me");
  EXPECT_EQ(field_of(sent[0], 554), "secret");
  EXPECT_EQ(field_of(sent[0], 925), "newer");
  const std::string& stored = one.endpoint.stored.at(1);
  EXPECT_EQ(field_of(stored, 553), "me");
  EXPECT_EQ(field_of(stored, 554), "*");
  EXPECT_EQ(field_of(stored, 925), "*");
  wire::FieldIndexOf<64> index;
  wire::index_message(stored, index);
  EXPECT_TRUE(index.whole());
}

TEST(Logon, ReceivedSecretsAreReadableByTheCallerAndNeverStored) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.connect();
  one.peer.say("A",
               one.logon_fields("95=5|96=ab|cd|553=me|554=secret|925=newer|1402=enc1|1404=enc2"));
  ASSERT_EQ(one.endpoint.received.size(), 1u);
  const std::string& stored = one.endpoint.received[0].bytes;
  for (const std::string_view secret : {"secret", "newer", "ab", "enc1", "enc2"}) {
    EXPECT_EQ(stored.find(secret), std::string::npos) << secret;
  }
  EXPECT_EQ(field_of(stored, 553), "me");
  wire::FieldIndexOf<64> index;
  wire::index_message(stored, index);
  EXPECT_TRUE(index.whole());
}

TEST(Logon, TooLargeOneIsRefused) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.connect();
  EXPECT_EQ(types_of(one.peer.say("A", one.logon_fields("58=" + std::string(5000, 'x')))), "5");
  EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::LogonRefused);
}

TEST(Logon, HeartbeatLimitsAreHeld) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.heartbeat_interval_min_ns = 10 * ns_per_second;
  options.heartbeat_interval_max_ns = 60 * ns_per_second;
  for (const auto& [seconds, accepted] :
       {std::pair{"9", false}, {"10", true}, {"60", true}, {"61", false}, {"0", false}}) {
    Case one(options);
    one.connect();
    one.peer.say("A", std::string("98=0|108=") + seconds);
    EXPECT_EQ(one.endpoint.phase() == Phase::Active, accepted) << seconds;
  }
}

TEST(Logon, TestSessionsAndProductionSessionsDoNotMix) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.test_messages = session::TestMessages::Production;
  Case production(options);
  production.connect();
  EXPECT_EQ(types_of(production.peer.say("A", production.logon_fields("464=Y"))), "5");
  options.test_messages = session::TestMessages::Test;
  Case test(options);
  test.connect();
  EXPECT_EQ(types_of(test.peer.say("A", test.logon_fields())), "5");
  Case right(options);
  const Messages sent = right.log_on("464=Y");
  EXPECT_EQ(field_of(sent[0], 464), "Y");
}

TEST(Logon17, EncryptionIsRejectedAndLoggedOut) {
  each_version(Role::Acceptor, [](Case& one) {
    one.connect();
    const Messages sent = one.peer.say("A", "98=2|108=30|1137=9");
    ASSERT_EQ(types_of(sent), "3 5");
    expect_reject(one, sent[0], "7", "98", "1");
    EXPECT_EQ(one.endpoint.state().next_outgoing, 1u);
  });
}

TEST(Logon, SecondLogonInSessionEndsIt) {
  each_session([](Case& one) {
    EXPECT_EQ(types_of(one.peer.say("A", one.logon_fields())), "5");
    EXPECT_EQ(one.expected(), 3u);
    EXPECT_TRUE(one.endpoint.reported(Event::LogonUnexpected));
  });
}

TEST(Logon, PeersMaxMessageSizeBoundsOurMessages) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.log_on("383=300");
  EXPECT_TRUE(one.endpoint.send("D", "11=1"));
  const session::SendResult large = one.endpoint.send("D", "58=" + std::string(300, 'x'));
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error(), session::SendError::TooLargeForPeer);
  EXPECT_EQ(one.endpoint.state().next_outgoing, 3u);
}

TEST(LogonNextExpected, OneTooHighIsToleratedWhenAskedFor) {
  using session::NextExpectedRule;
  for (const NextExpectedRule rule : {NextExpectedRule::Exact, NextExpectedRule::OneHighToo}) {
    for (const Role role : {Role::Acceptor, Role::Initiator}) {
      for (const std::uint64_t above : {0UL, 1UL, 2UL}) {
        SessionOptions options = make_options(role, "FIX.4.4");
        options.practice.next_expected_rule = rule;
        Case one(options);
        one.connect();
        const std::uint64_t reported = one.endpoint.state().next_outgoing + above;
        const Messages sent =
            one.peer.say("A", one.logon_fields("789=" + std::to_string(reported)));
        const bool taken = above == 0 || (above == 1 && rule == NextExpectedRule::OneHighToo);
        EXPECT_EQ(one.endpoint.phase() == Phase::Active, taken) << above;
        EXPECT_EQ(types_of(sent), !taken ? "5" : role == Role::Acceptor ? "A" : "") << above;
      }
    }
  }
}

// Numbers set by hand while a Logon waits for its answer.

TEST(LogonWaits, ANumberBelowTheOneExpectedMeanwhileIsTooLow) {
  each_version(Role::Acceptor, [](Case& one) {
    one.endpoint.logon_answer = testing::SessionEndpoint::LogonAnswer::Later;
    one.connect();
    one.peer.say("A", one.logon_fields());
    ASSERT_TRUE(one.endpoint.session().set_next_expected(10, one.endpoint.out()));
    one.endpoint.accept_logon();
    const Messages sent = one.peer.listen();
    ASSERT_EQ(types_of(sent), "5");
    EXPECT_EQ(field_of(sent[0], 58), "MsgSeqNum too low, expecting 10 but received 1");
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::LogonRefused);
    EXPECT_EQ(one.expected(), 10U);
  });
}

TEST(LogonWaits, ANumberAboveItOpensTheGapBetweenThem) {
  each_version(Role::Acceptor, [](Case& one) {
    one.endpoint.logon_answer = testing::SessionEndpoint::LogonAnswer::Later;
    one.connect();
    one.peer.say("A", one.logon_fields(), {.sequence = 12});
    ASSERT_TRUE(one.endpoint.session().set_next_expected(10, one.endpoint.out()));
    one.endpoint.accept_logon();
    const Messages sent = one.peer.listen();
    ASSERT_EQ(types_of(sent), "A 2");
    EXPECT_EQ(field_of(sent[1], 7), "10");
    EXPECT_EQ(field_of(sent[1], 16), one.version() <= Version::Fix41 ? "999999" : "0");
  });
}

}  // namespace affix::session_test
