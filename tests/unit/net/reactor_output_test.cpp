// SPDX-License-Identifier: MIT
// Sending and closing: pieces, parking, draining, overflow, and the order of the end.
#include "unit/net/loopback.hpp"

#include <gtest/gtest.h>

namespace affix::net {
namespace {

using loopback::park;
using loopback::Peer;
using loopback::Rig;
using loopback::small_buffers;

bool receive_all(Rig& rig, const Peer& peer, std::string& got, std::size_t wanted) {
  return rig.turn_until([&] {
    got += peer.receive_now();
    return got.size() >= wanted;
  });
}

TEST(ReactorOutput, PiecesLeaveInOrder) {
  Rig rig;
  auto [peer, connection] = rig.join();
  const std::vector<std::string_view> pieces{"8=FIX.4.4|", "", "9=5|", "35=0|"};
  EXPECT_EQ(rig.reactor->send(connection, pieces), SendResult::Sent);
  std::string got;
  ASSERT_TRUE(receive_all(rig, peer, got, 19));
  EXPECT_EQ(got, "8=FIX.4.4|9=5|35=0|");
}

TEST(ReactorOutput, ManyMorePiecesThanOneCallTakes) {
  Rig rig;
  auto [peer, connection] = rig.join();
  const std::string bytes = loopback::pattern(3000);
  std::vector<std::string_view> pieces;
  for (std::size_t index = 0; index < bytes.size(); index += 3) {
    pieces.push_back(std::string_view(bytes).substr(index, 3));
  }
  EXPECT_EQ(rig.reactor->send(connection, pieces), SendResult::Sent);
  std::string got;
  ASSERT_TRUE(receive_all(rig, peer, got, bytes.size()));
  EXPECT_EQ(got, bytes);
}

TEST(ReactorOutput, NothingIsSentAtOnce) {
  Rig rig;
  auto [peer, connection] = rig.join();
  EXPECT_EQ(rig.reactor->send(connection, ""), SendResult::Sent);
  EXPECT_EQ(rig.reactor->send(connection, std::span<const std::string_view>()), SendResult::Sent);
}

TEST(ReactorOutput, ParkedOutputArrivesWholeAndInOrder) {
  Rig rig({}, small_buffers());
  auto [peer, connection] = rig.join();
  std::string wanted = park(rig, connection, loopback::pattern(9973));
  EXPECT_GT(rig.reactor->parked_bytes(connection), 0U);
  const std::string more = loopback::pattern(12'345);
  const std::vector<std::string_view> pieces{std::string_view(more).substr(0, 5),
                                             std::string_view(more).substr(5)};
  EXPECT_EQ(rig.reactor->send(connection, pieces), SendResult::Parked);
  wanted += more;
  EXPECT_TRUE(rig.recorder.drained.empty());
  std::string got;
  ASSERT_TRUE(receive_all(rig, peer, got, wanted.size()));
  EXPECT_EQ(got, wanted);
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.drained.empty(); }));
  EXPECT_EQ(rig.recorder.drained, std::vector<ConnectionId>{connection});
  EXPECT_EQ(rig.reactor->parked_bytes(connection), 0U);
  EXPECT_EQ(rig.reactor->send(connection, "direct again"), SendResult::Sent);
}

TEST(ReactorOutput, AShortWriteInTheMiddleOfPiecesIsContinuedThere) {
  Rig rig({}, small_buffers());
  auto [peer, connection] = rig.join();
  // Larger than the socket takes at once, in pieces of odd sizes.
  const std::string bytes = loopback::pattern(900'000);
  std::vector<std::string_view> pieces;
  for (std::size_t at = 0, size = 1; at < bytes.size(); at += size) {
    size = (at * 7 + 13) % 9001 + 1;
    pieces.push_back(std::string_view(bytes).substr(at, size));
  }
  EXPECT_EQ(rig.reactor->send(connection, pieces),
            loopback::collects_output() ? SendResult::Sent : SendResult::Parked);
  std::string got;
  ASSERT_TRUE(receive_all(rig, peer, got, bytes.size()));
  EXPECT_EQ(got, bytes);
}

TEST(ReactorOutput, OverflowTakesNothingAndHarmsNothing) {
  ReactorOptions options;
  options.tx_buffer_capacity = 20'000;
  Rig rig(options, small_buffers());
  auto [peer, connection] = rig.join();
  std::string wanted = park(rig, connection, loopback::pattern(5000), 1);
  const std::size_t parked = rig.reactor->parked_bytes(connection);
  EXPECT_EQ(rig.reactor->send(connection, std::string(20'001 - parked, 'x')), SendResult::Overflow);
  EXPECT_EQ(rig.reactor->parked_bytes(connection), parked);
  const std::string fits = loopback::pattern(20'000 - parked);
  EXPECT_EQ(rig.reactor->send(connection, fits), SendResult::Parked);
  wanted += fits;
  EXPECT_EQ(rig.reactor->send(connection, "y"), SendResult::Overflow);
  std::string got;
  ASSERT_TRUE(receive_all(rig, peer, got, wanted.size()));
  EXPECT_EQ(got, wanted);
  EXPECT_EQ(rig.reactor->send(connection, std::string(20'001, 'z')), SendResult::Overflow);
}

TEST(ReactorOutput, CloseAfterFlushDeliversEverythingFirst) {
  Rig rig({}, small_buffers());
  auto [peer, connection] = rig.join();
  const std::string wanted = park(rig, connection, loopback::pattern(9973));
  // Unread input must not turn the end into a reset.
  peer.send("never read");
  EXPECT_TRUE(
      rig.reactor->close_after_flush(connection, os::now().steady_ns + loopback::patience_ns));
  EXPECT_FALSE(rig.reactor->close_after_flush(connection, 0));
  EXPECT_EQ(rig.reactor->send(connection, "late"), SendResult::Closed);
  std::string got;
  ASSERT_TRUE(receive_all(rig, peer, got, wanted.size()));
  ASSERT_TRUE(rig.turn_until([&, p = &peer] { return p->receive_now().empty() && p->at_end(); }));
  EXPECT_EQ(got, wanted);
  EXPECT_TRUE(rig.recorder.closed.empty()) << "the peer has not ended its stream yet";
  peer.close();
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
  EXPECT_EQ(rig.recorder.closed.front().reason, CloseReason::Flushed);
  EXPECT_EQ(rig.recorder.deliveries, 0U);
}

TEST(ReactorOutput, CloseAfterFlushWithNothingParkedEndsInOrder) {
  Rig rig;
  auto [peer, connection] = rig.join();
  EXPECT_EQ(rig.reactor->send(connection, "bye"), SendResult::Sent);
  EXPECT_TRUE(
      rig.reactor->close_after_flush(connection, os::now().steady_ns + loopback::patience_ns));
  std::string got;
  ASSERT_TRUE(receive_all(rig, peer, got, 3));
  ASSERT_TRUE(rig.turn_until([&, p = &peer] { return p->receive_now().empty() && p->at_end(); }));
  peer.end_sending();
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
  EXPECT_EQ(rig.recorder.closed.front().reason, CloseReason::Flushed);
}

TEST(ReactorOutput, AFlushToAPeerThatEndedItsStreamDoesNotSpin) {
  Rig rig({}, small_buffers());
  auto [peer, connection] = rig.join();
  const std::string wanted = park(rig, connection, loopback::pattern(9973));
  EXPECT_TRUE(
      rig.reactor->close_after_flush(connection, os::now().steady_ns + loopback::patience_ns));
  peer.end_sending();
  rig.settle();
  EXPECT_LT(rig.turns_within(20 * base::ns_per_ms), 20);
  std::string got;
  ASSERT_TRUE(receive_all(rig, peer, got, wanted.size()));
  EXPECT_EQ(got, wanted);
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
  EXPECT_EQ(rig.recorder.closed.front().reason, CloseReason::Flushed);
}

TEST(ReactorOutput, AFlushEndsAtItsDeadline) {
  Rig rig({}, small_buffers());
  auto [peer, connection] = rig.join();
  auto [lazy_peer, lazy] = rig.join();
  static_cast<void>(park(rig, connection, loopback::pattern(9973)));
  const std::int64_t deadline = os::now().steady_ns + 3600 * base::ns_per_second;
  EXPECT_TRUE(rig.reactor->close_after_flush(connection, deadline));
  EXPECT_TRUE(rig.reactor->close_after_flush(lazy, deadline));
  rig.settle();
  EXPECT_TRUE(rig.recorder.closed.empty());
  static_cast<void>(rig.reactor->poll({.steady_ns = deadline}, Wait::spin(), rig.recorder));
  ASSERT_EQ(rig.recorder.closed.size(), 2U);
  for (const auto& each : rig.recorder.closed) {
    EXPECT_EQ(each.reason,
              each.id == connection ? CloseReason::FlushTimedOut : CloseReason::Flushed);
  }
  EXPECT_EQ(rig.reactor->connection_count(), 0U);
}

TEST(ReactorOutput, APeerThatEndsItsOwnStreamStillGetsParkedOutput) {
  Rig rig({}, small_buffers());
  auto [peer, connection] = rig.join();
  const std::string wanted = park(rig, connection, loopback::pattern(9973));
  peer.end_sending();
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
  EXPECT_EQ(rig.recorder.closed.front().reason, CloseReason::PeerClosed);
  EXPECT_EQ(rig.reactor->send(connection, "late"), SendResult::Closed);
  EXPECT_FALSE(rig.reactor->close(connection));
  EXPECT_EQ(rig.reactor->connection_count(), 1U);
  std::string got;
  ASSERT_TRUE(receive_all(rig, peer, got, wanted.size()));
  EXPECT_EQ(got, wanted);
  ASSERT_TRUE(rig.turn_until([&] { return rig.reactor->connection_count() == 0; }));
  EXPECT_EQ(rig.recorder.closed.size(), 1U);
}

TEST(ReactorOutput, OutputThatAHalfClosedPeerDoesNotTakeIsGivenUpInTime) {
  ReactorOptions options;
  options.flush_timeout_ns = 5 * base::ns_per_ms;
  Rig rig(options, small_buffers());
  auto [peer, connection] = rig.join();
  static_cast<void>(park(rig, connection, loopback::pattern(9973)));
  peer.end_sending();
  ASSERT_TRUE(rig.turn_until([&] { return rig.reactor->connection_count() == 0; }));
  EXPECT_EQ(rig.recorder.closed.size(), 1U);
}

TEST(ReactorOutput, AnAnswerToTheLastMessageReachesAPeerThatEndedItsStream) {
  Rig rig;
  auto [peer, connection] = rig.join();
  rig.recorder.when_bytes = [&](ConnectionId id, std::string_view bytes) {
    EXPECT_EQ(rig.reactor->send(id, "logout too"), SendResult::Sent);
    return bytes.size();
  };
  peer.send("logout");
  peer.end_sending();
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
  std::string got;
  ASSERT_TRUE(rig.turn_until([&, p = &peer] {
    got += p->receive_now();
    return p->at_end();
  }));
  EXPECT_EQ(got, "logout too");
}

TEST(ReactorOutput, ClosingWhileConnectingIsSilent) {
  Rig rig;
  const auto id = rig.reactor->connect(rig.here, {}, os::now().steady_ns + loopback::patience_ns);
  ASSERT_TRUE(id);
  EXPECT_TRUE(rig.reactor->close_after_flush(*id, os::now().steady_ns));
  EXPECT_EQ(rig.reactor->send(*id, "x"), SendResult::Closed);
  rig.settle();
  EXPECT_TRUE(rig.recorder.connected.empty());
  EXPECT_TRUE(rig.recorder.failed.empty());
}

}  // namespace
}  // namespace affix::net
