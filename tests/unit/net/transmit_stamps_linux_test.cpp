// SPDX-License-Identifier: MIT
// Times at which output left, according to the kernel.
#include "affix/net/reactor.hpp"

#include "unit/net/loopback.hpp"

#include <gtest/gtest.h>
#include <string>
#include <utility>

namespace affix::net {
namespace {

using loopback::Peer;
using loopback::Recorder;
using loopback::Rig;

SocketOptions sending_stamped() {
  SocketOptions options;
  options.transmit_stamps = true;
  return options;
}

/// With both kinds, as requested by an engine.
SocketOptions stamped_both_ways() {
  SocketOptions options = sending_stamped();
  options.receive_stamps = ReceiveStamps::Kernel;
  return options;
}

std::int64_t now_utc_ns() {
  return os::now().utc_ns;
}

/// True if all bytes passed to send() so far have left, according to the reports.
template <typename Rigged>
bool all_reported(const Rigged& rig, ConnectionId id) {
  return !rig.recorder.transmitted.empty() &&
         rig.recorder.transmitted.back().position == rig.reactor->output_position(id);
}

TEST(TransmitStamps, ReportWhenEachSendLeft) {
  Rig rig({}, sending_stamped());
  const auto [peer, accepted] = rig.join();
  const ConnectionId id = accepted;
  std::uint64_t position = 0;
  for (const std::string_view bytes : {"first", "the second one", "3"}) {
    const std::size_t reported = rig.recorder.transmitted.size();
    const std::int64_t before_ns = now_utc_ns();
    ASSERT_EQ(rig.reactor->send(id, bytes), SendResult::Sent);
    rig.reactor->submit();
    position += bytes.size();
    EXPECT_EQ(rig.reactor->output_position(id), position);
    ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.transmitted.size() > reported; }));
    const Recorder::Transmitted stamp = rig.recorder.transmitted.back();
    EXPECT_EQ(stamp.id, id);
    EXPECT_EQ(stamp.position, position);
    EXPECT_GE(stamp.utc_ns, before_ns);
    EXPECT_LE(stamp.utc_ns, now_utc_ns());
  }
}

TEST(TransmitStamps, AnInitiatorsConnectionHasThemToo) {
  auto listener = Listener::open(loopback::any_loopback(), {});
  ASSERT_TRUE(listener);
  Rig rig;
  const auto id = rig.reactor->connect(listener->local_address(), stamped_both_ways(),
                                       os::now().steady_ns + loopback::patience_ns);
  ASSERT_TRUE(id) << id.error().text();
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.connected.empty(); }));
  ASSERT_EQ(rig.reactor->send(*id, "from here"), SendResult::Sent);
  ASSERT_TRUE(rig.turn_until([&] { return all_reported(rig, *id); }));
  EXPECT_EQ(rig.recorder.transmitted.back().position, 9U);
}

TEST(TransmitStamps, AStampIsNoFaultOfTheConnection) {
  Rig rig({}, stamped_both_ways());
  const auto [peer, accepted] = rig.join();
  const ConnectionId id = accepted;
  for (int round = 0; round < 100; ++round) {
    peer.send("ping");
    const std::size_t had = rig.recorder.bytes_of(id).size();
    ASSERT_EQ(rig.reactor->send(id, "pong"), SendResult::Sent);
    ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.bytes_of(id).size() >= had + 4; }));
  }
  ASSERT_TRUE(rig.turn_until([&] { return all_reported(rig, id); }));
  EXPECT_TRUE(rig.recorder.closed.empty());
  EXPECT_EQ(rig.recorder.bytes_of(id).size(), 400U);
}

TEST(TransmitStamps, AreReadAlthoughNothingElseIs) {
  Rig rig({}, sending_stamped());
  const auto [peer, accepted] = rig.join();
  const ConnectionId id = accepted;
  ASSERT_TRUE(rig.reactor->pause_reading(id));
  ASSERT_EQ(rig.reactor->send(id, "unread"), SendResult::Sent);
  ASSERT_TRUE(rig.turn_until([&] { return all_reported(rig, id); }));
  // Otherwise every turn would find the same event again.
  rig.settle();
  EXPECT_LE(rig.turns_within(20 * base::ns_per_ms), 3);
}

TEST(TransmitStamps, OutputThatWasParkedIsReportedWhenItLeaves) {
  SocketOptions options = loopback::small_buffers();
  options.transmit_stamps = true;
  Rig rig({}, options);
  const auto [peer, accepted] = rig.join();
  const ConnectionId id = accepted;
  const std::string sent = loopback::park(rig, id, std::string(10'000, 'p'));
  EXPECT_EQ(rig.reactor->output_position(id), sent.size());
  std::string got;
  ASSERT_TRUE(rig.turn_until([&] {
    got += peer.receive_now();
    return got.size() == sent.size() && all_reported(rig, id);
  }));
  std::uint64_t position = 0;
  std::int64_t utc_ns = 0;
  for (const Recorder::Transmitted& stamp : rig.recorder.transmitted) {
    EXPECT_GT(stamp.position, position);
    EXPECT_GE(stamp.utc_ns, utc_ns);
    position = stamp.position;
    utc_ns = stamp.utc_ns;
  }
}

TEST(TransmitStamps, TheHandlerMayCloseTheConnection) {
  Rig rig({}, sending_stamped());
  const auto [peer, accepted] = rig.join();
  const ConnectionId id = accepted;
  rig.recorder.when_transmitted = [&](ConnectionId reported) { rig.reactor->close(reported); };
  ASSERT_EQ(rig.reactor->send(id, "last"), SendResult::Sent);
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.transmitted.empty(); }));
  EXPECT_EQ(rig.reactor->connection_count(), 0U);
  EXPECT_EQ(rig.reactor->output_position(id), 0U);
}

TEST(TransmitStamps, AConnectionThatClosesInOrderDoesNotSpin) {
  Rig rig({}, sending_stamped());
  auto [peer, accepted] = rig.join();
  const ConnectionId id = accepted;
  ASSERT_EQ(rig.reactor->send(id, "goodbye"), SendResult::Sent);
  rig.reactor->submit();
  ASSERT_TRUE(rig.reactor->close_after_flush(id, os::now().steady_ns + loopback::patience_ns));
  rig.settle();
  EXPECT_LE(rig.turns_within(20 * base::ns_per_ms), 3);
  peer.close();
  ASSERT_TRUE(rig.turn_until([&] { return rig.ended(id); }));
  EXPECT_TRUE(rig.recorder.transmitted.empty());  // No longer reported.
}

TEST(TransmitStamps, AResetIsReportedAllTheSame) {
  Rig rig({}, sending_stamped());
  auto [peer, accepted] = rig.join();
  const ConnectionId id = accepted;
  ASSERT_EQ(rig.reactor->send(id, "anyone?"), SendResult::Sent);
  rig.reactor->submit();
  peer.reset();
  ASSERT_TRUE(rig.turn_until([&] { return rig.ended(id); }));
  EXPECT_EQ(rig.recorder.closed.back().reason, CloseReason::PeerReset);
}

TEST(TransmitStamps, AreNotTakenUnasked) {
  Rig rig;
  const auto [peer, accepted] = rig.join();
  const ConnectionId id = accepted;
  ASSERT_EQ(rig.reactor->send(id, "plain"), SendResult::Sent);
  rig.settle();
  EXPECT_TRUE(rig.recorder.transmitted.empty());
}

TEST(TransmitStamps, GoOnWhereTheyWereWhenAConnectionIsHandedOver) {
  // An epoll reactor accepts, whichever reactor under test adopts.
  auto from = std::move(*make_reactor("epoll", {}));
  auto listener = Listener::open(loopback::any_loopback(), sending_stamped());
  ASSERT_TRUE(listener);
  const Address address = listener->local_address();
  ASSERT_TRUE(from->add_listener(std::move(*listener)));
  Recorder recorder;
  const Peer peer = Peer::to(address);
  const std::int64_t give_up_ns = now_utc_ns() + loopback::patience_ns;
  const auto turn = [&] {
    const base::Now at = os::now();
    static_cast<void>(from->poll(at, Wait::block_until(at.steady_ns + base::ns_per_ms), recorder));
  };
  while (recorder.accepted.empty() && now_utc_ns() < give_up_ns) {
    turn();
  }
  ASSERT_FALSE(recorder.accepted.empty());
  const ConnectionId first = recorder.accepted.back();
  ASSERT_EQ(from->send(first, "said before"), SendResult::Sent);
  while (recorder.transmitted.empty() && now_utc_ns() < give_up_ns) {
    turn();
  }
  auto detached = from->release(first, {});
  ASSERT_TRUE(detached) << detached.error().text();
  Rig to;
  const auto id = to.reactor->adopt(std::move(*detached));
  ASSERT_TRUE(id) << id.error().text();
  EXPECT_EQ(to.reactor->output_position(*id), 11U);
  ASSERT_EQ(to.reactor->send(*id, "and after"), SendResult::Sent);
  ASSERT_TRUE(to.turn_until([&] { return all_reported(to, *id); }));
  EXPECT_EQ(to.recorder.transmitted.back().position, 20U);
}

}  // namespace
}  // namespace affix::net
