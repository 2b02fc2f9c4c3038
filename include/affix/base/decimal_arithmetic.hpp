// SPDX-License-Identifier: MIT
// Sums, differences and products of decimals: exact, or nothing if the result does not fit a
// mantissa of 64 bits and an exponent of 32. Never rounds or wraps.
#pragma once

#include "affix/base/decimal.hpp"

#include <cstdint>
#include <limits>
#include <optional>

namespace affix::inline v0::base {

namespace detail {

__extension__ using WideInteger = __int128;

/// Converts mantissa x 10^exponent with the smallest change of exponent: removes or adds trailing
/// zeros only as far as 64 and 32 bits require it.
[[nodiscard]] constexpr std::optional<Decimal> decimal_of(WideInteger mantissa,
                                                          std::int64_t exponent) noexcept {
  using Mantissa = std::numeric_limits<std::int64_t>;
  using Exponent = std::numeric_limits<std::int32_t>;
  if (mantissa == 0) {
    return Decimal(0, exponent < Exponent::min()   ? Exponent::min()
                      : exponent > Exponent::max() ? Exponent::max()
                                                   : static_cast<std::int32_t>(exponent));
  }
  while ((mantissa > Mantissa::max() || mantissa < Mantissa::min() || exponent < Exponent::min()) &&
         mantissa % 10 == 0) {
    mantissa /= 10;
    ++exponent;
  }
  while (exponent > Exponent::max() && mantissa <= Mantissa::max() && mantissa >= Mantissa::min()) {
    mantissa *= 10;
    --exponent;
  }
  if (mantissa > Mantissa::max() || mantissa < Mantissa::min() || exponent < Exponent::min() ||
      exponent > Exponent::max()) {
    return std::nullopt;
  }
  return Decimal(static_cast<std::int64_t>(mantissa), static_cast<std::int32_t>(exponent));
}

/// left + sign x right; `sign` is 1 or -1.
[[nodiscard]] constexpr std::optional<Decimal> add_signed(Decimal left, Decimal right,
                                                          int sign) noexcept {
  // Uses the finer exponent, in which most sums fit.
  const std::int32_t finer = left.exponent < right.exponent ? left.exponent : right.exponent;
  const std::optional<std::int64_t> left_part = left.mantissa_at(finer);
  const std::optional<std::int64_t> right_part = right.mantissa_at(finer);
  if (left_part && right_part) {
    return decimal_of(WideInteger{*left_part} + WideInteger{*right_part} * sign, finer);
  }
  if (left.zero() || right.zero()) {
    return right.zero() ? left : decimal_of(WideInteger{right.mantissa} * sign, right.exponent);
  }
  // Without trailing zeros the exponents are as close as possible. If they differ by more than 19,
  // the result needs more than 64 bits, since the finer part's last digit is not 0; up to 19 the
  // sum fits 128 bits.
  const Decimal coarse = left.normalized();
  const Decimal fine = right.normalized();
  WideInteger coarse_part = coarse.mantissa;
  WideInteger fine_part = WideInteger{fine.mantissa} * sign;
  std::int64_t steps = std::int64_t{coarse.exponent} - fine.exponent;
  std::int32_t exponent = fine.exponent;
  if (steps < 0) {
    const WideInteger other = coarse_part;
    coarse_part = fine_part;
    fine_part = other;
    steps = -steps;
    exponent = coarse.exponent;
  }
  if (steps > 19) {
    return std::nullopt;
  }
  for (; steps > 0; --steps) {
    coarse_part *= 10;
  }
  return decimal_of(coarse_part + fine_part, exponent);
}

}  // namespace detail

/// Adds, with the finer exponent if that fits: 1.5 + 1.50 is 3.00. Nothing if the digits do not
/// fit.
[[nodiscard]] constexpr std::optional<Decimal> add(Decimal left, Decimal right) noexcept {
  return detail::add_signed(left, right, 1);
}

/// Subtracts, like add().
[[nodiscard]] constexpr std::optional<Decimal> subtract(Decimal left, Decimal right) noexcept {
  return detail::add_signed(left, right, -1);
}

/// Multiplies, keeping the fraction digits of both: 1.5 x 1.50 is 2.250. Nothing if the digits do
/// not fit, even without trailing zeros.
[[nodiscard]] constexpr std::optional<Decimal> multiply(Decimal left, Decimal right) noexcept {
  return detail::decimal_of(detail::WideInteger{left.mantissa} * right.mantissa,
                            std::int64_t{left.exponent} + right.exponent);
}

}  // namespace affix::inline v0::base
