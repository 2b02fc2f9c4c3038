// SPDX-License-Identifier: MIT
// A floating point variable is not accepted either.
// Expected: no matching

#include "affix/fix44/new_order_single.hpp"

void write(affix::fix44::NewOrderSingleWriter& order, float price) {
#ifdef AFFIX_EXPECT_FAILURE
  order.price(affix::fix44::Price(price));
#else
  order.price(affix::fix44::Price(static_cast<long>(price)));
#endif
}
