// SPDX-License-Identifier: MIT
// An acceptor's application must cancel the orders of a session that has ended: at once, after a
// grace, not when the peer comes back, and not for ends that do not count. In virtual time.
#include "affix/config/words.hpp"
#include "affix/testing/virtual_network.hpp"

#include "support/engine_case.hpp"
#include "support/virtual_engine.hpp"

#include <utility>

namespace affix::support {
namespace {

constexpr std::int64_t second_ns = base::ns_per_second;

class EngineCancelOrders : public ::testing::Test {
 protected:
  EngineCancelOrders() : venue_node(network.add_node()), firm_node(network.add_node()) {
    venue_settings = acceptor_configuration();
    venue_settings.servers.front().nic_address = "10.0.0.1";
    venue_settings.servers.front().accept_port = 5001;
    firm_settings = initiator_configuration(5001);
    firm_settings.clients.front().primary_address = "10.0.0.1";
    add_session(venue_settings, "VENUE", "FIRM", directory.path("venue"));
    add_session(firm_settings, "FIRM", "VENUE", directory.path("firm"));
  }

  void open(std::string mode, std::int64_t grace_ms) {
    config::SessionSettings& session = venue_settings.sessions.front();
    EXPECT_TRUE(config::choose(session, "cancel_on_disconnect", std::move(mode)));
    session.cancel_on_disconnect_grace_milliseconds = grace_ms;
    venue = start_engine(network, venue_node, venue_settings, venue_application);
    open_firm();
  }

  void open_firm() {
    firm = start_engine(network, firm_node, firm_settings, firm_application);
    ASSERT_TRUE(network.run(2 * second_ns));
    ASSERT_TRUE(venue->sessions().front().logged_on());
  }

  /// The firm's process ends without a Logout.
  void lose_firm() {
    network.kill(firm_node);
    network.set_turn(firm_node, {});
    firm.reset();
  }

  void log_firm_out() {
    firm->sessions().front().logout("end of day");
    network.wake(firm_node);
    ASSERT_TRUE(network.run(2 * second_ns));
    ASSERT_FALSE(venue->sessions().front().logged_on());
  }

  TemporaryDirectory directory;
  testing::VirtualNetwork network;
  testing::NodeId venue_node;
  testing::NodeId firm_node;
  Recorder venue_application;
  Recorder firm_application;
  config::Configuration venue_settings;
  config::Configuration firm_settings;
  std::unique_ptr<engine::Engine> venue;
  std::unique_ptr<engine::Engine> firm;
};

TEST_F(EngineCancelOrders, AtOnceWithoutAGraceAndBehindTheLogout) {
  open("DISCONNECT", 0);
  std::size_t logouts_before = 99;
  venue_application.when_logout = [&](host::SessionHandle) {
    logouts_before = venue_application.cancels.size();
  };
  lose_firm();
  ASSERT_TRUE(network.run(second_ns));
  EXPECT_EQ(venue_application.cancels,
            (std::vector<std::string>{venue_settings.sessions.front().name}));
  EXPECT_EQ(logouts_before, 0U);
  open_firm();
  lose_firm();
  ASSERT_TRUE(network.run(second_ns));
  EXPECT_EQ(venue_application.cancels.size(), 2U);  // Each end counts.
}

TEST_F(EngineCancelOrders, TheGraceIsWaitedFor) {
  open("DISCONNECT", 30'000);
  lose_firm();
  ASSERT_TRUE(network.run(29 * second_ns));
  EXPECT_TRUE(venue_application.cancels.empty());
  ASSERT_TRUE(network.run(2 * second_ns));
  EXPECT_EQ(venue_application.cancels.size(), 1U);
  ASSERT_TRUE(network.run(100 * second_ns));
  EXPECT_EQ(venue_application.cancels.size(), 1U);
}

TEST_F(EngineCancelOrders, WhoComesBackInTimeKeepsTheOrders) {
  open("BOTH", 30'000);
  lose_firm();
  ASSERT_TRUE(network.run(20 * second_ns));
  open_firm();
  ASSERT_TRUE(network.run(100 * second_ns));
  EXPECT_TRUE(venue_application.cancels.empty());
  EXPECT_TRUE(venue->sessions().front().logged_on());
}

TEST_F(EngineCancelOrders, ALogoutIsNoDisconnection) {
  open("DISCONNECT", 0);
  log_firm_out();
  EXPECT_EQ(venue_application.logouts.size(), 1U);
  EXPECT_TRUE(venue_application.cancels.empty());
}

TEST_F(EngineCancelOrders, ADisconnectionIsNoLogout) {
  open("LOGOUT", 0);
  lose_firm();
  ASSERT_TRUE(network.run(second_ns));
  EXPECT_EQ(venue_application.logouts.size(), 1U);
  EXPECT_TRUE(venue_application.cancels.empty());
  open_firm();
  log_firm_out();
  EXPECT_EQ(venue_application.cancels.size(), 1U);
}

TEST_F(EngineCancelOrders, OurOwnLogoutIsALogout) {
  open("LOGOUT", 0);
  venue->sessions().front().logout("closing");
  network.wake(venue_node);
  ASSERT_TRUE(network.run(second_ns));
  EXPECT_EQ(venue_application.cancels.size(), 1U);
}

TEST_F(EngineCancelOrders, NobodyIsToldWhoDidNotAsk) {
  open("OFF", 0);
  lose_firm();
  ASSERT_TRUE(network.run(100 * second_ns));
  EXPECT_EQ(venue_application.logouts.size(), 1U);
  EXPECT_TRUE(venue_application.cancels.empty());
}

}  // namespace
}  // namespace affix::support
