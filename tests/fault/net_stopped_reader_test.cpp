// SPDX-License-Identifier: MIT
// Fault: a peer stops reading while others continue to trade.
#include "unit/net/loopback.hpp"

#include <gtest/gtest.h>

namespace affix::net {
namespace {

using loopback::Peer;
using loopback::Rig;

TEST(StoppedReader, DelaysNobodyElseAndIsBounded) {
  ReactorOptions options;
  options.tx_buffer_capacity = 100'000;
  Rig rig(options, loopback::small_buffers());
  auto [frozen_peer, frozen] = rig.join();
  auto [lively_peer, lively] = rig.join();
  rig.recorder.when_bytes = [&, id = lively](ConnectionId from, std::string_view bytes) {
    EXPECT_EQ(from, id);
    EXPECT_EQ(rig.reactor->send(from, bytes), SendResult::Sent);
    return bytes.size();
  };
  const std::string bytes = loopback::pattern(1000);
  std::string taken;
  bool overflowed = false;
  for (int round = 0; round < 5000; ++round) {
    const SendResult result = rig.reactor->send(frozen, bytes);
    overflowed = overflowed || result == SendResult::Overflow;
    taken += result == SendResult::Overflow ? "" : bytes;
    ASSERT_LE(rig.reactor->parked_bytes(frozen), 100'000U);
    if (round % 50 == 0) {
      lively_peer.send("ping");
      std::string echo;
      ASSERT_TRUE(rig.turn_until([&, p = &lively_peer] {
        echo += p->receive_now();
        return echo == "ping";
      }));
    }
  }
  EXPECT_TRUE(overflowed);
  EXPECT_GT(rig.reactor->parked_bytes(frozen), 0U);
  // Once the kernel's own buffers are full, parked output causes no turns while the peer takes
  // nothing, except the kernel's probes.
  rig.settle();
  rig.recorder.drained.clear();
  EXPECT_LT(rig.turns_within(20 * base::ns_per_ms), 20);
  // When it reads again it gets every accepted byte.
  std::string got;
  ASSERT_TRUE(rig.turn_until([&, p = &frozen_peer] {
    got += p->receive_now();
    return got.size() >= taken.size();
  }));
  EXPECT_EQ(got, taken);
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.drained.size() == 1; }));
}

}  // namespace
}  // namespace affix::net
