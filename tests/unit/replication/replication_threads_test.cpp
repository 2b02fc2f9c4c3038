// SPDX-License-Identifier: MIT
// A Shipper and a Standby on real sockets, each on a thread of its own, and a third that prepares
// the copies.
#include "unit/replication/loopback_pair.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

namespace affix::replication_test {
namespace {

TEST(ReplicationThreads, EveryMessageIsReleasedByTheStandbyOnAnotherThread) {
  net::Waker prepares;
  ASSERT_TRUE(prepares.open());
  LoopbackPair pair({.work = replication::CopyWork::Apart, .worker = &prepares});
  std::atomic<bool> ends{false};
  const auto turns_of = [&ends](replication::Standby& standby, net::Reactor& reactor) {
    return [&ends, &standby, &reactor] {
      while (!ends) {
        standby.turn(net::Wait::block_until(reactor.now().steady_ns + base::ns_per_second));
      }
    };
  };
  std::thread standby_thread(turns_of(*pair.standby, *pair.standby_reactor));
  std::thread server_thread(turns_of(*pair.server, *pair.server_reactor));
  std::thread preparing_thread([&] {
    while (!ends) {
      if (!pair.standby->prepare()) {
        prepares.block(10 * base::ns_per_ms);
      }
    }
  });

  const net::Wait wait = net::Wait::block_until(INT64_MAX);
  while (pair.shipper->caught_up() == 0 && pair.in_time()) {
    pair.turn(wait);
  }
  pair.shipper->set_gate(1);
  for (int count = 0; count < 5000 && pair.in_time(); ++count) {
    pair.store();
    const replication::Place stored = pair.shipper->stored();
    pair.shipper->end_turn(pair.worker_reactor->now());
    while (pair.shipper->released() < stored && pair.in_time()) {
      pair.turn(wait);
    }
  }
  EXPECT_TRUE(pair.in_time());
  EXPECT_EQ(pair.shipper->covered(), 1U);
  EXPECT_EQ(pair.shipper->released(), pair.shipper->stored());
  pair.shipper->leave(pair.worker_reactor->now());
  ends = true;
  pair.standby_reactor->waker().wake();
  pair.server_reactor->waker().wake();
  prepares.wake();
  standby_thread.join();
  server_thread.join();
  preparing_thread.join();
  journal_test::expect_same_history(pair.directory("primary"), pair.directory("copy"));
}

}  // namespace
}  // namespace affix::replication_test
