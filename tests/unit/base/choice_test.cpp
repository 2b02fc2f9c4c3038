// SPDX-License-Identifier: MIT
#include "affix/base/choice.hpp"

#include <gtest/gtest.h>

namespace affix::base {
namespace {

TEST(Choice, IsOneOfTheWords) {
  EXPECT_TRUE(is_choice("ON", "ON"));
  EXPECT_TRUE(is_choice("ON|OFF|AUTO", "ON"));
  EXPECT_TRUE(is_choice("ON|OFF|AUTO", "OFF"));
  EXPECT_TRUE(is_choice("ON|OFF|AUTO", "AUTO"));
}

TEST(Choice, IsNoPartOfThemAndNoneOfNothing) {
  for (const char* value : {"", "O", "AUT", "on", "ON|OFF", "OFF|", "|", "AUTOS"}) {
    EXPECT_FALSE(is_choice("ON|OFF|AUTO", value)) << value;
  }
  EXPECT_FALSE(is_choice("", ""));
  EXPECT_FALSE(is_choice("", "ON"));
}

}  // namespace
}  // namespace affix::base
