// SPDX-License-Identifier: MIT
// Exact decimals for prices and quantities: a 64-bit mantissa and a power of ten. Never binary
// floating point. The wire layer converts texts; arithmetic is exact or refused.
#pragma once

#include "affix/base/integer.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace affix::inline v0::base {

/// mantissa x 10^exponent. 1.50 is {150, -2}; it equals {15, -1} in value, but both keep their own
/// text form. Arithmetic is in decimal_arithmetic.hpp.
struct Decimal {
  std::int64_t mantissa = 0;
  std::int32_t exponent = 0;

  constexpr Decimal() noexcept = default;

  /// A whole number. Accepts no floating point number, bool, character, or integer that might not
  /// fit: no conversion changes the value.
  template <IntegerWithin<std::int64_t> Whole>
  constexpr explicit Decimal(Whole whole) noexcept : mantissa(whole) {}

  /// mantissa x 10^exponent; accepts the same integers.
  template <IntegerWithin<std::int64_t> Mantissa, IntegerWithin<std::int32_t> Exponent>
  constexpr Decimal(Mantissa mantissa_value, Exponent exponent_value) noexcept
      : mantissa(mantissa_value), exponent(exponent_value) {}

  /// The number in a string literal: Decimal("10.50") is {1050, -2}. An optional minus, digits and
  /// at most one point; invalid or too long texts do not compile.
  template <std::size_t Size>
  consteval explicit Decimal(const char (&text)[Size]) {
    if (text[Size - 1] != '\0') {
      // An array of characters without an end, whose last digit would be lost.
      text_is_no_decimal();
    }
    std::uint64_t magnitude = 0;
    const bool minus = text[0] == '-';
    bool digits = false;
    bool point = false;
    for (std::size_t at = minus ? 1 : 0; at + 1 < Size; ++at) {
      if (text[at] == '.' && !point) {
        point = true;
        continue;
      }
      if (text[at] < '0' || text[at] > '9' ||
          __builtin_mul_overflow(magnitude, std::uint64_t{10}, &magnitude) ||
          __builtin_add_overflow(magnitude, static_cast<std::uint64_t>(text[at] - '0'),
                                 &magnitude)) {
        text_is_no_decimal();
      }
      digits = true;
      exponent -= point ? 1 : 0;
    }
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (!digits || magnitude > most || exponent < -literal_scale_max) {
      text_is_no_decimal();
    }
    mantissa = static_cast<std::int64_t>(magnitude);
    mantissa = minus ? -mantissa : mantissa;
  }

  /// The mantissa of this value at exponent `wanted`, exactly; nothing if digits would be lost or
  /// it overflows.
  [[nodiscard]] constexpr std::optional<std::int64_t> mantissa_at(
      std::int32_t wanted) const noexcept {
    std::int64_t value = mantissa;
    if (value == 0) {
      return 0;
    }
    for (std::int32_t at = exponent; at > wanted; --at) {
      if (__builtin_mul_overflow(value, std::int64_t{10}, &value)) {
        return std::nullopt;
      }
    }
    for (std::int32_t at = exponent; at < wanted; ++at) {
      if (value % 10 != 0) {
        return std::nullopt;
      }
      value /= 10;
    }
    return value;
  }

  /// The same value without trailing zeros in the mantissa, as far as the exponent allows; zero is
  /// {0, 0}.
  [[nodiscard]] constexpr Decimal normalized() const noexcept {
    if (mantissa == 0) {
      return {};
    }
    Decimal result = *this;
    while (result.mantissa % 10 == 0 &&
           result.exponent < std::numeric_limits<std::int32_t>::max()) {
      result.mantissa /= 10;
      ++result.exponent;
    }
    return result;
  }

  [[nodiscard]] constexpr bool negative() const noexcept { return mantissa < 0; }

  [[nodiscard]] constexpr bool zero() const noexcept { return mantissa == 0; }

  /// Compares values, not representations: 1.50 == 1.5.
  friend constexpr std::strong_ordering operator<=>(const Decimal& left,
                                                    const Decimal& right) noexcept {
    return compare(left, right);
  }

  friend constexpr bool operator==(const Decimal& left, const Decimal& right) noexcept {
    return compare(left, right) == std::strong_ordering::equal;
  }

 private:
  /// Maximum digits after the point, as for FIX fields.
  static constexpr std::int32_t literal_scale_max = 60;

  /// Not constexpr: an invalid literal does not compile.
  static void text_is_no_decimal() noexcept {}

  static constexpr std::strong_ordering compare(const Decimal& left,
                                                const Decimal& right) noexcept {
    const int left_sign = (left.mantissa > 0) - (left.mantissa < 0);
    const int right_sign = (right.mantissa > 0) - (right.mantissa < 0);
    if (left_sign != right_sign || left_sign == 0) {
      return left_sign <=> right_sign;
    }
    if (left.exponent == right.exponent) {
      return left.mantissa <=> right.mantissa;
    }
    return left.exponent > right.exponent ? compare_scaled(left, right, left_sign)
                                          : 0 <=> compare_scaled(right, left, left_sign);
  }

  /// `coarse` has the larger exponent; both have the sign `sign`. Scaling a non-zero 64-bit
  /// mantissa by more than 19 powers of ten exceeds every other mantissa; up to 19 the result fits
  /// 128 bits.
  static constexpr std::strong_ordering compare_scaled(const Decimal& coarse, const Decimal& fine,
                                                       int sign) noexcept {
    const std::int64_t steps = std::int64_t{coarse.exponent} - fine.exponent;
    if (steps > 19) {
      return sign <=> 0;
    }
    __extension__ using Wide = __int128;
    Wide scaled = coarse.mantissa;
    for (std::int64_t step = 0; step < steps; ++step) {
      scaled *= 10;
    }
    const Wide other = fine.mantissa;
    return scaled < other   ? std::strong_ordering::less
           : scaled > other ? std::strong_ordering::greater
                            : std::strong_ordering::equal;
  }
};

}  // namespace affix::inline v0::base
