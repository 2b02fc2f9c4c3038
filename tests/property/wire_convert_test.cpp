// SPDX-License-Identifier: MIT
// Conversions against slow references: every text is read according to the grammar, and every
// written value reads as the same value.
#include "affix/wire/convert.hpp"
#include "affix/wire/timestamp.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <rapidcheck/gtest.h>
#include <string>
#include <string_view>

namespace {

namespace wire = affix::wire;
using affix::base::CivilDate;
using affix::base::Decimal;
using affix::base::UtcTime;
using wire::FieldError;

/// Texts near the grammar: digits with a few valid or invalid characters.
rc::Gen<std::string> number_like() {
  const auto character = rc::gen::weightedOneOf<char>({{30, rc::gen::inRange<char>('0', '9' + 1)},
                                                       {3, rc::gen::element('-', '.', '+', '0')},
                                                       {1, rc::gen::arbitrary<char>()}});
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, 26), [character](std::size_t size) {
    return rc::gen::container<std::string>(size, character);
  });
}

bool is_digit(char character) {
  return character >= '0' && character <= '9';
}

bool all_digits(std::string_view text) {
  for (const char character : text) {
    if (!is_digit(character)) {
      return false;
    }
  }
  return true;
}

__extension__ using Wide = __int128;
constexpr Wide wide_limit = Wide{1} << 100;

/// Digits as a number, at most wide_limit.
Wide wide_value(std::string_view digits) {
  Wide value = 0;
  for (const char digit : digits) {
    value = value >= wide_limit / 10 ? wide_limit : value * 10 + (digit - '0');
  }
  return value;
}

std::expected<std::int64_t, FieldError> reference_integer(std::string_view text, Wide least,
                                                          Wide greatest) {
  if (text.empty()) {
    return std::unexpected(FieldError::Empty);
  }
  const bool negative = text.front() == '-';
  const std::string_view digits = text.substr(negative ? 1 : 0);
  if (digits.empty() || !all_digits(digits)) {
    return std::unexpected(FieldError::Format);
  }
  const Wide value = negative ? -wide_value(digits) : wide_value(digits);
  if (value < least || value > greatest) {
    return std::unexpected(FieldError::Range);
  }
  return static_cast<std::int64_t>(value);
}

template <typename T>
void check_integer(const std::string& text) {
  const auto expected =
      reference_integer(text, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
  const auto parsed = wire::parse_integer<T>(text);
  RC_ASSERT((parsed.has_value() == expected.has_value()));
  if (parsed) {
    RC_ASSERT((static_cast<std::int64_t>(*parsed) == *expected));
  } else {
    RC_ASSERT((parsed.error() == expected.error()));
  }
}

RC_GTEST_PROP(Convert, IntegersAreReadAsTheGrammarSays, ()) {
  const std::string text = *number_like();
  check_integer<std::int8_t>(text);
  check_integer<std::uint8_t>(text);
  check_integer<std::int16_t>(text);
  check_integer<std::int32_t>(text);
  check_integer<std::uint32_t>(text);
  check_integer<std::int64_t>(text);
}

RC_GTEST_PROP(Convert, IntegersReadBack, (std::int64_t value, std::uint64_t magnitude)) {
  char out[wire::integer_room];
  const std::size_t size = wire::format_integer(value, out);
  RC_ASSERT((std::string(out, size) == std::to_string(value)));
  RC_ASSERT((wire::parse_integer<std::int64_t>({out, size}) == value));
  // All widths, not only the widest.
  const std::uint64_t shifted = magnitude >> *rc::gen::inRange(0, 64);
  const std::size_t shifted_size = wire::format_integer(shifted, out);
  RC_ASSERT((std::string(out, shifted_size) == std::to_string(shifted)));
  RC_ASSERT((wire::parse_integer<std::uint64_t>({out, shifted_size}) == shifted));
}

std::expected<Decimal, FieldError> reference_decimal(std::string_view text) {
  if (text.empty()) {
    return std::unexpected(FieldError::Empty);
  }
  const bool negative = text.front() == '-';
  std::string digits(text.substr(negative ? 1 : 0));
  const std::size_t point = digits.find('.');
  const std::size_t scale = point == std::string::npos ? 0 : digits.size() - point - 1;
  if (point != std::string::npos) {
    digits.erase(point, 1);
  }
  if (digits.empty() || !all_digits(digits)) {
    return std::unexpected(FieldError::Format);
  }
  const Wide value = negative ? -wide_value(digits) : wide_value(digits);
  if (value < std::numeric_limits<std::int64_t>::min() ||
      value > std::numeric_limits<std::int64_t>::max() || scale > wire::decimal_scale_max) {
    return std::unexpected(FieldError::Range);
  }
  return Decimal{static_cast<std::int64_t>(value), -static_cast<std::int32_t>(scale)};
}

RC_GTEST_PROP(Convert, DecimalsAreReadAsTheGrammarSays, ()) {
  const std::string text = *number_like();
  const auto expected = reference_decimal(text);
  const auto parsed = wire::parse_decimal(text);
  RC_ASSERT((parsed.has_value() == expected.has_value()));
  if (parsed) {
    RC_ASSERT((parsed->mantissa == expected->mantissa));
    RC_ASSERT((parsed->exponent == expected->exponent));
  } else {
    RC_ASSERT((parsed.error() == expected.error()));
  }
}

RC_GTEST_PROP(Convert, DecimalsReadBack, (std::int64_t wide_mantissa)) {
  const std::int64_t mantissa = wide_mantissa >> *rc::gen::inRange(0, 64);
  const std::int32_t exponent = *rc::gen::inRange(-wire::decimal_scale_max, 1);
  char out[wire::decimal_room];
  const std::size_t size = wire::format_decimal({mantissa, exponent}, out);
  RC_ASSERT(size > 0U);
  const auto parsed = wire::parse_decimal({out, size});
  RC_ASSERT(parsed.has_value());
  RC_ASSERT((parsed->mantissa == mantissa));
  RC_ASSERT((parsed->exponent == exponent));
}

RC_GTEST_PROP(Convert, DecimalsWithTrailingZerosReadBackInValue, ()) {
  const std::int64_t mantissa = *rc::gen::inRange<std::int64_t>(-999'999, 999'999);
  const std::int32_t exponent = *rc::gen::inRange(1, 12);
  char out[wire::decimal_room];
  const std::size_t size = wire::format_decimal({mantissa, exponent}, out);
  const auto parsed = wire::parse_decimal({out, size});
  RC_ASSERT(parsed.has_value());
  RC_ASSERT((*parsed == (Decimal{mantissa, exponent})));
}

std::int64_t two(std::string_view text, std::size_t at) {
  return (text[at] - '0') * 10 + (text[at + 1] - '0');
}

/// Character by character, with base's calendar.
std::expected<UtcTime, FieldError> reference_utc_time(std::string_view text) {
  if (text.empty()) {
    return std::unexpected(FieldError::Empty);
  }
  constexpr std::string_view shape = "00000000-00:00:00";
  if (text.size() < shape.size()) {
    return std::unexpected(FieldError::Format);
  }
  for (std::size_t at = 0; at < shape.size(); ++at) {
    if (shape[at] == '0' ? !is_digit(text[at]) : text[at] != shape[at]) {
      return std::unexpected(FieldError::Format);
    }
  }
  std::string digits;
  if (text.size() > shape.size()) {
    digits = text.substr(shape.size() + 1);
    if (text[shape.size()] != '.' || digits.empty() || !all_digits(digits)) {
      return std::unexpected(FieldError::Format);
    }
  }
  const auto year = static_cast<std::int32_t>(two(text, 0) * 100 + two(text, 2));
  const auto month = static_cast<std::uint8_t>(two(text, 4));
  const auto day = static_cast<std::uint8_t>(two(text, 6));
  if (month < 1 || month > 12 || day < 1 || day > affix::base::days_in_month(year, month) ||
      two(text, 9) > 23 || two(text, 12) > 59 || two(text, 15) > 60) {
    return std::unexpected(FieldError::Format);
  }
  if (digits.size() > 12) {
    return std::unexpected(FieldError::Range);
  }
  digits.resize(12, '0');
  const std::int64_t seconds = affix::base::days_from_civil({year, month, day}) * 86'400 +
                               two(text, 9) * 3'600 + two(text, 12) * 60 + two(text, 15);
  const Wide ns = Wide{seconds} * affix::base::ns_per_second + wide_value(digits.substr(0, 9));
  if (ns < std::numeric_limits<std::int64_t>::min() ||
      ns > std::numeric_limits<std::int64_t>::max()) {
    return std::unexpected(FieldError::Range);
  }
  return UtcTime{static_cast<std::int64_t>(ns),
                 static_cast<std::uint16_t>(wide_value(digits.substr(9)))};
}

/// A valid time stamp with up to three characters replaced, removed or added.
rc::Gen<std::string> stamp_like() {
  return rc::gen::exec([] {
    char out[wire::utc_time_room];
    const auto precision = *rc::gen::element(
        wire::TimePrecision::Seconds, wire::TimePrecision::Millis, wire::TimePrecision::Micros,
        wire::TimePrecision::Nanos, wire::TimePrecision::Picos);
    const UtcTime time{*rc::gen::arbitrary<std::int64_t>(),
                       *rc::gen::inRange<std::uint16_t>(0, 1'000)};
    std::string text(out, wire::format_utc_time(time, precision, out));
    const int changes = *rc::gen::weightedElement<int>({{2, 0}, {6, 1}, {3, 2}, {1, 3}});
    for (int change = 0; change < changes; ++change) {
      const std::size_t at = *rc::gen::inRange<std::size_t>(0, text.size());
      const char character =
          *rc::gen::weightedOneOf<char>({{8, rc::gen::inRange<char>('0', '9' + 1)},
                                         {1, rc::gen::element('.', ':', '-', ' ', '/')},
                                         {1, rc::gen::arbitrary<char>()}});
      switch (*rc::gen::weightedElement<int>({{8, 0}, {1, 1}, {1, 2}})) {
        case 0:
          text[at] = character;
          break;
        case 1:
          text.erase(at, 1);
          break;
        default:
          text.insert(at, 1, character);
          break;
      }
    }
    return text;
  });
}

RC_GTEST_PROP(Convert, TimeStampsAreReadAsTheGrammarSays, ()) {
  const std::string text = *stamp_like();
  const auto expected = reference_utc_time(text);
  if (*rc::gen::arbitrary<bool>() && text.size() > 15) {
    // Makes the text's minute, if it is one, known from another stamp.
    static_cast<void>(wire::parse_utc_time(text.substr(0, 15) + "00"));
  }
  const auto parsed = wire::parse_utc_time(text);
  RC_LOG() << text;
  RC_ASSERT((parsed.has_value() == expected.has_value()));
  if (parsed) {
    RC_ASSERT((*parsed == *expected));
  } else {
    RC_ASSERT((parsed.error() == expected.error()));
  }
}

RC_GTEST_PROP(Convert, TimeStampsReadBack, (std::int64_t ns)) {
  const UtcTime time{ns, *rc::gen::inRange<std::uint16_t>(0, 1'000)};
  char out[wire::utc_time_room];
  const std::size_t size = wire::format_utc_time(time, wire::TimePrecision::Picos, out);
  RC_ASSERT((wire::parse_utc_time({out, size}) == time));
}

RC_GTEST_PROP(Convert, ACacheWritesTheSameAsNone, ()) {
  wire::TimeStampCache cache;
  std::int64_t ns = *rc::gen::arbitrary<std::int64_t>();
  for (int stamp = 0; stamp < 20; ++stamp) {
    const auto precision = *rc::gen::element(
        wire::TimePrecision::Seconds, wire::TimePrecision::Millis, wire::TimePrecision::Micros,
        wire::TimePrecision::Nanos, wire::TimePrecision::Picos);
    const UtcTime time{ns, *rc::gen::inRange<std::uint16_t>(0, 1'000)};
    char expected[wire::utc_time_room];
    char cached[wire::utc_time_room];
    const std::size_t size = wire::format_utc_time(time, precision, expected);
    RC_ASSERT((cache.write(time, precision, cached) == size));
    RC_ASSERT((std::string(cached, size) == std::string(expected, size)));
    ns = static_cast<std::int64_t>(static_cast<std::uint64_t>(ns) +
                                   *rc::gen::element<std::uint64_t>(
                                       0, 1, 1'000, 999'999'999, 1'000'000'000, 3'600'000'000'000));
  }
}

RC_GTEST_PROP(Convert, DatesReadBack, ()) {
  const CivilDate date =
      affix::base::civil_from_days(*rc::gen::inRange<std::int64_t>(-719'528, 2'932'897));
  char out[wire::date_room];
  const std::size_t size = wire::format_date(date, out);
  RC_ASSERT((size == 8U));
  RC_ASSERT((wire::parse_date({out, size}) == date));
}

RC_GTEST_PROP(Convert, ZonedTimesReadBack, ()) {
  const UtcTime utc{
      *rc::gen::inRange<std::int64_t>(-9'000'000'000, 9'000'000'000) * affix::base::ns_per_second +
          *rc::gen::inRange<std::int64_t>(0, affix::base::ns_per_second),
      *rc::gen::inRange<std::uint16_t>(0, 1'000)};
  const auto zone =
      *rc::gen::element(wire::ZoneForm::None, wire::ZoneForm::Utc, wire::ZoneForm::Offset);
  const auto offset =
      zone == wire::ZoneForm::Offset ? *rc::gen::inRange<std::int16_t>(-840, 841) : std::int16_t{0};
  const wire::ZonedTime time{utc, offset, zone};
  char out[wire::zoned_time_room];
  const std::size_t size = wire::format_zoned_time(time, wire::TimePrecision::Picos, out);
  RC_ASSERT((wire::parse_zoned_time({out, size}) == time));
}

/// Every conversion answers for any bytes, and writes an accepted value as text of an equal value.
RC_GTEST_PROP(Convert, AnyBytesGetAnAnswer, (const std::string& text)) {
  static_cast<void>(wire::parse_character(text));
  static_cast<void>(wire::parse_boolean(text));
  static_cast<void>(wire::parse_time_of_day(text));
  static_cast<void>(wire::parse_zoned_time(text));
  static_cast<void>(wire::parse_zoned_time_of_day(text));
  static_cast<void>(wire::parse_month_year(text));
  static_cast<void>(wire::parse_tenor(text));
  if (const auto values = wire::parse_multiple_string(text); values) {
    std::string joined;
    for (const std::string_view part : *values) {
      RC_ASSERT(!part.empty());
      joined += (joined.empty() ? "" : " ") + std::string(part);
    }
    RC_ASSERT((joined == text));
  }
}

}  // namespace
