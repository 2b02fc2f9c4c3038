// SPDX-License-Identifier: MIT
#include "affix/wire/tag.hpp"

#include <gtest/gtest.h>
#include <string_view>

namespace affix::wire {
namespace {

std::string_view text_of(const Tag& tag) {
  return {tag.text(), tag.text_size()};
}

TEST(Tag, IsRenderedAtCompileTime) {
  constexpr Tag symbol = 55;
  static_assert(symbol.number() == 55);
  static_assert(symbol.text_size() == 3);
  static_assert(symbol.text()[0] == '5' && symbol.text()[2] == '=');
  EXPECT_EQ(text_of(symbol), "55=");
}

TEST(Tag, RendersEveryWidth) {
  EXPECT_EQ(text_of(1), "1=");
  EXPECT_EQ(text_of(10), "10=");
  EXPECT_EQ(text_of(999), "999=");
  EXPECT_EQ(text_of(1000), "1000=");
  EXPECT_EQ(text_of(20'000), "20000=");
  EXPECT_EQ(text_of(12'345'678), "12345678=");
  EXPECT_EQ(text_of(2'147'483'647), "2147483647=");
}

TEST(Tag, MadeAtRunTimeIsTheSame) {
  for (std::uint32_t number = 1; number < 100'000; number = number * 3 + 1) {
    EXPECT_EQ(text_of(Tag::of(number)), std::to_string(number) + "=");
    EXPECT_EQ(Tag::of(number).number(), number);
  }
}

TEST(Tag, StandsForItsNumberInLookups) {
  constexpr Tag symbol = 55;
  const std::uint32_t number = symbol;
  EXPECT_EQ(number, 55U);
}

}  // namespace
}  // namespace affix::wire
