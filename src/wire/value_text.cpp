// SPDX-License-Identifier: MIT
// Texts of values and of an encoder's error.
#include "affix/wire/value_text.hpp"

#include "affix/wire/encoder.hpp"

namespace affix::inline v0::wire {

namespace {

template <typename Text, FieldInteger T>
void append_integer(Text& text, T value) noexcept {
  char digits[integer_room];
  text.append({digits, format_integer(value, digits)});
}

}  // namespace

DecimalText to_text(base::Decimal value) noexcept {
  char digits[decimal_room];
  const std::size_t size = format_decimal(value, digits);
  DecimalText text(std::string_view(digits, size));
  if (size == 0) {
    append_integer(text, value.mantissa);
    text.append("e");
    append_integer(text, value.exponent);
  }
  return text;
}

TimeText to_text(base::UtcTime value, TimePrecision precision) noexcept {
  char digits[utc_time_room];
  return TimeText(std::string_view(digits, format_utc_time(value, precision, digits)));
}

FixedText<96> error_text(const Encoder& encoder) noexcept {
  FixedText<96> text;
  const EncodeError error = encoder.error();
  if (error == EncodeError::None) {
    return text;
  }
  const std::uint32_t tag = encoder.error_tag();
  const std::uint32_t beside = encoder.error_beside_tag();
  if (tag == 0) {
    text.append(to_text(error));
    return text;
  }
  append_integer(text, tag);
  switch (error) {
    case EncodeError::FieldOrder:
      text.append(beside == tag ? " comes twice" : " is out of order");
      if (beside != 0 && beside != tag) {
        text.append(": after ");
        append_integer(text, beside);
      }
      return text;
    case EncodeError::MissingField:
      text.append(" is missing");
      if (beside != 0) {
        text.append(": before ");
        append_integer(text, beside);
      }
      return text;
    default:
      text.append(": ");
      text.append(to_text(error));
      return text;
  }
}

}  // namespace affix::inline v0::wire
