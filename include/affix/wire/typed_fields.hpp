// SPDX-License-Identifier: MIT
// Typed access by tag, the same for a whole message and for one group entry: find the field,
// convert its text. Inline, because a call per field costs more than most conversions.
#pragma once

#include "affix/base/decimal.hpp"
#include "affix/base/time.hpp"
#include "affix/wire/convert.hpp"
#include "affix/wire/detail/find_tag.hpp"

#include <cstdint>
#include <expected>
#include <string_view>
#include <utility>

namespace affix::inline v0::wire {

/// Base of what has these const functions. Every function here: Missing without the field, else
/// what its parse_ function says. Views live as long as the message's bytes.
///   std::uint32_t position_of(std::uint32_t tag)         or no_position
///   std::string_view value_at(std::uint32_t position)
///   bool preceded_at(std::uint32_t position)             eight bytes before the value's end are
///                                                        readable
template <typename Fields>
class TypedFields {
 public:
  [[nodiscard]] std::expected<std::string_view, FieldError> text(std::uint32_t tag) const noexcept {
    const std::uint32_t position = fields().position_of(tag);
    if (position == no_position) [[unlikely]] {
      return std::unexpected(FieldError::Missing);
    }
    const std::string_view value = fields().value_at(position);
    if (value.empty()) [[unlikely]] {
      return std::unexpected(FieldError::Empty);
    }
    // Built in place: GCC 12 sends a copy of the view through memory.
    return std::expected<std::string_view, FieldError>(std::in_place, value.data(), value.size());
  }

  /// The bytes of a data field; they may hold SOH, and the index has made sure that their length is
  /// as announced.
  [[nodiscard]] std::expected<std::string_view, FieldError> data(std::uint32_t tag) const noexcept {
    return text(tag);
  }

  template <FieldInteger T = std::int64_t>
  [[nodiscard]] std::expected<T, FieldError> integer(std::uint32_t tag) const noexcept {
    const std::uint32_t position = fields().position_of(tag);
    if (position == no_position) [[unlikely]] {
      return std::unexpected(FieldError::Missing);
    }
    const std::string_view value = fields().value_at(position);
    if (!fields().preceded_at(position)) [[unlikely]] {
      return detail::parse_integer_general<T>(value);
    }
    return detail::parse_integer_by<T, detail::preceded_digit_values>(value);
  }

  [[nodiscard]] std::expected<char, FieldError> character(std::uint32_t tag) const noexcept {
    return parsed<char>(tag, parse_character);
  }

  [[nodiscard]] std::expected<bool, FieldError> boolean(std::uint32_t tag) const noexcept {
    return parsed<bool>(tag, parse_boolean);
  }

  [[nodiscard]] std::expected<base::Decimal, FieldError> decimal(std::uint32_t tag) const noexcept {
    const std::uint32_t position = fields().position_of(tag);
    if (position == no_position) [[unlikely]] {
      return std::unexpected(FieldError::Missing);
    }
    const std::string_view value = fields().value_at(position);
    if (!fields().preceded_at(position)) [[unlikely]] {
      return parse_decimal(value);
    }
    return detail::parse_decimal_by<detail::preceded_digit_values>(value);
  }

  [[nodiscard]] std::expected<base::UtcTime, FieldError> utc_time(
      std::uint32_t tag) const noexcept {
    return parsed<base::UtcTime>(tag, parse_utc_time);
  }

  /// UTCDateOnly, LocalMktDate.
  [[nodiscard]] std::expected<base::CivilDate, FieldError> date(std::uint32_t tag) const noexcept {
    return parsed<base::CivilDate>(tag, parse_date);
  }

  /// UTCTimeOnly, LocalMktTime.
  [[nodiscard]] std::expected<TimeOfDay, FieldError> time_of_day(std::uint32_t tag) const noexcept {
    return parsed<TimeOfDay>(tag, parse_time_of_day);
  }

  [[nodiscard]] std::expected<ZonedTime, FieldError> zoned_time(std::uint32_t tag) const noexcept {
    return parsed<ZonedTime>(tag, parse_zoned_time);
  }

  [[nodiscard]] std::expected<ZonedTimeOfDay, FieldError> zoned_time_of_day(
      std::uint32_t tag) const noexcept {
    return parsed<ZonedTimeOfDay>(tag, parse_zoned_time_of_day);
  }

  [[nodiscard]] std::expected<MonthYear, FieldError> month_year(std::uint32_t tag) const noexcept {
    return parsed<MonthYear>(tag, parse_month_year);
  }

  [[nodiscard]] std::expected<std::uint8_t, FieldError> day_of_month(
      std::uint32_t tag) const noexcept {
    return parsed<std::uint8_t>(tag, parse_day_of_month);
  }

  [[nodiscard]] std::expected<Tenor, FieldError> tenor(std::uint32_t tag) const noexcept {
    return parsed<Tenor>(tag, parse_tenor);
  }

  [[nodiscard]] std::expected<MultipleValue, FieldError> multiple_string(
      std::uint32_t tag) const noexcept {
    return parsed<MultipleValue>(tag, parse_multiple_string);
  }

  [[nodiscard]] std::expected<MultipleValue, FieldError> multiple_character(
      std::uint32_t tag) const noexcept {
    return parsed<MultipleValue>(tag, parse_multiple_character);
  }

 protected:
  TypedFields() = default;

 private:
  [[nodiscard]] const Fields& fields() const noexcept { return static_cast<const Fields&>(*this); }

  template <typename T, typename Parse>
  [[nodiscard, gnu::always_inline]] std::expected<T, FieldError> parsed(
      std::uint32_t tag, Parse parse) const noexcept {
    const std::uint32_t position = fields().position_of(tag);
    if (position == no_position) [[unlikely]] {
      return std::unexpected(FieldError::Missing);
    }
    return parse(fields().value_at(position));
  }
};

}  // namespace affix::inline v0::wire
