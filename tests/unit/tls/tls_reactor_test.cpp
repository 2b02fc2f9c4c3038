// SPDX-License-Identifier: MIT
// TLS on the reactors, with OpenSSL's library at the other end: bytes in both directions with any
// division, orderly and abrupt ends, back pressure, and connections that move.
#include "affix/tls/tls_reactor.hpp"

#include "support/accepted.hpp"
#include "unit/tls/tls_loopback.hpp"

#include <gtest/gtest.h>
#include <thread>

namespace affix::tls {
namespace {

using loopback::OpenSslPeer;
using loopback::pattern;
using loopback::TlsRig;
using loopback::TlsWorld;

void allow_only(SSL_CTX* context, int version) {
  EXPECT_EQ(SSL_CTX_set_min_proto_version(context, version), 1);
  EXPECT_EQ(SSL_CTX_set_max_proto_version(context, version), 1);
}

/// Everything is tested with both versions.
class TlsReactorTest : public testing::TestWithParam<int> {
 protected:
  [[nodiscard]] std::function<void(SSL_CTX*)> client() const {
    return [this](SSL_CTX* context) {
      world.good_client()(context);
      allow_only(context, GetParam());
    };
  }

  [[nodiscard]] std::function<void(SSL_CTX*)> server() const {
    return [this](SSL_CTX* context) {
      world.good_server()(context);
      allow_only(context, GetParam());
    };
  }

  /// A peer that has connected and completed the handshake.
  std::unique_ptr<OpenSslPeer> join(TlsRig& rig) {
    auto peer = std::make_unique<OpenSslPeer>(rig.dial(), OpenSslPeer::Role::Client, client());
    rig.peers.push_back(peer.get());
    EXPECT_TRUE(rig.turn_until([&] {
      return peer->shaken() && !rig.recorder.accepted.empty() &&
             rig.reactor->tls_peer(rig.recorder.accepted.back()) != nullptr;
    })) << peer->fault()
        << rig.all_faults();
    return peer;
  }

  /// A peer whose kernel has nothing unread, so that closing it is no reset.
  std::unique_ptr<OpenSslPeer> join_and_talk(TlsRig& rig) {
    auto peer = join(rig);
    EXPECT_EQ(rig.reactor->send(rig.recorder.accepted.back(), "ready"), net::SendResult::Sent);
    EXPECT_TRUE(rig.turn_until([&] { return peer->received() == "ready"; }));
    return peer;
  }

  /// Takes a part of the first delivery and pauses; then takes everything.
  static void pause_within_the_first_delivery(TlsRig& rig, std::string& consumed) {
    rig.recorder.when_bytes = [&](net::ConnectionId id, std::string_view bytes) -> std::size_t {
      const bool first = consumed.empty();
      const std::size_t take = first ? std::min<std::size_t>(bytes.size(), 3000) : bytes.size();
      consumed.append(bytes.substr(0, take));
      if (first) {
        EXPECT_TRUE(rig.reactor->pause_reading(id));
      }
      return take;
    };
  }

  /// Whatever reactor the others are: the connections of an epoll reactor can leave it.
  [[nodiscard]] TlsRig epoll_rig(const net::ReactorOptions& options = {}) const {
    return TlsRig(world.server(), options, {}, "epoll");
  }

  /// The peer writes `sent`, and its connection leaves the reactor without the first `taken` bytes
  /// of that. Empty: connections cannot leave this reactor.
  static std::optional<net::DetachedConnection> write_and_release(TlsRig& rig, OpenSslPeer& peer,
                                                                  std::string_view sent,
                                                                  std::size_t taken) {
    std::optional<net::DetachedConnection> detached;
    rig.recorder.when_bytes = [&](net::ConnectionId id, std::string_view bytes) {
      if (auto released = rig.reactor->release(id, bytes.substr(taken))) {
        detached = std::move(*released);
        EXPECT_FALSE(rig.reactor->close(id));
      } else {
        EXPECT_EQ(released.error().code, base::ErrorCode::Unsupported);
      }
      return bytes.size();
    };
    peer.write(sent);
    EXPECT_TRUE(rig.turn_until([&] { return rig.recorder.deliveries != 0; }));
    rig.recorder.when_bytes = nullptr;
    return detached;
  }

  TlsWorld world;
};

TEST_P(TlsReactorTest, BytesGoBothWaysOverAServersConnection) {
  TlsRig rig(world.server());
  const auto peer = join(rig);
  const net::ConnectionId id = rig.recorder.accepted.back();
  peer->write("hello");
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.bytes_of(id) == "hello"; }));
  EXPECT_EQ(rig.reactor->send(id, "well met"), net::SendResult::Sent);
  ASSERT_TRUE(rig.turn_until([&] { return peer->received() == "well met"; }));
  const TlsPeer* const known = rig.reactor->tls_peer(id);
  ASSERT_NE(known, nullptr);
  EXPECT_EQ(known->version, GetParam() == TLS1_3_VERSION ? "TLSv1.3" : "TLSv1.2");
  EXPECT_TRUE(known->has_certificate);
  EXPECT_TRUE(known->verified);
  EXPECT_EQ(known->common_names, std::vector<std::string>{"FIRM"});
  EXPECT_EQ(known->dns_names, std::vector<std::string>{"firm.example"});
  EXPECT_EQ(known->uris, std::vector<std::string>{"urn:fix:FIRM"});
  EXPECT_EQ(known->certificate_sha256, world.firm.certificate_sha256);
  EXPECT_EQ(known->key_sha256, world.firm.key_sha256);
  EXPECT_EQ(known->subject, "CN=FIRM,O=affix test");
  EXPECT_TRUE(rig.recorder.tls_faults.empty());
}

TEST_P(TlsReactorTest, BytesGoBothWaysOverAClientsConnection) {
  TlsRig rig(world.server());  // Its listener is not used.
  auto listener = net::Listener::open(loopback::any_loopback(), {});
  ASSERT_TRUE(listener);
  const auto endpoint = loopback::open_endpoint(world.client());
  const auto id = rig.reactor->connect_tls(listener->local_address(), {},
                                           os::now().steady_ns + loopback::patience_ns, endpoint);
  ASSERT_TRUE(id);
  EXPECT_EQ(rig.reactor->send(*id, "early"), net::SendResult::Closed);
  net::Socket accepted = support::accept_waiting(listener->socket().fd());
  OpenSslPeer peer(std::move(accepted), OpenSslPeer::Role::Server, server());
  rig.peers.push_back(&peer);
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.connected.empty(); }))
      << rig.all_faults() << peer.fault();
  EXPECT_STREQ(SSL_get_servername(peer.ssl(), TLSEXT_NAMETYPE_host_name), "venue.example");
  EXPECT_EQ(rig.reactor->send(*id, "hello"), net::SendResult::Sent);
  ASSERT_TRUE(rig.turn_until([&] { return peer.received() == "hello"; }));
  peer.write("well met");
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.bytes_of(*id) == "well met"; }));
  ASSERT_NE(rig.reactor->tls_peer(*id), nullptr);
  EXPECT_EQ(rig.reactor->tls_peer(*id)->dns_names, std::vector<std::string>{"venue.example"});
}

TEST_P(TlsReactorTest, OneByteAtATimeIsAsGoodAsAll) {
  TlsRig rig(world.server());
  OpenSslPeer peer(rig.dial(), OpenSslPeer::Role::Client, client());
  peer.bytes_per_step = 1;
  rig.peers.push_back(&peer);
  ASSERT_TRUE(rig.turn_until([&] { return peer.shaken(); })) << rig.all_faults();
  const std::string sent = pattern(700);
  peer.write(sent);
  const net::ConnectionId id = rig.recorder.accepted.back();
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.bytes_of(id).size() == sent.size(); }));
  EXPECT_EQ(rig.recorder.bytes_of(id), sent);
}

TEST_P(TlsReactorTest, MegabytesArriveWholeBothWays) {
  net::ReactorOptions options;
  options.tx_buffer_capacity = 128 * 1024;
  TlsRig rig(world.server(), options, loopback::small_buffers());
  const auto peer = join(rig);
  const net::ConnectionId id = rig.recorder.accepted.back();
  const std::string there = pattern(3'000'000);
  for (std::size_t at = 0; at < there.size(); at += 50'000) {
    peer->write(std::string_view(there).substr(at, 50'000));
  }
  const std::string back = pattern(2'500'001);
  rig.send_all(id, back);
  ASSERT_TRUE(rig.turn_until([&] {
    return peer->received().size() == back.size() &&
           rig.recorder.bytes_of(id).size() == there.size();
  }));
  EXPECT_EQ(peer->received(), back);
  EXPECT_EQ(rig.recorder.bytes_of(id), there);
}

TEST_P(TlsReactorTest, PiecesOfOneSendAreOneStream) {
  TlsRig rig(world.server());
  const auto peer = join(rig);
  const net::ConnectionId id = rig.recorder.accepted.back();
  const std::string large = pattern(40'000);
  const std::vector<std::string_view> pieces{"a", "", "bc", large, "d"};
  EXPECT_EQ(rig.reactor->send(id, pieces), net::SendResult::Sent);
  EXPECT_EQ(rig.reactor->send(id, std::span<const std::string_view>()), net::SendResult::Sent);
  ASSERT_TRUE(rig.turn_until([&] { return peer->received().size() == large.size() + 4; }));
  EXPECT_EQ(peer->received(), "abc" + large + "d");
}

TEST_P(TlsReactorTest, ASendThatDoesNotFitIsRefusedWholeAndRoomIsReported) {
  net::ReactorOptions options;
  options.tx_buffer_capacity = 256 * 1024;
  TlsRig rig(world.server(), options, loopback::small_buffers());
  const auto peer = join(rig);
  rig.peers.clear();  // It reads nothing at present.
  const net::ConnectionId id = rig.recorder.accepted.back();
  EXPECT_GE(rig.reactor->options().tx_buffer_capacity, 256U * 1024);
  const std::string chunk = pattern(100'000);
  std::string taken;
  net::SendResult result = net::SendResult::Sent;
  for (int count = 0; count < 200 && result != net::SendResult::Overflow; ++count) {
    result = rig.reactor->send(id, chunk);
    rig.reactor->submit();
    taken += result == net::SendResult::Overflow ? std::string() : chunk;
  }
  ASSERT_EQ(result, net::SendResult::Overflow);
  EXPECT_GT(rig.reactor->parked_bytes(id), 0U);
  EXPECT_TRUE(rig.recorder.drained.empty());
  rig.peers.push_back(peer.get());
  ASSERT_TRUE(rig.turn_until(
      [&] { return !rig.recorder.drained.empty() && peer->received().size() == taken.size(); }));
  EXPECT_EQ(peer->received(), taken);
  EXPECT_EQ(rig.reactor->parked_bytes(id), 0U);
  // The largest permitted size fits when nothing is parked.
  EXPECT_NE(rig.reactor->send(id, std::string(rig.reactor->options().tx_buffer_capacity, 'x')),
            net::SendResult::Overflow);
  EXPECT_EQ(rig.reactor->send(id, std::string(rig.reactor->options().tx_buffer_capacity + 1, 'x')),
            net::SendResult::Overflow);
}

TEST_P(TlsReactorTest, InputThatIsNotConsumedComesAgainWithTheNext) {
  TlsRig rig(world.server());
  const auto peer = join(rig);
  std::vector<std::string> deliveries;
  rig.recorder.when_bytes = [&](net::ConnectionId, std::string_view bytes) -> std::size_t {
    deliveries.emplace_back(bytes);
    return bytes.size() / 3;
  };
  peer->write("abc");
  ASSERT_TRUE(rig.turn_until([&] { return deliveries.size() == 1; }));
  peer->write("def");
  ASSERT_TRUE(rig.turn_until([&] { return deliveries.size() == 2; }));
  EXPECT_EQ(deliveries, (std::vector<std::string>{"abc", "bcdef"}));
}

TEST_P(TlsReactorTest, AMessageThatNobodyConsumesEndsTheConnection) {
  net::ReactorOptions options;
  options.rx_buffer_capacity = 4096;
  TlsRig rig(world.server(), options);
  const auto peer = join(rig);
  rig.recorder.when_bytes = [](net::ConnectionId, std::string_view) -> std::size_t { return 0; };
  peer->write(pattern(10'000));
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
  EXPECT_EQ(rig.recorder.closed.front().reason, net::CloseReason::InputOverflow);
  EXPECT_EQ(rig.recorder.largest_delivery, 4096U);
}

TEST_P(TlsReactorTest, PausingHoldsEverythingBackAndResumingLosesNothing) {
  net::ReactorOptions options;
  options.rx_buffer_capacity = 8192;
  TlsRig rig(world.server(), options);
  const auto peer = join(rig);
  const net::ConnectionId id = rig.recorder.accepted.back();
  std::string consumed;
  int pauses = 0;
  // Consumes a little, then pauses within the available bytes.
  rig.recorder.when_bytes = [&](net::ConnectionId, std::string_view bytes) -> std::size_t {
    const std::size_t take = std::min<std::size_t>(bytes.size(), 3000);
    consumed.append(bytes.substr(0, take));
    ++pauses;
    EXPECT_TRUE(rig.reactor->pause_reading(id));
    return take;
  };
  const std::string sent = pattern(100'000);
  peer->write(sent);
  peer->end();
  int resumed = 0;
  ASSERT_TRUE(rig.turn_until([&] {
    if (resumed < pauses) {
      EXPECT_TRUE(rig.reactor->resume_reading(id));
      ++resumed;
    }
    return !rig.recorder.closed.empty();
  }));
  EXPECT_EQ(consumed, sent);
  EXPECT_GE(pauses, 30);
  EXPECT_EQ(rig.recorder.closed.front().reason, net::CloseReason::PeerClosed);
}

TEST_P(TlsReactorTest, NothingIsDeliveredWhilePaused) {
  TlsRig rig(world.server());
  const auto peer = join(rig);
  const net::ConnectionId id = rig.recorder.accepted.back();
  EXPECT_TRUE(rig.reactor->pause_reading(id));
  peer->write("later");
  static_cast<void>(rig.turn_until([] { return false; }, 20 * base::ns_per_ms));
  EXPECT_EQ(rig.recorder.deliveries, 0U);
  EXPECT_TRUE(rig.reactor->resume_reading(id));
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.bytes_of(id) == "later"; }));
}

TEST_P(TlsReactorTest, AnEndThatCameWithThemDoesNotOvertakeDecryptedBytes) {
  TlsRig rig(world.server());
  const auto peer = join_and_talk(rig);
  std::string consumed;
  pause_within_the_first_delivery(rig, consumed);
  const std::string sent = pattern(8000);
  peer->write(sent);
  peer->step();
  peer->close();
  rig.peers.clear();
  ASSERT_TRUE(rig.turn_until([&] { return !consumed.empty(); }));
  EXPECT_TRUE(rig.reactor->resume_reading(rig.recorder.accepted.back()));
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
  EXPECT_EQ(consumed, sent);
  EXPECT_EQ(rig.recorder.closed.front().reason, net::CloseReason::Truncated);
}

TEST_P(TlsReactorTest, AResetFoundBySendingDoesNotOvertakeDecryptedBytes) {
  TlsRig rig(world.server());
  const auto peer = join_and_talk(rig);
  const net::ConnectionId id = rig.recorder.accepted.back();
  std::string consumed;
  pause_within_the_first_delivery(rig, consumed);
  const std::string sent = pattern(8000);
  peer->write(sent);
  ASSERT_TRUE(rig.turn_until([&] { return !consumed.empty(); }));
  rig.peers.clear();
  const linger now{.l_onoff = 1, .l_linger = 0};
  EXPECT_EQ(::setsockopt(peer->fd(), SOL_SOCKET, SO_LINGER, &now, sizeof now), 0);
  peer->close();
  static_cast<void>(rig.reactor->send(id, "into the void"));
  static_cast<void>(rig.reactor->send(id, "again"));
  rig.reactor->submit();
  EXPECT_TRUE(rig.reactor->resume_reading(id));
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
  EXPECT_EQ(consumed, sent);
  EXPECT_EQ(rig.recorder.closed.front().reason, net::CloseReason::PeerReset);
}

TEST_P(TlsReactorTest, ThePeersCloseNotifyIsAnOrderlyEndAndIsAnswered) {
  TlsRig rig(world.server());
  const auto peer = join(rig);
  peer->write("last words");
  peer->end();
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
  EXPECT_EQ(rig.recorder.closed.front().reason, net::CloseReason::PeerClosed);
  EXPECT_EQ(rig.recorder.bytes_of(rig.recorder.accepted.back()), "last words");
  ASSERT_TRUE(rig.turn_until([&] { return peer->got_close_notify() && peer->at_end(); }));
  peer->close();
  ASSERT_TRUE(rig.turn_until([&] { return rig.reactor->connection_count() == 0; }));
  EXPECT_EQ(rig.recorder.closed.size(), 1U);
  EXPECT_TRUE(rig.recorder.tls_faults.empty()) << rig.all_faults();
}

TEST_P(TlsReactorTest, AStreamWithoutCloseNotifyIsTruncated) {
  TlsRig rig(world.server());
  const auto peer = join(rig);
  rig.peers.clear();
  peer->close();
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
  EXPECT_EQ(rig.recorder.closed.front().reason, net::CloseReason::Truncated);
}

TEST_P(TlsReactorTest, ClosingInOrderSendsAllAndOurCloseNotify) {
  TlsRig rig(world.server());
  const auto peer = join(rig);
  const net::ConnectionId id = rig.recorder.accepted.back();
  const std::string sent = pattern(300'000);
  EXPECT_NE(rig.reactor->send(id, sent), net::SendResult::Overflow);
  EXPECT_TRUE(rig.reactor->close_after_flush(id, os::now().steady_ns + loopback::patience_ns));
  EXPECT_FALSE(rig.reactor->close_after_flush(id, os::now().steady_ns));
  EXPECT_EQ(rig.reactor->send(id, "more"), net::SendResult::Closed);
  ASSERT_TRUE(rig.turn_until([&] { return peer->got_close_notify(); }));
  EXPECT_EQ(peer->received(), sent);
  peer->end();
  peer->step();
  peer->close();
  rig.peers.clear();
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
  EXPECT_EQ(rig.recorder.closed.front().reason, net::CloseReason::Flushed);
}

TEST_P(TlsReactorTest, CloseTellsNobodyAndTheIdIsDead) {
  TlsRig rig(world.server());
  const auto peer = join(rig);
  const net::ConnectionId id = rig.recorder.accepted.back();
  EXPECT_TRUE(rig.reactor->close(id));
  EXPECT_FALSE(rig.reactor->close(id));
  EXPECT_FALSE(rig.reactor->pause_reading(id));
  EXPECT_FALSE(rig.reactor->resume_reading(id));
  EXPECT_EQ(rig.reactor->send(id, "x"), net::SendResult::Closed);
  EXPECT_EQ(rig.reactor->tls_peer(id), nullptr);
  EXPECT_EQ(rig.reactor->connection_count(), 0U);
  ASSERT_TRUE(rig.turn_until([&] { return peer->at_end(); }));
  EXPECT_TRUE(rig.recorder.closed.empty());
}

TEST_P(TlsReactorTest, AHandlerMayCloseInTheMiddleOfADelivery) {
  TlsRig rig(world.server());
  const auto peer = join(rig);
  rig.recorder.when_bytes = [&](net::ConnectionId id, std::string_view bytes) {
    EXPECT_TRUE(rig.reactor->close(id));
    return bytes.size();
  };
  peer->write("x");
  ASSERT_TRUE(rig.turn_until([&] { return peer->at_end(); }));
  EXPECT_EQ(rig.reactor->connection_count(), 0U);
}

TEST_P(TlsReactorTest, PlainConnectionsOfTheSameReactorStayPlain) {
  TlsRig rig(world.server());
  const auto secured = join(rig);
  const auto plain = rig.reactor->listen(loopback::any_loopback(), {});
  ASSERT_TRUE(plain);
  const std::size_t before = rig.recorder.accepted.size();
  const loopback::Peer peer = loopback::Peer::to(plain->address);
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.accepted.size() > before; }));
  const net::ConnectionId id = rig.recorder.accepted.back();
  peer.send("in the clear");
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.bytes_of(id) == "in the clear"; }));
  EXPECT_EQ(rig.reactor->send(id, "answer"), net::SendResult::Sent);
  std::string answer;
  ASSERT_TRUE(rig.turn_until([&] {
    answer += peer.receive_now();
    return answer == "answer";
  }));
  EXPECT_EQ(rig.reactor->tls_peer(id), nullptr);
}

TEST_P(TlsReactorTest, OnlyPlainConnectionsAreShared) {
  TlsRig rig(world.server());
  const auto secured = join(rig);
  const auto refused = rig.reactor->share(rig.recorder.accepted.back());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::Unsupported);
  const auto plain = rig.reactor->listen(loopback::any_loopback(), {});
  ASSERT_TRUE(plain);
  EXPECT_TRUE(rig.reactor->share(plain->id));
  const std::size_t before = rig.recorder.accepted.size();
  const loopback::Peer peer = loopback::Peer::to(plain->address);
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.accepted.size() > before; }));
  const auto duplicate = rig.reactor->share(rig.recorder.accepted.back());
  ASSERT_TRUE(duplicate) << duplicate.error().text();
  ASSERT_TRUE(rig.reactor->close(rig.recorder.accepted.back()));
  ASSERT_TRUE(rig.turn_until([&] {
    static_cast<void>(peer.receive_now());
    return peer.at_end();
  }));
}

// Two reactors may read the bytes of one write by the peer: the first words here, the rest by the
// adopting one, decrypted or not when it moves.
TEST_P(TlsReactorTest, AConnectionMovesToAnotherReactorWithItsStream) {
  net::ReactorOptions options;
  options.rx_buffer_capacity = 4096;
  TlsRig first = epoll_rig(options);
  TlsRig second(world.server());
  const auto peer = join(first);
  const std::string sent = pattern(30'000);
  auto detached = write_and_release(first, *peer, sent, 3);
  ASSERT_TRUE(detached);
  EXPECT_EQ(first.reactor->connection_count(), 0U);
  const auto id = second.reactor->adopt(std::move(*detached));
  ASSERT_TRUE(id) << id.error().text();
  second.peers.push_back(peer.get());
  ASSERT_TRUE(
      second.turn_until([&] { return second.recorder.bytes_of(*id).size() == sent.size() - 3; }));
  EXPECT_EQ(second.recorder.bytes_of(*id), sent.substr(3));
  ASSERT_NE(second.reactor->tls_peer(*id), nullptr);
  EXPECT_EQ(second.reactor->tls_peer(*id)->common_names, std::vector<std::string>{"FIRM"});
  EXPECT_EQ(second.reactor->send(*id, "from the other one"), net::SendResult::Sent);
  ASSERT_TRUE(second.turn_until([&] { return peer->received() == "from the other one"; }));
}

// A peer that sends its Logon and is gone before the session's own thread has the connection.
TEST_P(TlsReactorTest, AnEndDoesNotOvertakeDecryptedBytesThatMove) {
  TlsRig first = epoll_rig();
  TlsRig second(world.server());
  const auto peer = join(first);
  const std::string sent = pattern(5000);
  auto detached = write_and_release(first, *peer, sent, 3);
  ASSERT_TRUE(detached);
  peer->step();  // Reads the session tickets, so that closing is no reset.
  peer->close();
  const auto id = second.reactor->adopt(std::move(*detached));
  ASSERT_TRUE(id) << id.error().text();
  ASSERT_TRUE(second.turn_until([&] { return !second.recorder.closed.empty(); }));
  EXPECT_EQ(second.recorder.bytes_of(*id), sent.substr(3));
  EXPECT_EQ(second.recorder.closed.front().reason, net::CloseReason::Truncated);
}

// The usual case: one message came, its first bytes identified the session, and nothing follows.
TEST_P(TlsReactorTest, DecryptedBytesComeToTheOtherReactorWithoutMoreInput) {
  TlsRig first(world.server());
  TlsRig second(world.server());
  const auto peer = join(first);
  auto detached = write_and_release(first, *peer, "hello world", 5);
  if (!detached) {
    GTEST_SKIP() << "connections cannot leave this reactor";
  }
  const auto id = second.reactor->adopt(std::move(*detached));
  ASSERT_TRUE(id);
  ASSERT_TRUE(second.turn_until([&] { return second.recorder.bytes_of(*id) == " world"; }));
}

TEST_P(TlsReactorTest, AReactorWithoutTlsTakesNoConnectionThatHasIt) {
  TlsRig first = epoll_rig();
  const auto peer = join(first);
  auto detached = write_and_release(first, *peer, "x", 0);
  ASSERT_TRUE(detached);
  auto plain = net::make_reactor(loopback::reactor_name(), {});
  ASSERT_TRUE(plain);
  const auto adopted = (*plain)->adopt(std::move(*detached));
  ASSERT_FALSE(adopted);
  EXPECT_EQ(adopted.error().code, base::ErrorCode::Unsupported);
}

INSTANTIATE_TEST_SUITE_P(Versions, TlsReactorTest, testing::Values(TLS1_2_VERSION, TLS1_3_VERSION),
                         [](const auto& version) {
                           return version.param == TLS1_2_VERSION ? "Tls12" : "Tls13";
                         });

TEST(TlsReactorOptions, TheReactorBeneathHasSpaceForTheBytesOfEncryption) {
  for (const std::uint32_t wanted : {64U, 4096U, 16'384U, 16'385U, 212'992U, 1'048'576U}) {
    net::ReactorOptions options;
    options.tx_buffer_capacity = wanted;
    const net::ReactorOptions beneath = options_beneath_tls(options);
    EXPECT_GT(beneath.tx_buffer_capacity, wanted);
    auto reactor = net::make_reactor("epoll", beneath);
    ASSERT_TRUE(reactor);
    auto secured = make_tls_reactor(std::move(*reactor));
    ASSERT_TRUE(secured) << secured.error().text();
    EXPECT_GE((*secured)->options().tx_buffer_capacity, wanted);
    EXPECT_LT((*secured)->options().tx_buffer_capacity, beneath.tx_buffer_capacity);
  }
}

TEST(TlsReactorOptions, ALittleOutputBeneathIsRefused) {
  net::ReactorOptions options;
  options.tx_buffer_capacity = 4096;
  auto reactor = net::make_reactor("epoll", options);
  ASSERT_TRUE(reactor);
  const auto secured = make_tls_reactor(std::move(*reactor));
  ASSERT_FALSE(secured);
  EXPECT_EQ(secured.error().code, base::ErrorCode::InvalidArgument);
}

}  // namespace
}  // namespace affix::tls
