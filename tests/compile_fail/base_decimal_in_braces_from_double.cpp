// SPDX-License-Identifier: MIT
// Also refused in braces, where GCC only warns of narrowing in an aggregate.
// Expected: double

#include "affix/base/decimal.hpp"

affix::base::Decimal make([[maybe_unused]] double mantissa) {
#ifdef AFFIX_EXPECT_FAILURE
  return {mantissa, -2};
#else
  return {1050, -2};
#endif
}
