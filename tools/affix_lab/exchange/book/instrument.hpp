// SPDX-License-Identifier: MIT
// Tradable instruments and their steps. Prices and quantities are counted in whole units of the
// tick's and the lot's last digit, so that the book uses integers and every value is exact or
// refused.
#pragma once

#include "affix/base/decimal.hpp"
#include "affix/base/error.hpp"

#include "exchange/book/reason.hpp"

#include <cstdint>
#include <expected>
#include <string>

namespace affix::inline v0::tools::exchange {

/// Number of an instrument in the order of add_instrument().
using InstrumentId = std::uint32_t;

/// Description by an operator.
struct Instrument {
  std::string symbol;
  base::Decimal tick{1, -2};       ///< Smallest step of a price, above zero.
  base::Decimal lot{1, 0};         ///< Smallest step of a quantity, above zero.
  base::Decimal price_min{1, -2};  ///< May be negative, as for spreads.
  base::Decimal price_max{1'000'000, 0};
  base::Decimal quantity_max{1'000'000, 0};
};

/// An instrument's steps and limits as integers. Price units are 10^price_exponent; quantities
/// likewise.
struct Steps {
  std::int32_t price_exponent = 0;
  std::int32_t quantity_exponent = 0;
  std::int64_t tick = 1;
  std::int64_t lot = 1;
  std::int64_t price_min = 0;
  std::int64_t price_max = 0;
  std::int64_t quantity_max = 0;

  /// Units of a price or quantity, or the reason why it is invalid.
  [[nodiscard]] std::expected<std::int64_t, Reason> price_units(base::Decimal price) const noexcept;
  [[nodiscard]] std::expected<std::int64_t, Reason> quantity_units(
      base::Decimal quantity) const noexcept;

  [[nodiscard]] base::Decimal price(std::int64_t units) const noexcept {
    return {units, price_exponent};
  }

  [[nodiscard]] base::Decimal quantity(std::int64_t units) const noexcept {
    return {units, quantity_exponent};
  }
};

/// Checks an instrument. The sum of `orders_max` open orders of quantity_max each must fit 63 bits,
/// so that no level of the book can overflow. Allocates only for the error's text.
[[nodiscard]] std::expected<Steps, base::Error> make_steps(const Instrument& instrument,
                                                           std::size_t orders_max);

}  // namespace affix::inline v0::tools::exchange
