// SPDX-License-Identifier: MIT
// Pieces that time stamps are made of, shared by the plain conversions and the cache.
#pragma once

#include "affix/base/time.hpp"
#include "affix/wire/detail/digits.hpp"
#include "affix/wire/time_precision.hpp"

#include <cstddef>
#include <cstdint>

namespace affix::inline v0::wire::detail {

inline constexpr std::size_t second_text_size = 17;  ///< YYYYMMDD-HH:MM:SS

/// A point in time as whole seconds and the rest, also before 1970, where division would round the
/// wrong way.
struct SplitTime {
  std::int64_t seconds;
  std::uint32_t ns;  ///< 0 to 999'999'999.
};

[[nodiscard]] constexpr SplitTime split(std::int64_t ns) noexcept {
  std::int64_t seconds = ns / base::ns_per_second;
  std::int64_t rest = ns % base::ns_per_second;
  if (rest < 0) {
    rest += base::ns_per_second;
    --seconds;
  }
  return {seconds, static_cast<std::uint32_t>(rest)};
}

/// YYYYMMDD as eight characters in stream order. Year 0 to 9999.
[[nodiscard]] constexpr std::uint64_t date_word(base::CivilDate date) noexcept {
  const std::uint32_t number =
      static_cast<std::uint32_t>(date.year) * 10'000 + date.month * 100U + date.day;
  return digits_of_value(number) | eight_zero_characters;
}

/// HH:MM:SS as eight characters in stream order. The number has zeros in place of the colons.
[[nodiscard]] constexpr std::uint64_t clock_word(std::uint32_t second_of_day) noexcept {
  // A leap second is 23:59:60, not 24:00:00.
  const std::uint32_t minute_of_day = second_of_day >= 86'400 ? 1'439 : second_of_day / 60;
  const std::uint32_t second = second_of_day - minute_of_day * 60;
  const std::uint32_t number = minute_of_day / 60 * 1'000'000 + minute_of_day % 60 * 1'000 + second;
  constexpr std::uint64_t colons = 0x0000'0A00'000A'0000;  // ':' is '0' + 10.
  return (digits_of_value(number) | eight_zero_characters) + colons;
}

/// Twelve digits of a second as values 0 to 9 in stream order: eight, and four in the low half.
struct FractionDigits {
  std::uint64_t high;
  std::uint64_t low;
};

/// Up to nine digits, the common case, cost one word; only twelve cost a second one.
[[nodiscard]] constexpr FractionDigits fraction_digits(std::uint32_t ns, std::uint32_t picoseconds,
                                                       TimePrecision precision) noexcept {
  return {digits_of_value(ns / 10), precision != TimePrecision::Picos
                                        ? std::uint64_t{ns % 10}
                                        : digits_of_value(ns % 10 * 1'000 + picoseconds) >> 32};
}

/// A point and the digits of `precision`, without finer ones. Needs 17 bytes; writes garbage after
/// the requested digits.
inline void store_fraction(std::uint32_t ns, std::uint32_t picoseconds, TimePrecision precision,
                           char* out) noexcept {
  FractionDigits digits = fraction_digits(ns, picoseconds, precision);
  *out = '.';
  store_word(out + 1, digits.high | eight_zero_characters);
  store_word(out + 9, digits.low | eight_zero_characters);
}

/// The whole second, second_text_size characters.
inline void store_second(std::int64_t seconds, char* out) noexcept {
  std::int64_t days = seconds / 86'400;
  std::int64_t second_of_day = seconds % 86'400;
  if (second_of_day < 0) {
    second_of_day += 86'400;
    --days;
  }
  store_word(out, date_word(base::civil_from_days(days)));
  out[8] = '-';
  store_word(out + 9, clock_word(static_cast<std::uint32_t>(second_of_day)));
}

/// Characters after the second: none, or the point and the digits.
[[nodiscard]] constexpr std::size_t fraction_size(TimePrecision precision) noexcept {
  return precision == TimePrecision::Seconds ? 0 : 1 + static_cast<std::size_t>(precision);
}

}  // namespace affix::inline v0::wire::detail
