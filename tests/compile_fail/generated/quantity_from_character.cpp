// SPDX-License-Identifier: MIT
// A character is not a quantity: '5' would be 53.
// Expected: no matching

#include "affix/fix44/new_order_single.hpp"

void write(affix::fix44::NewOrderSingleWriter& order) {
#ifdef AFFIX_EXPECT_FAILURE
  order.order_qty(affix::fix44::Qty('5'));
#else
  order.order_qty(affix::fix44::Qty(5));
#endif
}
