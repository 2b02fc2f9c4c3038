// SPDX-License-Identifier: MIT
// Iterators of a group point to it, so it needs a name.
// Expected: deleted

#include "affix/fix44/new_order_single.hpp"

bool read(const affix::fix44::NewOrderSingle& order) {
#ifdef AFFIX_EXPECT_FAILURE
  return order.no_party_ids().begin() == affix::wire::GroupView::End();
#else
  const auto parties = order.no_party_ids();
  return parties.begin() == parties.end();
#endif
}
