// SPDX-License-Identifier: MIT
// Allowed addresses: allow-lists of acceptors and sessions, limits per address, and proxies that
// name the peer's address.
#include "affix/net/listener.hpp"

#include "support/has_message.hpp"
#include "support/proxy_header_text.hpp"
#include "support/raw_peer.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <list>
#include <string>
#include <string_view>

namespace affix::support {
namespace {

class EngineAddresses : public testing::Test {
 protected:
  void open(const std::function<void(config::ServerSettings&)>& adjust,
            const std::function<void(config::SessionSettings&)>& adjust_session = {}) {
    configuration_ = acceptor_configuration();
    config::SessionSettings& session =
        add_session(configuration_, "VENUE", "FIRM", directory_.path());
    session.logon_timeout_seconds = 1;
    add_session(configuration_, "VENUE", "OTHER", directory_.path()).logon_timeout_seconds = 1;
    adjust(configuration_.servers.front());
    if (adjust_session) {
      adjust_session(configuration_.sessions.front());
    }
    venue_ = open_engine(configuration_, application_);
    ASSERT_TRUE(venue_);
  }

  RawPeer& connect(const std::string& us = "FIRM") {
    RawPeer& peer = peers_.emplace_back(Engines{venue_.get()}, us, "VENUE");
    peer.connect(port_of(*venue_));
    return peer;
  }

  /// Connects through a proxy, as which loopback is trusted.
  RawPeer& connect_for(std::string_view source, const std::string& us = "FIRM") {
    RawPeer& peer = connect(us);
    peer.send_bytes(proxy_header_for(source));
    return peer;
  }

  /// True if it is still connected after a while.
  [[nodiscard]] bool stays(RawPeer& peer) {
    turn_for({venue_.get()}, 20 * base::ns_per_ms);
    peer.read();
    return !peer.ended();
  }

  TemporaryDirectory directory_;
  config::Configuration configuration_;
  Recorder application_;
  std::unique_ptr<engine::Engine> venue_;
  std::list<RawPeer> peers_;
};

void trust_loopback(config::ServerSettings& server) {
  server.proxy_protocol_addresses = "127.0.0.0/8";
}

TEST_F(EngineAddresses, AnAddressThatIsNotAllowedIsClosedBeforeItSendsAnything) {
  open([](config::ServerSettings& server) { server.allowed_addresses = "192.0.2.0/24, ::1"; });
  RawPeer& peer = connect();
  EXPECT_TRUE(peer.closed());
  EXPECT_TRUE(application_.heard_code("N201", "allowed_addresses")) << application_.all_events();
  EXPECT_EQ(application_.logon_requests, 0);
}

TEST_F(EngineAddresses, AnAllowedAddressLogsOn) {
  open([](config::ServerSettings& server) { server.allowed_addresses = "192.0.2.0/24,127.0.0.1"; });
  connect().log_on();
}

TEST_F(EngineAddresses, ASessionsListIsItsOwn) {
  open([](config::ServerSettings&) {},
       [](config::SessionSettings& session) { session.allowed_peer_addresses = "192.0.2.7"; });
  RawPeer& firm = connect("FIRM");
  firm.send_logon();
  EXPECT_TRUE(firm.closed());
  EXPECT_TRUE(application_.heard_code("N201", "allowed_peer_addresses of session FIRM"))
      << application_.all_events();
  EXPECT_EQ(application_.logon_requests, 0);
  EXPECT_EQ(venue_->session("FIRM").next_target_seq(), 1U);
  connect("OTHER").log_on();
}

TEST_F(EngineAddresses, AnAddressHasSoManyConnectionsAndItsRoomComesBack) {
  open([](config::ServerSettings& server) { server.max_connections_per_address = 2; });
  RawPeer& first = connect("FIRM");
  first.log_on();  // Connections that have logged on count too.
  RawPeer& second = connect("OTHER");
  EXPECT_TRUE(stays(second));
  RawPeer& third = connect("OTHER");
  EXPECT_TRUE(third.closed());
  EXPECT_TRUE(application_.heard_code("N202", "from its address"));
  first.close();
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return venue_->session("FIRM").disconnected(); }));
  RawPeer& fourth = connect("FIRM");
  fourth.next_sequence = first.next_sequence;
  fourth.log_on();
  // A logout also frees its place.
  fourth.send("5");
  EXPECT_TRUE(fourth.closed());
  fourth.close();
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return venue_->session("FIRM").disconnected(); }));
  RawPeer& fifth = connect("FIRM");
  EXPECT_TRUE(stays(fifth));
  RawPeer& sixth = connect("FIRM");
  EXPECT_TRUE(sixth.closed());
}

TEST_F(EngineAddresses, BeforeTheLogonAnAddressHasFewer) {
  open([](config::ServerSettings& server) { server.max_connections_before_logon_per_address = 1; });
  RawPeer& first = connect("FIRM");
  EXPECT_TRUE(stays(first));
  RawPeer& second = connect("OTHER");
  EXPECT_TRUE(second.closed());
  first.log_on();
  connect("OTHER").log_on();
}

TEST_F(EngineAddresses, TheAddressOfAProxyHeaderIsJudged) {
  open([](config::ServerSettings& server) {
    trust_loopback(server);
    server.allowed_addresses = "203.0.113.0/24, 2001:db8::/32";
    server.max_connections_per_address = 1;
  });
  RawPeer& stranger = connect_for("198.51.100.1:4000");
  EXPECT_TRUE(stranger.closed());
  EXPECT_TRUE(application_.heard_code("N201", "198.51.100.1:4000 by way of 127.0.0.1:"))
      << application_.all_events();
  RawPeer& firm = connect_for("203.0.113.7:4000", "FIRM");
  firm.log_on();
  RawPeer& again = connect_for("203.0.113.7:4001", "OTHER");
  EXPECT_TRUE(again.closed());  // There is one connection from that address.
  RawPeer& other = connect_for("[2001:db8::7]:4000", "OTHER");
  other.log_on();
  other.send("1", "112=lives|");
  EXPECT_EQ(other.expect("0")[112], "lives");
}

TEST_F(EngineAddresses, TheHeaderAndTheLogonMayComeTogetherOrInBytes) {
  open(trust_loopback);
  RawPeer& together = connect("FIRM");
  const std::string both = proxy_header_for("203.0.113.7:4000") +
                           together.message("A", together.next_sequence++, "98=0|108=30|");
  together.send_bytes(both);
  together.expect("A");
  RawPeer& slow = connect("OTHER");
  const std::string all = proxy_header_for("[2001:db8::7]:4000") +
                          slow.message("A", slow.next_sequence++, "98=0|108=30|");
  for (const char byte : all) {
    slow.send_bytes({&byte, 1});
    turn({venue_.get()});
  }
  slow.expect("A");
  EXPECT_FALSE(application_.heard("arbage")) << application_.all_events();
}

TEST_F(EngineAddresses, AProxyWithoutItsHeaderIsNotBelieved) {
  open(trust_loopback);
  RawPeer& plain = connect();
  plain.send_logon();
  EXPECT_TRUE(plain.closed());
  EXPECT_TRUE(application_.heard_code("N203", "version 2"));
  RawPeer& silent = connect();
  RawPeer& half = connect();
  half.send_bytes(proxy_header_for("203.0.113.7:4000").substr(0, 20));
  EXPECT_TRUE(silent.closed());
  EXPECT_TRUE(half.closed());
  EXPECT_TRUE(application_.heard_code("N204", "in time")) << application_.all_events();
}

TEST_F(EngineAddresses, AHeaderFromAnybodyElseIsNoLogon) {
  open([](config::ServerSettings& server) { server.proxy_protocol_addresses = "192.0.2.1"; });
  RawPeer& liar = connect_for("203.0.113.7:4000");
  liar.send_logon();
  EXPECT_TRUE(liar.closed());
  EXPECT_TRUE(application_.heard_code("N203", "proxy_protocol_addresses"))
      << application_.all_events();
  connect().log_on();  // Direct connections are allowed too.
}

TEST_F(EngineAddresses, AProxysOwnConnectionsAreJudgedWhenTheyLogOn) {
  open([](config::ServerSettings& server) {
    trust_loopback(server);
    server.allowed_addresses = "203.0.113.0/24";
  });
  RawPeer& health = connect();
  health.send_bytes(proxy_header(0x20, 0, {}));
  EXPECT_TRUE(stays(health));
  health.close();
  turn_for({venue_.get()}, 20 * base::ns_per_ms);
  EXPECT_TRUE(application_.events.empty()) << application_.all_events();
  RawPeer& local = connect();
  local.send_bytes(proxy_header(0x20, 0, {}));
  local.send_logon();
  EXPECT_TRUE(local.closed());
  EXPECT_TRUE(application_.heard_code("N201", "allowed_addresses"));
}

TEST_F(EngineAddresses, AReloadMovesTheListsAndConnectionsStay) {
  open([](config::ServerSettings&) {});
  RawPeer& firm = connect("FIRM");
  firm.log_on();
  config::Configuration wanted = venue_->configuration();
  wanted.servers.front().allowed_addresses = "192.0.2.1";
  auto change = venue_->reload(wanted);
  ASSERT_TRUE(change) << config::text_of(change.error());
  turn_for({venue_.get()}, 10 * base::ns_per_ms);
  EXPECT_TRUE(connect("OTHER").closed());
  EXPECT_TRUE(venue_->session("FIRM").logged_on());
  wanted.servers.front().allowed_addresses = {};
  wanted.sessions.back().allowed_peer_addresses = "192.0.2.2";
  change = venue_->reload(wanted);
  ASSERT_TRUE(change) << config::text_of(change.error());
  turn_for({venue_.get()}, 10 * base::ns_per_ms);
  RawPeer& other = connect("OTHER");
  other.send_logon();
  EXPECT_TRUE(other.closed());
  EXPECT_TRUE(application_.heard_code("N201", "allowed_peer_addresses of session OTHER"));
  wanted.sessions.back().allowed_peer_addresses = "nonsense";
  wanted.servers.front().proxy_protocol_addresses = "more of it";
  const auto wrong = venue_->reload(wanted);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().size(), 2U) << config::text_of(wrong.error());
  wanted.servers.front().proxy_protocol_addresses = {};
  EXPECT_FALSE(venue_->reload(wanted));
}

TEST_F(EngineAddresses, ListsThatAreNoneRefuseTheStart) {
  config::Configuration configuration = acceptor_configuration();
  add_session(configuration, "VENUE", "FIRM", directory_.path()).allowed_peer_addresses =
      "192.0.2.1/24";
  configuration.servers.front().allowed_addresses = "example.com";
  const auto refused = engine::Engine::open(configuration, application_);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(has_message(config::text_of(refused.error()), "C231", {"192.0.2.1/24"}));
  configuration.sessions.front().allowed_peer_addresses = {};
  EXPECT_FALSE(engine::Engine::open(configuration, application_));
}

}  // namespace
}  // namespace affix::support
