// SPDX-License-Identifier: MIT
// The hold: order, limits, and space regained.

#include "affix/session/hold.hpp"

#include <array>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <string>

namespace affix::session {

TEST(Hold, KeepsNumbersAscendingWhateverTheOrderOfArrival) {
  std::array<char, 64> bytes;
  std::array<HeldMessage, 8> messages;
  Hold hold(bytes, messages);
  EXPECT_EQ(hold.insert(7, "seven", false), HoldResult::Held);
  EXPECT_EQ(hold.insert(5, "five", true), HoldResult::Held);
  EXPECT_EQ(hold.insert(6, "six", false), HoldResult::Held);
  EXPECT_EQ(hold.insert(6, "again", false), HoldResult::HeldAlready);
  ASSERT_EQ(hold.size(), 3u);
  EXPECT_EQ(hold.front().sequence, 5u);
  EXPECT_TRUE(hold.front().answered);
  EXPECT_EQ(hold.bytes_of(hold.front()), "five");
  hold.pop_front();
  EXPECT_EQ(hold.bytes_of(hold.front()), "six");
  hold.drop_below(7);
  EXPECT_EQ(hold.bytes_of(hold.front()), "seven");
  hold.drop_below(8);
  EXPECT_TRUE(hold.empty());
}

TEST(Hold, RefusesAMessageThatDoesNotFit) {
  std::array<char, 8> bytes;
  std::array<HeldMessage, 2> messages;
  Hold hold(bytes, messages);
  EXPECT_EQ(hold.insert(2, "12345678901", false), HoldResult::Full);
  EXPECT_EQ(hold.insert(2, "12345", false), HoldResult::Held);
  EXPECT_EQ(hold.insert(3, "1234", false), HoldResult::Full);
  EXPECT_EQ(hold.insert(3, "", true), HoldResult::Held);
  EXPECT_EQ(hold.insert(4, "", true), HoldResult::Full);
  EXPECT_EQ(hold.size(), 2u);
}

TEST(Hold, KnowsWhichNumbersItHolds) {
  std::array<char, 64> bytes;
  std::array<session::HeldMessage, 4> messages;
  session::Hold hold(bytes, messages);
  EXPECT_FALSE(hold.holds(3));
  for (const std::uint64_t number : {5U, 3U, 9U}) {
    ASSERT_EQ(hold.insert(number, "x", false), session::HoldResult::Held);
  }
  for (std::uint64_t number = 1; number < 11; ++number) {
    EXPECT_EQ(hold.holds(number), number == 3 || number == 5 || number == 9) << number;
  }
  hold.pop_front();
  EXPECT_FALSE(hold.holds(3));
  EXPECT_TRUE(hold.holds(5));
}

TEST(Hold, NothingHeldFitsNothing) {
  Hold hold({}, {});
  EXPECT_TRUE(hold.empty());
  EXPECT_EQ(hold.insert(1, "x", false), HoldResult::Full);
  EXPECT_EQ(hold.insert(1, "", false), HoldResult::Full);
}

TEST(Hold, ReusesTheSpaceOfReleasedMessages) {
  std::array<char, 16> bytes;
  std::array<HeldMessage, 4> messages;
  Hold hold(bytes, messages);
  for (std::uint64_t number = 1; number < 200; ++number) {
    ASSERT_EQ(hold.insert(number, "abcd", false), HoldResult::Held) << number;
    if (number >= 4) {
      EXPECT_EQ(hold.front().sequence, number - 3);
      EXPECT_EQ(hold.bytes_of(hold.front()), "abcd");
      hold.pop_front();
    }
  }
}

TEST(Hold, AgreesWithAMapOverRandomUse) {
  std::mt19937 random(7);
  std::array<char, 256> bytes;
  std::array<HeldMessage, 16> messages;
  Hold hold(bytes, messages);
  std::map<std::uint64_t, std::string> expected;
  for (int step = 0; step < 20'000; ++step) {
    const std::uint64_t number = 1 + random() % 40;
    if (random() % 3 != 0) {
      const std::string text(random() % 40, static_cast<char>('a' + random() % 26));
      const bool known = expected.contains(number);
      switch (hold.insert(number, text, false)) {
        case HoldResult::Held:
          ASSERT_FALSE(known);
          expected[number] = text;
          break;
        case HoldResult::HeldAlready:
          ASSERT_TRUE(known);
          break;
        case HoldResult::Full:
          ASSERT_FALSE(known);
          ASSERT_FALSE(expected.empty());
          break;
      }
    } else if (!hold.empty()) {
      hold.pop_front();
      expected.erase(expected.begin());
    }
    ASSERT_EQ(hold.size(), expected.size());
    if (!hold.empty()) {
      ASSERT_EQ(hold.front().sequence, expected.begin()->first);
      ASSERT_EQ(hold.bytes_of(hold.front()), expected.begin()->second);
    }
  }
}

}  // namespace affix::session
