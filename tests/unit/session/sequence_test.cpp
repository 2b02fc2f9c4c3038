// SPDX-License-Identifier: MIT
// Scenario 2 of the session layer test cases: numbers, identity, time and form of received
// messages.

#include "session_case.hpp"

namespace affix::session_test {

TEST(Sequence2a, ExpectedNumberIsAccepted) {
  each_session([](Case& one) {
    EXPECT_TRUE(one.order("1").empty());
    EXPECT_EQ(one.expected(), 3u);
    ASSERT_EQ(one.delivered(), 1u);
    EXPECT_EQ(one.endpoint.delivered[0].sequence, 2u);
    EXPECT_EQ(one.endpoint.received.back().expected_after, 3u);
  });
}

TEST(Sequence2b, TooHighAsksForResend) {
  each_session([](Case& one) {
    const Messages sent = one.order("3", {.sequence = 4});
    ASSERT_EQ(types_of(sent), "2");
    EXPECT_EQ(field_of(sent[0], 7), "2");
    EXPECT_EQ(field_of(sent[0], 16), one.version() <= Version::Fix41 ? "999999" : "0");
    EXPECT_EQ(one.expected(), 2u);
    EXPECT_EQ(one.delivered(), 0u);
    EXPECT_FALSE(one.endpoint.disconnect_reason);
  });
}

TEST(Sequence2b, OneRequestPerGap) {
  each_session([](Case& one) {
    EXPECT_EQ(types_of(one.order("3", {.sequence = 4})), "2");
    EXPECT_TRUE(one.order("4", {.sequence = 5}).empty());
    EXPECT_TRUE(one.order("5", {.sequence = 6}).empty());
  });
}

TEST(Sequence2b, HeldMessagesAreReleasedInOrderOnceTheGapIsClosed) {
  each_session([](Case& one) {
    one.order("c", {.sequence = 5});
    one.order("b", {.sequence = 4});
    one.order("d", {.sequence = 6});
    EXPECT_EQ(one.endpoint.held, (std::vector<std::uint64_t>{5, 4, 6}));
    const std::string orig = "122=" + one.ago(1);
    one.order("x", {.sequence = 2, .possible_duplicate = true, .extra = orig});
    one.order("a", {.sequence = 3, .possible_duplicate = true, .extra = orig});
    ASSERT_EQ(one.delivered(), 5u);
    std::string ids;
    for (const auto& delivered : one.endpoint.delivered) {
      ids += field_of(delivered.bytes, 11);
    }
    EXPECT_EQ(ids, "xabcd");
    EXPECT_TRUE(one.endpoint.delivered[2].released);
    EXPECT_EQ(one.expected(), 7u);
    // Messages that the peer repeats because of the open range are not delivered twice.
    one.order("b", {.sequence = 4, .possible_duplicate = true, .extra = orig});
    EXPECT_EQ(one.delivered(), 5u);
  });
}

TEST(Sequence2b, MessagesThatDoNotFitTheHoldAreRequestedAgain) {
  Case one(Role::Acceptor, "FIX.4.4");
  one.log_on();
  one.order("first", {.sequence = 3});
  const std::string large(40'000, 'x');
  one.peer.say("D", "11=b|58=" + large, {.sequence = 4});
  one.peer.say("D", "11=c|58=" + large, {.sequence = 5});  // Beyond the hold's 64 KiB.
  EXPECT_TRUE(one.endpoint.reported(Event::HeldDropped));
  const Messages sent =
      one.order("a", {.sequence = 2, .possible_duplicate = true, .extra = "122=" + one.ago(1)});
  EXPECT_EQ(one.delivered(), 3u);
  ASSERT_EQ(types_of(sent), "2");
  EXPECT_EQ(field_of(sent[0], 7), "5");
  one.peer.say("D", "11=c|58=" + large,
               {.sequence = 5, .possible_duplicate = true, .extra = "122=" + one.ago(1)});
  EXPECT_EQ(one.delivered(), 4u);
  EXPECT_EQ(one.expected(), 6u);
}

TEST(Sequence2c, TooLowWithoutPossDupLogsOut) {
  each_session([](Case& one) {
    one.order("1");
    const Messages sent = one.order("1", {.sequence = 2});
    ASSERT_EQ(types_of(sent), "5");
    EXPECT_EQ(field_of(sent[0], 58), "MsgSeqNum too low, expecting 3 but received 2");
    EXPECT_EQ(one.delivered(), 1u);
    one.peer.pass(2 * ns_per_second);
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::PeerFault);
  });
}

TEST(Sequence2c, TheirLogoutEndsTheWait) {
  each_session([](Case& one) {
    one.order("1");
    one.order("1", {.sequence = 2});
    EXPECT_TRUE(one.order("ignored").empty());
    EXPECT_EQ(one.delivered(), 1u);
    one.peer.say("5", "");
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::PeerFault);
  });
}

TEST(Sequence2d, GarbledIsIgnoredAndNotCounted) {
  each_session([](Case& one) {
    std::string order = one.peer.message("D", "11=1", {.sequence = 2});
    order.replace(order.find("11=1"), 4, "11=2");  // The checksum is now wrong.
    EXPECT_TRUE(one.peer.say_bytes(order).empty());
    EXPECT_EQ(one.expected(), 2u);
    EXPECT_TRUE(one.endpoint.reported(Event::Garbled));
    EXPECT_TRUE(one.order("3").empty());
    EXPECT_EQ(one.delivered(), 1u);
  });
}

TEST(Sequence2e, PossibleDuplicateBelowIsIgnored) {
  each_session([](Case& one) {
    one.order("1");
    EXPECT_TRUE(
        one.order("1", {.sequence = 2, .possible_duplicate = true, .extra = "122=" + one.ago(5)})
            .empty());
    EXPECT_EQ(one.expected(), 3u);
    EXPECT_EQ(one.delivered(), 1u);
    EXPECT_TRUE(one.endpoint.reported(Event::DuplicateIgnored));
  });
}

TEST(Sequence2e, PossibleDuplicateNotSeenBeforeIsProcessed) {
  each_session([](Case& one) {
    EXPECT_TRUE(
        one.order("1", {.sequence = 2, .possible_duplicate = true, .extra = "122=" + one.ago(5)})
            .empty());
    EXPECT_EQ(one.expected(), 3u);
    ASSERT_EQ(one.delivered(), 1u);
    EXPECT_TRUE(one.endpoint.delivered[0].possible_duplicate);
  });
}

TEST(Sequence2f, OriginalTimeAfterSendingTimeIsRejected) {
  each_session([](Case& one) {
    const Messages sent =
        one.order("1", {.sequence = 2, .possible_duplicate = true, .extra = "122=" + one.ago(-5)});
    ASSERT_EQ(types_of(sent), "3");
    expect_reject(one, sent[0], "10", "122", "2");
    EXPECT_EQ(one.expected(), 3u);
    EXPECT_EQ(one.delivered(), 0u);
  });
}

TEST(Sequence2g, PossibleDuplicateWithoutOriginalTimeIsRejected) {
  each_session([](Case& one) {
    const Messages sent = one.order("1", {.sequence = 2, .possible_duplicate = true});
    ASSERT_EQ(types_of(sent), "3");
    expect_reject(one, sent[0], "1", "122", "2");
    EXPECT_EQ(one.expected(), 3u);
  });
}

TEST(Sequence2g, BelowItIsRejectedWithoutCounting) {
  each_session([](Case& one) {
    one.order("1");
    const Messages sent = one.order("1", {.sequence = 2, .possible_duplicate = true});
    ASSERT_EQ(types_of(sent), "3");
    EXPECT_EQ(one.expected(), 3u);
    EXPECT_EQ(one.delivered(), 1u);
  });
}

TEST(Sequence2i, WrongBeginStringLogsOut) {
  each_session([](Case& one) {
    const Messages sent = one.order("1", {.sequence = 2, .begin_string = "FIX.9.9"});
    ASSERT_EQ(types_of(sent), "5");
    EXPECT_EQ(field_of(sent[0], 58), "Incorrect BeginString");
    EXPECT_EQ(one.delivered(), 0u);
    EXPECT_FALSE(one.endpoint.disconnect_reason);
    one.peer.pass(2 * ns_per_second);
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::PeerFault);
  });
}

TEST(Sequence2k, WrongCompIdsAreRejectedAndLoggedOut) {
  for (const bool sender : {true, false}) {
    each_session([&](Case& one) {
      Header header{.sequence = 2};
      (sender ? header.sender : header.target) = "OTHER";
      const Messages sent = one.order("1", header);
      ASSERT_EQ(types_of(sent), "3 5");
      expect_reject(one, sent[0], "9", sender ? "49" : "56", "2");
      EXPECT_EQ(one.expected(), 3u);
      EXPECT_EQ(one.delivered(), 0u);
      one.peer.pass(2 * ns_per_second);
      EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::PeerFault);
    });
  }
}

TEST(Sequence2k, AheadOfAGapNothingIsCounted) {
  each_session([](Case& one) {
    EXPECT_EQ(types_of(one.order("1", {.sequence = 9, .sender = "OTHER"})), "3 5");
    EXPECT_EQ(one.expected(), 2u);
  });
}

TEST(Sequence2k, SubIdsAreCheckedWhenConfigured) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.target_sub_id = "DESK";
  Case one(options);
  one.log_on();
  EXPECT_TRUE(one.order("1", {.sequence = 2, .extra = "50=DESK"}).empty());
  EXPECT_EQ(types_of(one.order("2", {.sequence = 3, .extra = "50=OTHER"})), "3 5");
}

TEST(Sequence18, ThirdPartyAddressIsRejectedWhenConfigured) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.deliver_to_comp_id = "US2";
  Case one(options);
  one.log_on();
  EXPECT_TRUE(one.order("1", {.sequence = 2, .extra = "128=US2"}).empty());
  const Messages sent = one.order("2", {.sequence = 3, .extra = "128=OTHER"});
  ASSERT_FALSE(sent.empty());
  expect_reject(one, sent[0], "9", "128", "3");
}

TEST(Sequence2m, WrongBodyLengthIsGarbled) {
  each_session([](Case& one) {
    std::string order = one.peer.message("D", "11=1", {.sequence = 2});
    const std::size_t at = order.find(
                               "\x01"
                               "9=") +
                           3;
    order[at] = order[at] == '1' ? '2' : '1';
    const std::string next = one.peer.message("0");
    one.peer.say_bytes(order);
    one.peer.say_bytes(next);
    one.peer.say_bytes(one.peer.message("0", "", {.sequence = 2}));
    EXPECT_EQ(one.delivered(), 0u);
    EXPECT_TRUE(one.endpoint.reported(Event::Garbled));
    EXPECT_FALSE(one.endpoint.disconnect_reason);
  });
}

TEST(Sequence2o, SendingTimeOffTheThresholdIsRejectedAndLoggedOut) {
  for (const std::int64_t seconds : {121, -121}) {
    each_session([&](Case& one) {
      EXPECT_TRUE(one.order("1", {.sequence = 2, .sending_time = one.ago(seconds > 0 ? 119 : -119)})
                      .empty());
      const Messages sent = one.order("2", {.sequence = 3, .sending_time = one.ago(seconds)});
      ASSERT_EQ(types_of(sent), "3 5");
      expect_reject(one, sent[0], "10", "52", "3");
      EXPECT_EQ(one.expected(), 4u);
      EXPECT_EQ(one.delivered(), 1u);
    });
  }
}

TEST(Sequence2o, TimeThatIsNotUtcIsRejectedAndLoggedOut) {
  for (const std::string_view time :
       {"20260105-09:00", "2026-01-05T09:00:00Z", "20260132-09:00:00", "x"}) {
    each_session([&](Case& one) {
      EXPECT_EQ(types_of(one.order("1", {.sequence = 2, .sending_time = std::string(time)})),
                "3 5");
    });
  }
}

TEST(Sequence2o, ToleranceOfZeroMeansNone) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.message_age_max_ns = 0;
  Case one(options);
  one.log_on();
  EXPECT_TRUE(one.order("1", {.sequence = 2, .sending_time = "20010101-00:00:00"}).empty());
  EXPECT_EQ(one.delivered(), 1u);
}

TEST(Sequence2t, HeaderOutOfOrderIsGarbled) {
  each_session([](Case& one) {
    const std::string order =
        testing::make_message("8=" + std::string(one.options().begin_string) +
                              "|34=2|35=D|49=THEM|56=US|52=" + one.ago(0) + "|11=1");
    EXPECT_TRUE(one.peer.say_bytes(order).empty());
    EXPECT_EQ(one.expected(), 2u);
    EXPECT_TRUE(one.endpoint.reported(Event::Garbled));
  });
}

TEST(Sequence3, ChecksumForms) {
  each_session([](Case& one) {
    const std::string good = one.peer.message("D", "11=1", {.sequence = 2});
    std::string no_digits = good;
    no_digits.replace(no_digits.size() - 4, 3, "abc");
    one.peer.say_bytes(no_digits);
    EXPECT_EQ(one.expected(), 2u);
    one.peer.say_bytes(good);
    EXPECT_EQ(one.expected(), 3u);
    EXPECT_EQ(one.delivered(), 1u);
  });
}

TEST(SequenceInvalid, MissingZeroOrNoNumberLogsOut) {
  for (const std::string_view number :
       {"", "34=|", "34=0|", "34=abc|", "34=-3|", "34=9223372036854775808|", "34=2.0|", "34=+2|"}) {
    each_session([&](Case& one) {
      SCOPED_TRACE(number);
      const std::string order =
          testing::make_message("8=" + std::string(one.options().begin_string) + "|35=D|" +
                                std::string(number) + "49=THEM|56=US|52=" + one.ago(0) + "|11=1");
      const Messages sent = one.peer.say_bytes(order);
      ASSERT_EQ(types_of(sent), "5");
      EXPECT_NE(field_of(sent[0], 58).find("34"), std::string_view::npos);
      EXPECT_EQ(one.expected(), 2u);
      EXPECT_EQ(one.delivered(), 0u);
      one.peer.pass(2 * ns_per_second);
      EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::PeerFault);
    });
  }
}

TEST(Sequence14h, RepeatedHeaderFieldIsRejected) {
  for (const std::string_view twice :
       {"8=FIX.4.4", "9=5", "34=2", "35=D", "43=N|43=N", "49=THEM", "52=20260105-09:00:00", "56=US",
        "97=N|97=N", "122=20260105-09:00:00|122=20260105-09:00:00"}) {
    each_session([&](Case& one) {
      SCOPED_TRACE(twice);
      const Messages sent = one.peer.say("D", "11=1|" + std::string(twice));
      ASSERT_EQ(types_of(sent), "3");
      expect_reject(one, sent[0], "13", twice.substr(0, twice.find('=')), "2");
      EXPECT_EQ(one.expected(), 3u);
      EXPECT_EQ(one.delivered(), 0u);
      one.order("2");
      EXPECT_EQ(one.delivered(), 1u);
    });
  }
}

TEST(Sequence14a, TagsThatAreNoTagsAreRejected) {
  for (const std::string_view field : {"0=x", "abc=x", "-5=x", "=x", "99999999999=x"}) {
    each_session([&](Case& one) {
      SCOPED_TRACE(field);
      const Messages sent = one.peer.say("D", "11=1|" + std::string(field));
      ASSERT_EQ(types_of(sent), "3");
      expect_reject(one, sent[0], "0", field == "0=x" ? "0" : "", "2");
      EXPECT_EQ(one.expected(), 3u);
    });
  }
}

TEST(Sequence14b, MissingHeaderFieldIsRejected) {
  for (const int missing : {49, 56, 52}) {
    each_session([&](Case& one) {
      SCOPED_TRACE(missing);
      std::string text = "8=" + std::string(one.options().begin_string) + "|35=D|34=2";
      text += missing == 49 ? "" : "|49=THEM";
      text += missing == 56 ? "" : "|56=US";
      text += missing == 52 ? "" : "|52=" + one.ago(0);
      const Messages sent = one.peer.say_bytes(testing::make_message(text + "|11=1"));
      ASSERT_EQ(types_of(sent), "3");
      expect_reject(one, sent[0], "1", std::to_string(missing), "2");
      EXPECT_EQ(one.expected(), 3u);
    });
  }
}

TEST(Sequence14d, EmptyValueIsRejected) {
  each_session([](Case& one) {
    const Messages sent = one.peer.say("D", "11=|55=X");
    ASSERT_EQ(types_of(sent), "3");
    expect_reject(one, sent[0], "4", "11", "2");
    EXPECT_EQ(one.expected(), 3u);
  });
}

TEST(Sequence14k, PieceWithoutEqualsIsRejected) {
  each_session([](Case& one) {
    const Messages sent = one.peer.say("D", "11=1|58=two|pieces|55=X");
    ASSERT_EQ(types_of(sent), "3");
    expect_reject(one, sent[0], "17", "58", "2");
    EXPECT_EQ(one.expected(), 3u);
  });
}

TEST(Sequence15, BodyFieldsInAnyOrderAreAccepted) {
  each_session([](Case& one) {
    EXPECT_TRUE(one.peer.say("D", "38=1|54=1|55=X|11=1").empty());
    EXPECT_EQ(one.delivered(), 1u);
  });
}

TEST(Sequence19, PossResendIsDeliveredAsSuch) {
  each_session([](Case& one) {
    EXPECT_TRUE(one.order("1", {.sequence = 2, .extra = "97=Y"}).empty());
    ASSERT_EQ(one.delivered(), 1u);
    EXPECT_TRUE(one.endpoint.delivered[0].possible_resend);
    EXPECT_FALSE(one.endpoint.delivered[0].possible_duplicate);
  });
}

TEST(Sequence7, RejectReceivedIsCountedAndNeverRejected) {
  each_session([](Case& one) {
    EXPECT_TRUE(one.peer.say("3", "45=1|58=no good").empty());
    EXPECT_EQ(one.expected(), 3u);
    EXPECT_TRUE(one.endpoint.reported(Event::RejectReceived));
    EXPECT_TRUE(one.peer.say("3", "45=|58=broken itself").empty());
    EXPECT_EQ(one.expected(), 4u);
  });
}

TEST(Sequence, ClockGoingBackwardsDoesNoHarm) {
  each_session([](Case& one) {
    one.clock.step_utc(-60 * ns_per_second);
    EXPECT_TRUE(one.order("1").empty());
    EXPECT_EQ(one.delivered(), 1u);
    one.endpoint.now = {one.clock.now().steady_ns - 50 * ns_per_second, one.clock.now().utc_ns};
    one.endpoint.tick();
    EXPECT_TRUE(one.endpoint.take_output().empty());
    EXPECT_TRUE(one.order("2").empty());
    EXPECT_EQ(one.delivered(), 2u);
  });
}

}  // namespace affix::session_test
