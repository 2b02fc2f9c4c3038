// SPDX-License-Identifier: MIT
// A sum may not fit, which must be checked before it is used.
// Expected: conver

#include "affix/fix44/new_order_single.hpp"

affix::fix44::Price sum(affix::fix44::Price price) {
#ifdef AFFIX_EXPECT_FAILURE
  return add(price, price);
#else
  return add(price, price).value_or(price);
#endif
}
