// SPDX-License-Identifier: MIT
// Fault: the process has no file descriptor left when peers connect.
#include "support/no_free_descriptors.hpp"
#include "unit/net/loopback.hpp"

#include <gtest/gtest.h>

namespace affix::net {
namespace {

using loopback::Peer;
using loopback::Rig;
using support::NoFreeDescriptors;

TEST(NoDescriptors, TheListenerRestsAndTakesThePeerLater) {
  ReactorOptions options;
  options.accept_retry_ns = 3 * base::ns_per_ms;
  Rig rig(options);
  auto [old_peer, old] = rig.join();
  const Peer peer = Peer::to(rig.here);
  peer.send("hello");
  {
    const NoFreeDescriptors none;
    ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.pauses.empty(); }));
    EXPECT_EQ(rig.recorder.pauses.front(), AcceptPause::NoDescriptors);
    // Turns until several retries have passed: the pause is reported once, and turns block between
    // retries.
    EXPECT_LT(rig.turns_within(30 * base::ns_per_ms), 60);
    EXPECT_EQ(rig.recorder.pauses.size(), 1U);
    EXPECT_EQ(rig.recorder.accepted.size(), 1U);
    // Existing connections are served meanwhile.
    old_peer.send("still");
    ASSERT_TRUE(rig.turn_until([&, id = old] { return rig.recorder.bytes_of(id) == "still"; }));
    // Connecting reports the reason.
    const auto refused =
        rig.reactor->connect(rig.here, {}, os::now().steady_ns + loopback::patience_ns);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().where, rig.here.text());
  }
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.accepted.size() == 2; }));
  ASSERT_TRUE(
      rig.turn_until([&] { return rig.recorder.bytes_of(rig.recorder.accepted[1]) == "hello"; }));
}

}  // namespace
}  // namespace affix::net
