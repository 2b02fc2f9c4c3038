// SPDX-License-Identifier: MIT
// Times at which encrypted output left, according to the kernel.
#include "affix/tls/tls_reactor.hpp"

#include "unit/tls/tls_loopback.hpp"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>

namespace affix::tls {
namespace {

TEST(TlsReactorStamps, CountTheKernelsBytes) {
  net::SocketOptions stamped_both_ways;
  stamped_both_ways.transmit_stamps = true;
  stamped_both_ways.receive_stamps = net::ReceiveStamps::Kernel;
  const loopback::TlsWorld world;
  loopback::TlsRig rig(world.server(), {}, stamped_both_ways);
  support::OpenSslPeer peer(rig.dial(), support::OpenSslPeer::Role::Client, world.good_client());
  rig.peers.push_back(&peer);
  ASSERT_TRUE(rig.turn_until([&] {
    return !rig.recorder.accepted.empty() &&
           rig.reactor->tls_peer(rig.recorder.accepted.back()) != nullptr && peer.shaken();
  }));
  const net::ConnectionId id = rig.recorder.accepted.back();
  const std::uint64_t shaken = rig.reactor->output_position(id);
  EXPECT_GT(shaken, 0U);  // From the handshake.
  const std::size_t reported = rig.recorder.transmitted.size();
  const std::int64_t before_ns = os::now().utc_ns;
  ASSERT_EQ(rig.reactor->send(id, "secret"), net::SendResult::Sent);
  EXPECT_GT(rig.reactor->output_position(id), shaken + 6);
  ASSERT_TRUE(rig.turn_until([&] {
    return rig.recorder.transmitted.size() > reported &&
           rig.recorder.transmitted.back().position == rig.reactor->output_position(id);
  }));
  EXPECT_GE(rig.recorder.transmitted.back().utc_ns, before_ns);
}

}  // namespace
}  // namespace affix::tls
