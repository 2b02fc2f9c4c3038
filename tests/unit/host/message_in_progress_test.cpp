// SPDX-License-Identifier: MIT
// The stages of a message between begin and commit, also with a prepared one in between.
#include "host/message_in_progress.hpp"

#include <array>
#include <gtest/gtest.h>

namespace affix::host {
namespace {

TEST(MessageInProgress, ItIsBegunUntilItIsCommitted) {
  MessageInProgress message;
  EXPECT_FALSE(message.begun());
  EXPECT_FALSE(message.committing());
  message.begin();
  EXPECT_TRUE(message.begun());
  EXPECT_FALSE(message.committing());
  message.begin_commit();
  EXPECT_FALSE(message.begun());
  EXPECT_TRUE(message.committing());
  message.end_commit();
  EXPECT_FALSE(message.begun());
  EXPECT_FALSE(message.committing());
}

TEST(MessageInProgress, OneThatIsAbandonedIsNotBegun) {
  MessageInProgress message;
  message.abandon();
  EXPECT_FALSE(message.begun());
  message.begin();
  message.abandon();
  EXPECT_FALSE(message.begun());
  message.begin_commit();
  message.abandon();
  EXPECT_TRUE(message.committing()) << "what is being stored cannot be abandoned";
}

TEST(MessageInProgress, APreparedMessageLeavesTheOtherOneBegun) {
  MessageInProgress message;
  message.begin_other_commit();
  EXPECT_TRUE(message.committing());
  EXPECT_FALSE(message.begun());
  message.end_commit();
  EXPECT_FALSE(message.begun());
  message.begin();
  message.begin_other_commit();
  EXPECT_TRUE(message.committing());
  EXPECT_TRUE(message.begun());
  message.end_commit();
  EXPECT_FALSE(message.committing());
  EXPECT_TRUE(message.begun());
}

TEST(MessageInProgress, ARefusedMessageHasAnEncoderWithoutRoom) {
  std::array<char, 256> room{};
  MessageInProgress message;
  wire::Encoder encoder(room);
  encoder.begin("FIX.4.4", "D");
  message.set_encoder(encoder);
  EXPECT_NE(message.encoder().size(), 0U);
  message.refuse();
  message.encoder().begin("FIX.4.4", "D");
  EXPECT_EQ(message.encoder().size(), 0U);
  EXPECT_FALSE(message.encoder().finish());
}

TEST(MessageInProgress, ItKnowsItsTimeAndItsPlaceInTheOutbox) {
  MessageInProgress message;
  EXPECT_EQ(message.bytes_before(), 0U);
  message.set_begun_at({.steady_ns = 3, .utc_ns = 4});
  message.set_bytes_before(120);
  EXPECT_EQ(message.begun_at().steady_ns, 3);
  EXPECT_EQ(message.begun_at().utc_ns, 4);
  EXPECT_EQ(message.bytes_before(), 120U);
}

}  // namespace
}  // namespace affix::host
