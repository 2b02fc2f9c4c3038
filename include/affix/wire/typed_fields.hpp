// SPDX-License-Identifier: MIT
// Typed access by tag for a whole message or one group entry: finds the field and converts its
// text. Always inline, because a call per field costs more than most conversions and returns its
// result in memory.
#pragma once

#include "affix/base/decimal.hpp"
#include "affix/base/time.hpp"
#include "affix/wire/convert.hpp"
#include "affix/wire/detail/find_tag.hpp"
#include "affix/wire/result.hpp"

#include <cstdint>
#include <string_view>

namespace affix::inline v0::wire {

/// CRTP base for classes with these const functions. Every function here returns Missing without
/// the field, or the errors of its parse_ function. Views are valid as long as the message's bytes.
///   std::uint32_t position_of(std::uint32_t tag)         or no_position
///   std::string_view value_at(std::uint32_t position)
///   bool preceded_at(std::uint32_t position)             eight bytes before the value's end
///                                                        are readable
template <typename Fields>
class TypedFields {
 public:
  [[nodiscard, gnu::always_inline]] Result<std::string_view> text(
      std::uint32_t tag) const noexcept {
    const std::uint32_t position = fields().position_of(tag);
    if (position == no_position) [[unlikely]] {
      return std::unexpected(FieldError::Missing);
    }
    std::string_view value = fields().value_at(position);
    if (value.empty()) [[unlikely]] {
      return std::unexpected(FieldError::Empty);
    }
    return value;
  }

  /// The bytes of a data field; they may contain SOH. The index has checked that their length is as
  /// announced.
  [[nodiscard, gnu::always_inline]] Result<std::string_view> data(
      std::uint32_t tag) const noexcept {
    return text(tag);
  }

  template <FieldInteger T = std::int64_t>
  [[nodiscard, gnu::always_inline]] Result<T> integer(std::uint32_t tag) const noexcept {
    const std::uint32_t position = fields().position_of(tag);
    if (position == no_position) [[unlikely]] {
      return std::unexpected(FieldError::Missing);
    }
    return integer_at<T>(position);
  }

  /// integer() of the field at `position`, if the caller already knows it.
  template <FieldInteger T = std::int64_t>
  [[nodiscard, gnu::always_inline]] Result<T> integer_at(std::uint32_t position) const noexcept {
    return detail::parse_integer_by<T, preceded_digit_values>(fields().value_at(position),
                                                              fields().preceded_at(position));
  }

  [[nodiscard, gnu::always_inline]] Result<char> character(std::uint32_t tag) const noexcept {
    return parsed<char>(tag, parse_character);
  }

  [[nodiscard, gnu::always_inline]] Result<bool> boolean(std::uint32_t tag) const noexcept {
    return parsed<bool>(tag, parse_boolean);
  }

  [[nodiscard, gnu::always_inline]] Result<base::Decimal> decimal(
      std::uint32_t tag) const noexcept {
    const std::uint32_t position = fields().position_of(tag);
    if (position == no_position) [[unlikely]] {
      return std::unexpected(FieldError::Missing);
    }
    std::string_view value = fields().value_at(position);
    return detail::parse_decimal_by<preceded_digit_values>(value, fields().preceded_at(position));
  }

  [[nodiscard, gnu::always_inline]] Result<base::UtcTime> utc_time(
      std::uint32_t tag) const noexcept {
    return parsed<base::UtcTime>(tag, parse_utc_time);
  }

  /// UTCDateOnly, LocalMktDate.
  [[nodiscard, gnu::always_inline]] Result<base::CivilDate> date(std::uint32_t tag) const noexcept {
    return parsed<base::CivilDate>(tag, parse_date);
  }

  /// UTCTimeOnly, LocalMktTime.
  [[nodiscard, gnu::always_inline]] Result<TimeOfDay> time_of_day(
      std::uint32_t tag) const noexcept {
    return parsed<TimeOfDay>(tag, parse_time_of_day);
  }

  [[nodiscard, gnu::always_inline]] Result<ZonedTime> zoned_time(std::uint32_t tag) const noexcept {
    return parsed<ZonedTime>(tag, parse_zoned_time);
  }

  [[nodiscard, gnu::always_inline]] Result<ZonedTimeOfDay> zoned_time_of_day(
      std::uint32_t tag) const noexcept {
    return parsed<ZonedTimeOfDay>(tag, parse_zoned_time_of_day);
  }

  [[nodiscard, gnu::always_inline]] Result<MonthYear> month_year(std::uint32_t tag) const noexcept {
    return parsed<MonthYear>(tag, parse_month_year);
  }

  [[nodiscard, gnu::always_inline]] Result<std::uint8_t> day_of_month(
      std::uint32_t tag) const noexcept {
    return parsed<std::uint8_t>(tag, parse_day_of_month);
  }

  [[nodiscard, gnu::always_inline]] Result<Tenor> tenor(std::uint32_t tag) const noexcept {
    return parsed<Tenor>(tag, parse_tenor);
  }

  [[nodiscard, gnu::always_inline]] Result<MultipleValue> multiple_string(
      std::uint32_t tag) const noexcept {
    return parsed<MultipleValue>(tag, parse_multiple_string);
  }

  [[nodiscard, gnu::always_inline]] Result<MultipleValue> multiple_character(
      std::uint32_t tag) const noexcept {
    return parsed<MultipleValue>(tag, parse_multiple_character);
  }

 protected:
  TypedFields() = default;

 private:
  [[nodiscard]] const Fields& fields() const noexcept { return static_cast<const Fields&>(*this); }

  template <typename T, typename Parse>
  [[nodiscard, gnu::always_inline]] Result<T> parsed(std::uint32_t tag,
                                                     Parse parse) const noexcept {
    const std::uint32_t position = fields().position_of(tag);
    if (position == no_position) [[unlikely]] {
      return std::unexpected(FieldError::Missing);
    }
    return parse(fields().value_at(position));
  }
};

}  // namespace affix::inline v0::wire
