// SPDX-License-Identifier: MIT
// A literal with more digits than a mantissa holds does not compile.
// Expected: text_is_no_decimal

#include "affix/base/decimal.hpp"

affix::base::Decimal make() {
#ifdef AFFIX_EXPECT_FAILURE
  return affix::base::Decimal("9223372036854775808");
#else
  return affix::base::Decimal("9223372036854775807");
#endif
}
