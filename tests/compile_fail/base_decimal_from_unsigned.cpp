// SPDX-License-Identifier: MIT
// Half of the unsigned 64-bit integers do not fit a mantissa.
// Expected: no matching

#include "affix/base/decimal.hpp"

affix::base::Decimal make(unsigned long whole) {
#ifdef AFFIX_EXPECT_FAILURE
  return affix::base::Decimal(whole);
#else
  return affix::base::Decimal(static_cast<long>(whole));
#endif
}
