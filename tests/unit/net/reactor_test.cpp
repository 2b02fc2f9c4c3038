// SPDX-License-Identifier: MIT
// The reactor's turns: making one, accepting, connecting, ids, waiting, limits.
#include "affix/net/reactor.hpp"

#include "support/has_message.hpp"
#include "unit/net/loopback.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

namespace affix::net {
namespace {

using loopback::Peer;
using loopback::Rig;

// A listener whose queue is full does not answer, like an unreachable peer.
struct SilentListener {
  SilentListener() {
    const Address any = loopback::any_loopback();
    EXPECT_EQ(::bind(socket.fd(), any.native(), static_cast<socklen_t>(any.native_size())), 0);
    EXPECT_EQ(::listen(socket.fd(), 0), 0);
    address = socket.local_address().value();
    for (Socket& filler : fillers) {
      filler = open_socket(address).value();
      static_cast<void>(
          ::connect(filler.fd(), address.native(), static_cast<socklen_t>(address.native_size())));
    }
  }

  Socket socket = open_socket(loopback::any_loopback()).value();
  Address address;
  Socket fillers[4];
};

TEST(MakeReactor, KnowsItsNames) {
  EXPECT_EQ((*make_reactor("epoll", {}))->name(), "epoll");
  const auto unknown = make_reactor("kqueue", {});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, base::ErrorCode::Unsupported);
  EXPECT_TRUE(support::has_message(unknown.error().text(), "E107", {"kqueue: ", "epoll"}));
}

TEST(MakeReactor, RefusesLimitsOutOfRangeByName) {
  ReactorOptions options;
  options.connections_max = 0;
  const auto none = make_reactor("epoll", options);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, base::ErrorCode::InvalidArgument);
  EXPECT_TRUE(
      support::has_message(none.error().text(), "E107", {"connections_max: 0 ", "1 to 1048576"}));
  options = {};
  options.rx_buffer_capacity = 63;
  EXPECT_EQ(make_reactor("epoll", options).error().where, "rx_buffer_capacity");
  options = {};
  options.flush_timeout_ns = -1;
  EXPECT_EQ(make_reactor("epoll", options).error().where, "flush_timeout_ns");
}

TEST(Reactor, AcceptsAndReportsThePeersAddress) {
  Rig rig;
  auto [peer, connection] = rig.join();
  EXPECT_EQ(rig.recorder.accepted_by.back(), rig.listener);
  EXPECT_EQ(rig.recorder.peers.back(), Socket(::dup(peer.fd())).local_address());
  EXPECT_EQ(rig.reactor->peer_address(connection), rig.recorder.peers.back());
  EXPECT_EQ(rig.reactor->local_address(connection), rig.here);
  EXPECT_EQ(rig.reactor->connection_count(), 1U);
}

TEST(Reactor, ConnectsToItselfAndTalksBothWays) {
  Rig rig;
  const auto out = rig.reactor->connect(rig.here, {}, os::now().steady_ns + loopback::patience_ns);
  ASSERT_TRUE(out) << out.error().text();
  EXPECT_EQ(rig.reactor->send(*out, "early"), SendResult::Closed);
  ASSERT_TRUE(rig.turn_until(
      [&] { return rig.recorder.connected.size() == 1 && rig.recorder.accepted.size() == 1; }));
  EXPECT_EQ(rig.recorder.connected.front(), *out);
  const ConnectionId in = rig.recorder.accepted.front();
  EXPECT_EQ(rig.reactor->send(*out, "ping"), SendResult::Sent);
  EXPECT_EQ(rig.reactor->send(in, "pong!"), SendResult::Sent);
  ASSERT_TRUE(rig.turn_until([&] {
    return rig.recorder.bytes_of(in) == "ping" && rig.recorder.bytes_of(*out) == "pong!";
  }));
  EXPECT_TRUE(rig.reactor->close(*out));
  ASSERT_TRUE(rig.turn_until([&] { return rig.ended(in); }));
  EXPECT_EQ(rig.recorder.closed.back().reason, CloseReason::PeerClosed);
  EXPECT_EQ(rig.recorder.closed.size(), 1U);
  EXPECT_EQ(rig.reactor->connection_count(), 0U);
}

TEST(Reactor, ConnectsFromTheAddressItIsReportedTo) {
  Rig rig;
  SocketOptions options;
  options.bind_address = Address::parse("127.0.0.9:0").value();
  ASSERT_TRUE(rig.reactor->connect(rig.here, options, os::now().steady_ns + loopback::patience_ns));
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.accepted.empty(); }));
  EXPECT_EQ(rig.recorder.peers.front().host_text(), "127.0.0.9");
  options.bind_address = Address::parse("192.0.2.1:0").value();
  const auto foreign =
      rig.reactor->connect(rig.here, options, os::now().steady_ns + loopback::patience_ns);
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().where, "192.0.2.1:0");
}

TEST(Reactor, ReportsWhenNobodyListens) {
  Rig rig;
  const Address nobody = Listener::open(loopback::any_loopback(), {})->local_address();
  const auto id = rig.reactor->connect(nobody, {}, os::now().steady_ns + loopback::patience_ns);
  ASSERT_TRUE(id);
  EXPECT_TRUE(rig.recorder.failed.empty());
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.failed.empty(); }));
  EXPECT_EQ(rig.recorder.failed.front().id, *id);
  EXPECT_EQ(rig.recorder.failed.front().failure, ConnectFailure::Refused);
  EXPECT_EQ(rig.recorder.failed.front().error_number, ECONNREFUSED);
  EXPECT_EQ(rig.reactor->connection_count(), 0U);
  EXPECT_FALSE(rig.reactor->close(*id));
}

TEST(Reactor, GivesUpConnectingAtTheDeadline) {
  Rig rig;
  const SilentListener silent;
  const std::int64_t deadline = os::now().steady_ns + 20 * base::ns_per_ms;
  const auto id = rig.reactor->connect(silent.address, {}, deadline);
  ASSERT_TRUE(id);
  // A reading of the clock before the deadline changes nothing, whatever the real time is.
  static_cast<void>(rig.reactor->poll({.steady_ns = deadline - 1}, Wait::spin(), rig.recorder));
  EXPECT_TRUE(rig.recorder.failed.empty());
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.failed.empty(); }));
  EXPECT_GE(os::now().steady_ns, deadline);
  EXPECT_EQ(rig.recorder.failed.front().id, *id);
  EXPECT_EQ(rig.recorder.failed.front().failure, ConnectFailure::TimedOut);
  EXPECT_EQ(rig.reactor->connection_count(), 0U);
}

TEST(Reactor, NeverJoinsASocketWithItself) {
  Rig rig;
  SocketOptions options;
  // Bound to the very address it connects to, TCP would open the connection with itself.
  const Address self = Listener::open(loopback::any_loopback(), {})->local_address();
  options.bind_address = self;
  ASSERT_TRUE(rig.reactor->connect(self, options, os::now().steady_ns + loopback::patience_ns));
  ASSERT_TRUE(rig.turn_until(
      [&] { return !rig.recorder.failed.empty() || !rig.recorder.connected.empty(); }));
  EXPECT_TRUE(rig.recorder.connected.empty());
  EXPECT_EQ(rig.recorder.failed.front().failure, ConnectFailure::Refused);
}

TEST(Reactor, AdoptsAConnectedSocket) {
  Rig rig;
  int ends[2] = {-1, -1};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const Peer peer(ends[0]);
  const auto id = rig.reactor->adopt(Socket(ends[1]), {});
  ASSERT_TRUE(id);
  peer.send("hello");
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.bytes_of(*id) == "hello"; }));
  EXPECT_EQ(rig.reactor->send(*id, "back"), SendResult::Sent);
  rig.reactor->submit();
  EXPECT_EQ(peer.receive_now(), "back");
}

TEST(Reactor, RefusesToAdoptNothing) {
  Rig rig;
  EXPECT_FALSE(rig.reactor->adopt(Socket(), {}));
  EXPECT_EQ(rig.reactor->connection_count(), 0U);
}

TEST(Reactor, StaleIdsAreHarmless) {
  ReactorOptions options;
  options.connections_max = 1;
  Rig rig(options);
  auto [first_peer, first] = rig.join();
  ASSERT_TRUE(rig.reactor->close(first));
  auto [second_peer, second] = rig.join();
  ASSERT_EQ(first.slot, second.slot);
  EXPECT_NE(first, second);
  for (const ConnectionId stale :
       {first, ConnectionId{}, ConnectionId{99, 1}, ConnectionId{0xffff'ffff, 1}}) {
    EXPECT_EQ(rig.reactor->send(stale, "lost"), SendResult::Closed);
    EXPECT_FALSE(rig.reactor->close(stale));
    EXPECT_FALSE(rig.reactor->close_after_flush(stale, 0));
    EXPECT_FALSE(rig.reactor->pause_reading(stale));
    EXPECT_FALSE(rig.reactor->resume_reading(stale));
    EXPECT_EQ(rig.reactor->parked_bytes(stale), 0U);
    EXPECT_FALSE(rig.reactor->peer_address(stale));
  }
  EXPECT_EQ(rig.reactor->send(second, "kept"), SendResult::Sent);
  ASSERT_TRUE(rig.turn_until([&, peer = &second_peer] { return peer->receive_now() == "kept"; }));
}

TEST(Reactor, AnEventFetchedWithTheOneThatClosedItsConnectionIsDropped) {
  Rig rig;
  auto [first_peer, first] = rig.join();
  auto [second_peer, second] = rig.join();
  // The handler that is called first closes the other connection, whose event is in the same batch.
  rig.recorder.when_bytes = [&, a = first, b = second](ConnectionId id, std::string_view bytes) {
    EXPECT_TRUE(rig.reactor->close(id == a ? b : a));
    return bytes.size();
  };
  first_peer.send("x");
  second_peer.send("x");
  rig.settle();
  EXPECT_EQ(rig.recorder.deliveries, 1U);
  EXPECT_EQ(rig.reactor->connection_count(), 1U);
}

TEST(Reactor, AnEventOfASlotsFormerTenantIsNotTakenForItsNewOne) {
  ReactorOptions options;
  options.connections_max = 2;
  Rig rig(options);
  const SilentListener silent;
  auto [first_peer, first] = rig.join();
  auto [second_peer, second] = rig.join();
  // A connection that is still opening takes the other's slot when the other's event comes.
  rig.recorder.when_bytes = [&, a = first, b = second](ConnectionId id, std::string_view bytes) {
    EXPECT_TRUE(rig.reactor->close(id == a ? b : a));
    EXPECT_TRUE(
        rig.reactor->connect(silent.address, {}, os::now().steady_ns + loopback::patience_ns));
    return bytes.size();
  };
  first_peer.send("x");
  second_peer.send("x");
  rig.settle();
  EXPECT_EQ(rig.recorder.deliveries, 1U);
  EXPECT_EQ(rig.reactor->connection_count(), 2U);
  EXPECT_TRUE(rig.recorder.connected.empty());
  EXPECT_TRUE(rig.recorder.failed.empty());
}

TEST(Reactor, AHandlerMayCloseItsOwnConnection) {
  Rig rig;
  auto [peer, connection] = rig.join();
  rig.recorder.when_bytes = [&](ConnectionId id, std::string_view) {
    EXPECT_TRUE(rig.reactor->close(id));
    return std::size_t{0};
  };
  peer.send("anything");
  ASSERT_TRUE(rig.turn_until([&] { return rig.reactor->connection_count() == 0; }));
  EXPECT_TRUE(rig.recorder.closed.empty());
}

TEST(Reactor, AHandlerMayOpenANewConnectionWhenOneEnds) {
  ReactorOptions options;
  options.connections_max = 1;
  Rig rig(options);
  auto [peer, connection] = rig.join();
  const Address nobody = Listener::open(loopback::any_loopback(), {})->local_address();
  bool opened = false;
  rig.recorder.when_closed = [&](ConnectionId) {
    opened =
        rig.reactor->connect(nobody, {}, os::now().steady_ns + loopback::patience_ns).has_value();
  };
  peer.close();
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.failed.empty(); }));
  EXPECT_TRUE(opened);
}

TEST(Reactor, MeetsTheConnectionLimitAndGoesOnWhenOneEnds) {
  ReactorOptions options;
  options.connections_max = 2;
  Rig rig(options);
  auto [first_peer, first] = rig.join();
  auto [second_peer, second] = rig.join();
  const Peer third = Peer::to(rig.here);
  third.send("patient");
  rig.settle();
  EXPECT_EQ(rig.recorder.accepted.size(), 2U);
  ASSERT_EQ(rig.recorder.pauses.size(), 1U);
  EXPECT_EQ(rig.recorder.pauses.front(), AcceptPause::ConnectionLimit);
  const auto refused =
      rig.reactor->connect(rig.here, {}, os::now().steady_ns + loopback::patience_ns);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::Limit);
  first_peer.close();
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.accepted.size() == 3; }));
  ASSERT_TRUE(
      rig.turn_until([&] { return rig.recorder.bytes_of(rig.recorder.accepted[2]) == "patient"; }));
}

TEST(Reactor, ARestingListenerLeavesItsTurnsBlocking) {
  ReactorOptions options;
  options.connections_max = 1;
  Rig rig(options);
  auto [peer, connection] = rig.join();
  const Peer waiting = Peer::to(rig.here);
  rig.settle();
  const base::Now at = os::now();
  const Turn turn =
      rig.reactor->poll(at, Wait::block_until(at.steady_ns + 5 * base::ns_per_ms), rig.recorder);
  EXPECT_EQ(turn.events, 0U);
  EXPECT_GE(os::now().steady_ns, at.steady_ns + 5 * base::ns_per_ms);
}

TEST(Reactor, ARestOfAListenerEndsOnRequest) {
  Rig rig;
  base::Now at = os::now();
  rig.reactor->rest_listener(rig.listener, at.steady_ns + base::ns_per_day);
  rig.reactor->end_rest(rig.listener);
  rig.reactor->end_rest(ListenerId{77, 1});
  const Peer waiting = Peer::to(rig.here);
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.accepted.size() == 1; }));
  rig.reactor->end_rest(rig.listener);  // It does not rest.
  const Peer behind = Peer::to(rig.here);
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.accepted.size() == 2; }));
}

TEST(Reactor, StopsListeningOnRequest) {
  Rig rig;
  auto [peer, connection] = rig.join();
  EXPECT_TRUE(rig.reactor->remove_listener(rig.listener));
  EXPECT_FALSE(rig.reactor->remove_listener(rig.listener));
  EXPECT_FALSE(rig.reactor->remove_listener(ListenerId{77, 1}));
  ASSERT_TRUE(rig.reactor->connect(rig.here, {}, os::now().steady_ns + loopback::patience_ns));
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.failed.empty(); }));
  peer.send("still there");
  ASSERT_TRUE(
      rig.turn_until([&, id = connection] { return rig.recorder.bytes_of(id) == "still there"; }));
}

TEST(Reactor, AListenerThatIsToRestAcceptsNobodyUntilThen) {
  Rig rig;
  const std::int64_t until_ns = os::now().steady_ns + base::ns_per_day;
  rig.reactor->rest_listener(rig.listener, until_ns - 1);
  rig.reactor->rest_listener(rig.listener, until_ns);
  rig.reactor->rest_listener(rig.listener, 0);  // No other peer is accepted sooner.
  rig.reactor->rest_listener(ListenerId{77, 1}, until_ns);
  const Peer waiting = Peer::to(rig.here);
  rig.settle();
  base::Now at = os::now();
  at.steady_ns = until_ns - 1;
  static_cast<void>(rig.reactor->poll(at, Wait::spin(), rig.recorder));
  EXPECT_TRUE(rig.recorder.accepted.empty());
  EXPECT_TRUE(rig.recorder.pauses.empty()) << "whoever asked for it knows";
  // Its time has come, and peers may connect one by one: each makes the listener rest again.
  const Peer behind = Peer::to(rig.here);
  rig.recorder.when_accepted = [&](ConnectionId) {
    rig.reactor->rest_listener(rig.listener, until_ns + base::ns_per_second);
  };
  const auto accepted_at = [&](std::int64_t steady_ns) {
    at.steady_ns = steady_ns;
    for (int turn = 0; turn < 100; ++turn) {  // Both peers have long been in the listener's queue.
      static_cast<void>(rig.reactor->poll(at, Wait::spin(), rig.recorder));
    }
    return rig.recorder.accepted.size();
  };
  EXPECT_EQ(accepted_at(until_ns), 1U);
  EXPECT_EQ(accepted_at(until_ns + 1), 1U);
  EXPECT_EQ(accepted_at(until_ns + base::ns_per_second), 2U);
  EXPECT_TRUE(rig.reactor->remove_listener(rig.listener));
}

TEST(Reactor, MeetsTheListenerLimit) {
  ReactorOptions options;
  options.listeners_max = 1;
  Rig rig(options);
  const auto second =
      rig.reactor->add_listener(Listener::open(loopback::any_loopback(), {}).value());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, base::ErrorCode::Limit);
  EXPECT_TRUE(rig.reactor->remove_listener(rig.listener));
  const auto third =
      rig.reactor->add_listener(Listener::open(loopback::any_loopback(), {}).value());
  ASSERT_TRUE(third);
  EXPECT_NE(*third, rig.listener);
}

TEST(Wait, BlocksUntilTheDeadlineAndNotForever) {
  Rig rig;
  const base::Now at = os::now();
  const std::int64_t deadline = at.steady_ns + 3 * base::ns_per_ms + 300'000;
  static_cast<void>(rig.reactor->poll(at, Wait::block_until(deadline), rig.recorder));
  EXPECT_GE(os::now().steady_ns, deadline);
}

TEST(Wait, ADeadlineInThePastReturnsAtOnce) {
  Rig rig;
  EXPECT_EQ(rig.reactor->poll(os::now(), Wait::block_until(0), rig.recorder).events, 0U);
  EXPECT_EQ(rig.reactor->poll(os::now(), Wait{}, rig.recorder).events, 0U);
}

TEST(Wait, SpinsAfterAnEventAndBlocksLater) {
  Rig rig;
  auto [peer, connection] = rig.join();
  peer.send("x");
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.deliveries == 1; }));
  // Far in the future, so that a turn that blocks is noticed: it would not return during the test.
  const std::int64_t t0 = os::now().steady_ns;
  Wait wait{.mode = Wait::Mode::SpinThenBlock,
            .deadline_ns = t0 + 3600 * base::ns_per_second,
            .spin_ns = 1'000'000};
  static_cast<void>(rig.reactor->poll({.steady_ns = t0}, wait, rig.recorder));
  static_cast<void>(rig.reactor->poll({.steady_ns = t0 + 999'999}, wait, rig.recorder));
  wait.deadline_ns = t0 + 3 * base::ns_per_ms;
  const std::int64_t before = os::now().steady_ns;
  static_cast<void>(rig.reactor->poll({.steady_ns = t0 + 1'000'000}, wait, rig.recorder));
  EXPECT_GE(os::now().steady_ns, before + 2 * base::ns_per_ms);
}

TEST(Wait, SpinningFindsPeersAndBytes) {
  Rig rig;
  std::vector<Peer> peers;
  for (std::size_t count = 1; count <= 6; ++count) {  // More than the number that is read directly.
    peers.push_back(Peer::to(rig.here));
    const std::int64_t give_up_ns = os::now().steady_ns + loopback::patience_ns;
    while (rig.recorder.accepted.size() < count && os::now().steady_ns < give_up_ns) {
      rig.turn();
    }
    ASSERT_EQ(rig.recorder.accepted.size(), count);
    for (std::size_t index = 0; index < count; ++index) {
      peers[index].send("m");
      while (rig.recorder.bytes_of(rig.recorder.accepted[index]).size() < count - index &&
             os::now().steady_ns < give_up_ns) {
        rig.turn();
      }
      ASSERT_EQ(rig.recorder.bytes_of(rig.recorder.accepted[index]).size(), count - index);
    }
  }
  peers.front().close();
  while (rig.recorder.closed.empty()) {
    rig.turn();
  }
  EXPECT_EQ(rig.recorder.closed.front().reason, CloseReason::PeerClosed);
}

TEST(Reactor, ThousandsOfConnectionsLeaveNoTrace) {
  ReactorOptions options;
  options.connections_max = 64;
  Rig rig(options);
  const std::size_t before = loopback::open_descriptors();
  std::size_t closed = 0;
  std::size_t silent = 0;
  for (int round = 0; round < 3000; ++round) {
    const auto out =
        rig.reactor->connect(rig.here, {}, os::now().steady_ns + loopback::patience_ns);
    ASSERT_TRUE(out);
    ASSERT_TRUE(rig.turn_until([&] { return rig.reactor->connection_count() == 2; }));
    ASSERT_TRUE(rig.turn_until(
        [&] { return rig.recorder.connected.size() == static_cast<std::size_t>(round) + 1; }));
    const ConnectionId in = rig.recorder.accepted.back();
    switch (round % 3) {
      case 0:
        EXPECT_TRUE(rig.reactor->close(*out));
        silent += 1;
        closed += 1;
        break;
      case 1:
        EXPECT_TRUE(
            rig.reactor->close_after_flush(in, os::now().steady_ns + loopback::patience_ns));
        closed += 2;
        break;
      default:
        EXPECT_TRUE(rig.reactor->close(in));
        EXPECT_TRUE(rig.reactor->close(*out));
        silent += 2;
        break;
    }
    ASSERT_TRUE(rig.turn_until([&] { return rig.reactor->connection_count() == 0; }));
  }
  EXPECT_EQ(rig.recorder.closed.size(), closed);
  EXPECT_EQ(silent, 3000U);
  EXPECT_EQ(loopback::open_descriptors(), before);
}

TEST(Reactor, DestroyingItClosesEverything) {
  const std::size_t before = loopback::open_descriptors();
  {
    Rig rig;
    auto [peer, connection] = rig.join();
    ASSERT_TRUE(rig.reactor->connect(rig.here, {}, os::now().steady_ns + loopback::patience_ns));
    rig.reactor.reset();
    EXPECT_TRUE(rig.recorder.closed.empty());
    EXPECT_EQ(peer.receive_now(), "");
    EXPECT_TRUE(peer.at_end());
  }
  EXPECT_EQ(loopback::open_descriptors(), before);
}

}  // namespace
}  // namespace affix::net
