// SPDX-License-Identifier: MIT
// In braces too: GCC only warns of a number that an aggregate narrows.
// Expected: double

#include "affix/base/decimal.hpp"

affix::base::Decimal make([[maybe_unused]] double mantissa) {
#ifdef AFFIX_EXPECT_FAILURE
  return {mantissa, -2};
#else
  return {1050, -2};
#endif
}
