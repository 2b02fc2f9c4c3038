// SPDX-License-Identifier: MIT
// Which messages count as processed after their callback, and the way that they take.
#include "host/message_delivery.hpp"

#include "affix/net/waker.hpp"

#include "host/callback_relay.hpp"

#include <gtest/gtest.h>

namespace affix::host {
namespace {

TEST(MessageDelivery, AMessageIsProcessedWhenItsCallbackReturns) {
  MessageDelivery delivery;
  delivery.begin_callback();
  EXPECT_TRUE(delivery.end_callback());
  EXPECT_FALSE(delivery.end_callback()) << "no message is at hand any more";
}

TEST(MessageDelivery, OneThatTheApplicationKeepsIsNot) {
  MessageDelivery delivery;
  EXPECT_FALSE(delivery.keep()) << "no message is at hand";
  delivery.begin_callback();
  EXPECT_TRUE(delivery.keep());
  EXPECT_TRUE(delivery.keep());
  EXPECT_FALSE(delivery.end_callback());
  EXPECT_FALSE(delivery.keep());
  delivery.begin_callback();
  EXPECT_TRUE(delivery.end_callback()) << "the next one is not kept";
}

TEST(MessageDelivery, OneWhoseAnswerMayBeLostIsNot) {
  MessageDelivery delivery;
  delivery.leave_unprocessed();
  delivery.begin_callback();
  delivery.leave_unprocessed();
  EXPECT_FALSE(delivery.end_callback());
  delivery.begin_callback();
  EXPECT_TRUE(delivery.end_callback());
}

TEST(MessageDelivery, OneThatIsKeptStaysSoWhenItsAnswerIsLost) {
  MessageDelivery delivery;
  delivery.begin_callback();
  EXPECT_TRUE(delivery.keep());
  delivery.leave_unprocessed();
  EXPECT_FALSE(delivery.end_callback());
}

TEST(MessageDelivery, AMessageThatIsNotStoredIsNotReceived) {
  MessageDelivery delivery;
  EXPECT_FALSE(delivery.received_at().valid());
  constexpr journal::Position place{.segment = 2, .offset = 64};
  delivery.on_stored(place);
  EXPECT_EQ(delivery.received_at(), place);
  delivery.on_not_stored();
  EXPECT_FALSE(delivery.received_at().valid());
}

TEST(MessageDelivery, ASuccessorUsesTheSameRelayWhichIsNotDrainedForIt) {
  const DelayedMarks marks;
  net::Waker waker;
  CallbackRelay relay(4'096, 256, 1, marks, waker);
  MessageDelivery before;
  EXPECT_EQ(before.relay(), nullptr);
  before.set_relay(relay);
  EXPECT_FALSE(before.relay_drained());
  before.on_relay_drained();
  EXPECT_TRUE(before.relay_drained());
  MessageDelivery successor;
  successor.go_on_from(before);
  EXPECT_EQ(successor.relay(), &relay);
  EXPECT_FALSE(successor.relay_drained());
}

}  // namespace
}  // namespace affix::host
