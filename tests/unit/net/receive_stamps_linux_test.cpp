// SPDX-License-Identifier: MIT
// Arrival times of bytes, according to the kernel.
#include "affix/net/reactor.hpp"

#include "unit/net/loopback.hpp"

#include <gtest/gtest.h>
#include <utility>

namespace affix::net {
namespace {

using loopback::Peer;
using loopback::Rig;

SocketOptions stamped() {
  SocketOptions options;
  options.receive_stamps = ReceiveStamps::Kernel;
  return options;
}

std::int64_t utc_now() {
  return os::now().utc_ns;
}

/// The kernel begins to stamp some time after the first socket's request, so bytes are sent until
/// some have a stamp. The stamp, with times before sending and after arrival.
struct Stamped {
  std::int64_t before_ns = 0;
  std::int64_t stamp_ns = 0;
  std::int64_t after_ns = 0;
};

template <typename Rigged>
Stamped send_until_stamped(Rigged& rig, const Peer& peer, ConnectionId id) {
  Stamped reported;
  const std::int64_t give_up_ns = utc_now() + loopback::patience_ns;
  while (reported.stamp_ns == 0 && utc_now() < give_up_ns) {
    const std::size_t had = rig.recorder.bytes_of(id).size();
    reported.before_ns = utc_now();
    peer.send("x");
    reported.after_ns = utc_now();  // On loopback, send() returns when the bytes have arrived.
    EXPECT_TRUE(rig.turn_until([&] { return rig.recorder.bytes_of(id).size() > had; }));
    reported.stamp_ns = rig.reactor->received_ns(id);
  }
  return reported;
}

TEST(ReceiveStamps, ReportWhenBytesArrivedAndNotWhenTheyWereRead) {
  Rig rig({}, stamped());
  const auto [peer, id] = rig.join();
  const Stamped reported = send_until_stamped(rig, peer, id);
  EXPECT_GE(reported.stamp_ns, reported.before_ns);
  EXPECT_LE(reported.stamp_ns, reported.after_ns);
}

TEST(ReceiveStamps, AreThereWhileTheHandlerIsGivenTheBytes) {
  Rig rig({}, stamped());
  const auto [peer, id] = rig.join();
  const Stamped first = send_until_stamped(rig, peer, id);
  std::int64_t seen_ns = 0;
  rig.recorder.when_bytes = [&](ConnectionId from, std::string_view bytes) {
    seen_ns = rig.reactor->received_ns(from);
    return bytes.size();
  };
  peer.send("second");
  ASSERT_TRUE(rig.turn_until([&] { return seen_ns != 0; }));
  EXPECT_GT(seen_ns, first.stamp_ns);
}

TEST(ReceiveStamps, BytesInManyPiecesComeWholeAndInOrder) {
  ReactorOptions options;
  options.rx_buffer_capacity = 4096;
  Rig rig(options, stamped());
  const auto [peer, id] = rig.join();
  std::string sent;
  for (int piece = 0; piece < 400; ++piece) {
    const std::string bytes(static_cast<std::size_t>(1 + piece * 7 % 997),
                            static_cast<char>('a' + piece % 26));
    peer.send(bytes);
    sent += bytes;
    static_cast<void>(rig.turn());
  }
  EXPECT_TRUE(rig.turn_until([&] { return rig.recorder.bytes_of(id).size() >= sent.size(); }));
  EXPECT_EQ(rig.recorder.bytes_of(id), sent);
}

TEST(ReceiveStamps, TheEndOfTheStreamIsReported) {
  Rig rig({}, stamped());
  auto [peer, id] = rig.join();
  peer.send("last words");
  peer.close();
  const ConnectionId ended = id;
  ASSERT_TRUE(rig.turn_until([&] { return rig.ended(ended); }));
  EXPECT_EQ(rig.recorder.bytes_of(ended), "last words");
  EXPECT_EQ(rig.recorder.closed.back().reason, CloseReason::PeerClosed);
  EXPECT_EQ(rig.reactor->received_ns(ended), 0);
}

TEST(ReceiveStamps, TheEndIsSeenWhileTheConnectionIsBeingClosed) {
  Rig rig({}, stamped());
  auto [peer, id] = rig.join();
  ASSERT_TRUE(rig.reactor->close_after_flush(id, os::now().steady_ns + loopback::patience_ns));
  peer.send("nobody wants this");
  peer.end_sending();
  const ConnectionId ended = id;
  ASSERT_TRUE(rig.turn_until([&] { return rig.ended(ended); }));
  EXPECT_EQ(rig.recorder.closed.back().reason, CloseReason::Flushed);
}

TEST(ReceiveStamps, PausedBytesKeepTheirStamp) {
  Rig rig({}, stamped());
  const auto [peer, id] = rig.join();
  static_cast<void>(send_until_stamped(rig, peer, id));
  const ConnectionId paused = id;
  ASSERT_TRUE(rig.reactor->pause_reading(paused));
  peer.send("kept");
  const std::int64_t arrived_ns = utc_now();
  rig.settle();
  ASSERT_TRUE(rig.reactor->resume_reading(paused));
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.bytes_of(paused).ends_with("kept"); }));
  EXPECT_LE(rig.reactor->received_ns(paused), arrived_ns);
}

TEST(ReceiveStamps, AreNotTakenUnasked) {
  Rig rig;
  const auto [peer, id] = rig.join();
  peer.send("plain");
  const ConnectionId plain = id;
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.bytes_of(plain).empty(); }));
  EXPECT_EQ(rig.reactor->received_ns(plain), 0);
  EXPECT_EQ(rig.reactor->received_ns(ConnectionId{}), 0);
}

TEST(ReceiveStamps, GoAlongWhenAConnectionIsHandedOver) {
  // An epoll reactor accepts, whichever reactor under test adopts.
  auto from = std::move(*make_reactor("epoll", {}));
  auto listener = Listener::open(loopback::any_loopback(), stamped());
  const Address address = listener->local_address();
  ASSERT_TRUE(from->add_listener(std::move(*listener)));
  loopback::Recorder recorder;
  std::int64_t stamp_ns = 0;
  std::optional<DetachedConnection> detached;
  recorder.when_bytes = [&](ConnectionId id, std::string_view bytes) -> std::size_t {
    stamp_ns = from->received_ns(id);
    if (stamp_ns == 0) {
      return bytes.size();
    }
    auto released = from->release(id, bytes);
    EXPECT_TRUE(released) << released.error().text();
    detached = std::move(*released);
    return bytes.size();
  };
  const Peer peer = Peer::to(address);
  const std::int64_t give_up_ns = utc_now() + loopback::patience_ns;
  while (!detached && utc_now() < give_up_ns) {
    peer.send("y");
    const base::Now at = os::now();
    static_cast<void>(from->poll(at, Wait::block_until(at.steady_ns + base::ns_per_ms), recorder));
  }
  ASSERT_TRUE(detached);
  Rig to;
  const auto id = to.reactor->adopt(std::move(*detached));
  ASSERT_TRUE(id) << id.error().text();
  ASSERT_TRUE(to.turn_until([&] { return !to.recorder.bytes_of(*id).empty(); }));
  EXPECT_EQ(to.reactor->received_ns(*id), stamp_ns);
  const Stamped next = send_until_stamped(to, peer, *id);
  EXPECT_GE(next.stamp_ns, next.before_ns);
  EXPECT_LE(next.stamp_ns, next.after_ns);
}

TEST(ReceiveStamps, ACardWithoutAClockLeavesTheKernels) {
  SocketOptions options;
  options.receive_stamps = ReceiveStamps::NetworkCard;
  Rig rig({}, options);
  const auto [peer, id] = rig.join();
  const Stamped reported = send_until_stamped(rig, peer, id);
  EXPECT_GE(reported.stamp_ns, reported.before_ns);
  EXPECT_LE(reported.stamp_ns, reported.after_ns);
}

}  // namespace
}  // namespace affix::net
