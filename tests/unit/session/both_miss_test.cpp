// SPDX-License-Identifier: MIT
// Both sides miss messages and request them in pieces: each request consumes a number that the
// other may miss in turn, and yet it ends.

#include "affix/testing/session_pair.hpp"

#include "session_case.hpp"

#include <cstdint>

namespace affix::session_test {

namespace {

/// Both send this many orders, none of which arrive, as the connection breaks.
void lose_orders_of_both(testing::SessionPair& pair, int count) {
  for (int number = 0; number < count; ++number) {
    const std::string id = "11=" + std::to_string(number);
    ASSERT_TRUE(pair.initiator.send("D", id));
    ASSERT_TRUE(pair.acceptor.send("D", id));
    static_cast<void>(pair.initiator.take_output());
    static_cast<void>(pair.acceptor.take_output());
  }
  pair.cut();
}

/// Both are logged on, nothing is missing, and in a quiet time there are only heartbeats.
void expect_rest(testing::SessionPair& pair) {
  EXPECT_EQ(pair.initiator.state().next_outgoing, pair.acceptor.state().next_expected);
  EXPECT_EQ(pair.acceptor.state().next_outgoing, pair.initiator.state().next_expected);
  const std::uint64_t before = pair.initiator.state().next_outgoing;
  constexpr std::int64_t intervals = 4;
  pair.run(intervals * 30 * ns_per_second);
  EXPECT_LE(pair.initiator.state().next_outgoing - before, static_cast<std::uint64_t>(intervals));
  EXPECT_EQ(pair.initiator.phase(), Phase::Active);
  EXPECT_EQ(pair.acceptor.phase(), Phase::Active);
}

}  // namespace

TEST(BothMiss, OneNumberAtATimeEndsWhenTheHoldIsFull) {
  SessionOptions options = make_options(Role::Initiator, "FIX.4.4");
  options.resend_range_max = 1;
  testing::SessionPair pair(options);
  pair.connect();
  pair.run(ns_per_second);
  constexpr int lost = 1'500;  // Each costs a request, and the hold has room for 256 messages.
  lose_orders_of_both(pair, lost);
  pair.connect();
  pair.run(25 * ns_per_second);
  EXPECT_TRUE(pair.initiator.reported(Event::HeldDropped));
  EXPECT_EQ(pair.initiator.delivered.size(), static_cast<std::size_t>(lost));
  EXPECT_EQ(pair.acceptor.delivered.size(), static_cast<std::size_t>(lost));
  expect_rest(pair);
}

TEST(BothMiss, OneNumberAtATimeIsRequestedWhileLaterOnesCanBeHeld) {
  SessionOptions options = make_options(Role::Initiator, "FIX.4.4");
  options.resend_range_max = 1;
  testing::SessionPair pair(options);
  pair.connect();
  pair.run(ns_per_second);
  constexpr int lost = 20;
  lose_orders_of_both(pair, lost);
  pair.connect();
  pair.run(25 * ns_per_second);
  for (const auto& [number, message] : pair.initiator.stored) {
    if (field_of(message, 35) == "2") {
      EXPECT_EQ(field_of(message, 7), field_of(message, 16));
    }
  }
  EXPECT_EQ(pair.acceptor.delivered.size(), static_cast<std::size_t>(lost));
  expect_rest(pair);
}

TEST(BothMiss, RequestsOfAnyNumberEndWithEveryKindOfPiece) {
  for (const std::uint64_t range : {0U, 1U, 3U}) {
    for (const session::ResendEnd end : {session::ResendEnd::Infinity, session::ResendEnd::Gap}) {
      SessionOptions options = make_options(Role::Initiator, "FIX.4.4");
      options.practice.resend_request_number = session::ResendRequestNumber::Any;
      options.resend_range_max = range;
      options.resend_end = end;
      testing::SessionPair pair(options);
      pair.connect();
      pair.run(ns_per_second);
      constexpr int lost = 10;
      lose_orders_of_both(pair, lost);
      pair.connect();
      pair.run(ns_per_second);
      // Messages that cross show both sides their gaps, and both send requests at once.
      ASSERT_TRUE(pair.initiator.send("D", "11=crossing"));
      ASSERT_TRUE(pair.acceptor.send("D", "11=crossing"));
      pair.run(ns_per_second);
      SCOPED_TRACE("range " + std::to_string(range) +
                   (end == session::ResendEnd::Gap ? " to the gap's end" : " to infinity"));
      EXPECT_EQ(pair.initiator.delivered.size(), static_cast<std::size_t>(lost) + 1);
      EXPECT_EQ(pair.acceptor.delivered.size(), static_cast<std::size_t>(lost) + 1);
      expect_rest(pair);
    }
  }
}

}  // namespace affix::session_test
