// SPDX-License-Identifier: MIT
// Listening: ports, families, and errors for operators.
#include "affix/net/listener.hpp"

#include "unit/net/loopback.hpp"

#include <gtest/gtest.h>

namespace affix::net {
namespace {

using loopback::Peer;
using loopback::Rig;

TEST(Listener, PortZeroTellsWhichItGot) {
  const auto listener = Listener::open(loopback::any_loopback(), {});
  ASSERT_TRUE(listener);
  EXPECT_NE(listener->local_address().port(), 0);
  EXPECT_EQ(listener->local_address().host_text(), "127.0.0.1");
}

TEST(Listener, APortInUseIsSaidWithItsAddress) {
  const auto first = Listener::open(loopback::any_loopback(), {});
  ASSERT_TRUE(first);
  const auto second = Listener::open(first->local_address(), {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, base::ErrorCode::AlreadyExists);
  EXPECT_EQ(second.error().where, first->local_address().text());
}

TEST(Listener, APortIsFreeAgainAtOnce) {
  Address address;
  {
    Rig rig;
    address = rig.here;
    auto [peer, connection] = rig.join();
    // Our side closes first, so TIME_WAIT stays on our side of the port.
    EXPECT_TRUE(rig.reactor->close(connection));
  }
  EXPECT_TRUE(Listener::open(address, {}));
}

TEST(Listener, AnAddressThatIsNotOursIsRefused) {
  const auto listener = Listener::open(Address::parse("192.0.2.1:0").value(), {});
  ASSERT_FALSE(listener);
  EXPECT_EQ(listener.error().where, "192.0.2.1:0");
}

TEST(Listener, AnImpossibleOptionIsRefusedByName) {
  SocketOptions options;
  options.bind_interface = "no-such-if";
  const auto listener = Listener::open(loopback::any_loopback(), options);
  ASSERT_FALSE(listener);
  EXPECT_EQ(listener.error().where, "127.0.0.1:0: bind_interface no-such-if");
}

TEST(Listener, TakesIpv6Peers) {
  Rig rig({}, {}, Address::parse("[::1]:0").value());
  auto [peer, connection] = rig.join();
  EXPECT_EQ(rig.recorder.peers.back().host_text(), "::1");
  EXPECT_EQ(rig.reactor->local_address(connection), rig.here);
}

TEST(Listener, StarTakesBothFamilies) {
  Rig rig({}, {}, Address::parse("*:0").value());
  const Peer ipv4 = Peer::to(Address::parse("127.0.0.1:1")->with_port(rig.here.port()));
  const Peer ipv6 = Peer::to(Address::parse("[::1]:1")->with_port(rig.here.port()));
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.accepted.size() == 2; }));
  EXPECT_EQ(rig.recorder.peers[0].host_text(), "127.0.0.1");
  EXPECT_EQ(rig.recorder.peers[1].host_text(), "::1");
}

}  // namespace
}  // namespace affix::net
