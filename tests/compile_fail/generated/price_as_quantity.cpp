// SPDX-License-Identifier: MIT
// A price does not convert to a quantity.
// Expected: Qty

#include "affix/fix44/new_order_single.hpp"

void write(affix::fix44::NewOrderSingleWriter& order) {
#ifdef AFFIX_EXPECT_FAILURE
  order.order_qty(affix::fix44::Price(1));
#else
  order.order_qty(affix::fix44::Qty(1));
#endif
}
