// SPDX-License-Identifier: MIT
// A character is not a flag: 'N' would be true.
// Expected: constraint

#include "affix/fix44/new_order_single.hpp"

void write(affix::fix44::NewOrderSingleWriter& order) {
#ifdef AFFIX_EXPECT_FAILURE
  order.locate_reqd('N');
#else
  order.locate_reqd(false);
#endif
}
