// SPDX-License-Identifier: MIT
// A setter takes a price, not a number that might be its mantissa.
// Expected: Price

#include "affix/fix44/new_order_single.hpp"

void write(affix::fix44::NewOrderSingleWriter& order) {
#ifdef AFFIX_EXPECT_FAILURE
  order.price(1075);
#else
  order.price(affix::fix44::Price(1075));
#endif
}
