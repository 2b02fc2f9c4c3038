// SPDX-License-Identifier: MIT
// A session that begins with the recorded numbers continues where its records end.
#include "testing/recorded_numbers.hpp"

#include <gtest/gtest.h>

namespace affix::testing {
namespace {

session::SessionState restored(const RecordedNumbers& numbers) {
  session::SessionState state;
  numbers.restore(state);
  return state;
}

TEST(RecordedNumbers, FollowSentAndReceivedMessages) {
  RecordedNumbers numbers;
  EXPECT_EQ(numbers.next_outgoing(), 1U);
  EXPECT_EQ(numbers.next_expected(), 1U);
  numbers.record(session::PersistSent{.sequence = 4, .bytes = "x", .placed = "x"});
  numbers.record(session::PersistReceived{.sequence = 7, .expected_after = 8, .bytes = "x"});
  EXPECT_EQ(restored(numbers).next_outgoing, 5U);
  EXPECT_EQ(restored(numbers).next_expected, 8U);
  EXPECT_EQ(restored(numbers).queued.count, 0U);
}

TEST(RecordedNumbers, QueuedMessagesAreThoseThatNoResendHasReached) {
  RecordedNumbers numbers;
  numbers.record(session::PersistSent{.sequence = 1, .bytes = "x", .placed = {}});
  numbers.record(session::PersistSent{.sequence = 2, .bytes = "x", .placed = {}});
  EXPECT_EQ(restored(numbers).queued.count, 2U);
  EXPECT_EQ(restored(numbers).queued.last, 2U);
  numbers.record(session::PersistResent{.from = 1, .to = 1, .unsent = 1});
  EXPECT_EQ(restored(numbers).queued.count, 1U);
  numbers.record(session::PersistResent{.from = 2, .to = 2, .unsent = 0});
  EXPECT_EQ(restored(numbers).queued.count, 0U);
  EXPECT_EQ(restored(numbers).queued.last, 0U);
}

TEST(RecordedNumbers, NumbersThatMoveTakeQueuedMessagesAlong) {
  const auto queued_after = [](const session::PersistEvent& event) {
    RecordedNumbers numbers;
    numbers.record(session::PersistSent{.sequence = 5, .bytes = "x", .placed = {}});
    numbers.record(event);
    EXPECT_EQ(numbers.next_outgoing(), event.next_outgoing);
    EXPECT_EQ(numbers.next_expected(), event.next_expected);
    return restored(numbers).queued.count;
  };
  using session::NumbersMoved;
  EXPECT_EQ(queued_after({.next_outgoing = 1, .next_expected = 1, .why = NumbersMoved::Reset}), 0U);
  EXPECT_EQ(queued_after({.next_outgoing = 9, .next_expected = 3, .why = NumbersMoved::Skipped}),
            0U);
  EXPECT_EQ(queued_after({.next_outgoing = 5, .next_expected = 3, .why = NumbersMoved::ByHand}),
            0U);
  EXPECT_EQ(queued_after({.next_outgoing = 6, .next_expected = 1, .why = NumbersMoved::TheirReset}),
            1U);
}

}  // namespace
}  // namespace affix::testing
