// SPDX-License-Identifier: MIT
// Fault: the process has no file descriptor left when peers connect.
#include "unit/net/loopback.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

namespace affix::net {
namespace {

using loopback::Peer;
using loopback::Rig;

// Lowers the limit to the descriptors open now, and restores it.
class NoMoreDescriptors {
 public:
  NoMoreDescriptors() {
    EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &before_), 0);
    int highest = 0;
    for (int fd = 0; fd < 4096; ++fd) {
      highest = ::fcntl(fd, F_GETFD) != -1 ? fd : highest;
    }
    // Fills gaps below the highest one, which the kernel would still assign.
    for (int fd = ::dup(0); fd >= 0 && fd < highest; fd = ::dup(0)) {
      fillers_.emplace_back(fd);
    }
    rlimit none = before_;
    none.rlim_cur = static_cast<rlim_t>(loopback::open_descriptors());
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  }

  ~NoMoreDescriptors() { EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &before_), 0); }

 private:
  rlimit before_{};
  std::vector<Socket> fillers_;
};

TEST(NoDescriptors, TheListenerRestsAndTakesThePeerLater) {
  ReactorOptions options;
  options.accept_retry_ns = 3 * base::ns_per_ms;
  Rig rig(options);
  auto [old_peer, old] = rig.join();
  const Peer peer = Peer::to(rig.here);
  peer.send("hello");
  // The undefined-behaviour sanitizer opens a pipe when it examines a new type, so the error
  // category is used once while there are descriptors.
  ASSERT_FALSE(Listener::open(rig.here, {}));
  {
    const NoMoreDescriptors none;
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
