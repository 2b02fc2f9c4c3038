// SPDX-License-Identifier: MIT
// The exact rules on values: form by type, then the list of codes.

#include "affix/wire/convert.hpp"

#include "dictionary/validation_tables.hpp"
#include "dictionary/value_format.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::dictionary {

namespace {

constexpr std::uint32_t no_faults = 0;
constexpr std::uint32_t format_fault = Rules::bit(Rule::ValueFormat);
constexpr std::uint32_t list_fault = Rules::bit(Rule::ValueNotListed);

/// A value outside the C++ type's range can still have the right form.
template <typename T>
[[nodiscard]] bool has_form(const wire::Result<T>& parsed) noexcept {
  return parsed || parsed.error() == wire::FieldError::Range;
}

/// HH:MM:SS.
constexpr std::size_t clock_size = 8;

[[nodiscard]] bool has_form_of(ValueClass value_class, std::string_view value) noexcept {
  switch (value_class) {
    case ValueClass::Integer:
      return is_digits(without_sign(value));
    case ValueClass::Natural:
      return is_digits(value);
    case ValueClass::Decimal:
      return is_decimal(value);
    case ValueClass::Char:
      return value.size() == 1;
    case ValueClass::Boolean:
      return value == "Y" || value == "N";
    case ValueClass::Text:
    case ValueClass::Bytes:
      return true;
    case ValueClass::CharList:
      return has_form(wire::parse_multiple_character(value));
    case ValueClass::TextList:
      return has_form(wire::parse_multiple_string(value));
    case ValueClass::MonthYear:
      return has_form(wire::parse_month_year(value));
    case ValueClass::UtcTimestamp:
      return has_form(wire::parse_utc_time(value));
    case ValueClass::UtcTime:
      return has_form(wire::parse_time_of_day(value));
    case ValueClass::Date:
      return has_form(wire::parse_date(value));
    case ValueClass::LocalTime:
      return value.size() == clock_size && has_form(wire::parse_time_of_day(value));
    case ValueClass::TzTime:
      return has_form(wire::parse_zoned_time_of_day(value));
    case ValueClass::TzTimestamp:
      return has_form(wire::parse_zoned_time(value));
  }
  return true;
}

/// A number agreed between two parties, outside the range that the specification reserves.
[[nodiscard]] bool is_number_from(std::uint64_t least, std::string_view value) noexcept {
  const auto number = wire::parse_integer<std::uint64_t>(value);
  return number ? *number >= least
                : number.error() == wire::FieldError::Range && value.front() != '-';
}

[[nodiscard]] bool has_form_of(FieldType type, std::string_view value) noexcept {
  switch (type) {
    case FieldType::DayOfMonth:
      return wire::parse_day_of_month(value).has_value();
    case FieldType::Reserved100Plus:
      return is_number_from(100, value);
    case FieldType::Reserved1000Plus:
      return is_number_from(1'000, value);
    case FieldType::Reserved4000Plus:
      return is_number_from(4'000, value);
    default:
      return has_form_of(value_class(type), value);
  }
}

/// QuickFIX has no fractions finer than nanoseconds.
[[nodiscard]] bool has_quickfix_fraction(std::string_view value) noexcept {
  constexpr std::size_t digits_max = 9;
  const std::size_t point = value.find('.');
  return point == std::string_view::npos || value.size() - point - 1 <= digits_max;
}

/// QuickFIX's formats: types that it does not check accept any text.
[[nodiscard]] bool has_quickfix_form(FieldType type, std::string_view value) noexcept {
  switch (type) {
    case FieldType::Int:
    case FieldType::NumInGroup:
    case FieldType::Length:
      return is_digits(without_sign(value));
    case FieldType::SeqNum:
      return is_digits(value);
    case FieldType::Float:
    case FieldType::Qty:
    case FieldType::Price:
    case FieldType::Amt:
    case FieldType::Percentage:
    case FieldType::PriceOffset:
      return is_decimal(value);
    case FieldType::Char:
      return value.size() == 1;
    case FieldType::Boolean:
      return value == "Y" || value == "N";
    case FieldType::UtcTimestamp:
    case FieldType::Time:
      return has_form(wire::parse_utc_time(value)) && has_quickfix_fraction(value);
    case FieldType::UtcTimeOnly:
      return has_form(wire::parse_time_of_day(value)) && has_quickfix_fraction(value);
    case FieldType::UtcDate:
    case FieldType::UtcDateOnly:
    case FieldType::Date:
      return has_form(wire::parse_date(value));
    default:
      return true;
  }
}

[[nodiscard]] bool is_listed(const ValidationTables& tables, const FieldCheck& field,
                             std::string_view code) noexcept {
  if (code.empty() || code.back() == '\0') {
    return false;  // No code ends with this byte, and a shorter one would look like the previous
                   // code.
  }
  if (code.size() <= sizeof(std::uint64_t)) {
    return has_code(tables.codes.data(), field, code_of(code));
  }
  const auto& codes = tables.long_codes[field.long_codes];
  return std::binary_search(codes.begin(), codes.end(), code);
}

/// True if each part of a value, or the single value, is listed.
[[nodiscard]] bool all_listed(const ValidationTables& tables, const FieldCheck& field,
                              std::string_view value) noexcept {
  const auto allowed = [&](std::string_view part) {
    return is_listed(tables, field, part) ||
           (field.has_union && !part.empty() && has_form_of(field.union_type, part));
  };
  if (!has_several_values(field.type)) {
    return allowed(value);
  }
  for (;;) {
    const std::size_t space = value.find(' ');
    if (!allowed(value.substr(0, space))) {
      return false;
    }
    if (space == std::string_view::npos) {
      return true;
    }
    value.remove_prefix(space + 1);
  }
}

[[nodiscard]] std::uint32_t faults_of_form(const ValidationTables& tables, const FieldCheck& field,
                                           std::string_view value, FaultOrder order) noexcept {
  const bool good = order == FaultOrder::Quickfix ? has_quickfix_form(field.type, value)
                                                  : has_form_of(field.type, value);
  // A listed value is valid for the field, regardless of its type.
  return good || (field.has_list() && is_listed(tables, field, value)) ? no_faults : format_fault;
}

}  // namespace

std::uint32_t value_faults(const ValidationTables& tables, const FieldCheck& field,
                           std::string_view value, FaultOrder order) noexcept {
  std::uint32_t faults = no_faults;
  if (value.empty()) {
    faults = Rules::bit(Rule::EmptyValue);
    if (order == FaultOrder::Message) {
      return faults;  // A missing value has no form.
    }
  }
  faults |= faults_of_form(tables, field, value, order);
  if (field.has_list() && (faults & format_fault) == 0 && !all_listed(tables, field, value)) {
    faults |= list_fault;
  }
  return faults;
}

}  // namespace affix::inline v0::dictionary
