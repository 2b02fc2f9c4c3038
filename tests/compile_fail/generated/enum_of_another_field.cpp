// SPDX-License-Identifier: MIT
// The values of one field are not those of another, though both may be '1' on the wire.
// Expected: OrdType

#include "affix/fix44/new_order_single.hpp"

void write(affix::fix44::NewOrderSingleWriter& order) {
#ifdef AFFIX_EXPECT_FAILURE
  order.ord_type(affix::fix44::Side::Buy);
#else
  order.ord_type(affix::fix44::OrdType::Market);
#endif
}
