// SPDX-License-Identifier: MIT
// A field that the dictionary does not give to the message is not a member of its writer.
// Expected: exec_id

#include "affix/fix44/new_order_single.hpp"

void write(affix::fix44::NewOrderSingleWriter& order) {
#ifdef AFFIX_EXPECT_FAILURE
  order.exec_id("1");
#else
  order.cl_ord_id("1");
#endif
}
