// SPDX-License-Identifier: MIT
// A mantissa is an integer: this one would be 0.10.
// Expected: no matching

#include "affix/fix44/new_order_single.hpp"

void write(affix::fix44::NewOrderSingleWriter& order) {
#ifdef AFFIX_EXPECT_FAILURE
  order.price(affix::fix44::Price(10.5, -2));
#else
  order.price(affix::fix44::Price(1050, -2));
#endif
}
