// SPDX-License-Identifier: MIT
// A price and a quantity cannot be added.
// Expected: no matching

#include "affix/fix44/new_order_single.hpp"

bool sum(affix::fix44::Price price, affix::fix44::Qty quantity) {
#ifdef AFFIX_EXPECT_FAILURE
  return add(price, quantity).has_value();
#else
  return add(price, price).has_value() && quantity == quantity;
#endif
}
