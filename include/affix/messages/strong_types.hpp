// SPDX-License-Identifier: MIT
// FIX's kinds of numbers as separate types, so that a price cannot be passed as a quantity. Each is
// an exact decimal: constructing, comparing, adding, multiplying and printing it is exact, or
// refused.
#pragma once

#include "affix/base/decimal.hpp"
#include "affix/base/decimal_arithmetic.hpp"
#include "affix/base/integer.hpp"
#include "affix/wire/convert.hpp"
#include "affix/wire/value_text.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string_view>

namespace affix::inline v0::messages {

namespace detail {

template <typename T>
[[nodiscard]] constexpr std::optional<T> of_kind(std::optional<base::Decimal> value) noexcept {
  return value ? std::optional<T>(T(*value)) : std::nullopt;
}

}  // namespace detail

/// A base::Decimal of a `Kind`. Explicit conversions; compares by value, only with its own kind:
/// 1.0 equals 1.00. Accepts only exact values at compile time: no floating point, bool, character,
/// or integer that might not fit.
template <typename Kind>
class DecimalOf {
 public:
  constexpr DecimalOf() noexcept = default;

  constexpr explicit DecimalOf(base::Decimal value) noexcept : value_(value) {}

  /// A whole number: Qty(100) is 100, and Price(10) is 10.
  template <base::IntegerWithin<std::int64_t> Whole>
  constexpr explicit DecimalOf(Whole whole) noexcept : value_(whole) {}

  /// mantissa x 10^exponent: Price(1050, -2) is 10.50.
  template <base::IntegerWithin<std::int64_t> Mantissa, base::IntegerWithin<std::int32_t> Exponent>
  constexpr explicit DecimalOf(Mantissa mantissa, Exponent exponent) noexcept
      : value_(mantissa, exponent) {}

  /// The number in a string literal: Price("10.50"). Invalid texts do not compile.
  template <std::size_t Size>
  consteval explicit DecimalOf(const char (&text)[Size]) : value_(text) {}

  /// Parses a text at run time, like wire::parse_decimal.
  [[nodiscard]] static wire::Result<DecimalOf> parse(std::string_view text) noexcept {
    const wire::Result<base::Decimal> value = wire::parse_decimal(text);
    return value ? wire::Result<DecimalOf>(DecimalOf(*value)) : std::unexpected(value.error());
  }

  [[nodiscard]] constexpr base::Decimal decimal() const noexcept { return value_; }

  friend constexpr std::strong_ordering operator<=>(const DecimalOf&,
                                                    const DecimalOf&) noexcept = default;
  friend constexpr bool operator==(const DecimalOf&, const DecimalOf&) noexcept = default;

 private:
  base::Decimal value_;
};

/// The text on the wire, like wire::to_text(base::Decimal). No allocation.
template <typename Kind>
[[nodiscard]] wire::DecimalText to_text(DecimalOf<Kind> value) noexcept {
  return wire::to_text(value.decimal());
}

// Exact sums, differences and products: nothing if the digits exceed 64 bits, like base::add,
// subtract and multiply. A sum has the finer exponent: 1.5 + 1.50 is 3.00.

template <typename Kind>
[[nodiscard]] constexpr std::optional<DecimalOf<Kind>> add(DecimalOf<Kind> left,
                                                           DecimalOf<Kind> right) noexcept {
  return detail::of_kind<DecimalOf<Kind>>(base::add(left.decimal(), right.decimal()));
}

template <typename Kind>
[[nodiscard]] constexpr std::optional<DecimalOf<Kind>> subtract(DecimalOf<Kind> left,
                                                                DecimalOf<Kind> right) noexcept {
  return detail::of_kind<DecimalOf<Kind>>(base::subtract(left.decimal(), right.decimal()));
}

/// Multiplies by a plain number: `multiply(price, base::Decimal("0.5"))`.
template <typename Kind>
[[nodiscard]] constexpr std::optional<DecimalOf<Kind>> multiply(DecimalOf<Kind> left,
                                                                base::Decimal right) noexcept {
  return detail::of_kind<DecimalOf<Kind>>(base::multiply(left.decimal(), right));
}

namespace detail {

// Kinds have no objects; they only distinguish types.
struct PriceKind;
struct PriceOffsetKind;
struct QtyKind;
struct AmtKind;
struct PercentageKind;

}  // namespace detail

using Price = DecimalOf<detail::PriceKind>;
using PriceOffset = DecimalOf<detail::PriceOffsetKind>;
using Qty = DecimalOf<detail::QtyKind>;
using Amt = DecimalOf<detail::AmtKind>;
using Percentage = DecimalOf<detail::PercentageKind>;  ///< 0.05 is 5 %.

[[nodiscard]] constexpr std::optional<Price> add(Price price, PriceOffset offset) noexcept {
  return detail::of_kind<Price>(base::add(price.decimal(), offset.decimal()));
}

[[nodiscard]] constexpr std::optional<Price> subtract(Price price, PriceOffset offset) noexcept {
  return detail::of_kind<Price>(base::subtract(price.decimal(), offset.decimal()));
}

/// The amount of a quantity at a price.
[[nodiscard]] constexpr std::optional<Amt> multiply(Price price, Qty quantity) noexcept {
  return detail::of_kind<Amt>(base::multiply(price.decimal(), quantity.decimal()));
}

/// A percentage of an amount: 5 % of 200.00 is 10.0000.
[[nodiscard]] constexpr std::optional<Amt> multiply(Amt amount, Percentage share) noexcept {
  return detail::of_kind<Amt>(base::multiply(amount.decimal(), share.decimal()));
}

/// A MsgSeqNum or another SeqNum field.
using SeqNum = std::uint64_t;

}  // namespace affix::inline v0::messages
