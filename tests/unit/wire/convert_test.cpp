// SPDX-License-Identifier: MIT
#include "affix/wire/convert.hpp"

#include "unit/wire/expect_error.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix::wire {
namespace {

using base::Decimal;

/// The text in a block of exactly its size, so that a sanitizer sees a read outside it.
class Exact {
 public:
  explicit Exact(std::string_view text) : bytes_(new char[text.size()]), size_(text.size()) {
    text.copy(bytes_.get(), size_);
  }

  [[nodiscard]] std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_;
};

template <typename T = std::int64_t>
Result<T> integer(std::string_view text) {
  const Exact exact(text);
  return parse_integer<T>(exact.view());
}

Result<Decimal> decimal(std::string_view text) {
  const Exact exact(text);
  return parse_decimal(exact.view());
}

TEST(ConvertInteger, ReadsEveryWidth) {
  std::string text;
  std::int64_t value = 0;
  for (int digit = 1; digit <= 18; ++digit) {
    text += static_cast<char>('0' + digit % 10);
    value = value * 10 + digit % 10;
    EXPECT_EQ(integer(text), value);
    EXPECT_EQ(integer("-" + text), -value);
  }
}

TEST(ConvertInteger, AllowsLeadingZerosAndNegativeZero) {
  EXPECT_EQ(integer("00023"), 23);
  EXPECT_EQ(integer("-00023"), -23);
  EXPECT_EQ(integer("0000000000000000000000000000042"), 42);
  EXPECT_EQ(integer("0"), 0);
  EXPECT_EQ(integer("-0"), 0);
  EXPECT_EQ(integer<std::uint32_t>("-0"), 0U);
}

TEST(ConvertInteger, RefusesTextThatIsNotAnInteger) {
  for (const char* text : {"12abc",
                           "abc",
                           "1 ",
                           " 1",
                           "+1",
                           "-",
                           "--1",
                           "1-",
                           "1.0",
                           "0x1",
                           "1e3",
                           "1234567a",
                           "a2345678",
                           "12345678a",
                           "123456789012345678x",
                           "99999999999999999999999x",
                           "\x31\x01",
                           "/",
                           ":",
                           "\xB1"}) {
    expect_error(integer(text), FieldError::Format, text);
  }
  expect_error(integer(""), FieldError::Empty, "");
  expect_error(integer(std::string_view()), FieldError::Empty, "");
}

TEST(ConvertInteger, EveryByteThatIsNoDigitIsRefusedAtEveryPlace) {
  for (std::size_t size = 1; size <= 18; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string text(size, '7');
        text[at] = static_cast<char>(byte);
        const bool digit = byte >= '0' && byte <= '9';
        const bool sign = byte == '-' && at == 0 && size > 1;
        ASSERT_EQ(integer(text).has_value(), digit || sign) << size << ' ' << at << ' ' << byte;
      }
    }
  }
}

template <typename T>
class ConvertIntegerLimits : public testing::Test {};

using Integers = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                                std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(ConvertIntegerLimits, Integers);

/// The next value in magnitude, as text; no integer limit ends with 9.
std::string next_in_magnitude(std::string text) {
  ++text.back();
  return text;
}

TYPED_TEST(ConvertIntegerLimits, AreExact) {
  using Limits = std::numeric_limits<TypeParam>;
  const std::string greatest = std::to_string(Limits::max());
  const std::string least = std::to_string(Limits::min());
  EXPECT_EQ(integer<TypeParam>(greatest), Limits::max());
  EXPECT_EQ(integer<TypeParam>(least), Limits::min());
  expect_error(integer<TypeParam>(next_in_magnitude(greatest)), FieldError::Range, greatest);
  const std::string below = Limits::is_signed ? next_in_magnitude(least) : "-1";
  expect_error(integer<TypeParam>(below), FieldError::Range, below);
  expect_error(integer<TypeParam>("99999999999999999999999"), FieldError::Range, "23 digits");
  expect_error(integer<TypeParam>("-99999999999999999999999"), FieldError::Range, "23 digits");
}

TYPED_TEST(ConvertIntegerLimits, AreWrittenAndReadBack) {
  using Limits = std::numeric_limits<TypeParam>;
  char out[integer_room];
  for (const TypeParam value :
       {Limits::min(), Limits::max(), TypeParam{0}, TypeParam{1}, TypeParam{99}}) {
    const std::size_t size = format_integer(value, out);
    EXPECT_EQ((std::string(out, size)), std::to_string(value));
  }
}

TEST(ConvertInteger, WritesEveryWidth) {
  char out[integer_room];
  std::uint64_t value = 1;
  for (int digits = 1; digits < 20; ++digits, value *= 10) {
    for (const std::uint64_t near : {value - 1, value, value + 1, value * 7}) {
      const std::size_t size = format_integer(near, out);
      ASSERT_EQ((std::string(out, size)), std::to_string(near));
    }
  }
  // Every pair of digits at every position of the eight.
  for (std::uint32_t four = 0; four < 10'000; ++four) {
    ASSERT_EQ((std::string(out, format_integer(four, out))), std::to_string(four));
    ASSERT_EQ((std::string(out, format_integer(12'340'000 + four, out))),
              std::to_string(12'340'000 + four));
    ASSERT_EQ((std::string(out, format_integer(four * 10'000, out))),
              std::to_string(four * 10'000));
  }
}

TEST(ConvertCharacter, IsExactlyOneByte) {
  EXPECT_EQ(parse_character("1"), '1');
  EXPECT_EQ(parse_character(" "), ' ');
  expect_error(parse_character(""), FieldError::Empty, "");
  expect_error(parse_character("12"), FieldError::Format, "12");
}

TEST(ConvertBoolean, IsYOrN) {
  EXPECT_EQ(parse_boolean("Y"), true);
  EXPECT_EQ(parse_boolean("N"), false);
  expect_error(parse_boolean(""), FieldError::Empty, "");
  for (const char* text : {"y", "n", "1", "0", "YES", "YY", "T", " "}) {
    expect_error(parse_boolean(text), FieldError::Format, text);
  }
}

/// Compares mantissa and exponent: Decimal's own comparison would not distinguish 1.5 from 1.50.
void expect_decimal(std::string_view text, std::int64_t mantissa, std::int32_t exponent) {
  const auto result = decimal(text);
  ASSERT_TRUE(result.has_value()) << text;
  EXPECT_EQ(result->mantissa, mantissa) << text;
  EXPECT_EQ(result->exponent, exponent) << text;
}

TEST(ConvertDecimal, KeepsEveryDigit) {
  expect_decimal("1.50", 150, -2);
  expect_decimal("1.5", 15, -1);
  expect_decimal("10000", 10'000, 0);
  expect_decimal("0", 0, 0);
  expect_decimal("0.00", 0, -2);
  expect_decimal("00023.23", 2323, -2);
  expect_decimal("23.", 23, 0);
  expect_decimal(".5", 5, -1);
  expect_decimal("-.5", -5, -1);
  expect_decimal("-0.001", -1, -3);
  expect_decimal("-1.50", -150, -2);
  expect_decimal("4850.25", 485'025, -2);
  expect_decimal("12345.67", 1'234'567, -2);
  expect_decimal("123456.78", 12'345'678, -2);
  expect_decimal("123456789.123456789", 123'456'789'123'456'789, -9);
  expect_decimal("9223372036854775807", std::numeric_limits<std::int64_t>::max(), 0);
  expect_decimal("-9223372036854775808", std::numeric_limits<std::int64_t>::min(), 0);
  expect_decimal("-92233720368.54775808", std::numeric_limits<std::int64_t>::min(), -8);
  expect_decimal("0.00000000000000000000000000000000000000001", 1, -41);
  expect_decimal("000000000000000000000000000001.5", 15, -1);
  expect_decimal("0.000000000000000000000", 0, -21);
}

TEST(ConvertDecimal, ReadsFourCharactersAsItReadsMore) {
  for (std::uint32_t number = 0; number < 10'000; ++number) {
    const std::string text = std::to_string(number);
    ASSERT_EQ(parse_decimal(text), (Decimal{number, 0})) << text;
    ASSERT_EQ(parse_decimal(std::string(4 - text.size(), '0') + text), (Decimal{number, 0}));
  }
  // Each byte at each position of each size, compared with the same text with leading zeros; a sign
  // would not be first there.
  for (const std::string_view digits : {"7", "74", "749", "7490"}) {
    for (std::size_t at = 0; at < digits.size(); ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string text(digits);
        text[at] = static_cast<char>(byte);
        if (text[0] != '-' && text != ".") {
          ASSERT_EQ(parse_decimal(text), parse_decimal("000000000" + text))
              << text << ", byte " << byte;
        }
      }
    }
  }
}

TEST(ConvertDecimal, RefusesTextThatIsNotADecimal) {
  for (const char* text : {".",
                           "-",
                           "-.",
                           "+1",
                           "1,5",
                           "1.5.0",
                           "..",
                           "1..5",
                           "1e5",
                           "1.5e3",
                           "12abc",
                           "1.2x",
                           "x.2",
                           " 1",
                           "1 ",
                           "0x10",
                           "NaN",
                           "inf",
                           "--1",
                           "1-",
                           "1.-5",
                           "123456789.1.2",
                           "99999999999999999999x",
                           "1234567890."
                           "123456789x",
                           ".99999999999999999999.",
                           "/5",
                           "1:5"}) {
    expect_error(decimal(text), FieldError::Format, text);
  }
  expect_error(decimal(""), FieldError::Empty, "");
}

TEST(ConvertDecimal, RefusesValuesThatDoNotFit) {
  for (const char* text : {"9223372036854775808", "-9223372036854775809", "922337203685477580.8",
                           "99999999999999999999", "18446744073709551616", "1.0000000000000000000",
                           "0.0000000000000000000000000000000000000000000000000000000000000"}) {
    expect_error(decimal(text), FieldError::Range, text);
  }
}

TEST(ConvertDecimal, PointAtEveryPlace) {
  for (std::size_t size = 1; size <= 18; ++size) {
    const std::string digits = std::string("123456789123456789").substr(0, size);
    for (std::size_t at = 0; at <= size; ++at) {
      std::string text = digits;
      text.insert(at, ".");
      expect_decimal(text, std::stoll(digits), -static_cast<std::int32_t>(size - at));
      expect_decimal("-" + text, -std::stoll(digits), -static_cast<std::int32_t>(size - at));
    }
  }
}

std::string written(Decimal value) {
  char out[decimal_room];
  return {out, format_decimal(value, out)};
}

TEST(ConvertDecimal, IsWrittenExactly) {
  EXPECT_EQ(written({150, -2}), "1.50");
  EXPECT_EQ(written({5, -3}), "0.005");
  EXPECT_EQ(written({-5, -3}), "-0.005");
  EXPECT_EQ(written({0, 0}), "0");
  EXPECT_EQ(written({0, -2}), "0.00");
  EXPECT_EQ(written({15, 2}), "1500");
  EXPECT_EQ(written({0, 5}), "0");
  EXPECT_EQ(written({-15, 1}), "-150");
  EXPECT_EQ(written({99'999'999, -7}), "9.9999999");
  EXPECT_EQ(written({99'999'999, -8}), "0.99999999");
  EXPECT_EQ(written({100'000'000, -7}), "10.0000000");
  EXPECT_EQ(written({1, -7}), "0.0000001");
  EXPECT_EQ(written({12'345'678, -1}), "1234567.8");
  EXPECT_EQ(written({std::numeric_limits<std::int64_t>::min(), 0}), "-9223372036854775808");
  EXPECT_EQ(written({std::numeric_limits<std::int64_t>::min(), -19}), "-0.9223372036854775808");
  EXPECT_EQ(written({std::numeric_limits<std::int64_t>::max(), -18}), "9.223372036854775807");
  EXPECT_EQ(written({1, decimal_scale_max}), "1" + std::string(60, '0'));
  EXPECT_EQ(written({1, -decimal_scale_max}), "0." + std::string(59, '0') + "1");
  EXPECT_EQ(written({std::numeric_limits<std::int64_t>::min(), decimal_scale_max}).size(), 80U);
}

TEST(ConvertDecimal, ExponentsOutOfRangeHaveNoText) {
  EXPECT_EQ(written({1, decimal_scale_max + 1}), "");
  EXPECT_EQ(written({1, -decimal_scale_max - 1}), "");
  EXPECT_EQ(written({1, std::numeric_limits<std::int32_t>::min()}), "");
  EXPECT_EQ(written({1, std::numeric_limits<std::int32_t>::max()}), "");
}

TEST(ConvertDayOfMonth, IsOneTo31) {
  EXPECT_EQ(parse_day_of_month("1"), 1);
  EXPECT_EQ(parse_day_of_month("31"), 31);
  for (const char* text : {"0", "32", "-1", "999"}) {
    expect_error(parse_day_of_month(text), FieldError::Range, text);
  }
  expect_error(parse_day_of_month("x"), FieldError::Format, "x");
  expect_error(parse_day_of_month(""), FieldError::Empty, "");
}

TEST(ConvertTenor, HasUnitAndCount) {
  EXPECT_EQ(parse_tenor("D5"), (Tenor{'D', 5}));
  EXPECT_EQ(parse_tenor("W13"), (Tenor{'W', 13}));
  EXPECT_EQ(parse_tenor("M3"), (Tenor{'M', 3}));
  EXPECT_EQ(parse_tenor("Y1"), (Tenor{'Y', 1}));
  for (const char* text : {"D", "5", "X5", "D-5", "D+5", "d5", "D5x", "D "}) {
    expect_error(parse_tenor(text), FieldError::Format, text);
  }
  expect_error(parse_tenor("D0"), FieldError::Range, "D0");
  expect_error(parse_tenor("D4294967296"), FieldError::Range, "D4294967296");
  expect_error(parse_tenor(""), FieldError::Empty, "");
}

TEST(ConvertTenor, IsWritten) {
  char out[date_room];
  EXPECT_EQ((std::string(out, format_tenor({'M', 4'294'967'295}, out))), "M4294967295");
  EXPECT_EQ(format_tenor({'M', 0}, out), 0U);
  EXPECT_EQ(format_tenor({'m', 1}, out), 0U);
}

std::vector<std::string_view> parts_of(const MultipleValue& value) {
  std::vector<std::string_view> parts;
  for (const std::string_view part : value) {
    parts.push_back(part);
  }
  return parts;
}

TEST(ConvertMultipleString, SplitsAtSpaces) {
  const auto value = parse_multiple_string("AB C DEF");
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(parts_of(*value), (std::vector<std::string_view>{"AB", "C", "DEF"}));
  EXPECT_TRUE(value->contains("C"));
  EXPECT_FALSE(value->contains("A"));
  EXPECT_EQ(parts_of(*parse_multiple_string("A")), (std::vector<std::string_view>{"A"}));
  EXPECT_TRUE(parts_of(MultipleValue()).empty());
}

TEST(ConvertMultipleString, RefusesEmptyParts) {
  expect_error(parse_multiple_string(""), FieldError::Empty, "");
  for (const char* text : {" ", " A", "A ", "A  B"}) {
    expect_error(parse_multiple_string(text), FieldError::Format, text);
  }
}

TEST(ConvertMultipleCharacter, EachPartIsOneCharacter) {
  const auto value = parse_multiple_character("1 4 G");
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(parts_of(*value), (std::vector<std::string_view>{"1", "4", "G"}));
  expect_error(parse_multiple_character(""), FieldError::Empty, "");
  for (const char* text : {"AB", "A BC", "A ", " A", "A  B", " ", "AxB"}) {
    expect_error(parse_multiple_character(text), FieldError::Format, text);
  }
}

TEST(FieldErrors, HaveTexts) {
  EXPECT_STREQ(to_text(FieldError::Missing), "field is missing");
  EXPECT_STREQ(to_text(FieldError::Empty), "field has no value");
  EXPECT_STREQ(to_text(FieldError::Format), "value is not of the field's type");
  EXPECT_STREQ(to_text(FieldError::Range), "value does not fit the type");
}

}  // namespace
}  // namespace affix::wire
