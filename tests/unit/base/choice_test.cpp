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

TEST(Choice, PlacesAndWordsBelongTogether) {
  constexpr std::string_view words = "ON|OFF|AUTO";
  EXPECT_EQ(place_of_choice(words, "ON"), 0U);
  EXPECT_EQ(place_of_choice(words, "AUTO"), 2U);
  EXPECT_EQ(place_of_choice(words, "on"), std::nullopt);
  EXPECT_EQ(place_of_choice(words, ""), std::nullopt);
  EXPECT_EQ(place_of_choice("", ""), std::nullopt);
  EXPECT_EQ(choice_at(words, 0), "ON");
  EXPECT_EQ(choice_at(words, 2), "AUTO");
  EXPECT_EQ(choice_at(words, 3), "");
  EXPECT_EQ(choice_at(words, 100), "");
  EXPECT_EQ(choice_at("", 0), "");
}

}  // namespace
}  // namespace affix::base
