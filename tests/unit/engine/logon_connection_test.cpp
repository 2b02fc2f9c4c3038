// SPDX-License-Identifier: MIT
// Connections before their logon: their phases, and the limits of their server group.
#include "engine/logon_connection.hpp"

#include "affix/base/time.hpp"

#include <gtest/gtest.h>

namespace affix::engine {
namespace {

using Phase = LogonConnection::Phase;

net::Address address_of(const char* text) {
  return net::Address::parse(text).value();
}

config::ServerSettings settings_of(std::int64_t before_logon_max) {
  config::ServerSettings settings;
  settings.name = "SERVER";
  settings.max_connections_before_logon = before_logon_max;
  settings.max_connections_per_address = 1;
  settings.allowed_addresses = "192.0.2.0/24";
  settings.proxy_protocol_addresses = "198.51.100.7";
  return settings;
}

class LogonConnectionTest : public testing::Test {
 protected:
  void begin(const char* peer) {
    connection_.begin(server_, {3, ++generation_}, address_of(peer), 1'000);
  }

  LogonServer server_{settings_of(1), {1, 1}, false};
  std::uint32_t generation_ = 0;
  LogonConnection connection_;
};

TEST_F(LogonConnectionTest, APeersAddressIsCheckedOnceAndThenItLogsOn) {
  EXPECT_FALSE(connection_.is({0, 0}));
  begin("192.0.2.1:50000");
  EXPECT_TRUE(connection_.is({3, 1}));
  EXPECT_FALSE(connection_.is({3, 2}));
  EXPECT_TRUE(connection_.has_unchecked_address());
  EXPECT_TRUE(connection_.check_address().empty());
  EXPECT_EQ(connection_.phase(), Phase::Logon);
  EXPECT_FALSE(connection_.has_unchecked_address());
  EXPECT_EQ(connection_.skip(5), 5U);
  EXPECT_EQ(connection_.skip(7), 12U);
  const PeerInfo peer_info = connection_.leave();
  EXPECT_EQ(peer_info.peer, "192.0.2.1:50000");
  EXPECT_FALSE(connection_.is({3, 1}));
  EXPECT_FALSE(server_.longest().has_value());
  begin("192.0.2.2:50000");
  EXPECT_EQ(connection_.skip(1), 1U) << "nothing is left of the connection before";
}

TEST_F(LogonConnectionTest, AProxysHeaderNamesThePeer) {
  begin("198.51.100.7:40000");
  EXPECT_EQ(connection_.phase(), Phase::ProxyHeader);
  connection_.end_header();
  connection_.take_source(address_of("192.0.2.1:50000"));
  EXPECT_EQ(connection_.peer(), "192.0.2.1:50000 by way of 198.51.100.7:40000");
  EXPECT_TRUE(connection_.check_address().empty());
  EXPECT_EQ(connection_.phase(), Phase::Logon);
}

TEST_F(LogonConnectionTest, AProxysOwnAddressIsCheckedIfItLogsOn) {
  begin("198.51.100.7:40000");
  connection_.end_header();
  EXPECT_EQ(connection_.phase(), Phase::UncheckedLogon);
  EXPECT_EQ(connection_.check_address().code, base::MessageCode("N201"));
}

TEST_F(LogonConnectionTest, RefusedConnectionsLengthenThePauseUntilSessionsArrive) {
  EXPECT_EQ(server_.rest(0), 2 * base::ns_per_ms);
  EXPECT_EQ(server_.rest(0), 4 * base::ns_per_ms);
  server_.end_rest();
  EXPECT_EQ(server_.rest(0), 2 * base::ns_per_ms);
  for (int refused = 0; refused < 1'000; ++refused) {
    EXPECT_LE(server_.rest(0), 100 * base::ns_per_ms);
  }
}

TEST_F(LogonConnectionTest, ASessionIsRequestedOnce) {
  begin("192.0.2.1:50000");
  EXPECT_TRUE(connection_.check_address().empty());
  EXPECT_FALSE(connection_.take_answer()) << "it waits for none";
  EXPECT_FALSE(connection_.has_requested_session());
  connection_.await_session();
  EXPECT_EQ(connection_.phase(), Phase::Session);
  EXPECT_TRUE(connection_.take_answer());
  EXPECT_FALSE(connection_.take_answer());
  EXPECT_TRUE(connection_.has_requested_session());
  EXPECT_FALSE(connection_.has_unchecked_address());
}

TEST(LogonServer, ConnectionsAreCountedByAddressUntilTheirPlaceIsGivenBack) {
  LogonServer server(settings_of(8), {1, 1}, false);
  LogonServer::Admission first = server.admit(address_of("192.0.2.1:1"));
  EXPECT_TRUE(first.refusal.empty());
  EXPECT_EQ(server.admit(address_of("192.0.2.1:2")).refusal.code, base::MessageCode("N202"));
  EXPECT_EQ(server.admit(address_of("203.0.113.1:1")).refusal.code, base::MessageCode("N201"));
  first.place.give_back();
  EXPECT_TRUE(server.admit(address_of("192.0.2.1:2")).refusal.empty());
  config::ServerSettings settings = settings_of(8);
  settings.allowed_addresses = "";
  server.take_limits(settings);
  EXPECT_TRUE(server.admit(address_of("203.0.113.1:1")).refusal.empty());
}

TEST(LogonServer, TheQueueIsInTheOrderOfAcceptance) {
  LogonServer server(settings_of(1), {1, 1}, false);
  const auto first = server.enter({1, 1});
  EXPECT_FALSE(server.is_overfull());
  static_cast<void>(server.enter({2, 1}));
  EXPECT_TRUE(server.is_overfull());
  EXPECT_EQ(server.longest(), (net::ConnectionId{1, 1}));
  server.leave(first);
  EXPECT_FALSE(server.is_overfull());
  EXPECT_EQ(server.longest(), (net::ConnectionId{2, 1}));
}

TEST(LogonServer, EachRefusalLengthensTheListenersRestUpToALimit) {
  LogonServer server(settings_of(1), {1, 1}, false);
  EXPECT_EQ(server.rest(1'000), 1'000 + 2 * base::ns_per_ms);
  EXPECT_EQ(server.rest(1'000), 1'000 + 4 * base::ns_per_ms);
  for (int refusal = 0; refusal < 100; ++refusal) {
    EXPECT_LE(server.rest(1'000), 1'000 + 100 * base::ns_per_ms);
  }
  EXPECT_EQ(server.rest(base::ns_per_second), base::ns_per_second + 2 * base::ns_per_ms);
}

}  // namespace
}  // namespace affix::engine
