// SPDX-License-Identifier: MIT
// The virtual network fulfils the contracts of net::Reactor and net::Handler, and its faults behave
// as documented.
#include "affix/testing/virtual_network.hpp"

#include "affix/testing/virtual_peer.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/socket.h>
#include <vector>

namespace affix::testing {
namespace {
constexpr std::int64_t ms = base::ns_per_ms;

net::Address address(const std::string& text) {
  return net::Address::parse(text).value();
}

/// A node whose process records its reactor's calls, and echoes on request.
class Machine final : public net::Handler {
 public:
  explicit Machine(VirtualNetwork& net, const net::ReactorOptions& options = {})
      : network(net), node(net.add_node()) {
    begin(options);
  }

  void begin(const net::ReactorOptions& options = {}) {
    reactor = network.make_reactor(node, options);
    network.set_turn(node, [this] {
      reactor->poll(reactor->now(), net::Wait::block_until(VirtualNetwork::never_ns), *this);
      ++turns;
    });
  }

  void on_accepted(net::ListenerId, net::ConnectionId id,
                   const net::Address& peer) noexcept override {
    accepted.push_back(id);
    peers.push_back(peer.host_text());
  }

  void on_connected(net::ConnectionId id) noexcept override { connected.push_back(id); }

  void on_connect_failed(net::ConnectionId, net::ConnectFailure failure, int) noexcept override {
    failures.push_back(failure);
  }

  std::size_t on_bytes(net::ConnectionId id, base::PaddedBytes bytes) noexcept override {
    ++deliveries;
    largest = std::max(largest, bytes.size);
    const std::size_t taken = bytes.size < consume_from ? 0 : bytes.size;
    received += bytes.view().substr(0, taken);
    if (pause_after_bytes) {
      reactor->pause_reading(id);
    }
    return taken;
  }

  void on_drained(net::ConnectionId) noexcept override { ++drained; }

  void on_closed(net::ConnectionId, net::CloseReason reason, int) noexcept override {
    closed.push_back(reason);
  }

  VirtualNetwork& network;
  NodeId node;
  std::unique_ptr<net::Reactor> reactor;
  std::vector<net::ConnectionId> accepted;
  std::vector<net::ConnectionId> connected;
  std::vector<std::string> peers;
  std::vector<net::ConnectFailure> failures;
  std::vector<net::CloseReason> closed;
  std::string received;
  std::size_t consume_from = 0;
  std::size_t largest = 0;
  int deliveries = 0;
  int drained = 0;
  int turns = 0;
  bool pause_after_bytes = false;
};

/// A connected server and client.
struct Joined {
  explicit Joined(const net::ReactorOptions& options = {}, std::uint64_t seed = 1)
      : network(seed), server(network, options), client(network, options) {
    const auto listening = server.reactor->listen(address("10.0.0.1:5001"), {});
    EXPECT_TRUE(listening);
    EXPECT_TRUE(client.reactor->connect(listening->address, {}, VirtualNetwork::never_ns));
    EXPECT_TRUE(network.run(ms));
    EXPECT_EQ(client.connected.size(), 1U);
    EXPECT_EQ(server.accepted.size(), 1U);
    to_server = client.connected.at(0);
    to_client = server.accepted.at(0);
    link = network.links().at(0);
  }

  VirtualNetwork network;
  Machine server;
  Machine client;
  net::ConnectionId to_server;
  net::ConnectionId to_client;
  LinkId link{};
};

TEST(VirtualNetwork, BytesArriveAfterTheDelayAndNotBefore) {
  Joined pair;
  pair.network.conditions.delay_ns = 5 * ms;
  EXPECT_EQ(pair.client.reactor->send(pair.to_server, "hello"), net::SendResult::Sent);
  EXPECT_TRUE(pair.network.run(5 * ms - 1));
  EXPECT_EQ(pair.server.received, "");
  EXPECT_TRUE(pair.network.run(1));
  EXPECT_EQ(pair.server.received, "hello");
  EXPECT_EQ(pair.server.peers.at(0), "10.0.0.2");
}

TEST(VirtualNetwork, ANodeSleepsUntilItsDeadlineOrBytes) {
  Joined pair;
  const int before = pair.server.turns;
  EXPECT_TRUE(pair.network.run(3600 * base::ns_per_second));
  EXPECT_LE(pair.server.turns, before + 1);  // The turn with which run() begins.
}

TEST(VirtualNetwork, NobodyListeningRefuses) {
  VirtualNetwork network;
  Machine client(network);
  ASSERT_TRUE(client.reactor->connect(address("10.0.0.9:1"), {}, VirtualNetwork::never_ns));
  EXPECT_TRUE(network.run(ms));
  EXPECT_EQ(client.failures, std::vector{net::ConnectFailure::Refused});
}

TEST(VirtualNetwork, AnIgnoredConnectEndsAtItsDeadline) {
  VirtualNetwork network;
  Machine server(network);
  Machine client(network);
  ASSERT_TRUE(server.reactor->listen(address("*:5001"), {}));
  network.ignore_connects(true);
  ASSERT_TRUE(client.reactor->connect(address("10.0.0.1:5001"), {}, network.steady_ns() + 7 * ms));
  EXPECT_TRUE(network.run(7 * ms - 1));
  EXPECT_TRUE(client.failures.empty());
  EXPECT_TRUE(network.run(1));
  EXPECT_EQ(client.failures, std::vector{net::ConnectFailure::TimedOut});
}

TEST(VirtualNetwork, PiecesAreSmallAndTheStreamIsWhole) {
  Joined pair;
  pair.network.conditions.piece_bytes_max = 3;
  std::string sent;
  for (int at = 0; at < 1000; ++at) {
    sent += static_cast<char>('a' + at % 26);
  }
  EXPECT_EQ(pair.client.reactor->send(pair.to_server, sent), net::SendResult::Sent);
  EXPECT_TRUE(pair.network.run(ms));
  EXPECT_EQ(pair.server.received, sent);
  EXPECT_LE(pair.server.largest, 3U);
  EXPECT_GT(pair.server.deliveries, 333);
}

TEST(VirtualNetwork, InputThatTheHandlerLeavesComesAgainWithTheNext) {
  Joined pair;
  pair.server.consume_from = 10;
  EXPECT_EQ(pair.client.reactor->send(pair.to_server, "12345"), net::SendResult::Sent);
  EXPECT_TRUE(pair.network.run(ms));
  EXPECT_EQ(pair.server.received, "");
  EXPECT_EQ(pair.client.reactor->send(pair.to_server, "67890"), net::SendResult::Sent);
  EXPECT_TRUE(pair.network.run(ms));
  EXPECT_EQ(pair.server.received, "1234567890");
}

TEST(VirtualNetwork, InputThatNobodyConsumesOverflows) {
  net::ReactorOptions options;
  options.rx_buffer_capacity = 64;
  Joined pair(options);
  pair.server.consume_from = 1000;
  EXPECT_EQ(pair.client.reactor->send(pair.to_server, std::string(100, 'x')),
            net::SendResult::Sent);
  EXPECT_TRUE(pair.network.run(ms));
  EXPECT_EQ(pair.server.closed, std::vector{net::CloseReason::InputOverflow});
  EXPECT_EQ(pair.client.closed, std::vector{net::CloseReason::PeerReset});
}

TEST(VirtualNetwork, APausedReaderIsFeltAndThenDrained) {
  net::ReactorOptions options;
  options.tx_buffer_capacity = 100;
  Joined pair(options);
  pair.network.conditions.window_bytes = 50;
  pair.server.pause_after_bytes = true;
  EXPECT_EQ(pair.client.reactor->send(pair.to_server, "x"), net::SendResult::Sent);
  EXPECT_TRUE(pair.network.run(ms));
  EXPECT_EQ(pair.client.reactor->send(pair.to_server, std::string(50, 'a')), net::SendResult::Sent);
  EXPECT_EQ(pair.client.reactor->send(pair.to_server, std::string(60, 'b')),
            net::SendResult::Parked);
  EXPECT_EQ(pair.client.reactor->send(pair.to_server, std::string(60, 'c')),
            net::SendResult::Overflow);
  EXPECT_TRUE(pair.network.run(ms));
  EXPECT_EQ(pair.server.received, "x");
  EXPECT_EQ(pair.client.reactor->parked_bytes(pair.to_server), 60U);
  pair.server.pause_after_bytes = false;
  pair.server.reactor->resume_reading(pair.to_client);
  EXPECT_TRUE(pair.network.run(10 * ms));
  EXPECT_EQ(pair.server.received, "x" + std::string(50, 'a') + std::string(60, 'b'));
  EXPECT_EQ(pair.client.drained, 1);
}

TEST(VirtualNetwork, ACutDeliversSoManyBytesAndThenAReset) {
  Joined pair;
  EXPECT_EQ(pair.client.reactor->send(pair.to_server, "123456789"), net::SendResult::Sent);
  EXPECT_EQ(pair.server.reactor->send(pair.to_client, "abc"), net::SendResult::Sent);
  EXPECT_EQ(pair.network.bytes_on_the_way(pair.link, true), 9U);
  pair.network.cut(pair.link, 4, 0);
  EXPECT_TRUE(pair.network.run(ms));
  EXPECT_EQ(pair.server.received, "1234");
  EXPECT_EQ(pair.client.received, "");
  EXPECT_EQ(pair.server.closed, std::vector{net::CloseReason::PeerReset});
  EXPECT_EQ(pair.client.closed, std::vector{net::CloseReason::PeerReset});
  EXPECT_TRUE(pair.network.links().empty());
}

TEST(VirtualNetwork, SilenceIsNoticedByNobody) {
  Joined pair;
  pair.network.silence(pair.link);
  EXPECT_EQ(pair.client.reactor->send(pair.to_server, "lost"), net::SendResult::Sent);
  pair.client.reactor->close(pair.to_server);
  EXPECT_TRUE(pair.network.run(3600 * base::ns_per_second));
  EXPECT_EQ(pair.server.received, "");
  EXPECT_TRUE(pair.server.closed.empty());
  EXPECT_EQ(pair.server.reactor->connection_count(), 1U);
}

TEST(VirtualNetwork, OneByteIsChanged) {
  Joined pair;
  EXPECT_EQ(pair.client.reactor->send(pair.to_server, "aaa"), net::SendResult::Sent);
  EXPECT_TRUE(pair.network.corrupt(pair.link, true, 1));
  EXPECT_FALSE(pair.network.corrupt(pair.link, true, 3));
  EXPECT_TRUE(pair.network.run(ms));
  EXPECT_EQ(pair.server.received, "apa");
}

TEST(VirtualNetwork, ClosingAfterFlushDeliversEverythingAndEndsInOrder) {
  Joined pair;
  pair.network.conditions.window_bytes = 4;
  EXPECT_EQ(pair.client.reactor->send(pair.to_server, "0123456789"), net::SendResult::Parked);
  EXPECT_TRUE(pair.client.reactor->close_after_flush(pair.to_server, VirtualNetwork::never_ns));
  EXPECT_TRUE(pair.network.run(10 * ms));
  EXPECT_EQ(pair.server.received, "0123456789");
  EXPECT_EQ(pair.server.closed, std::vector{net::CloseReason::PeerClosed});
  EXPECT_EQ(pair.client.closed, std::vector{net::CloseReason::Flushed});
  EXPECT_EQ(pair.client.reactor->connection_count(), 0U);
}

TEST(VirtualNetwork, AKilledProcessIsGoneAndItsNextLifeMayListenThere) {
  Joined pair;
  pair.network.kill(pair.server.node);
  EXPECT_EQ(pair.server.reactor->send(pair.to_client, "from the dead"), net::SendResult::Sent);
  EXPECT_TRUE(pair.network.run(ms));
  EXPECT_EQ(pair.client.received, "");
  EXPECT_EQ(pair.client.closed, std::vector{net::CloseReason::PeerClosed});
  pair.server.reactor.reset();
  pair.server.begin();
  EXPECT_TRUE(pair.server.reactor->listen(address("10.0.0.1:5001"), {}));
}

TEST(VirtualNetwork, ClocksOfOneNodeStepAlone) {
  Joined pair;
  const base::Now before = pair.client.reactor->now();
  pair.network.step_utc(pair.server.node, -base::ns_per_second);
  EXPECT_EQ(pair.server.reactor->now().utc_ns, before.utc_ns - base::ns_per_second);
  EXPECT_EQ(pair.server.reactor->now().steady_ns, before.steady_ns);
  EXPECT_EQ(pair.client.reactor->now().utc_ns, before.utc_ns);
}

TEST(VirtualNetwork, AStalledNodeHearsLater) {
  Joined pair;
  pair.network.stall(pair.server.node, 50 * ms);
  EXPECT_EQ(pair.client.reactor->send(pair.to_server, "late"), net::SendResult::Sent);
  EXPECT_TRUE(pair.network.run(49 * ms));
  EXPECT_EQ(pair.server.received, "");
  EXPECT_TRUE(pair.network.run(ms));
  EXPECT_EQ(pair.server.received, "late");
}

TEST(VirtualNetwork, AReactorThatBlocksLetsTheOthersGoOn) {
  Joined pair;
  EXPECT_EQ(pair.server.reactor->send(pair.to_client, "news"), net::SendResult::Sent);
  const base::Now now = pair.client.reactor->now();
  const net::Turn turn = pair.client.reactor->poll(
      now, net::Wait::block_until(now.steady_ns + base::ns_per_second), pair.client);
  EXPECT_EQ(turn.events, 1U);
  EXPECT_EQ(pair.client.received, "news");
  EXPECT_LT(pair.network.steady_ns(), now.steady_ns + ms);
  // Nothing more arrives: it waits until the deadline.
  const base::Now later = pair.client.reactor->now();
  static_cast<void>(pair.client.reactor->poll(
      later, net::Wait::block_until(later.steady_ns + base::ns_per_second), pair.client));
  EXPECT_EQ(pair.network.steady_ns(), later.steady_ns + base::ns_per_second);
}

TEST(VirtualNetwork, ANodeThatNeverRestsIsALivelock) {
  VirtualNetwork network;
  const NodeId node = network.add_node();
  network.set_turn(node, [&] { network.wake(node); });
  EXPECT_FALSE(network.run(ms, 1000));
}

TEST(VirtualNetwork, TheSameSeedGivesTheSameHistory) {
  const auto history = [](std::uint64_t seed) {
    Joined pair({}, seed);
    pair.network.conditions = {.jitter_ns = ms, .piece_bytes_max = 5};
    std::string text;
    for (int count = 0; count < 50; ++count) {
      static_cast<void>(pair.client.reactor->send(pair.to_server, "some bytes"));
      EXPECT_TRUE(pair.network.run(ms / 4));
      text += std::to_string(pair.server.received.size()) + "/" +
              std::to_string(pair.server.deliveries) + " ";
    }
    return text;
  };
  EXPECT_EQ(history(7), history(7));
  EXPECT_NE(history(7), history(8));
}

TEST(VirtualPeer, ConnectsSpeaksAndListens) {
  VirtualNetwork network;
  VirtualPeer server(network);
  VirtualPeer client(network);
  client.sender = "FIRM";
  client.target = "VENUE";
  ASSERT_TRUE(server.listen(address("10.0.0.1:5001")));
  EXPECT_FALSE(client.listen(address("10.0.0.1:5001")));
  client.connect(address("10.0.0.1:5001"));
  EXPECT_EQ(client.state(), PeerState::Connecting);
  EXPECT_TRUE(network.run(ms));
  EXPECT_EQ(client.state(), PeerState::Connected);
  EXPECT_EQ(server.state(), PeerState::Connected);
  EXPECT_EQ(client.link(), server.link());
  client.say("0", "112=one");
  const std::string second = client.message("0", "112=two");
  client.send(second.substr(0, 20));
  EXPECT_TRUE(network.run(ms));
  const std::vector<std::string> first = server.take_messages();
  ASSERT_EQ(first.size(), 1U);
  EXPECT_NE(first[0].find("\x01"
                          "34=1\x01"
                          "49=FIRM\x01"
                          "56=VENUE\x01"),
            std::string::npos);
  EXPECT_EQ(server.received(), second.substr(0, 20));
  client.send(second.substr(20));
  EXPECT_TRUE(network.run(ms));
  EXPECT_EQ(server.take_messages(), std::vector{second});
  client.close();
  EXPECT_TRUE(network.run(ms));
  EXPECT_EQ(server.state(), PeerState::Ended);
}

TEST(VirtualPeer, TakesBytesThatAreNoMessages) {
  VirtualNetwork network;
  VirtualPeer server(network);
  VirtualPeer client(network);
  ASSERT_TRUE(server.listen(address("10.0.0.1:5001")));
  client.connect(address("10.0.0.1:5001"));
  EXPECT_TRUE(network.run(ms));
  client.send(
      "8=FIX.4.4\x01"
      "10=00000000");
  EXPECT_TRUE(network.run(ms));
  std::string all;
  for (const std::string& message : server.take_messages()) {
    all += message;
  }
  EXPECT_EQ(all + server.received(),
            "8=FIX.4.4\x01"
            "10=00000000");
}

TEST(VirtualPeer, LeavesUnwantedBytesUnread) {
  Joined pair;
  VirtualPeer peer(pair.network);
  peer.reads = false;
  ASSERT_TRUE(pair.server.reactor->listen(address("10.0.0.1:5002"), {}));
  peer.connect(address("10.0.0.1:5002"));
  EXPECT_TRUE(pair.network.run(ms));
  pair.network.conditions.window_bytes = 10;
  EXPECT_EQ(pair.server.reactor->send(pair.server.accepted.back(), std::string(20, 'x')),
            net::SendResult::Parked);
  EXPECT_TRUE(pair.network.run(ms));
  EXPECT_EQ(peer.received(), "");
  peer.reads = true;
  EXPECT_TRUE(pair.network.run(ms));
  EXPECT_EQ(peer.received(), std::string(20, 'x'));
  peer.reset();
  EXPECT_TRUE(pair.network.run(ms));
  EXPECT_EQ(pair.server.closed, std::vector{net::CloseReason::PeerReset});
}

/// The client's process is killed, with a keeper that holds its connection.
struct Survived : Joined {
  Survived() : held(client.reactor->share(to_server).value()) {}

  /// `sent`: in the middle of that send, of which the kernel takes `last_bytes`.
  void kill_client(std::string_view sent = {}, std::size_t last_bytes = 0) {
    net::Socket* const sockets[] = {&held};
    if (sent.empty()) {
      network.kill(client.node, sockets);
    } else {
      network.on_sent = [&](NodeId, LinkId, std::string_view) {
        network.kill(client.node, sockets, last_bytes);
      };
      static_cast<void>(client.reactor->send(to_server, sent));
      network.on_sent = {};
    }
    zombie = std::move(client.reactor);
    zombie.reset();
    client.begin();
  }

  [[nodiscard]] auto adopt() {
    return client.reactor->adopt(
        net::DetachedConnection{.socket = std::move(held), .shared = true});
  }

  net::Socket held;
  std::unique_ptr<net::Reactor> zombie;
};

TEST(VirtualNetwork, AConnectionThatIsHeldOutlivesItsProcess) {
  Survived pair;
  EXPECT_EQ(pair.client.reactor->send(pair.to_server, "before "), net::SendResult::Sent);
  EXPECT_TRUE(pair.network.run(ms));
  EXPECT_EQ(pair.server.reactor->send(pair.to_client, "read and lost"), net::SendResult::Sent);
  EXPECT_TRUE(pair.network.run(ms));
  pair.kill_client("half of it", 4);
  EXPECT_EQ(pair.server.reactor->send(pair.to_client, "unread"), net::SendResult::Sent);
  EXPECT_TRUE(pair.network.run(ms));
  EXPECT_EQ(pair.network.left_connections(pair.client.node), 1U);
  const auto position = pair.client.reactor->stream_position(pair.held, net::Opened::Here);
  ASSERT_TRUE(position);
  EXPECT_EQ(position->written, std::string_view("before half").size());
  EXPECT_EQ(position->read, std::string_view("read and lost").size());
  EXPECT_EQ(position->unread, std::string_view("unread").size());
  pair.client.received.clear();
  const auto id = pair.adopt();
  ASSERT_TRUE(id);
  EXPECT_EQ(pair.network.left_connections(pair.client.node), 0U);
  EXPECT_EQ(pair.client.reactor->send(*id, " and the rest"), net::SendResult::Sent);
  EXPECT_TRUE(pair.network.run(ms));
  EXPECT_EQ(pair.server.received, "before half and the rest");
  EXPECT_EQ(pair.client.received, "unread");
  EXPECT_TRUE(pair.server.closed.empty());
}

TEST(VirtualNetwork, WhoHoldsAConnectionCanShutItDown) {
  Survived pair;
  const net::Socket of_the_dead(::fcntl(pair.held.fd(), F_DUPFD_CLOEXEC, 3));
  pair.kill_client();
  // Acts of the killed process have no effect.
  static_cast<void>(::shutdown(of_the_dead.fd(), SHUT_RDWR));
  EXPECT_TRUE(pair.network.run(ms));
  EXPECT_TRUE(pair.server.closed.empty());
  static_cast<void>(::shutdown(pair.held.fd(), SHUT_RDWR));
  EXPECT_TRUE(pair.network.run(ms));
  EXPECT_EQ(pair.server.closed.size(), 1U);
  EXPECT_FALSE(pair.adopt());
}

TEST(VirtualNetwork, AConnectionThatNobodyHoldsEndsWithItsProcess) {
  Survived pair;
  pair.network.kill(pair.client.node);
  EXPECT_TRUE(pair.network.run(ms));
  EXPECT_EQ(pair.server.closed.size(), 1U);
  EXPECT_EQ(pair.network.left_connections(pair.client.node), 0U);
}

TEST(VirtualNetwork, TheKernelsBytesAreReportedOnceEachAndInOrder) {
  Joined pair;
  std::string taken;
  pair.network.on_taken = [&](NodeId, LinkId, std::string_view bytes) { taken += bytes; };
  pair.network.conditions.window_bytes = 3;
  EXPECT_EQ(pair.client.reactor->send(pair.to_server, "hello world"), net::SendResult::Parked);
  EXPECT_EQ(taken, "hel");
  EXPECT_TRUE(pair.network.run(100 * ms));
  EXPECT_EQ(taken, "hello world");
  EXPECT_EQ(pair.server.received, taken);
}

}  // namespace
}  // namespace affix::testing
