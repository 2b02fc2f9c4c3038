// SPDX-License-Identifier: MIT
// FIX's kinds of number as types of their own, so that a price is not passed where a quantity is
// wanted. Each is an exact decimal and nothing more.
#pragma once

#include "affix/base/decimal.hpp"

#include <compare>
#include <cstdint>

namespace affix::inline v0::messages {

/// A base::Decimal that is a `Kind`. Made and unwrapped explicitly; compares by value with its own
/// kind only.
template <typename Kind>
class DecimalOf {
 public:
  constexpr DecimalOf() noexcept = default;

  constexpr explicit DecimalOf(base::Decimal value) noexcept : value_(value) {}

  /// mantissa x 10^exponent: Price(1050, -2) is 10.50, Qty(100) is 100.
  constexpr explicit DecimalOf(std::int64_t mantissa, std::int32_t exponent = 0) noexcept
      : value_{mantissa, exponent} {}

  [[nodiscard]] constexpr base::Decimal decimal() const noexcept { return value_; }

  friend constexpr std::strong_ordering operator<=>(const DecimalOf&,
                                                    const DecimalOf&) noexcept = default;
  friend constexpr bool operator==(const DecimalOf&, const DecimalOf&) noexcept = default;

 private:
  base::Decimal value_;
};

namespace detail {

// Kinds are never made; they only tell the types apart.
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

/// MsgSeqNum and its like.
using SeqNum = std::uint64_t;

}  // namespace affix::inline v0::messages
