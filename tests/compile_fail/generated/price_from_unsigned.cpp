// SPDX-License-Identifier: MIT
// Half of the unsigned 64-bit integers would become negative.
// Expected: no matching

#include "affix/fix44/new_order_single.hpp"

void write(affix::fix44::NewOrderSingleWriter& order, std::uint64_t price) {
#ifdef AFFIX_EXPECT_FAILURE
  order.price(affix::fix44::Price(price));
#else
  order.price(affix::fix44::Price(static_cast<std::int64_t>(price)));
#endif
}
