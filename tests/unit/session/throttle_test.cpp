// SPDX-License-Identifier: MIT
// The throttle: the window and its edge, and what a session does with messages over the limit.
#include "affix/session/throttle.hpp"

#include "session_case.hpp"

#include <array>

namespace affix::session_test {
namespace {

using session::Throttle;
using session::ThrottleAction;

TEST(Throttle, WithoutALimitAllowsEverything) {
  Throttle throttle;
  EXPECT_FALSE(throttle.limits());
  for (int count = 0; count < 1000; ++count) {
    EXPECT_TRUE(throttle.allows(5));
    throttle.count(5);
  }
  EXPECT_EQ(throttle.take_turn(7), 7);
}

TEST(Throttle, AnEventOneWindowLaterIsNoLongerInTheSameWindow) {
  std::array<std::int64_t, 2> times;
  Throttle throttle(times, 100);
  EXPECT_EQ(throttle.limit(), 2U);
  throttle.count(10);
  EXPECT_TRUE(throttle.allows(10));
  throttle.count(60);
  EXPECT_FALSE(throttle.allows(60));
  EXPECT_FALSE(throttle.allows(109));
  EXPECT_EQ(throttle.free_at_ns(), 110);
  EXPECT_TRUE(throttle.allows(110));
  throttle.count(110);
  EXPECT_FALSE(throttle.allows(159));
  EXPECT_TRUE(throttle.allows(160));
}

TEST(Throttle, ABurstOverTheEdgeOfAFixedWindowIsOneBurst) {
  std::array<std::int64_t, 3> times;
  Throttle throttle(times, 1000);
  for (const std::int64_t at : {999, 999, 999}) {
    ASSERT_TRUE(throttle.allows(at));
    throttle.count(at);
  }
  EXPECT_FALSE(throttle.allows(1000));
  EXPECT_FALSE(throttle.allows(1998));
  EXPECT_TRUE(throttle.allows(1999));
}

TEST(Throttle, EventsThatWaitGetTheirTurnsInOrder) {
  std::array<std::int64_t, 2> times;
  Throttle throttle(times, 100);
  std::vector<std::int64_t> turns;
  for (int count = 0; count < 6; ++count) {
    turns.push_back(throttle.take_turn(count));
  }
  EXPECT_EQ(turns, (std::vector<std::int64_t>{0, 1, 100, 101, 200, 201}));
  EXPECT_EQ(throttle.take_turn(500), 500);
}

TEST(Throttle, AClockThatGoesBackGivesNoRoom) {
  std::array<std::int64_t, 1> times;
  Throttle throttle(times, 100);
  throttle.count(1000);
  throttle.count(500);
  EXPECT_EQ(throttle.free_at_ns(), 1100);
}

SessionOptions limited(ThrottleAction action, std::string_view begin_string = "FIX.4.4",
                       Role role = Role::Acceptor) {
  SessionOptions options = make_options(role, begin_string);
  options.throttle_limit = 3;
  options.throttle_window_ns = ns_per_second;
  options.throttle_action = action;
  options.throttle_text = "slower, please";
  return options;
}

TEST(SessionThrottle, WaitingMessagesAreTakenOneWindowLater) {
  Case one(limited(ThrottleAction::Wait));
  one.log_on();
  for (int number = 1; number <= 7; ++number) {
    EXPECT_TRUE(one.order(std::to_string(number)).empty());
  }
  EXPECT_EQ(one.delivered(), 3U);
  EXPECT_TRUE(one.endpoint.session().throttled());
  EXPECT_EQ(one.endpoint.session().deadline(), one.clock.now().steady_ns + ns_per_second);
  one.peer.pass(ns_per_second - 1);
  EXPECT_EQ(one.delivered(), 3U);
  one.peer.pass(1);
  EXPECT_EQ(one.delivered(), 6U);
  one.peer.pass(ns_per_second);
  EXPECT_EQ(one.delivered(), 7U);
  EXPECT_FALSE(one.endpoint.session().throttled());
  EXPECT_EQ(one.expected(), 9U);
  EXPECT_EQ(one.endpoint.report_count(Event::RateExceeded), 1U);
}

TEST(SessionThrottle, SessionMessagesDoNotCountAndWaitForEarlierOnesOnly) {
  Case one(limited(ThrottleAction::Wait));
  one.log_on();
  for (int number = 0; number < 20; ++number) {
    EXPECT_EQ(types_of(one.peer.say("1", "112=" + std::to_string(number))), "0");
  }
  one.order("1");
  one.order("2");
  one.order("3");
  EXPECT_EQ(types_of(one.peer.say("1", "112=x")), "0");
  one.order("4");
  EXPECT_TRUE(one.peer.say("1", "112=behind").empty());
  const Messages later = one.peer.pass(ns_per_second);
  ASSERT_EQ(types_of(later), "0");
  EXPECT_EQ(field_of(later[0], 112), "behind");
  EXPECT_EQ(one.delivered(), 4U);
}

TEST(SessionThrottle, AWaitingPeerIsNotSilentAndOurHeartbeatsGoOn) {
  SessionOptions options = limited(ThrottleAction::Wait);
  options.throttle_limit = 1;
  options.throttle_window_ns = 300 * ns_per_second;
  Case one(options);
  one.log_on();
  one.order("1");
  one.order("2");
  ASSERT_TRUE(one.endpoint.session().throttled());
  const Messages sent = one.peer.pass(299 * ns_per_second);
  EXPECT_EQ(one.endpoint.phase(), Phase::Active);
  EXPECT_FALSE(one.endpoint.reported(Event::TestRequestSent));
  EXPECT_EQ(types_of(sent), "0 0 0 0 0 0 0 0 0");
  one.peer.pass(ns_per_second);
  EXPECT_EQ(one.delivered(), 2U);
  // From here on it is silent.
  one.peer.pass(80 * ns_per_second);
  EXPECT_TRUE(one.endpoint.reported(Event::TestRequestSent));
  EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::PeerSilent);
}

TEST(SessionThrottle, AMessageThatHadToWaitIsNotStale) {
  SessionOptions options = limited(ThrottleAction::Wait);
  options.message_age_max_ns = 2 * ns_per_second;
  Case one(options);
  one.log_on();
  for (int number = 0; number < 60; ++number) {
    one.order(std::to_string(number));
  }
  one.peer.pass(19 * ns_per_second);
  EXPECT_EQ(one.endpoint.phase(), Phase::Active);
  EXPECT_EQ(one.delivered(), 60U);
  // Long afterwards, age counts as usual.
  one.peer.pass(5 * ns_per_second);
  Header old;
  old.sequence = one.expected();
  old.sending_time = one.ago(4);
  EXPECT_EQ(types_of(one.order("old", old)), "3 5");
}

TEST(SessionThrottle, ALogoutOfOursEndsTheWaiting) {
  Case one(limited(ThrottleAction::Wait));
  one.log_on();
  for (int number = 1; number <= 5; ++number) {
    one.order(std::to_string(number));
  }
  ASSERT_TRUE(one.endpoint.session().throttled());
  one.endpoint.logout("good night");
  EXPECT_FALSE(one.endpoint.session().throttled());
  one.peer.say("5");
  EXPECT_EQ(one.delivered(), 5U);
  EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::LogoutComplete);
}

TEST(SessionThrottle, RejectedMessagesTakeTheirNumbersAndAreNotDelivered) {
  each_version(Role::Acceptor, [](Case& fresh) {
    Case one(limited(ThrottleAction::Reject, fresh.options().begin_string));
    one.log_on();
    for (int number = 1; number <= 3; ++number) {
      EXPECT_TRUE(one.order(std::to_string(number)).empty());
    }
    const Messages answer = one.order("4");
    ASSERT_EQ(types_of(answer), one.version() >= Version::Fix42 ? "j" : "3");
    EXPECT_EQ(field_of(answer[0], 45), "5");
    EXPECT_EQ(field_of(answer[0], 58), "slower, please");
    if (one.version() >= Version::Fix42) {
      EXPECT_EQ(field_of(answer[0], 372), "D");
      EXPECT_EQ(field_of(answer[0], 380), "0");
    }
    EXPECT_EQ(one.expected(), 6U);
    EXPECT_EQ(one.delivered(), 3U);
    // Rejected messages do not count: there is room one window after the first accepted one.
    one.peer.pass(ns_per_second);
    EXPECT_TRUE(one.order("5").empty());
    EXPECT_EQ(one.delivered(), 4U);
    EXPECT_TRUE(one.endpoint.reported(Event::RateExceeded));
  });
}

TEST(SessionThrottle, ARejectOverTheLimitIsDeliveredAndNotAnswered) {
  // An answer would be a reject of a reject, and without one the application would miss the
  // message.
  Case one(limited(ThrottleAction::Reject));
  one.log_on();
  for (int number = 1; number <= 3; ++number) {
    one.order(std::to_string(number));
  }
  EXPECT_EQ(types_of(one.order("4")), "j");
  EXPECT_TRUE(one.peer.say("j", "45=1|372=D|380=0").empty());
  EXPECT_EQ(one.delivered(), 4U);
  // Also ahead of a gap.
  const Messages asked = one.peer.say("j", "45=1|372=D|380=0", {.sequence = one.expected() + 1});
  EXPECT_EQ(types_of(asked), "2");
  EXPECT_EQ(types_of(one.peer.say("0", "", {.sequence = one.expected()})), "");
  EXPECT_EQ(one.delivered(), 5U);
}

TEST(SessionThrottle, InvalidMessagesCountToo) {
  Case one(limited(ThrottleAction::Reject));
  one.log_on();
  for (int number = 1; number <= 3; ++number) {
    EXPECT_EQ(types_of(one.peer.say("D", "11=|55=X")), "3");
  }
  EXPECT_EQ(types_of(one.peer.say("D", "11=|55=X")), "j");
}

TEST(SessionThrottle, DisconnectingSaysWhyAndLosesNothing) {
  each_case([](Case& fresh) {
    Case one(
        limited(ThrottleAction::Disconnect, fresh.options().begin_string, fresh.options().role));
    one.log_on();
    for (int number = 1; number <= 3; ++number) {
      one.order(std::to_string(number));
    }
    const Messages answer = one.order("4");
    ASSERT_EQ(types_of(answer), "5");
    EXPECT_EQ(field_of(answer[0], 58), "slower, please");
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::RateExceeded);
    EXPECT_EQ(one.expected(), 5U);  // It is requested after the next Logon.
    EXPECT_TRUE(one.endpoint.reported(Event::RateExceeded));
    EXPECT_EQ(one.delivered(), 3U);
  });
}

TEST(SessionThrottle, ANewConnectionIsNoNewWindow) {
  Case one(limited(ThrottleAction::Disconnect));
  one.log_on();
  for (int number = 1; number <= 3; ++number) {
    one.order(std::to_string(number));
  }
  one.endpoint.disconnect();
  one.log_on();
  EXPECT_EQ(types_of(one.order("4")), "5");
}

Header resent(Case& one, std::uint64_t sequence) {
  Header header;
  header.sequence = sequence;
  header.possible_duplicate = true;
  header.extra = "122=" + one.ago(0);
  return header;
}

TEST(SessionThrottle, ARequestedMessageDoesNotCount) {
  for (const ThrottleAction action :
       {ThrottleAction::Wait, ThrottleAction::Disconnect, ThrottleAction::Reject}) {
    Case one(limited(action));
    one.log_on();
    one.peer.next_sequence = 12;
    EXPECT_EQ(types_of(one.order("live")), "2");
    for (std::uint64_t number = 2; number < 12; ++number) {
      one.order(std::to_string(number), resent(one, number));
    }
    EXPECT_EQ(one.delivered(), 11U);
    EXPECT_EQ(one.expected(), 13U);
    // The live one did at its arrival.
    one.order("a");
    one.order("b");
    EXPECT_EQ(one.delivered(), 13U);
    one.order("c");
    EXPECT_EQ(one.delivered(), 13U);
  }
}

TEST(SessionThrottle, APossibleDuplicateWithoutAGapCounts) {
  Case one(limited(ThrottleAction::Reject));
  one.log_on();
  for (std::uint64_t number = 2; number < 5; ++number) {
    EXPECT_TRUE(one.order("x", resent(one, number)).empty());
  }
  EXPECT_EQ(types_of(one.order("x", resent(one, 5))), "j");
}

TEST(SessionThrottle, MessagesAheadOfAGapCountWhenTheyCome) {
  Case one(limited(ThrottleAction::Reject));
  one.log_on();
  one.peer.next_sequence = 3;
  for (int number = 0; number < 5; ++number) {
    one.order(std::to_string(number));
  }
  one.peer.pass(10 * ns_per_second);
  const Messages answers = one.order("first", resent(one, 2));
  EXPECT_EQ(types_of(answers), "j j");
  EXPECT_EQ(field_of(answers[0], 45), "6");
  EXPECT_EQ(field_of(answers[1], 45), "7");
  EXPECT_EQ(one.delivered(), 4U);
  EXPECT_EQ(one.expected(), 8U);
}

TEST(SessionThrottle, AFloodAheadOfAGapEndsTheSession) {
  Case one(limited(ThrottleAction::Disconnect));
  one.log_on();
  one.peer.next_sequence = 3;
  Messages sent;
  for (int number = 0; number < 4; ++number) {
    sent = one.order(std::to_string(number));
  }
  EXPECT_EQ(types_of(sent), "5");
  EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::RateExceeded);
}

TEST(SessionThrottle, AGapIsNotGivenUpWhileItsMessagesWait) {
  SessionOptions options = limited(ThrottleAction::Wait);
  options.throttle_limit = 1;
  options.throttle_window_ns = 1000 * ns_per_second;
  options.resend_expiry_ns = 10 * ns_per_second;
  Case one(options);
  one.log_on();
  one.peer.next_sequence = 3;
  EXPECT_EQ(types_of(one.order("ahead")), "2");
  one.order("waits");
  ASSERT_TRUE(one.endpoint.session().throttled());
  one.peer.pass(900 * ns_per_second);
  EXPECT_EQ(one.endpoint.phase(), Phase::Active);
  EXPECT_FALSE(one.endpoint.reported(Event::ResendAbandoned));
}

TEST(SessionThrottle, OptionsOutOfRangeAreAFault) {
  SessionOptions options = limited(ThrottleAction::Wait);
  EXPECT_EQ(session::option_fault(options), session::OptionFault::None);
  options.throttle_window_ns = 0;
  EXPECT_NE(session::option_fault(options), session::OptionFault::None);
  options = limited(ThrottleAction::Wait);
  options.throttle_limit = session::throttle_limit_max + 1;
  EXPECT_NE(session::option_fault(options), session::OptionFault::None);
  options = limited(ThrottleAction::Wait);
  options.throttle_text =
      "a\x01"
      "b";
  EXPECT_NE(session::option_fault(options), session::OptionFault::None);
}

}  // namespace
}  // namespace affix::session_test
