// SPDX-License-Identifier: MIT
// A literal that is not a price does not compile.
// Expected: text_is_no_decimal

#include "affix/fix44/new_order_single.hpp"

void write(affix::fix44::NewOrderSingleWriter& order) {
#ifdef AFFIX_EXPECT_FAILURE
  order.price(affix::fix44::Price("10.7.5"));
#else
  order.price(affix::fix44::Price("10.75"));
#endif
}
