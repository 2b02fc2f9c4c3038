// SPDX-License-Identifier: MIT
// Converts decimals to whole units, and checks an instrument's description.
#include "exchange/book/instrument.hpp"

#include <limits>
#include <optional>
#include <utility>

namespace affix::inline v0::tools::exchange {

namespace {

// A book stores the negated price of a sell order and computes no differences of prices: half the
// range of 64 bits is safe.
constexpr std::int64_t units_max = std::numeric_limits<std::int64_t>::max() / 2;
constexpr std::int32_t exponent_max = 18;

base::Error fault(const Instrument& instrument, const char* message) {
  return {base::ErrorCode::InvalidArgument, message, "instrument " + instrument.symbol, "P124"};
}

}  // namespace

std::expected<std::int64_t, Reason> Steps::price_units(base::Decimal price) const noexcept {
  const std::optional<std::int64_t> units = price.mantissa_at(price_exponent);
  if (units && *units >= price_min && *units <= price_max) {
    return *units % tick == 0 ? std::expected<std::int64_t, Reason>(*units)
                              : std::unexpected(Reason::PriceOffTick);
  }
  const bool in_range = price >= this->price(price_min) && price <= this->price(price_max);
  return std::unexpected(in_range ? Reason::PriceOffTick : Reason::PriceOutOfRange);
}

std::expected<std::int64_t, Reason> Steps::quantity_units(base::Decimal quantity) const noexcept {
  if (quantity.mantissa <= 0) {
    return std::unexpected(Reason::QuantityNotPositive);
  }
  const std::optional<std::int64_t> units = quantity.mantissa_at(quantity_exponent);
  if (units && *units <= quantity_max) {
    return *units % lot == 0 ? std::expected<std::int64_t, Reason>(*units)
                             : std::unexpected(Reason::QuantityOffLot);
  }
  const bool in_range = quantity <= this->quantity(quantity_max);
  return std::unexpected(in_range ? Reason::QuantityOffLot : Reason::QuantityTooLarge);
}

std::expected<Steps, base::Error> make_steps(const Instrument& instrument, std::size_t orders_max) {
  if (instrument.symbol.empty()) {
    return std::unexpected(fault(instrument, "the symbol is empty"));
  }
  for (const char byte : instrument.symbol) {
    if (static_cast<unsigned char>(byte) < ' ') {
      return std::unexpected(fault(instrument, "the symbol holds a control character"));
    }
  }
  Steps steps;
  steps.price_exponent = instrument.tick.exponent;
  steps.quantity_exponent = instrument.lot.exponent;
  steps.tick = instrument.tick.mantissa;
  steps.lot = instrument.lot.mantissa;
  if (steps.tick <= 0 || steps.lot <= 0) {
    return std::unexpected(fault(instrument, "tick and lot must be above zero"));
  }
  if (steps.price_exponent < -exponent_max || steps.price_exponent > exponent_max ||
      steps.quantity_exponent < -exponent_max || steps.quantity_exponent > exponent_max) {
    return std::unexpected(fault(instrument, "tick or lot has too many digits"));
  }
  const std::optional<std::int64_t> price_min =
      instrument.price_min.mantissa_at(steps.price_exponent);
  const std::optional<std::int64_t> price_max =
      instrument.price_max.mantissa_at(steps.price_exponent);
  const std::optional<std::int64_t> quantity_max =
      instrument.quantity_max.mantissa_at(steps.quantity_exponent);
  if (!price_min || !price_max || *price_min < -units_max || *price_max > units_max) {
    return std::unexpected(
        fault(instrument, "a price limit cannot be counted in the tick's last digit"));
  }
  if (*price_min > *price_max) {
    return std::unexpected(fault(instrument, "the lowest price is above the highest"));
  }
  if (!quantity_max || *quantity_max <= 0) {
    return std::unexpected(
        fault(instrument, "the largest quantity cannot be counted in the lot's last digit"));
  }
  if (std::cmp_greater(*quantity_max, static_cast<std::uint64_t>(units_max) / (orders_max + 1))) {
    return std::unexpected(
        fault(instrument, "the largest quantity times the number of orders overflows"));
  }
  steps.price_min = *price_min;
  steps.price_max = *price_max;
  steps.quantity_max = *quantity_max;
  return steps;
}

}  // namespace affix::inline v0::tools::exchange
