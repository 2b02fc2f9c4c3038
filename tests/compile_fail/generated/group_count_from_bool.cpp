// SPDX-License-Identifier: MIT
// A bool is not a number of entries.
// Expected: number of entries

#include "affix/fix44/new_order_single.hpp"

void write(affix::fix44::NewOrderSingleWriter& order) {
#ifdef AFFIX_EXPECT_FAILURE
  order.no_party_ids(true, [](auto& party, auto) { party.party_id("A"); });
#else
  order.no_party_ids(1, [](auto& party, auto) { party.party_id("A"); });
#endif
}
