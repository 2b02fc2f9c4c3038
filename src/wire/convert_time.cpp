// SPDX-License-Identifier: MIT
// Dates and times to and from text. Eight characters are read, checked and converted as one word.
#include "affix/wire/convert.hpp"

#include "wire/time_text.hpp"

#include <array>

namespace affix::inline v0::wire {

namespace {

using detail::load_word;

/// YYYYMMDD, eight characters. Nothing when it is not a day that exists.
[[nodiscard]] bool read_date(const char* text, base::CivilDate& date) noexcept {
  const std::uint64_t word = load_word(text);
  if (!detail::all_digits(word)) [[unlikely]] {
    return false;
  }
  const std::uint32_t number = detail::value_of_digits(word);
  const std::uint32_t year = number / 10'000;
  const std::uint32_t month_day = number % 10'000;
  const std::uint32_t month = month_day / 100;
  const std::uint32_t day = month_day % 100;
  if (month - 1 > 11 || day - 1 > 30) [[unlikely]] {
    return false;
  }
  date = {static_cast<std::int32_t>(year), static_cast<std::uint8_t>(month),
          static_cast<std::uint8_t>(day)};
  return day <= 28 || day <= base::days_in_month(date.year, date.month);
}

/// HH:MM:SS, eight characters, in stream order. False when it is not a time of day; second 60 is.
[[nodiscard]] bool read_clock(std::uint64_t word, std::uint32_t& second_of_day) noexcept {
  constexpr std::uint64_t colon_places = 0x0000'FF00'00FF'0000;
  constexpr std::uint64_t colons = 0x0000'3A00'003A'0000;
  constexpr std::uint64_t zeros = 0x0000'3000'0030'0000;
  const std::uint64_t digits = (word & ~colon_places) | zeros;
  if ((word & colon_places) != colons || !detail::all_digits(digits)) [[unlikely]] {
    return false;
  }
  // Byte n becomes ten times digit n plus digit n + 1; at most 99, so nothing is carried into its
  // neighbour.
  const std::uint64_t values = digits & 0x0F0F'0F0F'0F0F'0F0F;
  const std::uint64_t pairs = values * 10 + (values >> 8);
  const auto hour = static_cast<std::uint32_t>(pairs & 0xFF);
  const auto minute = static_cast<std::uint32_t>(pairs >> 24 & 0xFF);
  const auto second = static_cast<std::uint32_t>(pairs >> 48 & 0xFF);
  second_of_day = hour * 3'600 + minute * 60 + second;
  return hour < 24 && minute < 60 && second <= 60;
}

struct Fraction {
  std::uint32_t ns = 0;
  std::uint16_t picoseconds = 0;
};

constexpr std::array<std::uint32_t, 10> powers_of_ten{
    1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};

/// The `size` (1 to 8) characters before `end`, right-aligned. At least eight bytes lie before
/// `end`.
[[nodiscard]] std::uint64_t last_characters(const char* end, std::size_t size) noexcept {
  const std::uint64_t word = load_word(end - 8);
  return detail::right_aligned(word >> (64 - 8 * size), size);
}

/// The digits behind a point, `size` of them. The text before them is at least eight bytes long.
[[nodiscard]] std::expected<Fraction, FieldError> read_fraction(const char* digits,
                                                                std::size_t size) noexcept {
  if (size - 1 < 8) [[likely]] {
    const std::uint64_t word = last_characters(digits + size, size);
    if (!detail::all_digits(word)) [[unlikely]] {
      return std::unexpected(FieldError::Format);
    }
    return Fraction{detail::value_of_digits(word) * powers_of_ten[9 - size], 0};
  }
  if (size == 0) {
    return std::unexpected(FieldError::Format);
  }
  const std::uint64_t high = load_word(digits);
  if (size <= 12) [[likely]] {
    const std::uint64_t low = last_characters(digits + size, size - 8);
    if (!detail::all_digits(high) || !detail::all_digits(low)) [[unlikely]] {
      return std::unexpected(FieldError::Format);
    }
    // Digits 9 to 12 as four: the ninth is the last of the nanoseconds.
    const std::uint32_t tail = detail::value_of_digits(low) * powers_of_ten[12 - size];
    return Fraction{detail::value_of_digits(high) * 10 + tail / 1'000,
                    static_cast<std::uint16_t>(tail % 1'000)};
  }
  for (std::size_t at = 0; at < size; ++at) {
    if (digits[at] < '0' || digits[at] > '9') {
      return std::unexpected(FieldError::Format);
    }
  }
  return std::unexpected(FieldError::Range);
}

/// Seconds since the epoch and a fraction as UtcTime; Range where 64-bit nanoseconds end.
[[nodiscard]] std::expected<base::UtcTime, FieldError> joined(std::int64_t seconds,
                                                              Fraction fraction) noexcept {
  // Before 1970 the whole seconds alone may lie below the least value although the sum does not.
  __extension__ using Wide = __int128;
  const Wide ns = Wide{seconds} * base::ns_per_second + fraction.ns;
  const auto narrow = static_cast<std::int64_t>(ns);
  if (narrow != ns) [[unlikely]] {
    return std::unexpected(FieldError::Range);
  }
  return base::UtcTime{narrow, fraction.picoseconds};
}

/// What stands behind HH:MM in a zoned time.
struct ZonedTail {
  std::uint32_t second = 0;
  Fraction fraction;
  std::int16_t offset_minutes = 0;
  ZoneForm zone = ZoneForm::None;
};

[[nodiscard]] bool two_digits(std::string_view text, std::size_t at,
                              std::uint32_t& value) noexcept {
  if (text.size() < at + 2 || text[at] < '0' || text[at] > '9' || text[at + 1] < '0' ||
      text[at + 1] > '9') {
    return false;
  }
  value = static_cast<std::uint32_t>(text[at] - '0') * 10 +
          static_cast<std::uint32_t>(text[at + 1] - '0');
  return true;
}

[[nodiscard]] bool read_zone(std::string_view text, ZonedTail& tail) noexcept {
  if (text.empty()) {
    return true;
  }
  if (text == "Z") {
    tail.zone = ZoneForm::Utc;
    return true;
  }
  std::uint32_t hours = 0;
  std::uint32_t minutes = 0;
  const bool shape =
      (text[0] == '+' || text[0] == '-') && two_digits(text, 1, hours) &&
      (text.size() == 3 || (text.size() == 6 && text[3] == ':' && two_digits(text, 4, minutes)));
  if (!shape || minutes > 59 || hours * 60 + minutes > 14 * 60) {
    return false;
  }
  const auto offset = static_cast<std::int16_t>(hours * 60 + minutes);
  tail.offset_minutes = text[0] == '-' ? static_cast<std::int16_t>(-offset) : offset;
  tail.zone = ZoneForm::Offset;
  return true;
}

/// `[:SS[.s+]][zone]` from `at` on; `text` has at least eight bytes before any fraction.
[[nodiscard]] std::expected<ZonedTail, FieldError> read_zoned_tail(std::string_view text,
                                                                   std::size_t at) noexcept {
  ZonedTail tail;
  if (at < text.size() && text[at] == ':') {
    if (!two_digits(text, at + 1, tail.second) || tail.second > 60) {
      return std::unexpected(FieldError::Format);
    }
    at += 3;
    if (at < text.size() && text[at] == '.') {
      const std::size_t begin = ++at;
      while (at < text.size() && text[at] >= '0' && text[at] <= '9') {
        ++at;
      }
      const std::expected<Fraction, FieldError> fraction =
          read_fraction(text.data() + begin, at - begin);
      if (!fraction) {
        return std::unexpected(fraction.error());
      }
      tail.fraction = *fraction;
    }
  }
  if (!read_zone(text.substr(at), tail)) {
    return std::unexpected(FieldError::Format);
  }
  return tail;
}

/// HH:MM at `at`, as minutes of the day.
[[nodiscard]] bool read_minute(std::string_view text, std::size_t at,
                               std::uint32_t& minute_of_day) noexcept {
  std::uint32_t hour = 0;
  std::uint32_t minute = 0;
  if (!two_digits(text, at, hour) || text.size() < at + 5 || text[at + 2] != ':' ||
      !two_digits(text, at + 3, minute)) {
    return false;
  }
  minute_of_day = hour * 60 + minute;
  return hour < 24 && minute < 60;
}

/// `+hh:mm`, `Z` or nothing; the zone form is valid.
std::size_t write_zone(ZoneForm zone, std::int16_t offset_minutes, char* out) noexcept {
  if (zone == ZoneForm::None) {
    return 0;
  }
  if (zone == ZoneForm::Utc) {
    *out = 'Z';
    return 1;
  }
  const auto magnitude =
      static_cast<std::uint32_t>(offset_minutes < 0 ? -offset_minutes : offset_minutes);
  // The same layout as HH:MM of a clock.
  char clock[8];
  detail::store_word(clock, detail::clock_word(magnitude * 60));
  out[0] = offset_minutes < 0 ? '-' : '+';
  __builtin_memcpy(out + 1, clock, 5);
  return 6;
}

[[nodiscard]] bool valid_zone(ZoneForm zone, std::int16_t offset_minutes) noexcept {
  return offset_minutes >= -14 * 60 && offset_minutes <= 14 * 60 &&
         (zone == ZoneForm::Offset || offset_minutes == 0);
}

[[nodiscard]] bool exists(base::CivilDate date) noexcept {
  return date.year >= 0 && date.year <= 9'999 && date.month >= 1 && date.month <= 12 &&
         date.day >= 1 && date.day <= base::days_in_month(date.year, date.month);
}

}  // namespace

std::expected<base::UtcTime, FieldError> parse_utc_time(std::string_view text) noexcept {
  if (text.size() < detail::second_text_size) [[unlikely]] {
    return std::unexpected(text.empty() ? FieldError::Empty : FieldError::Format);
  }
  base::CivilDate date;
  std::uint32_t second_of_day = 0;
  if (!read_date(text.data(), date) || text[8] != '-' ||
      !read_clock(load_word(text.data() + 9), second_of_day)) [[unlikely]] {
    return std::unexpected(FieldError::Format);
  }
  Fraction fraction;
  if (text.size() > detail::second_text_size) {
    constexpr std::size_t point = detail::second_text_size;
    if (text[point] != '.') [[unlikely]] {
      return std::unexpected(FieldError::Format);
    }
    const std::expected<Fraction, FieldError> read =
        read_fraction(text.data() + point + 1, text.size() - point - 1);
    if (!read) [[unlikely]] {
      return std::unexpected(read.error());
    }
    fraction = *read;
  }
  return joined(base::days_from_civil(date) * 86'400 + second_of_day, fraction);
}

std::expected<base::CivilDate, FieldError> parse_date(std::string_view text) noexcept {
  base::CivilDate date;
  if (text.size() != 8 || !read_date(text.data(), date)) [[unlikely]] {
    return std::unexpected(text.empty() ? FieldError::Empty : FieldError::Format);
  }
  return date;
}

std::expected<TimeOfDay, FieldError> parse_time_of_day(std::string_view text) noexcept {
  std::uint32_t second_of_day = 0;
  if (text.size() < 8 || !read_clock(load_word(text.data()), second_of_day) ||
      (text.size() > 8 && text[8] != '.')) [[unlikely]] {
    return std::unexpected(text.empty() ? FieldError::Empty : FieldError::Format);
  }
  Fraction fraction;
  if (text.size() > 8) {
    const std::expected<Fraction, FieldError> read =
        read_fraction(text.data() + 9, text.size() - 9);
    if (!read) {
      return std::unexpected(read.error());
    }
    fraction = *read;
  }
  return TimeOfDay{second_of_day * base::ns_per_second + fraction.ns, fraction.picoseconds};
}

std::expected<ZonedTime, FieldError> parse_zoned_time(std::string_view text) noexcept {
  base::CivilDate date;
  std::uint32_t minute_of_day = 0;
  if (text.size() < 14 || !read_date(text.data(), date) || text[8] != '-' ||
      !read_minute(text, 9, minute_of_day)) {
    return std::unexpected(text.empty() ? FieldError::Empty : FieldError::Format);
  }
  const std::expected<ZonedTail, FieldError> tail = read_zoned_tail(text, 14);
  if (!tail) {
    return std::unexpected(tail.error());
  }
  const std::int64_t local =
      base::days_from_civil(date) * 86'400 + minute_of_day * 60 + tail->second;
  const std::expected<base::UtcTime, FieldError> utc =
      joined(local - tail->offset_minutes * 60, tail->fraction);
  if (!utc) {
    return std::unexpected(utc.error());
  }
  return ZonedTime{*utc, tail->offset_minutes, tail->zone};
}

std::expected<ZonedTimeOfDay, FieldError> parse_zoned_time_of_day(std::string_view text) noexcept {
  std::uint32_t minute_of_day = 0;
  if (!read_minute(text, 0, minute_of_day)) {
    return std::unexpected(text.empty() ? FieldError::Empty : FieldError::Format);
  }
  const std::expected<ZonedTail, FieldError> tail = read_zoned_tail(text, 5);
  if (!tail) {
    return std::unexpected(tail.error());
  }
  const std::int64_t seconds = std::int64_t{minute_of_day} * 60 + tail->second;
  return ZonedTimeOfDay{
      TimeOfDay{seconds * base::ns_per_second + tail->fraction.ns, tail->fraction.picoseconds},
      tail->offset_minutes, tail->zone};
}

std::expected<MonthYear, FieldError> parse_month_year(std::string_view text) noexcept {
  if (text.size() == 8 && text[6] != 'w') {
    base::CivilDate date;
    if (!read_date(text.data(), date)) {
      return std::unexpected(FieldError::Format);
    }
    return MonthYear{static_cast<std::uint16_t>(date.year), date.month, date.day, 0};
  }
  std::uint32_t century = 0;
  std::uint32_t year = 0;
  std::uint32_t month = 0;
  const bool week = text.size() == 8 && text[7] >= '1' && text[7] <= '5';
  if ((text.size() != 6 && !week) || !two_digits(text, 0, century) || !two_digits(text, 2, year) ||
      !two_digits(text, 4, month) || month < 1 || month > 12) {
    return std::unexpected(text.empty() ? FieldError::Empty : FieldError::Format);
  }
  return MonthYear{static_cast<std::uint16_t>(century * 100 + year),
                   static_cast<std::uint8_t>(month), 0,
                   static_cast<std::uint8_t>(week ? text[7] - '0' : 0)};
}

std::size_t format_utc_time(base::UtcTime value, TimePrecision precision, char* out) noexcept {
  if (value.picoseconds > 999) {
    return 0;
  }
  const detail::SplitTime split = detail::split(value.ns);
  detail::store_second(split.seconds, out);
  detail::store_fraction(detail::fraction_digits(split.ns, value.picoseconds),
                         out + detail::second_text_size);
  return detail::second_text_size + detail::fraction_size(precision);
}

std::size_t format_date(base::CivilDate value, char* out) noexcept {
  if (!exists(value)) {
    return 0;
  }
  detail::store_word(out, detail::date_word(value));
  return 8;
}

std::size_t format_time_of_day(TimeOfDay value, TimePrecision precision, char* out) noexcept {
  if (value.ns < 0 || value.ns >= 86'401 * base::ns_per_second || value.picoseconds > 999) {
    return 0;
  }
  const detail::SplitTime split = detail::split(value.ns);
  detail::store_word(out, detail::clock_word(static_cast<std::uint32_t>(split.seconds)));
  detail::store_fraction(detail::fraction_digits(split.ns, value.picoseconds), out + 8);
  return 8 + detail::fraction_size(precision);
}

std::size_t format_zoned_time(const ZonedTime& value, TimePrecision precision, char* out) noexcept {
  if (!valid_zone(value.zone, value.offset_minutes) || value.utc.picoseconds > 999) {
    return 0;
  }
  const detail::SplitTime split = detail::split(value.utc.ns);
  detail::store_second(split.seconds + value.offset_minutes * 60, out);
  detail::store_fraction(detail::fraction_digits(split.ns, value.utc.picoseconds),
                         out + detail::second_text_size);
  const std::size_t size = detail::second_text_size + detail::fraction_size(precision);
  return size + write_zone(value.zone, value.offset_minutes, out + size);
}

std::size_t format_zoned_time_of_day(const ZonedTimeOfDay& value, TimePrecision precision,
                                     char* out) noexcept {
  if (!valid_zone(value.zone, value.offset_minutes)) {
    return 0;
  }
  const std::size_t size = format_time_of_day(value.local, precision, out);
  return size == 0 ? 0 : size + write_zone(value.zone, value.offset_minutes, out + size);
}

std::size_t format_month_year(MonthYear value, char* out) noexcept {
  const base::CivilDate date{value.year, value.month, value.day == 0 ? std::uint8_t{1} : value.day};
  if (!exists(date) || value.week > 5 || (value.week != 0 && value.day != 0)) {
    return 0;
  }
  detail::store_word(out, detail::date_word(date));
  if (value.week != 0) {
    out[6] = 'w';
    out[7] = static_cast<char>('0' + value.week);
    return 8;
  }
  return value.day == 0 ? 6 : 8;
}

}  // namespace affix::inline v0::wire
