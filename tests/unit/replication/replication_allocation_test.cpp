// SPDX-License-Identifier: MIT
// In the steady state neither end allocates for a message, and a turn is one send.
#include "support/allocation_count.hpp"
#include "unit/replication/loopback_pair.hpp"

#include <gtest/gtest.h>

namespace affix::replication_test {
namespace {

TEST(ReplicationAllocation, NeitherEndAllocatesForAMessage) {
  if (!support::allocations_are_counted) {
    GTEST_SKIP() << "allocations are not counted under this sanitizer";
  }
  LoopbackPair pair;
  const auto turn = [&] {
    pair.turn(net::Wait::spin());
    pair.standby->turn(net::Wait::spin());
    pair.server->turn(net::Wait::spin());
  };
  while (pair.shipper->caught_up() == 0 && pair.in_time()) {
    turn();
  }
  pair.shipper->set_gate(1);
  const auto exchange = [&](int count) {
    for (; count > 0 && pair.in_time(); --count) {
      for (int stores = 0; stores < 3; ++stores) {
        pair.store();
      }
      while (pair.shipper->released() < pair.shipper->stored() && pair.in_time()) {
        turn();
      }
    }
  };
  exchange(200);
  const std::uint64_t before = support::allocation_count();
  exchange(1000);
  EXPECT_EQ(support::allocation_count() - before, 0U);
  EXPECT_TRUE(pair.in_time());
}

}  // namespace
}  // namespace affix::replication_test
