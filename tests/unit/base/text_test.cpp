// SPDX-License-Identifier: MIT
// Characters, parts, numbers and UTF-8.
#include "affix/base/text.hpp"

#include <gtest/gtest.h>

namespace affix::base {
namespace {

TEST(Text, LettersAreThoseOfAscii) {
  EXPECT_TRUE(is_letter('a') && is_letter('Z') && is_digit('0') && is_digit('9'));
  EXPECT_FALSE(is_letter('\xE4') || is_letter('@') || is_letter('[') || is_letter('`'));
  EXPECT_FALSE(is_digit('/') || is_digit(':'));
  EXPECT_EQ(lowered("ABC-xyz \xC4"), "abc-xyz \xC4");
  EXPECT_EQ(in_upper_case("ABC-xyz \xE4"), "ABC-XYZ \xE4");
  EXPECT_TRUE(is_same_word("Leaf", "lEAF"));
  EXPECT_FALSE(is_same_word("leaf", "leaf ") || is_same_word("@", "`"));
}

TEST(Text, HexadecimalDigitsHaveEitherCase) {
  EXPECT_EQ(hexadecimal_value('0'), 0);
  EXPECT_EQ(hexadecimal_value('9'), 9);
  EXPECT_EQ(hexadecimal_value('a'), 10);
  EXPECT_EQ(hexadecimal_value('F'), 15);
  for (const char other : {'g', 'G', '/', ':', '@', '`', '\0'}) {
    EXPECT_EQ(hexadecimal_value(other), -1) << other;
  }
}

TEST(Text, TrimsBothEndsOnly) {
  EXPECT_EQ(trimmed(" \ta b\r "), "a b");
  EXPECT_EQ(trimmed(" \t"), "");
  EXPECT_EQ(trimmed(""), "");
  EXPECT_EQ(trimmed("\n a\n", "\n"), " a");
}

TEST(Text, TakesOnePartAfterTheOther) {
  std::string_view list = "a,,b";
  EXPECT_EQ(take_part(list, ','), "a");
  EXPECT_EQ(take_part(list, ','), "");
  EXPECT_EQ(list, "b");
  EXPECT_EQ(take_part(list, ','), "b");
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(take_part(list, ','), "");
  std::string_view ended = "a\n";
  EXPECT_EQ(take_part(ended, '\n'), "a");
  EXPECT_TRUE(ended.empty());
}

TEST(Text, NumbersAreAllOfTheText) {
  EXPECT_EQ(parse_number("-12"), -12);
  EXPECT_EQ(parse_number<std::uint16_t>("65535"), 65'535);
  EXPECT_EQ(parse_number<double>("0.5"), 0.5);
  for (const char* wrong : {"", "-", "+1", " 1", "1 ", "1x", "9223372036854775808"}) {
    EXPECT_FALSE(parse_number(wrong)) << wrong;
  }
  EXPECT_FALSE(parse_number<std::uint16_t>("65536"));
  EXPECT_FALSE(parse_number<std::uint16_t>("-1"));
}

TEST(Text, KnowsNamesThatCanBePartOfAPath) {
  for (const char* right : {"a", "Z", "0", "a.b", "9-_.", "a.."}) {
    EXPECT_TRUE(is_path_part(right, 64)) << right;
  }
  for (const char* wrong : {"", ".", "..", "-a", "_a", "a/b", "a b", "a,b", "a\n", "\xC3\xA4"}) {
    EXPECT_FALSE(is_path_part(wrong, 64)) << wrong;
  }
  EXPECT_TRUE(is_path_part("abc", 3));
  EXPECT_FALSE(is_path_part("abc", 2));
}

TEST(Text, KnowsUtf8) {
  for (const char* right : {"", "a", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF",
                            "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF", "a\xC3\xA4z"}) {
    EXPECT_TRUE(is_utf8(right)) << right;
  }
  for (const char* wrong :
       {"\x80", "\xC0\x80", "\xC1\xBF", "\xC2", "\xC2z", "\xE0\x9F\x80", "\xE2\x82", "\xED\xA0\x80",
        "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xE2\x82z"}) {
    EXPECT_FALSE(is_utf8(wrong)) << wrong;
  }
  EXPECT_EQ(utf8_size("\xE2\x82\xACx"), 3U);
  EXPECT_EQ(utf8_size("x\xE2"), 1U);
}

}  // namespace
}  // namespace affix::base
