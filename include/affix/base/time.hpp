// SPDX-License-Identifier: MIT
// Time in the engine: nanoseconds since the epoch in UTC, and a steady clock for timers. Reads no
// clock; the owner of a clock passes readings in.
#pragma once

#include "affix/base/integer.hpp"

#include <compare>
#include <cstdint>
#include <utility>

namespace affix::inline v0::base {

inline constexpr std::int64_t ns_per_us = 1'000;
inline constexpr std::int64_t ns_per_ms = 1'000'000;
inline constexpr std::int64_t ns_per_second = 1'000'000'000;
inline constexpr std::int64_t ns_per_day = 86'400 * ns_per_second;

/// Stands for a number of picoseconds out of range, which no function
/// writes.
inline constexpr std::uint16_t no_picoseconds = 0xFFFF;

/// Returns `value`, or no_picoseconds if it does not fit 16 bits.
template <Integer T>
[[nodiscard]] constexpr std::uint16_t picoseconds_of(T value) noexcept {
  if constexpr (IntegerWithin<T, std::uint16_t>) {
    return value;
  } else {
    return std::in_range<std::uint16_t>(value) ? static_cast<std::uint16_t>(value) : no_picoseconds;
  }
}

/// A point in UTC time from 1677-09-21 to 2262-04-11, with separate picoseconds. Converts from and
/// to std::chrono in affix/messages/chrono.hpp.
struct UtcTime {
  std::int64_t ns = 0;            ///< Nanoseconds since 1970-01-01T00:00:00Z, without leap seconds.
  std::uint16_t picoseconds = 0;  ///< 0 to 999, on top of `ns`.

  constexpr UtcTime() noexcept = default;

  /// Accepts only integers that always fit: nanoseconds computed in floating point have already
  /// lost digits.
  template <IntegerWithin<std::int64_t> Nanoseconds>
  constexpr explicit UtcTime(Nanoseconds ns_value) noexcept : ns(ns_value) {}

  template <IntegerWithin<std::int64_t> Nanoseconds, Integer Picoseconds>
  constexpr UtcTime(Nanoseconds ns_value, Picoseconds picoseconds_value) noexcept
      : ns(ns_value), picoseconds(picoseconds_of(picoseconds_value)) {}

  friend constexpr auto operator<=>(const UtcTime&, const UtcTime&) = default;
};

/// A reading of both clocks. Timers use the steady one, which never jumps; tag 52 the other.
struct Now {
  std::int64_t steady_ns = 0;
  std::int64_t utc_ns = 0;

  /// UTC as a field value.
  [[nodiscard]] constexpr UtcTime utc() const noexcept { return UtcTime(utc_ns); }
};

/// A calendar date of the proleptic Gregorian calendar.
struct CivilDate {
  std::int32_t year = 1970;
  std::uint8_t month = 1;  ///< 1 to 12.
  std::uint8_t day = 1;    ///< 1 to 31.

  constexpr CivilDate() noexcept = default;

  /// Accepts only integers. A month or day that does not fit its member becomes 0, which no date
  /// has, never another valid one.
  template <IntegerWithin<std::int32_t> Year, Integer Month, Integer Day>
  constexpr CivilDate(Year year_value, Month month_value, Day day_value) noexcept
      : year(year_value), month(byte_of(month_value)), day(byte_of(day_value)) {}

  friend constexpr auto operator<=>(const CivilDate&, const CivilDate&) = default;

 private:
  template <Integer T>
  [[nodiscard]] static constexpr std::uint8_t byte_of(T value) noexcept {
    return std::in_range<std::uint8_t>(value) ? static_cast<std::uint8_t>(value) : std::uint8_t{0};
  }
};

/// Days since 1970-01-01. Starts the year in March, so that a leap day is its last day and month
/// lengths follow one linear formula; eras of 400 years make the division exact before year 0
/// too.
[[nodiscard]] constexpr std::int64_t days_from_civil(CivilDate date) noexcept {
  const std::int64_t year = date.year - (date.month <= 2 ? 1 : 0);
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t month_from_march = (date.month + 9) % 12;
  const std::int64_t day_of_year = (153 * month_from_march + 2) / 5 + date.day - 1;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146'097 + day_of_era - 719'468;
}

/// The inverse of days_from_civil.
[[nodiscard]] constexpr CivilDate civil_from_days(std::int64_t days) noexcept {
  days += 719'468;
  const std::int64_t era = (days >= 0 ? days : days - 146'096) / 146'097;
  const std::int64_t day_of_era = days - era * 146'097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const auto day = static_cast<std::uint8_t>(day_of_year - (153 * month_from_march + 2) / 5 + 1);
  const auto month = static_cast<std::uint8_t>(month_from_march < 10 ? month_from_march + 3
                                                                     : month_from_march - 9);
  return CivilDate{static_cast<std::int32_t>(year_of_era + era * 400 + (month <= 2 ? 1 : 0)), month,
                   day};
}

[[nodiscard]] constexpr bool is_leap_year(std::int32_t year) noexcept {
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

[[nodiscard]] constexpr std::uint8_t days_in_month(std::int32_t year, std::uint8_t month) noexcept {
  if (month == 2) {
    return is_leap_year(year) ? 29 : 28;
  }
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

}  // namespace affix::inline v0::base
