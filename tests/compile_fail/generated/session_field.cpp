// SPDX-License-Identifier: MIT
// Only the session writes the sequence number.
// Expected: msg_seq_num

#include "affix/fix44/new_order_single.hpp"

void write(affix::fix44::NewOrderSingleWriter& order) {
#ifdef AFFIX_EXPECT_FAILURE
  order.header().msg_seq_num(1);
#else
  order.header().sender_sub_id("desk");
#endif
}
