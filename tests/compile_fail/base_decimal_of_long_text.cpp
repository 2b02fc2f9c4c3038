// SPDX-License-Identifier: MIT
// Nor does one of more digits than a mantissa holds.
// Expected: text_is_no_decimal

#include "affix/base/decimal.hpp"

affix::base::Decimal make() {
#ifdef AFFIX_EXPECT_FAILURE
  return affix::base::Decimal("9223372036854775808");
#else
  return affix::base::Decimal("9223372036854775807");
#endif
}
