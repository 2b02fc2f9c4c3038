// SPDX-License-Identifier: MIT
// Codes of messages: their form, their texts, and their place in an error.
#include "affix/base/message_code.hpp"

#include "affix/base/error.hpp"

#include <cerrno>
#include <gtest/gtest.h>

namespace affix::base {
namespace {

constexpr MessageCode of_a_literal = "S104";
static_assert(of_a_literal.text() == "S104");
static_assert(sizeof(MessageCode) == 4);
static_assert(!MessageCode());

TEST(MessageCode, IsReadWithoutRegardToCase) {
  EXPECT_EQ(MessageCode::parse("S104"), of_a_literal);
  EXPECT_EQ(MessageCode::parse("s104"), of_a_literal);
  for (const char* const wrong :
       {"", "S", "S10", "S1040", "1104", "SS04", "S1O4", "[104", "{104"}) {
    EXPECT_FALSE(MessageCode::parse(wrong)) << wrong;
  }
}

TEST(MessageCode, AnErrorHasItAtTheEnd) {
  const Error error{ErrorCode::NotFound, "is gone", "/a/file", "J210"};
  EXPECT_EQ(error.text(), "/a/file: is gone [J210]");
  EXPECT_EQ(error.sentence(), "/a/file: is gone");
  EXPECT_EQ((Error{ErrorCode::NotFound, "is gone", {}}.text()), "is gone");
}

TEST(MessageCode, ASystemErrorHasThatOfItsNumber) {
  EXPECT_EQ(make_system_error("bind", EADDRINUSE, "127.0.0.1:1").message_code, MessageCode("O105"));
  EXPECT_EQ(make_system_error("open", ENOENT, "x").text(),
            "x: open: No such file or directory [O101]");
  EXPECT_EQ(make_system_error("ioctl", ENOTTY, "x").message_code, MessageCode("O199"));
}

}  // namespace
}  // namespace affix::base
