// SPDX-License-Identifier: MIT
// A number that is not known before the program runs is not taken either.
// Expected: no matching

#include "affix/fix44/new_order_single.hpp"

void write(affix::fix44::NewOrderSingleWriter& order, float price) {
#ifdef AFFIX_EXPECT_FAILURE
  order.price(affix::fix44::Price(price));
#else
  order.price(affix::fix44::Price(static_cast<long>(price)));
#endif
}
