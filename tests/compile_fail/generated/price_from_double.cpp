// SPDX-License-Identifier: MIT
// A price is exact: a floating point 10.75 is not, and would lose its decimals.
// Expected: no matching

#include "affix/fix44/new_order_single.hpp"

void write(affix::fix44::NewOrderSingleWriter& order) {
#ifdef AFFIX_EXPECT_FAILURE
  order.price(affix::fix44::Price(10.75));
#else
  order.price(affix::fix44::Price(1075, -2));
#endif
}
