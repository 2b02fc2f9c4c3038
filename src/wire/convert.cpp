// SPDX-License-Identifier: MIT
// Conversions that are longer than a call: long integers and decimals, and types other than numbers
// and times. Times are in convert_time.cpp.
#include "affix/wire/convert.hpp"

#include <bit>
#include <cstring>

namespace affix::inline v0::wire {

const char* to_text(FieldError error) noexcept {
  switch (error) {
    case FieldError::Missing:
      return "field is missing";
    case FieldError::Empty:
      return "field has no value";
    case FieldError::Format:
      return "value is not of the field's type";
    case FieldError::Range:
      return "value does not fit the type";
  }
  return "unknown field error";
}

namespace detail {

namespace {

/// Digits to a magnitude. Format on the first other byte, else Range when 64 bits are too few.
Result<std::uint64_t> magnitude_of(std::string_view digits) noexcept {
  std::uint64_t magnitude = 0;
  bool fits = true;
  while (digits.size() >= 8) {
    const std::uint64_t word = load_word(digits.data());
    if (!all_digits(word)) {
      return std::unexpected(FieldError::Format);
    }
    fits = fits && !__builtin_mul_overflow(magnitude, std::uint64_t{100'000'000}, &magnitude) &&
           !__builtin_add_overflow(magnitude, std::uint64_t{value_of_digits(word)}, &magnitude);
    digits.remove_prefix(8);
  }
  for (const char character : digits) {
    const auto digit = static_cast<unsigned char>(character - '0');
    if (digit > 9) {
      return std::unexpected(FieldError::Format);
    }
    fits = fits && !__builtin_mul_overflow(magnitude, std::uint64_t{10}, &magnitude) &&
           !__builtin_add_overflow(magnitude, std::uint64_t{digit}, &magnitude);
  }
  if (!fits) {
    return std::unexpected(FieldError::Range);
  }
  return magnitude;
}

/// Sixteen digits in two words, the more significant ones in the lower, as digit_values has eight
/// in one.
__extension__ using Digits = unsigned __int128;

/// digit_values of 1 to 16 characters.
[[nodiscard]] Digits wide_digit_values(std::string_view text) noexcept {
  if (text.size() <= 8) {
    return Digits{digit_values(text.data(), text.size())} << 64;
  }
  const std::uint64_t first = load_word(text.data()) ^ eight_zero_characters;
  const std::uint64_t last = load_word(text.data() + text.size() - 8) ^ eight_zero_characters;
  // Overlapping words have the same bits there.
  return Digits{first} << (8 * (16 - text.size())) | Digits{last} << 64;
}

[[nodiscard]] bool all_wide_digit_values(Digits values) noexcept {
  return all_digit_values(static_cast<std::uint64_t>(values)) &&
         all_digit_values(static_cast<std::uint64_t>(values >> 64));
}

[[nodiscard]] std::uint64_t value_of_wide_digit_values(Digits values) noexcept {
  return std::uint64_t{value_of_digit_values(static_cast<std::uint64_t>(values))} * 100'000'000 +
         value_of_digit_values(static_cast<std::uint64_t>(values >> 64));
}

/// drop_point for sixteen digits.
[[nodiscard]] std::uint32_t drop_wide_point(Digits& values) noexcept {
  constexpr std::uint64_t marks = 0x1010'1010'1010'1010;
  const std::uint64_t low = static_cast<std::uint64_t>(values) & marks;
  const std::uint64_t high = static_cast<std::uint64_t>(values >> 64) & marks;
  if ((low | high) == 0) {
    return 0;
  }
  const auto at =
      static_cast<std::uint32_t>(low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(high)) /
      8;
  constexpr unsigned point = '.' ^ '0';
  if ((static_cast<unsigned>(values >> (8 * at)) & 0xFF) == point) {
    const Digits before = (Digits{1} << (8 * at)) - 1;
    values = (values & before) << 8 | (values & ~before << 8);
  }
  return 15 - at;
}

constexpr std::uint64_t least_magnitude = std::uint64_t{1} << 63;

/// Joins sign and magnitude; the least 64-bit number has a magnitude that no positive one has.
Result<std::int64_t> signed_value(std::uint64_t magnitude, bool negative) noexcept {
  if (magnitude > least_magnitude - (negative ? 0 : 1)) {
    return std::unexpected(FieldError::Range);
  }
  return static_cast<std::int64_t>(negative ? std::uint64_t{0} - magnitude : magnitude);
}

}  // namespace

Result<SignedMagnitude> parse_magnitude(std::string_view text) noexcept {
  if (text.empty()) {
    return std::unexpected(FieldError::Empty);
  }
  const bool negative = text.front() == '-';
  text.remove_prefix(negative ? 1 : 0);
  if (text.empty()) {
    return std::unexpected(FieldError::Format);
  }
  if (text.size() <= 16) {
    const Digits values = wide_digit_values(text);
    if (!all_wide_digit_values(values)) {
      return std::unexpected(FieldError::Format);
    }
    return SignedMagnitude{value_of_wide_digit_values(values), negative};
  }
  Result<std::uint64_t> magnitude = magnitude_of(text);
  if (!magnitude) {
    return std::unexpected(magnitude.error());
  }
  return SignedMagnitude{*magnitude, negative};
}

namespace {

Result<base::Decimal> decimal_of(std::string_view text) noexcept {
  if (text.empty()) {
    return std::unexpected(FieldError::Empty);
  }
  const bool negative = text.front() == '-';
  text.remove_prefix(negative ? 1 : 0);
  if (text.size() - 1 < 16) {
    Digits values = wide_digit_values(text);
    const auto scale = static_cast<std::int32_t>(drop_wide_point(values));
    if (!all_wide_digit_values(values) || text == ".") {
      return std::unexpected(FieldError::Format);
    }
    const auto magnitude = static_cast<std::int64_t>(value_of_wide_digit_values(values));
    return base::Decimal{negative ? -magnitude : magnitude, -scale};
  }
  const std::size_t point = text.find('.');
  std::string_view whole = text.substr(0, point);
  std::string_view fraction =
      point == std::string_view::npos ? std::string_view() : text.substr(point + 1);
  if (whole.empty() && fraction.empty()) {
    return std::unexpected(FieldError::Format);
  }
  Result<std::uint64_t> high = magnitude_of(whole);
  Result<std::uint64_t> low = magnitude_of(fraction);
  // A text that is no decimal at all is reported as such, whatever the range of its digits.
  for (const auto& part : {high, low}) {
    if (!part && part.error() == FieldError::Format) {
      return std::unexpected(FieldError::Format);
    }
  }
  if (!high || !low || fraction.size() > static_cast<std::size_t>(decimal_scale_max)) {
    return std::unexpected(FieldError::Range);
  }
  std::uint64_t magnitude = *high;
  for (std::size_t digit = 0; digit < fraction.size() && magnitude != 0; ++digit) {
    if (__builtin_mul_overflow(magnitude, std::uint64_t{10}, &magnitude)) {
      return std::unexpected(FieldError::Range);
    }
  }
  if (__builtin_add_overflow(magnitude, *low, &magnitude)) {
    return std::unexpected(FieldError::Range);
  }
  Result<std::int64_t> mantissa = signed_value(magnitude, negative);
  if (!mantissa) {
    return std::unexpected(mantissa.error());
  }
  return base::Decimal{*mantissa, -static_cast<std::int32_t>(fraction.size())};
}

}  // namespace

DecimalRead read_decimal(std::string_view text) noexcept {
  Result<base::Decimal> value = decimal_of(text);
  if (!value) {
    return {.mantissa = 0, .exponent = 0, .error = value.error(), .good = false};
  }
  return {.mantissa = value->mantissa,
          .exponent = value->exponent,
          .error = FieldError::Missing,
          .good = true};
}

Rendered render_long_digits(std::uint64_t value, char* out) noexcept {
  Rendered before = render_digits(value / 100'000'000, out);
  const std::uint64_t rest = digits_of_value(static_cast<std::uint32_t>(value % 100'000'000));
  store_word(out + before.size, rest | eight_zero_characters);
  return {before.size + 8, before.sum + sum_of_digits(rest) + 8 * '0'};
}

}  // namespace detail

Result<std::uint8_t> parse_day_of_month(std::string_view text) noexcept {
  Result<std::uint8_t> day = parse_integer<std::uint8_t>(text);
  if (day && (*day < 1 || *day > 31)) {
    return std::unexpected(FieldError::Range);
  }
  return day;
}

Result<Tenor> parse_tenor(std::string_view text) noexcept {
  if (text.empty()) {
    return std::unexpected(FieldError::Empty);
  }
  const char unit = text.front();
  text.remove_prefix(1);
  // Only integers have a sign.
  if ((unit != 'D' && unit != 'W' && unit != 'M' && unit != 'Y') || text.empty() ||
      text.front() == '-') {
    return std::unexpected(FieldError::Format);
  }
  Result<std::uint32_t> count = parse_integer<std::uint32_t>(text);
  if (!count) {
    return std::unexpected(count.error());
  }
  if (*count == 0) {
    return std::unexpected(FieldError::Range);
  }
  return Tenor{unit, *count};
}

Result<MultipleValue> parse_multiple_string(std::string_view text) noexcept {
  if (text.empty()) {
    return std::unexpected(FieldError::Empty);
  }
  if (text.front() == ' ' || text.back() == ' ' || text.find("  ") != std::string_view::npos) {
    return std::unexpected(FieldError::Format);
  }
  return MultipleValue(text);
}

Result<MultipleValue> parse_multiple_character(std::string_view text) noexcept {
  if (text.empty()) {
    return std::unexpected(FieldError::Empty);
  }
  // Characters stand at even places and single spaces between them.
  bool alternating = text.size() % 2 == 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    alternating = alternating && (text[at] == ' ') == (at % 2 == 1);
  }
  if (!alternating) {
    return std::unexpected(FieldError::Format);
  }
  return MultipleValue(text);
}

std::size_t format_decimal(base::Decimal value, char* out) noexcept {
  if (detail::short_decimal(value)) {
    return detail::render_short_decimal(value, out).size;
  }
  if (value.exponent < -decimal_scale_max || value.exponent > decimal_scale_max) {
    return 0;
  }
  char* at = out;
  const bool negative = value.mantissa < 0;
  if (negative) {
    *at++ = '-';
  }
  // Negated as unsigned: the least mantissa has no positive counterpart.
  const auto bits = static_cast<std::uint64_t>(value.mantissa);
  char digits[integer_room];
  const std::size_t count = detail::write_digits(negative ? std::uint64_t{0} - bits : bits, digits);
  if (value.exponent >= 0) {
    std::memcpy(at, digits, count);
    at += count;
    // Zero times any power of ten is one digit.
    const std::size_t zeros = value.mantissa == 0 ? 0 : static_cast<std::size_t>(value.exponent);
    std::memset(at, '0', zeros);
    return static_cast<std::size_t>(at - out) + zeros;
  }
  const auto scale = static_cast<std::size_t>(-value.exponent);
  const std::size_t before_point = count > scale ? count - scale : 0;
  if (before_point == 0) {
    *at++ = '0';
  }
  std::memcpy(at, digits, before_point);
  at += before_point;
  *at++ = '.';
  const std::size_t zeros = count < scale ? scale - count : 0;
  std::memset(at, '0', zeros);
  at += zeros;
  std::memcpy(at, digits + before_point, count - before_point);
  at += count - before_point;
  return static_cast<std::size_t>(at - out);
}

std::size_t format_tenor(Tenor value, char* out) noexcept {
  const bool known =
      value.unit == 'D' || value.unit == 'W' || value.unit == 'M' || value.unit == 'Y';
  if (!known || value.count == 0) {
    return 0;
  }
  // The digits need more room than date_room has left, so they are rendered separately.
  char digits[integer_room];
  const std::size_t count = detail::write_digits(value.count, digits);
  *out = value.unit;
  std::memcpy(out + 1, digits, count);
  return count + 1;
}

}  // namespace affix::inline v0::wire
