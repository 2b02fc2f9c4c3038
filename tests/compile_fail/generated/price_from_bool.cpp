// SPDX-License-Identifier: MIT
// A bool is not a price.
// Expected: no matching

#include "affix/fix44/new_order_single.hpp"

void write(affix::fix44::NewOrderSingleWriter& order) {
#ifdef AFFIX_EXPECT_FAILURE
  order.price(affix::fix44::Price(true));
#else
  order.price(affix::fix44::Price(1));
#endif
}
