// SPDX-License-Identifier: MIT
// One connection's bytes: frames, a frame that is not taken, and messages that are too large.
#include "host/message_input.hpp"

#include "support/fix_text.hpp"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace affix::host {
namespace {

using LargeProgress = wire::LargeMessage::Progress;
constexpr std::size_t bytes_max = 200;

std::string message_with(std::size_t text_bytes) {
  return support::make_message(
      "35=B|49=A|56=B|34=2|52=20260302-08:00:00|58=" + std::string(text_bytes, 'x') + "|");
}

/// Follows the skipped bytes of `bytes`, as a session does; returns the last progress and removes
/// them from `bytes`.
LargeProgress skip_all(MessageInput& input, std::string_view& bytes) {
  auto progress = LargeProgress::None;
  for (;;) {
    const wire::Frame frame = input.next(bytes);
    if (frame.status != wire::FrameStatus::Skip) {
      return progress;
    }
    EXPECT_EQ(frame.error, wire::FrameError::TooLarge);
    progress = input.skip_large(bytes.substr(0, frame.size));
    bytes.remove_prefix(frame.size);
  }
}

TEST(MessageInput, AFrameThatIsPutBackComesAgain) {
  MessageInput input(bytes_max);
  EXPECT_EQ(input.message_bytes_max(), bytes_max);
  const std::string message = message_with(10);
  for (int round = 0; round < 2; ++round) {
    const wire::Frame frame = input.next(message + message);
    EXPECT_EQ(frame.status, wire::FrameStatus::Complete);
    EXPECT_EQ(frame.size, message.size());
    input.put_back();
  }
}

TEST(MessageInput, TheHeadOfAMessageThatIsTooLargeIsKept) {
  MessageInput input(bytes_max);
  EXPECT_FALSE(input.abandon_large()) << "there has been none";
  const std::string stream = message_with(1'000) + message_with(10);
  std::string_view rest = stream;
  EXPECT_EQ(skip_all(input, rest), LargeProgress::Whole);
  EXPECT_EQ(rest, message_with(10));
  EXPECT_TRUE(input.large_head().starts_with("8=FIX.4.4\x01"));
  EXPECT_NE(input.large_head().find("\x01"
                                    "34=2\x01"),
            std::string_view::npos);
  EXPECT_FALSE(input.abandon_large()) << "it was whole";
}

TEST(MessageInput, AnIncompleteOneIsAbandonedOnce) {
  MessageInput input(bytes_max);
  const std::string begin = message_with(1'000).substr(0, 500);
  std::string_view rest = begin;
  EXPECT_EQ(skip_all(input, rest), LargeProgress::Begun);
  EXPECT_TRUE(input.abandon_large());
  EXPECT_FALSE(input.abandon_large());
}

TEST(MessageInput, ANewConnectionHasNothingOfTheLast) {
  MessageInput input(bytes_max);
  const std::string begin = message_with(1'000).substr(0, 500);
  std::string_view rest = begin;
  EXPECT_EQ(skip_all(input, rest), LargeProgress::Begun);
  input.begin_connection();
  EXPECT_FALSE(input.abandon_large());
  const std::string message = message_with(10);
  const wire::Frame frame = input.next(message);
  EXPECT_EQ(frame.status, wire::FrameStatus::Complete) << "it does not skip to the next 8=FIX";
  EXPECT_EQ(frame.size, message.size());
}

TEST(MessageInput, TheArrivalIsThatOfThePresentBytes) {
  MessageInput input(bytes_max);
  EXPECT_EQ(input.arrival_utc_ns(), 0);
  input.set_arrival(5);
  EXPECT_EQ(input.arrival_utc_ns(), 5);
  input.set_arrival(0);
  EXPECT_EQ(input.arrival_utc_ns(), 0);
}

}  // namespace
}  // namespace affix::host
