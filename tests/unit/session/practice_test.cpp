// SPDX-License-Identifier: MIT
// Each practice of counterparties that differs from the standard: its effect, and nothing else.

#include "affix/session/practice.hpp"

#include "session_case.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>

namespace affix::session_test {

namespace {

using namespace session;  // NOLINT(google-build-using-namespace): one enumeration for each test.

/// An acceptor with one practice changed, logged on.
template <typename Change>
std::unique_ptr<Case> logged_on(std::string_view version, Change change) {
  SessionOptions options = make_options(Role::Acceptor, version);
  change(options);
  auto one = std::make_unique<Case>(options);
  one->log_on();
  return one;
}

template <typename Change, typename Check>
void each(Change change, Check check) {
  for (const std::string_view version : versions) {
    SCOPED_TRACE(std::string(version));
    check(*logged_on(version, change));
  }
}

std::string tags_of(std::string_view message) {
  std::string tags;
  while (!message.empty()) {
    tags += std::string(message.substr(0, message.find('='))) + " ";
    message.remove_prefix(message.find('\x01') + 1);
  }
  return tags;
}

}  // namespace

TEST(Practice, MalformedFieldsGarbleTheMessage) {
  each([](SessionOptions& options) { options.practice.malformed_fields = MalformedField::Garbled; },
       [](Case& one) {
         for (const char* fields : {"112=A|text|", "112=A|=5|", "112=A|x=5|", "112=A|-=5|"}) {
           EXPECT_TRUE(one.peer.say("1", fields, {.sequence = 2}).empty()) << fields;
           EXPECT_EQ(one.expected(), 2U);
         }
         // An invalid tag counts as a field, which is rejected.
         EXPECT_EQ(types_of(one.peer.say("1", "112=A|0=5")), "3");
         EXPECT_EQ(types_of(one.peer.say("1", "112=A|-1=5")), "3");
         EXPECT_EQ(one.endpoint.report_count(Event::Garbled), 4U);
       });
}

TEST(Practice, CheckSumMayBeANumber) {
  const auto form = [](CheckSumForm value) {
    auto one = logged_on(
        "FIX.4.4", [value](SessionOptions& options) { options.practice.check_sum_form = value; });
    std::string message = one->peer.message("1", "112=A");
    const std::size_t digits = message.rfind('=') + 1;
    message.insert(digits, "0");  // Four digits, the same number.
    return types_of(one->peer.say_bytes(message));
  };
  EXPECT_EQ(form(CheckSumForm::ThreeDigits), "");
  EXPECT_EQ(form(CheckSumForm::Number), "0");
  auto one = logged_on("FIX.4.4", [](SessionOptions& options) {
    options.practice.check_sum_form = CheckSumForm::Number;
  });
  std::string wrong = one->peer.message("1", "112=A");
  wrong.replace(wrong.rfind('=') + 1, 3, "1234");
  EXPECT_TRUE(one->peer.say_bytes(wrong).empty());
  EXPECT_EQ(one->expected(), 2U);
}

TEST(Practice, FieldsMayAscend) {
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.practice.field_order = FieldOrder::Ascending;
  options.sender_sub_id = "desk";
  options.sender_location_id = "NY";
  options.static_header_fields =
      "347=UTF-8\x01"
      "115=C\x01";
  ASSERT_EQ(option_fault(options), OptionFault::None);
  Case one(options);
  const Messages sent = one.connect();
  const Messages logon = one.peer.say("A", "98=0|108=30", {.extra = "57=desk|143=NY"});
  ASSERT_EQ(types_of(logon), "A");
  EXPECT_EQ(tags_of(logon[0]), "8 9 35 34 49 50 52 56 115 142 347 98 108 10 ");
  // Header fields of one message get their place, as do fields added by a resend.
  wire::Encoder encoder = one.endpoint.session().begin(
      "D", std::vector<ExtraHeaderField>{{43, "N"}, {97, "Y"}, {116, "S"}}, one.clock.now(),
      one.endpoint.out());
  encoder.text(11, "ID");
  ASSERT_TRUE(one.endpoint.session().commit(encoder, one.clock.now(), one.endpoint.out()));
  one.endpoint.carry_out();
  const Messages order = one.peer.listen();
  ASSERT_EQ(order.size(), 1U);
  EXPECT_EQ(tags_of(order[0]), "8 9 35 34 43 49 50 52 56 97 115 116 142 347 11 10 ");
  const Messages again = one.peer.say("2", "7=1|16=0", {.extra = "57=desk|143=NY"});
  ASSERT_EQ(types_of(again), "4 D");
  EXPECT_EQ(tags_of(again[0]), "8 9 35 34 43 49 50 52 56 115 122 142 347 36 123 10 ");
  EXPECT_EQ(tags_of(again[1]), "8 9 35 34 43 49 50 52 56 97 115 116 122 142 347 11 10 ");
  EXPECT_EQ(field_of(again[1], 43), "Y");
}

TEST(Practice, FurtherHeaderFieldsFollowInTheCustomaryOrder) {
  auto one = logged_on("FIX.4.4", [](SessionOptions& /*options*/) {});
  const auto send = [&](const std::vector<ExtraHeaderField>& header) {
    wire::Encoder encoder =
        one->endpoint.session().begin("D", header, one->clock.now(), one->endpoint.out());
    encoder.text(11, "ID");
    return one->endpoint.session().commit(encoder, one->clock.now(), one->endpoint.out());
  };
  ASSERT_TRUE(send({{97, "Y"}, {128, "D"}}));
  one->endpoint.carry_out();
  const Messages order = one->peer.listen();
  EXPECT_EQ(tags_of(order.at(0)), "8 9 35 49 56 34 52 97 128 11 10 ");
  EXPECT_EQ(send({{0, "Y"}}).error(), SendError::Encoding);
  EXPECT_EQ(send({{97, ""}}).error(), SendError::Encoding);
}

TEST(Practice, RejectNamesATagOnlyForFaultsOfFields) {
  each([](SessionOptions& options) { options.practice.reject_tag = RejectTag::FieldFault; },
       [](Case& one) {
         const Messages reset = one.peer.say("4", "36=1");
         ASSERT_EQ(types_of(reset), "3");
         expect_reject(one, reset[0], "5", "", "2");
         const Messages wrong = one.peer.say("0", "", {.sender = "OTHER"});
         ASSERT_EQ(types_of(wrong), "3 5");
         EXPECT_FALSE(has_field(wrong[0], 371));
       });
}

TEST(Practice, RejectGoesBackTheWayTheMessageCame) {
  each([](SessionOptions& options) { options.practice.reject_route = RejectRoute::Reversed; },
       [](Case& one) {
         const Messages sent =
             one.peer.say("1", "", {.extra = "115=a|116=b|128=c|129=d|144=e|145=f"});
         ASSERT_EQ(types_of(sent), "3");
         EXPECT_EQ(field_of(sent[0], 115), "c");
         EXPECT_EQ(field_of(sent[0], 116), "d");
         EXPECT_EQ(field_of(sent[0], 128), "a");
         EXPECT_EQ(field_of(sent[0], 129), "b");
         const bool has_locations = one.version() >= Version::Fix41;
         EXPECT_EQ(field_of(sent[0], 144), has_locations ? "f" : "");
         EXPECT_EQ(field_of(sent[0], 145), has_locations ? "e" : "");
         // An id too long to be returned is omitted.
         const Messages bare = one.peer.say("1", "", {.extra = "115=" + std::string(500, 'x')});
         EXPECT_FALSE(has_field(bare.at(0), 128));
       });
}

TEST(Practice, FaultyRejectMayBeRejected) {
  each([](SessionOptions& options) { options.practice.faulty_reject = FaultyReject::Rejected; },
       [](Case& one) { EXPECT_EQ(types_of(one.peer.say("3", "45=1|text|")), "3"); });
}

TEST(Practice, RejectsOfRejectsEnd) {
  // The peer finds a fault in each of our Rejects, and we find one in each of theirs.
  each([](SessionOptions& options) { options.practice.faulty_reject = FaultyReject::Rejected; },
       [](Case& one) {
         Messages sent = one.peer.say("3", "45=1|text|");
         int answers = 0;
         while (types_of(sent) == "3" && answers < 10) {
           ++answers;
           sent = one.peer.say("3", "45=" + std::string(field_of(sent[0], 34)) + "|text|");
         }
         EXPECT_EQ(answers, 1);
         // A Reject of an earlier message is still validated.
         EXPECT_EQ(types_of(one.peer.say("3", "45=1|text|")), "3");
       });
}

TEST(Practice, LogoutAfterARejectMayHaveNoText) {
  each(
      [](SessionOptions& options) {
        options.practice.fault_logout_text = LogoutText::NotAfterReject;
      },
      [](Case& one) {
        const Messages sent = one.peer.say("0", "", {.sending_time = one.ago(500)});
        ASSERT_EQ(types_of(sent), "3 5");
        EXPECT_FALSE(has_field(sent[1], 58));
      });
}

TEST(Practice, VersionIsThePeers) {
  SessionOptions options = make_options(Role::Acceptor, "FIXT.1.1");
  options.practice.appl_ver_id_answer = ApplVerIdAnswer::Peer;
  options.practice.business_reject_version = BusinessRejectVersion::Include;
  Case one(options);
  one.connect();
  const Messages logon = one.peer.say("A", "98=0|108=30|1137=7");
  EXPECT_EQ(field_of(logon.at(0), 1137), "7");
  one.endpoint.on_deliver = [&](testing::SessionEndpoint& endpoint, const Deliver& delivery) {
    if (!delivery.admin) {
      EXPECT_TRUE(endpoint.session().reject_business(delivery.message,
                                                     BusinessRejectReason::UnsupportedMessageType,
                                                     "no", "", one.clock.now(), endpoint.out()));
    }
  };
  const Messages refused = one.order("1");
  ASSERT_EQ(types_of(refused), "j");
  EXPECT_EQ(field_of(refused[0], 1137), "7");
}

TEST(Practice, TestRequestHasAFixedId) {
  each([](SessionOptions& options) { options.practice.test_request_id = TestRequestId::Fixed; },
       [](Case& one) {
         ASSERT_TRUE(one.endpoint.session().test_peer(one.clock.now(), one.endpoint.out()));
         one.endpoint.carry_out();
         EXPECT_EQ(field_of(one.peer.listen().at(0), 112), "TEST");
         one.peer.say("0", "112=OTHER");
         EXPECT_NE(one.endpoint.state().test_open, 0U);
         one.peer.say("0", "112=TEST");
         EXPECT_EQ(one.endpoint.state().test_open, 0U);
       });
}

TEST(Practice, AnyMessageEndsATest) {
  each([](SessionOptions& options) { options.test_answer = TestAnswer::FirstMessage; },
       [](Case& one) {
         ASSERT_TRUE(one.endpoint.session().test_peer(one.clock.now(), one.endpoint.out()));
         one.endpoint.carry_out();
         one.order("1");
         EXPECT_EQ(one.endpoint.state().test_open, 0U);
       });
}

TEST(Practice, HeartbeatsAreWithheldDuringATest) {
  const auto types = [](HeartbeatInTest value) {
    auto one = logged_on("FIX.4.4", [value](SessionOptions& options) {
      options.practice.heartbeat_in_test = value;
    });
    return types_of(one->peer.pass(75 * ns_per_second));
  };
  // 108=30: Heartbeat, TestRequest after 36 s, Heartbeat, and the end after 72 s.
  EXPECT_EQ(types(HeartbeatInTest::Sent), "0 1 0");
  EXPECT_EQ(types(HeartbeatInTest::Withheld), "0 1");
}

TEST(Practice, ATestRequestMayFollowTwoHeartbeats) {
  const auto asks = [](TestRequestAfter value, std::int64_t speaks_after_ns) {
    auto one = logged_on("FIX.4.4", [value](SessionOptions& options) {
      options.practice.test_request_after = value;
      options.practice.heartbeat_in_test = HeartbeatInTest::Withheld;
    });
    Messages sent = one->peer.pass(speaks_after_ns);
    if (speaks_after_ns != 0) {
      std::ranges::move(one->peer.say("0"), std::back_inserter(sent));
    }
    std::ranges::move(one->peer.pass(67 * ns_per_second - speaks_after_ns),
                      std::back_inserter(sent));
    return types_of(sent);
  };
  // 108=30: for a silent peer, and for one that sends one message after 30 s.
  EXPECT_EQ(asks(TestRequestAfter::Silence, 0), "0 1");
  EXPECT_EQ(asks(TestRequestAfter::TwoHeartbeats, 0), "0 0 1");
  EXPECT_EQ(asks(TestRequestAfter::TwoHeartbeats, 30 * ns_per_second), "0 0 1");
  EXPECT_EQ(asks(TestRequestAfter::Silence, 30 * ns_per_second), "0 0 1");
}

TEST(Practice, ATestRequestComesThoughNoHeartbeatIsDue) {
  auto one = logged_on("FIX.4.4", [](SessionOptions& options) {
    options.practice.test_request_after = TestRequestAfter::TwoHeartbeats;
  });
  bool asked = false;
  for (int second = 0; second < 67 && !asked; ++second) {
    static_cast<void>(one->endpoint.send("D", "11=busy|"));
    asked = types_of(one->peer.pass(ns_per_second)).find('1') != std::string::npos;
  }
  EXPECT_TRUE(asked);
}

TEST(Practice, NumberZeroIsTooLow) {
  each([](SessionOptions& options) { options.practice.zero_number = ZeroNumber::TooLow; },
       [](Case& one) {
         const Messages sent = one.peer.say_bytes(
             testing::make_message("8=" + std::string(one.options().begin_string) +
                                   "|35=0|34=0|49=THEM|56=US|52=" + one.ago(0)));
         ASSERT_EQ(types_of(sent), "5");
         EXPECT_EQ(field_of(sent[0], 58), "MsgSeqNum too low, expecting 2 but received 0");
       });
}

TEST(Practice, RejectedSequenceResetTakesNoNumber) {
  each([](SessionOptions& options) { options.practice.rejected_admin = RejectedAdmin::NotCounted; },
       [](Case& one) {
         EXPECT_EQ(types_of(one.peer.say("4", "123=Y")), "3");  // 36 is missing.
         EXPECT_EQ(one.expected(), 2U);
       });
}

TEST(Practice, ResendRequestOfAnyNumberIsAnswered) {
  each(
      [](SessionOptions& options) {
        options.practice.resend_request_number = ResendRequestNumber::Any;
      },
      [](Case& one) {
        ASSERT_TRUE(one.endpoint.send("D", "11=1|55=X|54=1|38=1"));
        one.peer.listen();
        EXPECT_EQ(types_of(one.peer.say("2", "7=2|16=2", {.sequence = 1})), "D");
        EXPECT_EQ(types_of(one.peer.say("2", "7=2|16=2", {.sequence = 9})), "D");
        EXPECT_EQ(one.expected(), 2U);
        EXPECT_EQ(types_of(one.peer.say("2", "7=2|16=2")), "D");
        EXPECT_EQ(one.expected(), 3U);
      });
}

TEST(Practice, TestRequestAheadOfAGapWaits) {
  each(
      [](SessionOptions& options) { options.practice.early_test_request = EarlyTestRequest::Held; },
      [](Case& one) {
        EXPECT_EQ(types_of(one.peer.say("1", "112=A", {.sequence = 3})), "2");
        EXPECT_EQ(types_of(one.peer.say("0")), "0");
        EXPECT_EQ(one.expected(), 4U);
      });
}

TEST(Practice, RejectAheadOfAGapIsCounted) {
  each([](SessionOptions& options) { options.practice.early_reject = EarlyReject::Counted; },
       [](Case& one) {
         EXPECT_TRUE(one.peer.say("3", "45=1", {.sequence = 7}).empty());
         EXPECT_EQ(one.expected(), 3U);
       });
}

TEST(Practice, DuplicateOfTheExpectedNumberIsNotLookedAt) {
  each(
      [](SessionOptions& options) {
        options.practice.duplicate_check = DuplicateCheck::WhenTooLow;
      },
      [](Case& one) {
        EXPECT_TRUE(one.order("1", {.sequence = 2, .possible_duplicate = true}).empty());
        EXPECT_EQ(one.delivered(), 1U);
        const Messages missing = one.order("1", {.sequence = 2, .possible_duplicate = true});
        ASSERT_EQ(types_of(missing), "3");
        expect_reject(one, missing[0], "1", "122", "2");
        EXPECT_EQ(
            types_of(one.order(
                "1", {.sequence = 2, .possible_duplicate = true, .extra = "122=" + one.ago(-9)})),
            "3 5");
      });
}

TEST(Practice, ResentLogoutIsALogout) {
  each([](SessionOptions& options) { options.practice.resent_admin = ResentAdmin::Processed; },
       [](Case& one) {
         EXPECT_EQ(types_of(one.peer.say(
                       "5", "",
                       {.sequence = 2, .possible_duplicate = true, .extra = "122=" + one.ago(1)})),
                   "5");
       });
}

TEST(Practice, NewSeqNoAloneDecides) {
  each(
      [](SessionOptions& options) {
        options.practice.sequence_reset_rule = SequenceResetRule::NewNumber;
      },
      [](Case& one) {
        EXPECT_TRUE(one.peer.say("4", "36=2|123=Y", {.sequence = 2}).empty());
        EXPECT_EQ(one.expected(), 2U);
        EXPECT_EQ(types_of(one.peer.say("4", "36=1|123=Y", {.sequence = 2})), "3");
        EXPECT_EQ(one.expected(), 2U);
        EXPECT_TRUE(one.peer.say("4", "36=9|123=Y", {.sequence = 2}).empty());
        EXPECT_EQ(one.expected(), 9U);
      });
}

TEST(Practice, GapIsAskedForWhenItIsSeen) {
  each([](SessionOptions& options) { options.practice.gap_request = GapRequest::WhenSeen; },
       [](Case& one) {
         EXPECT_EQ(types_of(one.order("4", {.sequence = 4})), "2");
         EXPECT_EQ(types_of(one.order("9", {.sequence = 9})), "");  // One request is open.
         one.order("2", {.sequence = 2});
         EXPECT_EQ(types_of(one.order("3", {.sequence = 3})), "");  // It is satisfied; 4 follows.
         EXPECT_EQ(one.expected(), 5U);
         const Messages asked = one.order("10", {.sequence = 10});
         ASSERT_EQ(types_of(asked), "2");
         EXPECT_EQ(field_of(asked[0], 7), "5");
       });
}

TEST(Practice, MessagesLostAfterAFilledGapAreRequestedAtOnce) {
  each([](SessionOptions& options) { options.practice.gap_request = GapRequest::WhenSeen; },
       [](Case& one) {
         EXPECT_EQ(types_of(one.order("4", {.sequence = 4})), "2");
         EXPECT_EQ(types_of(one.peer.say("4", "36=5|123=Y", {.sequence = 2})), "");
         EXPECT_EQ(one.expected(), 5U);
         const Messages asked = one.order("6", {.sequence = 6});  // 5 is lost.
         ASSERT_EQ(types_of(asked), "2");
         EXPECT_EQ(field_of(asked[0], 7), "5");
         one.order("5", {.sequence = 5, .possible_duplicate = true});
         EXPECT_EQ(one.expected(), 7U);
       });
}

TEST(Practice, ClosedGapIsForgottenInTime) {
  auto one = logged_on("FIX.4.4", [](SessionOptions& options) {
    options.practice.gap_request = GapRequest::WhenSeen;
    options.heartbeat_interval_max_ns = 86'400 * ns_per_second;
  });
  EXPECT_EQ(types_of(one->order("4", {.sequence = 4})), "2");
  one->peer.say("4", "36=9|123=Y", {.sequence = 2});  // Over the number that was waited for.
  EXPECT_EQ(one->expected(), 9U);
  const Messages later = one->peer.pass(31 * ns_per_second);
  EXPECT_EQ(types_of(later), "0");  // A Heartbeat, and no request for a message that is there.
  EXPECT_EQ(one->endpoint.state().gap, GapState());
}

TEST(Practice, ResendRangeIsCutToExistingNumbers) {
  each([](SessionOptions& options) { options.practice.resend_range = ResendRange::Cut; },
       [](Case& one) {
         ASSERT_TRUE(one.endpoint.send("D", "11=1|55=X|54=1|38=1"));
         one.peer.listen();
         EXPECT_EQ(types_of(one.peer.say("2", "7=2|16=1")), "");
         EXPECT_EQ(types_of(one.peer.say("2", "7=50|16=60")), "");
         const Messages next = one.peer.say("2", "7=3|16=999999");
         ASSERT_EQ(types_of(next), "4");
         EXPECT_EQ(field_of(next[0], 34), "3");
         EXPECT_EQ(field_of(next[0], 36), "3");
         EXPECT_EQ(types_of(one.peer.say("2", "7=0|16=50")), "4 D");
         EXPECT_EQ(types_of(one.peer.say("2", "7=2|16=0")),
                   one.version() >= Version::Fix42 ? "D" : "");
         EXPECT_EQ(types_of(one.peer.say("2", "7=2|16=999999")), "D");
         EXPECT_EQ(one.expected(), 8U);
       });
}

TEST(Practice, TooLowANumberEndsAtOnce) {
  each([](SessionOptions& options) { options.practice.too_low_logout = TooLowLogout::CloseAtOnce; },
       [](Case& one) {
         EXPECT_EQ(types_of(one.peer.say("0", "", {.sequence = 1})), "5");
         EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::PeerFault);
       });
}

TEST(Practice, FaultyLogoutIsAnswered) {
  const auto change = [](SessionOptions& options) {
    options.practice.faulty_logout = FaultyLogout::Answered;
  };
  each(change, [](Case& one) {
    const Messages sent = one.peer.say("5", "", {.begin_string = "FIX.9.9"});
    ASSERT_EQ(types_of(sent), "5");
    EXPECT_FALSE(has_field(sent[0], 58));
  });
  each(change, [](Case& one) {
    const Messages sent = one.peer.say("5", "", {.sequence = 1});
    ASSERT_EQ(types_of(sent), "5");
    EXPECT_FALSE(has_field(sent[0], 58));
  });
}

TEST(Practice, LogoutIsAnsweredAndClosed) {
  each([](SessionOptions& options) { options.practice.logout_answer = LogoutAnswer::CloseAtOnce; },
       [](Case& one) {
         EXPECT_EQ(types_of(one.peer.say("5")), "5");
         EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::LogoutComplete);
       });
}

TEST(Practice, RepeatedLogonIsTheEnd) {
  each([](SessionOptions& options) { options.practice.repeated_logon = RepeatedLogon::Close; },
       [](Case& one) {
         EXPECT_TRUE(one.peer.say("A", one.logon_fields()).empty());
         EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::PeerFault);
       });
}

TEST(Practice, FaultyLogonIsTheEnd) {
  for (const std::string_view version : versions) {
    SessionOptions options = make_options(Role::Acceptor, version);
    options.practice.faulty_logon = FaultyLogon::Close;
    Case one(options);
    one.connect();
    EXPECT_TRUE(one.peer.say("A", one.logon_fields(), {.sending_time = one.ago(500)}).empty());
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::LogonRefused);
  }
  SessionOptions options = make_options(Role::Acceptor, "FIXT.1.1");
  options.practice.faulty_logon = FaultyLogon::Close;
  Case one(options);
  one.connect();
  EXPECT_TRUE(one.peer.say("A", "98=0|108=30").empty());
  EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::LogonRefused);
}

TEST(Practice, WhichFaultyLogonsAreTheEndDoesNotHangOnWords) {
  // A dictionary's fault is answered, also with the text of a fault that is not.
  for (const std::string_view words :
       {"SendingTime accuracy problem", "DefaultApplVerID (1137) is missing", "Anything"}) {
    SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
    options.practice.faulty_logon = FaultyLogon::Close;
    options.validator = {[](const void* context, const wire::MessageView& /*message*/) noexcept {
                           return session::Validation{
                               .verdict = session::Verdict::Reject,
                               .text = *static_cast<const std::string_view*>(context)};
                         },
                         &words};
    Case one(options);
    one.connect();
    const auto answers = one.peer.say("A", one.logon_fields());
    EXPECT_EQ(types_of(answers), "5") << words;
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::LogonRefused);
  }
}

}  // namespace affix::session_test
