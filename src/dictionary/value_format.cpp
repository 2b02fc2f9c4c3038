// SPDX-License-Identifier: MIT
// Checks formats of numbers and listed codes.

#include "dictionary/value_format.hpp"

#include "affix/base/text.hpp"

#include <algorithm>
#include <cstddef>

namespace affix::inline v0::dictionary {

bool is_digits(std::string_view text) noexcept {
  return !text.empty() && std::ranges::all_of(text, base::is_digit);
}

std::string_view without_sign(std::string_view text) noexcept {
  return text.starts_with('-') ? text.substr(1) : text;
}

bool is_decimal(std::string_view text) noexcept {
  text = without_sign(text);
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) {
    return is_digits(text);
  }
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction = text.substr(point + 1);
  return (whole.empty() || is_digits(whole)) && (fraction.empty() || is_digits(fraction)) &&
         !(whole.empty() && fraction.empty());
}

bool code_fits(FieldType type, std::string_view code) noexcept {
  switch (value_class(type)) {
    case ValueClass::Integer:
      return is_digits(without_sign(code));
    case ValueClass::Natural:
      return is_digits(code);
    case ValueClass::Decimal:
      return is_decimal(code);
    case ValueClass::Char:
    case ValueClass::CharList:
      return code.size() == 1;
    case ValueClass::Boolean:
      return code == "Y" || code == "N";
    case ValueClass::TextList:
      return code.find(' ') == std::string_view::npos;
    case ValueClass::Text:
    case ValueClass::MonthYear:
    case ValueClass::UtcTimestamp:
    case ValueClass::UtcTime:
    case ValueClass::Date:
    case ValueClass::LocalTime:
    case ValueClass::TzTime:
    case ValueClass::TzTimestamp:
    case ValueClass::Bytes:
      return true;
  }
  return true;
}

}  // namespace affix::inline v0::dictionary
