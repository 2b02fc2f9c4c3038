// SPDX-License-Identifier: MIT
// A mantissa is an integer: 10.5 with exponent -2 would be 0.10.
// Expected: no matching

#include "affix/base/decimal.hpp"

affix::base::Decimal make([[maybe_unused]] double mantissa) {
#ifdef AFFIX_EXPECT_FAILURE
  return affix::base::Decimal(mantissa, -2);
#else
  return affix::base::Decimal(1050, -2);
#endif
}
