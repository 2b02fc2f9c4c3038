// SPDX-License-Identifier: MIT
#include "affix/wire/msg_type.hpp"

#include <gtest/gtest.h>
#include <string>

namespace affix::wire {
namespace {

TEST(MsgType, IsOneWordUpToEightCharacters) {
  constexpr MsgType order("D");
  static_assert(order.word() == 'D');
  static_assert(order.packed());
  static_assert(MsgType("AE").word() == ('A' | 'E' << 8));
  EXPECT_TRUE(MsgType("ABCDEFGH").packed());
  EXPECT_FALSE(MsgType("ABCDEFGHI").packed());
}

TEST(MsgType, ComparesTheWholeText) {
  EXPECT_EQ(MsgType("D"), MsgType(std::string_view("D")));
  EXPECT_NE(MsgType("D"), MsgType("d"));
  EXPECT_NE(MsgType("A"), MsgType("AA"));
  EXPECT_NE(MsgType("ABCDEFGH1"), MsgType("ABCDEFGH2"));
  EXPECT_NE(MsgType("ABCDEFGH"), MsgType("ABCDEFGH2"));
  const std::string same = "ABCDEFGH-and-more";
  EXPECT_EQ(MsgType("ABCDEFGH-and-more"), MsgType(std::string_view(same)));
}

TEST(MsgType, EmptyIsEmpty) {
  EXPECT_TRUE(MsgType().empty());
  EXPECT_TRUE(MsgType("").empty());
  EXPECT_FALSE(MsgType("0").empty());
  EXPECT_EQ(MsgType(), MsgType(""));
}

TEST(MsgType, SwitchesOnTheWord) {
  const auto name = [](MsgType type) {
    switch (type.word()) {
      case MsgType("A").word():
        return "Logon";
      case MsgType("AE").word():
        return "TradeCaptureReport";
      default:
        return "other";
    }
  };
  EXPECT_STREQ(name("A"), "Logon");
  EXPECT_STREQ(name("AE"), "TradeCaptureReport");
  EXPECT_STREQ(name("EA"), "other");
}

}  // namespace
}  // namespace affix::wire
