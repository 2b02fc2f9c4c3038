// SPDX-License-Identifier: MIT
// Computes AvgPx from an exact notional: the only place in the exchange where a digit may be lost.
#include "affix/base/assert.hpp"

#include "exchange/book/events.hpp"

#include <limits>

namespace affix::inline v0::tools::exchange {

namespace {

__extension__ using WideUnsigned = unsigned __int128;

constexpr int extra_digits = 4;

}  // namespace

base::Decimal average_price(const Notional& notional, base::Decimal filled) noexcept {
  if (filled.mantissa <= 0 || notional.sum == 0) {
    return {};
  }
  const bool negative = notional.sum < 0;
  const auto sum = static_cast<WideUnsigned>(negative ? -notional.sum : notional.sum);
  const auto divisor = static_cast<WideUnsigned>(filled.mantissa);
  WideUnsigned quotient = sum / divisor;
  WideUnsigned rest = sum % divisor;
  std::int32_t exponent = notional.exponent - filled.exponent;
  // An average lies between the lowest and the highest price, so its whole units fit 64 bits;
  // digits are added one at a time, as long as they fit too.
  constexpr auto mantissa_max = static_cast<WideUnsigned>(std::numeric_limits<std::int64_t>::max());
  AFFIX_ASSERT(quotient <= mantissa_max);
  for (int digit = 0; digit < extra_digits && rest != 0; ++digit) {
    if (quotient > (mantissa_max - 9) / 10) {
      break;
    }
    rest *= 10;
    quotient = quotient * 10 + rest / divisor;
    rest %= divisor;
    --exponent;
  }
  const WideUnsigned twice = rest * 2;
  const bool up = twice > divisor || (twice == divisor && quotient % 2 == 1);
  if (up && quotient < mantissa_max) {
    ++quotient;
  }
  const auto mantissa = static_cast<std::int64_t>(quotient);
  return base::Decimal{negative ? -mantissa : mantissa, exponent};
}

}  // namespace affix::inline v0::tools::exchange
