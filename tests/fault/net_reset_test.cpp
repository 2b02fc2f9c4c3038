// SPDX-License-Identifier: MIT
// Fault: the peer resets the connection, idle, in the middle of our output, and with input still to
// be read.
#include "unit/net/loopback.hpp"

#include <gtest/gtest.h>

namespace affix::net {
namespace {

using loopback::park;
using loopback::Peer;
using loopback::Rig;
using loopback::small_buffers;

/// Result of send() on a connection that the peer has reset: noticed when bytes are passed to the
/// kernel.
SendResult found_by_sending() {
  return loopback::collects_output() ? SendResult::Sent : SendResult::Closed;
}

TEST(Reset, WhileIdleIsReported) {
  Rig rig;
  auto [peer, connection] = rig.join();
  peer.reset();
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
  EXPECT_EQ(rig.recorder.closed.front().reason, CloseReason::PeerReset);
  EXPECT_EQ(rig.recorder.closed.front().error_number, ECONNRESET);
}

TEST(Reset, InTheMiddleOfParkedOutputIsReportedOnce) {
  Rig rig({}, small_buffers());
  auto [peer, connection] = rig.join();
  auto [other_peer, other] = rig.join();
  static_cast<void>(park(rig, connection, "0123456789abcdef"));
  peer.reset();
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
  EXPECT_EQ(rig.recorder.closed.front().id, connection);
  EXPECT_EQ(rig.recorder.closed.front().reason, CloseReason::PeerReset);
  rig.settle();
  EXPECT_EQ(rig.recorder.closed.size(), 1U);
  EXPECT_EQ(rig.reactor->connection_count(), 1U);
  other_peer.send("fine");
  ASSERT_TRUE(rig.turn_until([&, id = other] { return rig.recorder.bytes_of(id) == "fine"; }));
}

TEST(Reset, OfParkedOutputIsReportedWhileReadingIsPaused) {
  Rig rig({}, small_buffers());
  auto [peer, connection] = rig.join();
  static_cast<void>(park(rig, connection, "0123456789abcdef"));
  ASSERT_TRUE(rig.reactor->pause_reading(connection));
  peer.reset();
  // A handler that paused reading until the output is gone is informed that it need not wait.
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.drained.empty(); }));
  EXPECT_EQ(rig.recorder.drained.front(), connection);
  EXPECT_TRUE(rig.recorder.closed.empty());
  rig.settle();
  EXPECT_EQ(rig.recorder.drained.size(), 1U);
  ASSERT_TRUE(rig.reactor->resume_reading(connection));
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
  EXPECT_EQ(rig.recorder.closed.front().reason, CloseReason::PeerReset);
}

TEST(Reset, FoundBySendingIsReportedByTheNextTurn) {
  Rig rig;
  auto [peer, connection] = rig.join();
  peer.reset();
  EXPECT_EQ(rig.reactor->send(connection, "into the void"), found_by_sending());
  EXPECT_EQ(rig.reactor->send(connection, "again"), found_by_sending());
  EXPECT_TRUE(rig.recorder.closed.empty());
  rig.turn();
  ASSERT_EQ(rig.recorder.closed.size(), 1U);
  EXPECT_EQ(rig.recorder.closed.front().reason, CloseReason::PeerReset);
  rig.settle();
  EXPECT_EQ(rig.recorder.closed.size(), 1U);
}

TEST(Reset, InputThatCameBeforeItIsStillDelivered) {
  Rig rig;
  auto [peer, connection] = rig.join();
  peer.send("last words");
  peer.reset();
  EXPECT_EQ(rig.reactor->send(connection, "into the void"), found_by_sending());
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
  EXPECT_EQ(rig.recorder.bytes_of(connection), "last words");
  EXPECT_EQ(rig.recorder.closed.front().reason, CloseReason::PeerReset);
}

TEST(Reset, InputOfManyTurnsThatCameBeforeItIsStillDelivered) {
  ReactorOptions options;
  options.rx_buffer_capacity = 4096;
  options.read_bytes_per_turn = 4096;
  Rig rig(options);
  auto [peer, connection] = rig.join();
  // Less than the first window, so that all of it has arrived before the reset.
  const std::string bytes = loopback::pattern(40'000);
  peer.send(bytes);
  peer.reset();
  EXPECT_EQ(rig.reactor->send(connection, "into the void"), found_by_sending());
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
  EXPECT_EQ(rig.recorder.bytes_of(connection), bytes);
  EXPECT_EQ(rig.recorder.closed.front().reason, CloseReason::PeerReset);
  EXPECT_EQ(rig.recorder.closed.size(), 1U);
}

TEST(Reset, DuringAFlushIsNotTakenForAGoodEnd) {
  Rig rig({}, small_buffers());
  auto [peer, connection] = rig.join();
  static_cast<void>(park(rig, connection, "0123456789abcdef"));
  EXPECT_TRUE(
      rig.reactor->close_after_flush(connection, os::now().steady_ns + loopback::patience_ns));
  peer.reset();
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
  EXPECT_EQ(rig.recorder.closed.front().reason, CloseReason::PeerReset);
}

TEST(Reset, AFlushOfABrokenConnectionIsNotTakenForAGoodEnd) {
  Rig rig;
  auto [peer, connection] = rig.join();
  peer.reset();
  EXPECT_EQ(rig.reactor->send(connection, "x"), found_by_sending());
  EXPECT_TRUE(
      rig.reactor->close_after_flush(connection, os::now().steady_ns + loopback::patience_ns));
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
  EXPECT_EQ(rig.recorder.closed.front().reason, CloseReason::PeerReset);
  EXPECT_EQ(rig.recorder.closed.size(), 1U);
}

TEST(Reset, OfAHalfClosedPeerDropsParkedOutput) {
  Rig rig({}, small_buffers());
  auto [peer, connection] = rig.join();
  static_cast<void>(park(rig, connection, "0123456789abcdef"));
  peer.end_sending();
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
  EXPECT_EQ(rig.reactor->connection_count(), 1U);
  peer.reset();
  ASSERT_TRUE(rig.turn_until([&] { return rig.reactor->connection_count() == 0; }));
  EXPECT_EQ(rig.recorder.closed.size(), 1U);
}

TEST(Reset, WhilePausedDoesNotSpinAndIsReportedOnResuming) {
  Rig rig({}, small_buffers());
  for (const bool with_output : {false, true}) {
    rig.recorder.closed.clear();
    auto [peer, connection] = rig.join();
    if (with_output) {
      static_cast<void>(park(rig, connection, "0123456789abcdef"));
    }
    ASSERT_TRUE(rig.reactor->pause_reading(connection));
    peer.reset();
    rig.settle();
    const base::Now at = os::now();
    EXPECT_EQ(rig.reactor->poll(at, Wait::block_until(at.steady_ns + base::ns_per_ms), rig.recorder)
                  .events,
              0U);
    EXPECT_TRUE(rig.recorder.closed.empty());
    ASSERT_TRUE(rig.reactor->resume_reading(connection));
    ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
    EXPECT_EQ(rig.recorder.closed.front().reason, CloseReason::PeerReset);
    EXPECT_EQ(rig.reactor->connection_count(), 0U);
  }
}

TEST(Reset, BeforeItIsAcceptedHarmsNobody) {
  Rig rig;
  for (int count = 0; count < 20; ++count) {
    Peer::to(rig.here).reset();
  }
  auto [peer, connection] = rig.join();
  peer.send("alive");
  ASSERT_TRUE(rig.turn_until([&] {
    for (const auto& [id, bytes] : rig.recorder.received) {
      if (bytes == "alive") {
        return true;
      }
    }
    return false;
  }));
  ASSERT_TRUE(rig.turn_until([&] { return rig.reactor->connection_count() == 1; }));
}

}  // namespace
}  // namespace affix::net
