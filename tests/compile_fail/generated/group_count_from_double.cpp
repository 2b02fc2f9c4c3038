// SPDX-License-Identifier: MIT
// A number of entries is an integer.
// Expected: number of entries

#include "affix/fix44/new_order_single.hpp"

void write(affix::fix44::NewOrderSingleWriter& order) {
#ifdef AFFIX_EXPECT_FAILURE
  order.no_party_ids(1.5, [](auto& party, auto) { party.party_id("A"); });
#else
  order.no_party_ids(1, [](auto& party, auto) { party.party_id("A"); });
#endif
}
