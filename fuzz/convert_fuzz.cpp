// SPDX-License-Identifier: MIT
// Any bytes through every conversion. An accepted value is written and read again as the same
// value; a text refused as Empty is empty. The sanitizer finds reads outside the text: the input is
// a block of exactly its size.
#include "affix/wire/convert.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

namespace wire = affix::wire;
using wire::TimePrecision;

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

/// `format` writes the value that `parse` has read; parsing the result must give the same value.
template <typename Parse, typename Format>
void check(std::string_view text, Parse parse, Format format) {
  const auto value = parse(text);
  if (!value) {
    require((value.error() == wire::FieldError::Empty) == text.empty());
    require(value.error() != wire::FieldError::Missing);
    return;
  }
  char out[128];
  const std::size_t size = format(*value, out);
  require(size > 0 && size <= sizeof out);
  const auto again = parse(std::string_view(out, size));
  require(again.has_value() && *again == *value);
}

template <typename T>
void check_integer(std::string_view text) {
  check(
      text, [](std::string_view t) { return wire::parse_integer<T>(t); },
      [](T value, char* out) { return wire::format_integer(value, out); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  check_integer<std::int8_t>(text);
  check_integer<std::uint8_t>(text);
  check_integer<std::int16_t>(text);
  check_integer<std::uint16_t>(text);
  check_integer<std::int32_t>(text);
  check_integer<std::uint32_t>(text);
  check_integer<std::int64_t>(text);
  check_integer<std::uint64_t>(text);
  check(text, wire::parse_decimal,
        [](auto value, char* out) { return wire::format_decimal(value, out); });
  check(text, wire::parse_utc_time, [](auto value, char* out) {
    return wire::format_utc_time(value, TimePrecision::Picos, out);
  });
  check(text, wire::parse_date,
        [](auto value, char* out) { return wire::format_date(value, out); });
  check(text, wire::parse_zoned_time, [](const auto& value, char* out) {
    return wire::format_zoned_time(value, TimePrecision::Picos, out);
  });
  check(text, wire::parse_month_year,
        [](auto value, char* out) { return wire::format_month_year(value, out); });
  check(text, wire::parse_tenor,
        [](auto value, char* out) { return wire::format_tenor(value, out); });
  check(text, wire::parse_time_of_day, [](auto value, char* out) {
    return wire::format_time_of_day(value, TimePrecision::Picos, out);
  });
  check(text, wire::parse_zoned_time_of_day, [](const auto& value, char* out) {
    return wire::format_zoned_time_of_day(value, TimePrecision::Picos, out);
  });
  static_cast<void>(wire::parse_day_of_month(text));
  static_cast<void>(wire::parse_character(text));
  static_cast<void>(wire::parse_boolean(text));
  if (const auto values = wire::parse_multiple_string(text)) {
    std::size_t total = 0;
    for (const std::string_view part : *values) {
      require(!part.empty());
      total += part.size() + 1;
    }
    require(total == text.size() + 1);
  }
  if (const auto values = wire::parse_multiple_character(text)) {
    for (const std::string_view part : *values) {
      require(part.size() == 1);
    }
  }
  return 0;
}
