// SPDX-License-Identifier: MIT
// Converts field values to and from FIX's data types, exactly or with an error: nothing is
// rounded or guessed. "12abc" is not 12, "" is not 0, "+1" is not FIX. No allocation, no locale,
// no clock.
#pragma once

#include "affix/base/decimal.hpp"
#include "affix/base/integer.hpp"
#include "affix/base/time.hpp"
#include "affix/wire/detail/digits.hpp"
#include "affix/wire/result.hpp"
#include "affix/wire/time_precision.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <limits>
#include <string_view>
#include <type_traits>

namespace affix::inline v0::wire {

[[nodiscard]] const char* to_text(FieldError error) noexcept;

/// A time of day in UTC (UTCTimeOnly), or LocalMktTime. A leap second starts at 86'400 s.
struct TimeOfDay {
  std::int64_t ns = 0;            ///< Since midnight; below 86'401 s.
  std::uint16_t picoseconds = 0;  ///< 0 to 999, on top of `ns`.

  constexpr TimeOfDay() noexcept = default;

  /// Accepts integers only, like base::UtcTime.
  template <base::IntegerWithin<std::int64_t> Nanoseconds>
  constexpr explicit TimeOfDay(Nanoseconds ns_value) noexcept : ns(ns_value) {}

  template <base::IntegerWithin<std::int64_t> Nanoseconds, base::Integer Picoseconds>
  constexpr TimeOfDay(Nanoseconds ns_value, Picoseconds picoseconds_value) noexcept
      : ns(ns_value), picoseconds(base::picoseconds_of(picoseconds_value)) {}

  friend constexpr auto operator<=>(const TimeOfDay&, const TimeOfDay&) = default;
};

/// Form of the zone in a time with a zone (TZTimestamp, TZTimeOnly).
enum class ZoneForm : std::uint8_t {
  None,    ///< Absent; the time is taken as UTC.
  Utc,     ///< `Z`.
  Offset,  ///< `+hh`, `-hh`, `+hh:mm` or `-hh:mm`.
};

/// TZTimestamp: the point in time in UTC, and the zone of its text.
struct ZonedTime {
  base::UtcTime utc;
  std::int16_t offset_minutes = 0;  ///< Local time minus UTC; -14 to +14 hours.
  ZoneForm zone = ZoneForm::Utc;

  friend constexpr bool operator==(const ZonedTime&, const ZonedTime&) = default;
};

/// TZTimeOnly: the time of day as written, and its zone.
struct ZonedTimeOfDay {
  TimeOfDay local;
  std::int16_t offset_minutes = 0;
  ZoneForm zone = ZoneForm::Utc;

  friend constexpr bool operator==(const ZonedTimeOfDay&, const ZonedTimeOfDay&) = default;
};

/// MonthYear: YYYYMM, YYYYMMDD or YYYYMMwN.
struct MonthYear {
  std::uint16_t year = 0;
  std::uint8_t month = 1;  ///< 1 to 12.
  std::uint8_t day = 0;    ///< 1 to 31, or 0: absent.
  std::uint8_t week = 0;   ///< 1 to 5, or 0: absent. Never with a day.

  friend constexpr auto operator<=>(const MonthYear&, const MonthYear&) = default;
};

/// Tenor: `M3` is three months.
struct Tenor {
  char unit = 'D';  ///< D, W, M or Y.
  std::uint32_t count = 0;

  friend constexpr bool operator==(const Tenor&, const Tenor&) = default;
};

/// The space-separated parts of a MultipleStringValue or MultipleCharValue. Views the text.
class MultipleValue {
 public:
  class Iterator {
   public:
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;

    constexpr Iterator() noexcept = default;

    constexpr explicit Iterator(std::string_view rest) noexcept
        : rest_(rest), size_(part_size(rest)) {}

    [[nodiscard]] constexpr std::string_view operator*() const noexcept {
      return rest_.substr(0, size_);
    }

    constexpr Iterator& operator++() noexcept {
      rest_.remove_prefix(size_ < rest_.size() ? size_ + 1 : size_);
      size_ = part_size(rest_);
      return *this;
    }

    constexpr Iterator operator++(int) noexcept {
      const Iterator before = *this;
      ++*this;
      return before;
    }

    friend constexpr bool operator==(const Iterator& left, const Iterator& right) noexcept {
      return left.rest_.size() == right.rest_.size();
    }

   private:
    static constexpr std::size_t part_size(std::string_view rest) noexcept {
      const std::size_t space = rest.find(' ');
      return space == std::string_view::npos ? rest.size() : space;
    }

    std::string_view rest_;
    std::size_t size_ = 0;
  };

  constexpr MultipleValue() noexcept = default;

  /// `text` must have no empty part.
  constexpr explicit MultipleValue(std::string_view text) noexcept : text_(text) {}

  [[nodiscard]] constexpr Iterator begin() const noexcept { return Iterator(text_); }

  [[nodiscard]] constexpr Iterator end() const noexcept {
    return Iterator(text_.substr(text_.size()));
  }

  [[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }

  /// True if one of the parts equals `part`.
  [[nodiscard]] constexpr bool contains(std::string_view part) const noexcept {
    for (Iterator at = begin(); at != end(); ++at) {
      if (*at == part) {
        return true;
      }
    }
    return false;
  }

 private:
  std::string_view text_;
};

/// Integer types for reading and writing fields: every width, but neither bool nor character
/// types.
template <typename T>
concept FieldInteger = base::Integer<T>;

// ---- Text to value. Every function returns Empty for "", else Format or Range on errors; `text`
// is unchanged. ----

/// int, Length, SeqNum, NumInGroup, TagNum: digits with an optional leading `-`; leading zeros are
/// allowed. Range: the value does not fit T, such as a negative one in an unsigned T. Eight digits:
/// about 1 ns.
template <FieldInteger T = std::int64_t>
[[nodiscard]] Result<T> parse_integer(std::string_view text) noexcept;

/// DayOfMonth: 1 to 31.
[[nodiscard]] Result<std::uint8_t> parse_day_of_month(std::string_view text) noexcept;

/// char: exactly one byte.
[[nodiscard]] inline Result<char> parse_character(std::string_view text) noexcept {
  if (text.size() != 1) [[unlikely]] {
    return std::unexpected(text.empty() ? FieldError::Empty : FieldError::Format);
  }
  return text[0];
}

/// Boolean: `Y` or `N`.
[[nodiscard]] inline Result<bool> parse_boolean(std::string_view text) noexcept {
  if (text.size() != 1 || (text[0] != 'Y' && text[0] != 'N')) [[unlikely]] {
    return std::unexpected(text.empty() ? FieldError::Empty : FieldError::Format);
  }
  return text[0] == 'Y';
}

/// float, Price, Qty, Amt, Percentage: digits with an optional leading `-` and at most one point,
/// at least one digit, no exponent. Exact: "1.50" is {150, -2}, "23." is {23, 0}, ".5" is {5, -1}.
/// Range: the digits do not fit 64 bits, or more than decimal_scale_max follow the point. Up to
/// eight characters: about 2 ns.
[[nodiscard]] Result<base::Decimal> parse_decimal(std::string_view text) noexcept;

/// UTCTimestamp: YYYYMMDD-HH:MM:SS, optionally a point and 1 to 12 digits. Second 60 is accepted,
/// as in FIX, as the first second of the next minute (UtcTime has no leap seconds). Format: month,
/// day, hour, minute or second is invalid. Range: a year beyond UtcTime, or a 13th digit. 21
/// characters: about 3 ns if in the minute of the thread's previous time stamp, which each thread
/// caches, else 8 ns.
[[nodiscard]] Result<base::UtcTime> parse_utc_time(std::string_view text) noexcept;

/// UTCDateOnly and LocalMktDate: YYYYMMDD, an existing day.
[[nodiscard]] Result<base::CivilDate> parse_date(std::string_view text) noexcept;

/// UTCTimeOnly and LocalMktTime: HH:MM:SS, optionally a point and 1 to 12 digits.
[[nodiscard]] Result<TimeOfDay> parse_time_of_day(std::string_view text) noexcept;

/// TZTimestamp: YYYYMMDD-HH:MM[:SS[.s+]], optionally Z, +hh, -hh, +hh:mm or -hh:mm. Offsets are at
/// most 14 hours.
[[nodiscard]] Result<ZonedTime> parse_zoned_time(std::string_view text) noexcept;

/// TZTimeOnly: HH:MM[:SS[.s+]] and a zone as for parse_zoned_time.
[[nodiscard]] Result<ZonedTimeOfDay> parse_zoned_time_of_day(std::string_view text) noexcept;

/// MonthYear: YYYYMM, YYYYMMDD (an existing day) or YYYYMMw1 to YYYYMMw5.
[[nodiscard]] Result<MonthYear> parse_month_year(std::string_view text) noexcept;

/// Tenor: D, W, M or Y followed by a positive number.
[[nodiscard]] Result<Tenor> parse_tenor(std::string_view text) noexcept;

/// MultipleStringValue: parts separated by one space each. Views `text`.
[[nodiscard]] Result<MultipleValue> parse_multiple_string(std::string_view text) noexcept;

/// MultipleCharValue: the same, each part one character. Views `text`.
[[nodiscard]] Result<MultipleValue> parse_multiple_character(std::string_view text) noexcept;

// ---- Value to text. Every function returns the size of the text, 0 if the value has none. `out`
// needs space for the named number of bytes (`integer_room` and so on); the function may overwrite
// bytes after the text. ----

/// Maximum digits after the point for parse_decimal and format_decimal, and maximum zeros that the
/// latter appends.
inline constexpr std::int32_t decimal_scale_max = 60;

inline constexpr std::size_t integer_room = 24;   ///< For format_integer.
inline constexpr std::size_t decimal_room = 96;   ///< For format_decimal.
inline constexpr std::size_t utc_time_room = 40;  ///< For format_utc_time and format_time_of_day.
inline constexpr std::size_t zoned_time_room =
    48;  ///< For format_zoned_time, format_zoned_time_of_day.
inline constexpr std::size_t date_room =
    16;  ///< For format_date, format_month_year and format_tenor alike.

template <FieldInteger T>
std::size_t format_integer(T value, char* out) noexcept;

/// Writes the shortest text of this mantissa and exponent: {150, -2} is "1.50", {5, -3} "0.005",
/// {15, 2} "1500". Parses back to the same value, and for exponents up to 0 to the same mantissa
/// and exponent. 0: the exponent's magnitude exceeds decimal_scale_max.
std::size_t format_decimal(base::Decimal value, char* out) noexcept;

/// Writes YYYYMMDD-HH:MM:SS and `precision` digits, truncated, not rounded. About 8 ns;
/// TimeStampCache needs a third of that for another stamp of the same second. 0: picoseconds exceed
/// 999.
std::size_t format_utc_time(base::UtcTime value, TimePrecision precision, char* out) noexcept;

/// 0: the date does not exist, or its year is not 0 to 9999.
std::size_t format_date(base::CivilDate value, char* out) noexcept;

/// 0: the value is outside a day with its leap second.
std::size_t format_time_of_day(TimeOfDay value, TimePrecision precision, char* out) noexcept;

/// 0: the offset exceeds 14 hours, or is not 0 in a zone form without offset.
std::size_t format_zoned_time(const ZonedTime& value, TimePrecision precision, char* out) noexcept;
std::size_t format_zoned_time_of_day(const ZonedTimeOfDay& value, TimePrecision precision,
                                     char* out) noexcept;

/// 0: the month or day does not exist, or both a day and a week are set.
std::size_t format_month_year(MonthYear value, char* out) noexcept;

/// 0: the unit is none of D, W, M, Y, or the count is 0.
std::size_t format_tenor(Tenor value, char* out) noexcept;

// ---- Inline bodies that are shorter than a call. ----

namespace detail {

/// Sign and magnitude of an integer text; for nine or more characters, or a sign.
struct SignedMagnitude {
  std::uint64_t magnitude = 0;
  bool negative = false;
};

[[nodiscard]] Result<SignedMagnitude> parse_magnitude(std::string_view text) noexcept;

/// parse_integer for a text of any size.
template <FieldInteger T>
[[nodiscard]] [[gnu::noinline]] Result<T> parse_integer_general(std::string_view text) noexcept {
  Result<SignedMagnitude> parsed = parse_magnitude(text);
  if (!parsed) {
    return std::unexpected(parsed.error());
  }
  const std::uint64_t magnitude = parsed->magnitude;
  if (!parsed->negative) {
    if (magnitude > static_cast<std::uint64_t>(std::numeric_limits<T>::max())) {
      return std::unexpected(FieldError::Range);
    }
    return static_cast<T>(magnitude);
  }
  // The magnitude of the minimum is one above the maximum for signed types, and 0 for unsigned
  // types.
  const std::uint64_t limit =
      std::is_signed_v<T> ? static_cast<std::uint64_t>(std::numeric_limits<T>::max()) + 1 : 0;
  if (magnitude > limit) {
    return std::unexpected(FieldError::Range);
  }
  return static_cast<T>(std::uint64_t{0} - magnitude);
}

/// parse_integer. `DigitValuesOf` is digit_values, or preceded_digit_values, which may be called
/// only if `usable`.
template <FieldInteger T, auto DigitValuesOf>
[[nodiscard, gnu::always_inline]] inline Result<T> parse_integer_by(std::string_view text,
                                                                    bool usable = true) noexcept {
  if (usable && text.size() - 1 < 8) [[likely]] {  // One to eight characters: one word.
    const std::uint64_t values = DigitValuesOf(text.data(), text.size());
    if (all_digit_values(values)) [[likely]] {
      const std::uint32_t value = value_of_digit_values(values);
      if constexpr (std::numeric_limits<T>::max() < 99'999'999) {
        if (value > static_cast<std::uint32_t>(std::numeric_limits<T>::max())) {
          return std::unexpected(FieldError::Range);
        }
      }
      return static_cast<T>(value);
    }
  }
  return parse_integer_general<T>(text);
}

/// A parsed decimal in two registers: std::expected would be returned in memory.
struct DecimalRead {
  std::int64_t mantissa;
  std::int32_t exponent;
  FieldError error;
  bool good;
};

/// parse_decimal for a text of any size.
[[nodiscard]] DecimalRead read_decimal(std::string_view text) noexcept;

/// parse_decimal; parameters as for parse_integer_by.
template <auto DigitValuesOf>
[[nodiscard, gnu::always_inline]] inline Result<base::Decimal> parse_decimal_by(
    std::string_view text, bool usable = true) noexcept {
  if (usable && text.size() - 1 < 8) [[likely]] {
    std::uint64_t values = DigitValuesOf(text.data(), text.size());
    bool point_alone = false;
    // Four digits take half the work of eight, and most quantities have no more.
    if (static_cast<std::uint32_t>(values) == 0) {
      const auto four = static_cast<std::uint32_t>(values >> 32);
      if (all_four_digit_values(four)) [[likely]] {
        return base::Decimal{value_of_four_digit_values(four), 0};
      }
      // A lone point has no digits, but would pass as the digits of 0.
      point_alone = text.size() == 1;
    }
    if (!point_alone) [[likely]] {
      const std::int32_t exponent = drop_point(values);
      if (all_digit_values(values)) [[likely]] {
        return base::Decimal{value_of_digit_values(values), exponent};
      }
    }
  }
  DecimalRead read = read_decimal(text);
  if (!read.good) [[unlikely]] {
    return std::unexpected(read.error);
  }
  return base::Decimal{read.mantissa, read.exponent};
}

/// A parsed UTCTimestamp, also in two registers.
struct UtcTimeRead {
  std::int64_t ns;
  std::uint16_t picoseconds;
  FieldError error;
  bool good;
};

[[nodiscard]] UtcTimeRead read_utc_time(std::string_view text) noexcept;

/// At most eight digits, at most seven of them after the point: one word.
[[nodiscard]] constexpr bool short_decimal(base::Decimal value) noexcept {
  return value.mantissa > -100'000'000 && value.mantissa < 100'000'000 && value.exponent <= 0 &&
         value.exponent >= -7;
}

/// format_decimal for a short_decimal. `out` needs 24 bytes.
[[gnu::always_inline]] inline Rendered render_short_decimal(base::Decimal value,
                                                            char* out) noexcept {
  const bool negative = value.mantissa < 0;
  *out = '-';
  char* const to = out + negative;
  const std::uint32_t sign_sum = negative ? '-' : 0;
  const auto magnitude = static_cast<std::uint32_t>(negative ? -value.mantissa : value.mantissa);
  if (value.exponent == 0) {
    Rendered digits = render_digits(magnitude, to);
    return {digits.size + negative, digits.sum + sign_sum};
  }
  const auto scale = static_cast<std::uint32_t>(-value.exponent);
  const std::uint64_t digits = digits_of_value(magnitude);
  // At least one digit precedes the point: bit 8 * (7 - scale) marks it.
  const auto zeros =
      static_cast<std::uint32_t>(std::countr_zero(digits | std::uint64_t{1} << (8 * (7 - scale)))) /
      8;
  const std::uint64_t characters = (digits | eight_zero_characters) >> (8 * zeros);
  const std::uint32_t before_point = 8 - zeros - scale;
  store_word(to, characters);
  to[before_point] = '.';
  store_word(to + before_point + 1, characters >> (8 * before_point));
  return {std::size_t{negative} + 9 - zeros,
          sum_of_digits(digits) + '0' * (8 - zeros) + '.' + sign_sum};
}

/// format_integer with the sum of the bytes.
template <FieldInteger T>
[[gnu::always_inline]] inline Rendered render_integer(T value, char* out) noexcept {
  if constexpr (std::is_signed_v<T>) {
    if (value < 0) {
      *out = '-';
      // Negated as unsigned: the minimum has no positive counterpart.
      Rendered digits =
          render_digits(std::uint64_t{0} - static_cast<std::uint64_t>(value), out + 1);
      return {digits.size + 1, digits.sum + '-'};
    }
  }
  return render_digits(static_cast<std::uint64_t>(value), out);
}

}  // namespace detail

template <FieldInteger T>
Result<T> parse_integer(std::string_view text) noexcept {
  return detail::parse_integer_by<T, detail::digit_values>(text);
}

inline Result<base::Decimal> parse_decimal(std::string_view text) noexcept {
  return detail::parse_decimal_by<detail::digit_values>(text);
}

inline Result<base::UtcTime> parse_utc_time(std::string_view text) noexcept {
  detail::UtcTimeRead read = detail::read_utc_time(text);
  if (!read.good) [[unlikely]] {
    return std::unexpected(read.error);
  }
  return base::UtcTime{read.ns, read.picoseconds};
}

template <FieldInteger T>
std::size_t format_integer(T value, char* out) noexcept {
  return detail::render_integer(value, out).size;
}

}  // namespace affix::inline v0::wire
