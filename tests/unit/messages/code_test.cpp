// SPDX-License-Identifier: MIT
// Enums of each kind: characters, numbers, places; open and closed lists.
#include "affix/messages/code.hpp"

#include <gtest/gtest.h>

namespace affix::messages {

enum class Letter : char { A = 'A', Quote = '\'' };
enum class Wide : std::int32_t { Least = -2147483647 - 1, One = 1, Nine = 9 };
enum class Digits : std::int32_t { Zero = 0, One = 1, Two = 2 };
enum class Word : std::uint16_t { X, Ab, Abc };
enum class OpenLetter : char { A = 'A' };
enum class OpenNumber : std::int32_t { One = 1 };

inline constexpr Code letters[] = {{"'", "QUOTE"}, {"A", "FIRST"}};
inline constexpr Code wides[] = {{"1", "ONE"}, {"9", "NINE"}, {"-2147483648", "LEAST"}};
inline constexpr Code runs[] = {{"0", "ZERO"}, {"1", "ONE"}, {"2", "TWO"}};
inline constexpr Code words[] = {{"X", "EX"}, {"AB", "SHORT"}, {"ABC", "LONG"}};
inline constexpr Code open_letters[] = {{"A", "FIRST"}};
inline constexpr Code open_numbers[] = {{"1", "ONE"}};

constexpr CodeSet code_set(Letter /*type*/) noexcept {
  return {letters, 2, false};
}

constexpr CodeSet code_set(Wide /*type*/) noexcept {
  return {wides, 3, false};
}

constexpr CodeSet code_set(Digits /*type*/) noexcept {
  return {runs, 3, false};
}

constexpr CodeSet code_set(Word /*type*/) noexcept {
  return {words, 3, false};
}

constexpr CodeSet code_set(OpenLetter /*type*/) noexcept {
  return {open_letters, 1, true};
}

constexpr CodeSet code_set(OpenNumber /*type*/) noexcept {
  return {open_numbers, 1, true};
}

namespace {

using wire::FieldError;

TEST(Code, CharactersAreTheirCodes) {
  EXPECT_EQ(from_code<Letter>("A"), Letter::A);
  EXPECT_EQ(from_code<Letter>("'"), Letter::Quote);
  EXPECT_EQ(from_code<Letter>("B").error(), FieldError::Range);
  EXPECT_EQ(from_code<Letter>("\xFF").error(), FieldError::Range);
  EXPECT_EQ(from_code<Letter>("AA").error(), FieldError::Format);
  EXPECT_EQ(from_code<Letter>("").error(), FieldError::Empty);
  EXPECT_EQ(code_of(Letter::Quote), "'");
  EXPECT_STREQ(to_text(Letter::A), "FIRST");
}

TEST(Code, NumbersAreTheirCodes) {
  EXPECT_EQ(from_code<Wide>("9"), Wide::Nine);
  EXPECT_EQ(from_code<Wide>("-2147483648"), Wide::Least);
  EXPECT_EQ(from_code<Wide>("2").error(), FieldError::Range);
  EXPECT_EQ(from_code<Wide>("2147483648").error(), FieldError::Range);
  EXPECT_EQ(from_code<Wide>("x").error(), FieldError::Format);
  EXPECT_EQ(from_code<Digits>("2"), Digits::Two);
  EXPECT_EQ(from_code<Digits>("3").error(), FieldError::Range);
  EXPECT_EQ(from_code<Digits>("-1").error(), FieldError::Range);
  EXPECT_EQ(code_of(Wide::Least), "-2147483648");
}

TEST(Code, WordsHaveAPlace) {
  EXPECT_EQ(from_code<Word>("X"), Word::X);
  EXPECT_EQ(from_code<Word>("AB"), Word::Ab);
  EXPECT_EQ(from_code<Word>("ABC"), Word::Abc);
  for (const char* unlisted : {"A", "Y", "AA", "ABD", "ABCD"}) {
    EXPECT_EQ(from_code<Word>(unlisted).error(), FieldError::Range) << unlisted;
  }
  EXPECT_EQ(from_code<Word>("").error(), FieldError::Empty);
  EXPECT_EQ(code_of(Word::Abc), "ABC");
  EXPECT_EQ(code_of(static_cast<Word>(3)), "");
  EXPECT_STREQ(to_text(static_cast<Word>(3)), "unlisted");
}

TEST(Code, OpenListsTakeValuesThatFit) {
  EXPECT_EQ(from_code<OpenLetter>("Z"), static_cast<OpenLetter>('Z'));
  EXPECT_EQ(from_code<OpenNumber>("1234"), static_cast<OpenNumber>(1234));
  EXPECT_EQ(code_of(static_cast<OpenNumber>(1234)), "");
}

TEST(Code, NamesAreReadToo) {
  EXPECT_EQ(from_text<Word>("LONG"), Word::Abc);
  EXPECT_EQ(from_text<Wide>("LEAST"), Wide::Least);
  EXPECT_EQ(from_text<Word>("long").error(), FieldError::Range);
}

TEST(Code, RangesGiveEachPart) {
  const CodeRange<Word> range(wire::MultipleValue("AB X ??"));
  EXPECT_TRUE(range.contains(Word::X));
  EXPECT_FALSE(range.contains(Word::Abc));
  EXPECT_EQ(range.text(), "AB X ??");
  auto at = range.begin();
  EXPECT_EQ(*at++, Word::Ab);
  EXPECT_EQ(*at++, Word::X);
  EXPECT_EQ((*at++).error(), FieldError::Range);
  EXPECT_EQ(at, range.end());
}

TEST(Code, IsKnownWhileCompiling) {
  static_assert(*from_code<Letter>("A") == Letter::A);
  static_assert(code_of(Word::Ab) == "AB");
}

}  // namespace
}  // namespace affix::messages
