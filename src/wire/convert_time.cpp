// SPDX-License-Identifier: MIT
// Dates and times to and from text. Eight characters are read, checked and converted as one word.
#include "affix/wire/convert.hpp"

#include "wire/time_text.hpp"

#include <array>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace affix::inline v0::wire {

namespace {

using detail::load_word;

struct DateParts {
  std::uint32_t year;
  std::uint32_t month;
  std::uint32_t day;
};

struct ClockParts {
  std::uint32_t hour;
  std::uint32_t minute;
  std::uint32_t second;
};

/// Days of each month, in February those of a leap year; 0 where two characters are no month.
constexpr std::array<std::uint8_t, 100> longest_month{0,  31, 29, 31, 30, 31, 30,
                                                      31, 31, 30, 31, 30, 31};

/// Days from the first of March to the first of each month.
constexpr std::array<std::uint16_t, 13> days_from_march{0,   306, 337, 0,   31,  61, 92,
                                                        122, 153, 184, 214, 245, 275};

/// YYYYMMDD in stream order. Neighbouring digits become four pairs of 16 bits each, so no division
/// is needed.
[[nodiscard]] constexpr DateParts date_parts(std::uint64_t word) noexcept {
  const std::uint64_t pairs = (word & 0x0F0F'0F0F'0F0F'0F0F) * (10 * 256 + 1) >> 8;
  const auto pair = [pairs](unsigned place) {
    return static_cast<std::uint32_t>(pairs >> (16 * place) & 0xFF);
  };
  return {pair(0) * 100 + pair(1), pair(2), pair(3)};
}

/// HH:MM:SS in stream order. Byte n becomes ten times digit n plus digit n + 1; with the colons'
/// low halves that is at most 109, so nothing is carried into a neighbour.
[[nodiscard]] constexpr ClockParts clock_parts(std::uint64_t word) noexcept {
  const std::uint64_t values = word & 0x0F0F'0F0F'0F0F'0F0F;
  const std::uint64_t pairs = values * 10 + (values >> 8);
  const auto pair = [pairs](unsigned place) {
    return static_cast<std::uint32_t>(pairs >> (8 * place) & 0xFF);
  };
  return {pair(0), pair(3), pair(6)};
}

[[nodiscard]] constexpr bool is_leap(DateParts parts) noexcept {
  return base::is_leap_year(static_cast<std::int32_t>(parts.year));
}

/// Days since 1970-01-01 of an existing day, in a year that begins in March (see
/// base::days_from_civil).
[[nodiscard]] constexpr std::int64_t days_of(DateParts parts) noexcept {
  // Adds four centuries so that January of year 0 is not negative, and subtracts them as days.
  const std::uint32_t year = parts.year + 400 - (parts.month <= 2 ? 1 : 0);
  const std::uint32_t century = year / 100;
  const std::uint32_t days =
      year * 365 + year / 4 - century + century / 4 + days_from_march[parts.month] + parts.day;
  return std::int64_t{days} - (146'097 + 719'469);
}

static_assert(days_of({1970, 1, 1}) == 0 && days_of({0, 1, 1}) == base::days_from_civil({0, 1, 1}));
static_assert(days_of({2000, 2, 29}) == base::days_from_civil({2000, 2, 29}));

/// YYYYMMDD, eight characters. False when there is no such day.
[[nodiscard]] bool read_date(const char* text, DateParts& date) noexcept {
  const std::uint64_t word = load_word(text);
  if (!all_digits(word)) {
    return false;
  }
  date = date_parts(word);
  return date.day - 1 < longest_month[date.month] &&
         (date.month != 2 || date.day != 29 || is_leap(date));
}

[[nodiscard]] constexpr base::CivilDate civil_date(DateParts parts) noexcept {
  return {static_cast<std::int32_t>(parts.year), static_cast<std::uint8_t>(parts.month),
          static_cast<std::uint8_t>(parts.day)};
}

/// HH:MM:SS, eight characters. False when it is no time of day; second 60 is valid.
[[nodiscard]] bool read_clock(const char* text, std::uint32_t& second_of_day) noexcept {
  constexpr std::uint64_t colon_places = 0x0000'FF00'00FF'0000;
  constexpr std::uint64_t colons = 0x0000'3A00'003A'0000;
  constexpr std::uint64_t zeros = 0x0000'3000'0030'0000;
  const std::uint64_t word = load_word(text);
  if ((word & colon_places) != colons || !all_digits((word & ~colon_places) | zeros)) {
    return false;
  }
  ClockParts clock = clock_parts(word);
  second_of_day = clock.hour * 3'600 + clock.minute * 60 + clock.second;
  return clock.hour < 24 && clock.minute < 60 && clock.second <= 60;
}

constexpr std::size_t utc_time_size_max = 30;

/// Minimum of each character of a UTCTimestamp and the allowed excess; 0 for a
/// separator. Tens that must be small are limited here, so that fewer comparisons
/// remain.
struct Pattern {
  alignas(16) std::array<char, 32> least{};
  alignas(16) std::array<std::uint8_t, 32> span{};
};

constexpr Pattern utc_time_pattern = [] {
  constexpr std::string_view greatest = "99991939-29:59:69.999999999999";
  static_assert(greatest.size() == utc_time_size_max);
  Pattern pattern;
  for (std::size_t at = 0; at < greatest.size(); ++at) {
    const bool digit = greatest[at] >= '0' && greatest[at] <= '9';
    pattern.least[at] = digit ? '0' : greatest[at];
    pattern.span[at] = digit ? static_cast<std::uint8_t>(greatest[at] - '0') : std::uint8_t{0};
  }
  return pattern;
}();

using Characters = std::uint8_t __attribute__((vector_size(16)));

/// Excess of each of sixteen characters over the maximum of a UTCTimestamp from place `at` on; a
/// character below the minimum is, unsigned, far above it.
[[nodiscard]] inline Characters excess(const char* text, std::size_t at) noexcept {
  const auto characters = detail::load<Characters>(text);
  const auto least = detail::load<Characters>(utc_time_pattern.least.data() + at);
  Characters span;
  __builtin_memcpy(&span, utc_time_pattern.span.data() + at, sizeof(span));
  const Characters above = characters - least;
#if defined(__SSE2__)
  return reinterpret_cast<Characters>(
      _mm_subs_epu8(reinterpret_cast<__m128i>(above), reinterpret_cast<__m128i>(span)));
#else
  return above > span ? above : Characters{};
#endif
}

[[nodiscard]] inline bool any(Characters characters) noexcept {
#if defined(__SSE2__)
  const __m128i zero = _mm_cmpeq_epi8(reinterpret_cast<__m128i>(characters), _mm_setzero_si128());
  return _mm_movemask_epi8(zero) != 0xFFFF;
#else
  std::uint64_t words[2];
  __builtin_memcpy(words, &characters, sizeof(words));
  return (words[0] | words[1]) != 0;
#endif
}

/// Digits after a point.
struct Fraction {
  std::uint32_t ns = 0;
  std::uint32_t picoseconds = 0;
};

constexpr std::array<std::uint32_t, 10> powers_of_ten{
    1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};

/// The number in the `size` (1 to 8) digits before `end`. At least eight bytes lie before `end`.
[[nodiscard]] std::uint32_t last_digits(const char* end, std::size_t size) noexcept {
  return detail::value_of_digits(load_word(end - 8) >> (64 - 8 * size) << (64 - 8 * size));
}

/// The fraction whose 1 to 12 digits end at `end`; eight bytes and more lie before them.
[[nodiscard]] inline Fraction fraction_value(const char* end, std::size_t size) noexcept {
  if (size <= 8) {
    return {last_digits(end, size) * powers_of_ten[9 - size], 0};
  }
  const std::uint32_t high = detail::value_of_digits(load_word(end - size));
  if (size == 9) [[likely]] {
    return {high * 10 + static_cast<std::uint32_t>(end[-1] - '0'), 0};
  }
  // Digits 9 to 12 as four: the ninth is the last of the nanoseconds.
  const std::uint32_t tail = last_digits(end, size - 8) * powers_of_ten[12 - size];
  return {high * 10 + tail / 1'000, tail % 1'000};
}

[[nodiscard]] bool digits_only(std::string_view text) noexcept {
  for (const char character : text) {
    if (character < '0' || character > '9') {
      return false;
    }
  }
  return true;
}

/// The digits after a point. The text before them is at least eight bytes long.
[[nodiscard]] Result<Fraction> read_fraction(std::string_view digits) noexcept {
  if (digits.empty() || !digits_only(digits)) {
    return std::unexpected(FieldError::Format);
  }
  if (digits.size() > 12) {
    return std::unexpected(FieldError::Range);
  }
  return fraction_value(digits.data() + digits.size(), digits.size());
}

/// Error for a UTCTimestamp of a size that none of ours has: one with finer digits than picoseconds
/// is a valid time.
[[nodiscard]] [[gnu::noinline]] FieldError error_of_size(std::string_view text) noexcept {
  if (text.empty()) {
    return FieldError::Empty;
  }
  if (text.size() <= utc_time_size_max || !digits_only(text.substr(utc_time_size_max))) {
    return FieldError::Format;
  }
  const auto shortened = parse_utc_time(text.substr(0, utc_time_size_max));
  return shortened || shortened.error() == FieldError::Range ? FieldError::Range
                                                             : FieldError::Format;
}

[[nodiscard]] detail::UtcTimeRead refused(FieldError error) noexcept {
  return {.ns = 0, .picoseconds = 0, .error = error, .good = false};
}

[[nodiscard]] detail::UtcTimeRead read_as(std::int64_t ns, std::uint32_t picoseconds) noexcept {
  return {.ns = ns,
          .picoseconds = static_cast<std::uint16_t>(picoseconds),
          .error = FieldError::Missing,
          .good = true};
}

/// Joins seconds since the epoch and a fraction; Range beyond 64-bit nanoseconds.
[[nodiscard]] detail::UtcTimeRead joined(std::int64_t seconds, Fraction fraction) noexcept {
  // Before 1970 the whole seconds alone may be below the least value although the sum is not.
  __extension__ using Wide = __int128;
  const Wide ns = Wide{seconds} * base::ns_per_second + fraction.ns;
  const auto narrow = static_cast<std::int64_t>(ns);
  return narrow == ns ? read_as(narrow, fraction.picoseconds) : refused(FieldError::Range);
}

/// Seconds on either side of 1970 whose nanoseconds fit 64 bits with any addition below a minute:
/// 285 years.
constexpr std::int64_t always_in_range = 9'000'000'000;

/// Text after HH:MM in a zoned time.
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
[[nodiscard]] Result<ZonedTail> read_zoned_tail(std::string_view text, std::size_t at) noexcept {
  ZonedTail tail;
  bool too_fine = false;
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
      Result<Fraction> fraction = read_fraction(text.substr(begin, at - begin));
      too_fine = !fraction && fraction.error() == FieldError::Range;
      if (!fraction && !too_fine) {
        return std::unexpected(fraction.error());
      }
      tail.fraction = fraction.value_or(Fraction{});
    }
  }
  if (!read_zone(text.substr(at), tail)) {
    return std::unexpected(FieldError::Format);
  }
  if (too_fine) {
    return std::unexpected(FieldError::Range);  // In all other respects it is a time.
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
  // The same layout as the HH:MM of a time.
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

/// The characters `YYYYMMDD-HH:MM:` of a time stamp, as two words that share a character, and their
/// value. Consecutive stamps are mostly of one minute.
struct KnownMinute {
  // No text has these words: they differ in the shared character.
  std::uint64_t first = 0;
  std::uint64_t last = 1;
  std::int64_t seconds = 0;  ///< Since the epoch; in nanoseconds it is in range, and a minute more.

  [[nodiscard]] bool begins(const char* text) const noexcept {
    return load_word(text) == first && load_word(text + 7) == last;
  }
};

/// Accessed without a call even in a shared library.
[[gnu::tls_model("initial-exec")]] constinit thread_local KnownMinute known_minute;

/// Checks every character. All refusals are decided here.
[[nodiscard]] [[gnu::noinline]] detail::UtcTimeRead read_whole_utc_time(
    std::string_view text) noexcept {
  constexpr std::size_t point = detail::second_text_size;
  const std::size_t size = text.size();
  if (size < point || size > utc_time_size_max || size == point + 1) [[unlikely]] {
    return refused(error_of_size(text));
  }
  const char* const end = text.data() + size;
  // Sixteen characters from both ends cover every size.
  if (any(excess(text.data(), 0) | excess(end - 16, size - 16))) [[unlikely]] {
    return refused(FieldError::Format);
  }
  DateParts date = date_parts(load_word(text.data()));
  ClockParts clock = clock_parts(load_word(text.data() + 9));
  if ((date.day - 1 >= longest_month[date.month]) | (clock.hour > 23) | (clock.second > 60))
      [[unlikely]] {
    return refused(FieldError::Format);
  }
  if (date.month == 2 && date.day == 29 && !is_leap(date)) [[unlikely]] {
    return refused(FieldError::Format);
  }
  Fraction fraction;
  if (size > point) [[likely]] {
    fraction = fraction_value(end, size - point - 1);
  }
  const std::int64_t minute = days_of(date) * 86'400 + clock.hour * 3'600 + clock.minute * 60;
  if (minute > -always_in_range && minute < always_in_range) [[likely]] {
    known_minute = {load_word(text.data()), load_word(text.data() + 7), minute};
  }
  return joined(minute + clock.second, fraction);
}

}  // namespace

namespace {

/// `SS.mmm`, the last six of at least eight characters, which follow a known minute; all other
/// texts go to read_whole_utc_time. Most stamps have milliseconds.
[[nodiscard]] inline detail::UtcTimeRead read_seconds_and_millis(std::string_view text) noexcept {
  // Characters become values: 0 to 9 for digits, 0 for the point.
  constexpr std::uint64_t zeros = 0x3030'302E'3030;
  constexpr std::uint64_t over_nine = 0x7676'767F'7676;  // For the point: over 0.
  constexpr std::uint64_t top_bits = 0x8080'8080'8080;
  const std::uint64_t values = load_word(text.data() + text.size() - 8) >> 16 ^ zeros;
  // Byte n: ten times digit n plus digit n + 1.
  const std::uint64_t pairs = values * 10 + (values >> 8);
  const std::uint64_t second = pairs & 0xFF;
  if ((((values + over_nine) | values) & top_bits) != 0 || second > 60) [[unlikely]] {
    return read_whole_utc_time(text);
  }
  const std::uint64_t millis = (pairs >> 24 & 0xFF) * 10 + (values >> 40);
  return read_as((known_minute.seconds + static_cast<std::int64_t>(second)) * base::ns_per_second +
                     static_cast<std::int64_t>(millis) * base::ns_per_ms,
                 0);
}

}  // namespace

namespace detail {

UtcTimeRead read_utc_time(std::string_view text) noexcept {
  constexpr std::size_t point = second_text_size;
  const std::size_t size = text.size();
  const char* const begin = text.data();
  // Whole seconds or 1 to 9 digits more; the other function handles the rest, and all faults.
  if ((size - point > 10) | (size == point + 1) || !known_minute.begins(begin)) [[unlikely]] {
    return read_whole_utc_time(text);
  }
  if (size == point + 4) [[likely]] {
    return read_seconds_and_millis(text);
  }
  const auto digit = [begin](std::size_t at) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(begin[at])) - '0';
  };
  const std::uint32_t second = digit(point - 2) * 10 + digit(point - 1);
  if ((digit(point - 1) > 9) | (second > 60)) [[unlikely]] {
    return read_whole_utc_time(text);
  }
  const std::int64_t seconds = known_minute.seconds + second;
  if (size == point) [[unlikely]] {
    return read_as(seconds * base::ns_per_second, 0);
  }
  const std::size_t digits = size - point - 1;
  const std::size_t in_word = digits < 8 ? digits : 8;
  const std::uint64_t values = preceded_digit_values(begin + point + 1, in_word);
  if ((begin[point] != '.') | !all_digit_values(values)) [[unlikely]] {
    return read_whole_utc_time(text);
  }
  std::int64_t ns = std::int64_t{value_of_digit_values(values)} * powers_of_ten[9 - in_word];
  if (digits == 9) {
    if (digit(point + 9) > 9) [[unlikely]] {
      return read_whole_utc_time(text);
    }
    ns += digit(point + 9);
  }
  return read_as(seconds * base::ns_per_second + ns, 0);
}

}  // namespace detail

Result<base::CivilDate> parse_date(std::string_view text) noexcept {
  DateParts date;
  if (text.size() != 8 || !read_date(text.data(), date)) [[unlikely]] {
    return std::unexpected(text.empty() ? FieldError::Empty : FieldError::Format);
  }
  return civil_date(date);
}

Result<TimeOfDay> parse_time_of_day(std::string_view text) noexcept {
  std::uint32_t second_of_day = 0;
  if (text.size() < 8 || !read_clock(text.data(), second_of_day) ||
      (text.size() > 8 && text[8] != '.')) {
    return std::unexpected(text.empty() ? FieldError::Empty : FieldError::Format);
  }
  Fraction fraction;
  if (text.size() > 8) {
    Result<Fraction> read = read_fraction(text.substr(9));
    if (!read) {
      return std::unexpected(read.error());
    }
    fraction = *read;
  }
  return TimeOfDay{second_of_day * base::ns_per_second + fraction.ns,
                   static_cast<std::uint16_t>(fraction.picoseconds)};
}

Result<ZonedTime> parse_zoned_time(std::string_view text) noexcept {
  DateParts date;
  std::uint32_t minute_of_day = 0;
  if (text.size() < 14 || !read_date(text.data(), date) || text[8] != '-' ||
      !read_minute(text, 9, minute_of_day)) {
    return std::unexpected(text.empty() ? FieldError::Empty : FieldError::Format);
  }
  Result<ZonedTail> tail = read_zoned_tail(text, 14);
  if (!tail) {
    return std::unexpected(tail.error());
  }
  const std::int64_t local = days_of(date) * 86'400 + minute_of_day * 60 + tail->second;
  detail::UtcTimeRead utc = joined(local - tail->offset_minutes * 60, tail->fraction);
  if (!utc.good) {
    return std::unexpected(utc.error);
  }
  return ZonedTime{{utc.ns, utc.picoseconds}, tail->offset_minutes, tail->zone};
}

Result<ZonedTimeOfDay> parse_zoned_time_of_day(std::string_view text) noexcept {
  std::uint32_t minute_of_day = 0;
  if (!read_minute(text, 0, minute_of_day)) {
    return std::unexpected(text.empty() ? FieldError::Empty : FieldError::Format);
  }
  Result<ZonedTail> tail = read_zoned_tail(text, 5);
  if (!tail) {
    return std::unexpected(tail.error());
  }
  const std::int64_t seconds = std::int64_t{minute_of_day} * 60 + tail->second;
  return ZonedTimeOfDay{TimeOfDay{seconds * base::ns_per_second + tail->fraction.ns,
                                  static_cast<std::uint16_t>(tail->fraction.picoseconds)},
                        tail->offset_minutes, tail->zone};
}

Result<MonthYear> parse_month_year(std::string_view text) noexcept {
  if (text.size() == 8 && text[6] != 'w') {
    DateParts date;
    if (!read_date(text.data(), date)) {
      return std::unexpected(FieldError::Format);
    }
    return MonthYear{static_cast<std::uint16_t>(date.year), static_cast<std::uint8_t>(date.month),
                     static_cast<std::uint8_t>(date.day), 0};
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
  detail::SplitTime split = detail::split(value.ns);
  detail::store_second(split.seconds, out);
  detail::store_fraction(split.ns, value.picoseconds, precision, out + detail::second_text_size);
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
  detail::SplitTime split = detail::split(value.ns);
  detail::store_word(out, detail::clock_word(static_cast<std::uint32_t>(split.seconds)));
  detail::store_fraction(split.ns, value.picoseconds, precision, out + 8);
  return 8 + detail::fraction_size(precision);
}

std::size_t format_zoned_time(const ZonedTime& value, TimePrecision precision, char* out) noexcept {
  if (!valid_zone(value.zone, value.offset_minutes) || value.utc.picoseconds > 999) {
    return 0;
  }
  detail::SplitTime split = detail::split(value.utc.ns);
  detail::store_second(split.seconds + value.offset_minutes * 60, out);
  detail::store_fraction(split.ns, value.utc.picoseconds, precision,
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
