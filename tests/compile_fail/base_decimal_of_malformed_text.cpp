// SPDX-License-Identifier: MIT
// A literal that is not a number does not compile.
// Expected: text_is_no_decimal

#include "affix/base/decimal.hpp"

affix::base::Decimal make() {
#ifdef AFFIX_EXPECT_FAILURE
  return affix::base::Decimal("10,75");
#else
  return affix::base::Decimal("10.75");
#endif
}
