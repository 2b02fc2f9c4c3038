// SPDX-License-Identifier: MIT
// An initiator's hosts, pauses and connect time-out, observed from outside. In virtual time.
#include "affix/testing/virtual_network.hpp"

#include "support/engine_case.hpp"
#include "support/virtual_engine.hpp"

#include <algorithm>

namespace affix::support {
namespace {

constexpr std::int64_t second_ns = base::ns_per_second;

class EngineHosts : public ::testing::Test {
 protected:
  EngineHosts() : venue_node(network.add_node()), firm_node(network.add_node()) {
    venue_settings = acceptor_configuration();
    venue_settings.servers.front().nic_address = "10.0.0.1";
    venue_settings.servers.front().accept_port = 5001;
    add_session(venue_settings, "VENUE", "FIRM", directory.path("venue"));
    firm_settings = initiator_configuration(5001);
    config::ClientSettings& client = firm_settings.clients.front();
    client.primary_address = "10.0.0.1";
    client.connect_timeout_milliseconds = 3'000;
    client.reconnect_milliseconds = 1'000;
    client.reconnect_milliseconds_max = 1'000;
    add_session(firm_settings, "FIRM", "VENUE", directory.path("firm"));
  }

  void open_venue() {
    venue = start_engine(network, venue_node, venue_settings, venue_application);
  }

  void open_firm() { firm = start_engine(network, firm_node, firm_settings, firm_application); }

  [[nodiscard]] std::int64_t heard(std::string_view text) const {
    return std::ranges::count_if(firm_application.events, [text](const std::string& event) {
      return event.find(text) != std::string::npos;
    });
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

TEST_F(EngineHosts, AnAttemptThatNobodyAnswersIsGivenUpInTimeAndThePauseKeepsItsBounds) {
  open_venue();
  network.ignore_connects(true);
  open_firm();
  ASSERT_TRUE(network.run(100 * second_ns));
  // Three seconds each, and between them three quarters of a second to one second.
  EXPECT_GE(heard("timed out"), 24);
  EXPECT_LE(heard("timed out"), 27);
  network.ignore_connects(false);
  ASSERT_TRUE(network.run(5 * second_ns));
  EXPECT_TRUE(firm->sessions().front().logged_on());
}

TEST_F(EngineHosts, EveryHostHasItsTurnAndBehindTheLastComesTheFirst) {
  config::ClientSettings& client = firm_settings.clients.front();
  client.primary_port = 4001;  // No listener, like the next two.
  client.secondary_address = "10.0.0.1";
  client.secondary_port = 4002;
  client.further_addresses = "10.0.0.1:4003,10.0.0.1:5001";
  open_venue();
  network.refuse_connects(true);
  open_firm();
  ASSERT_TRUE(network.run(30 * second_ns));
  EXPECT_GE(heard("refused"), 29);  // Repeatedly in turn.
  network.refuse_connects(false);
  ASSERT_TRUE(network.run(5 * second_ns));
  EXPECT_TRUE(firm->sessions().front().logged_on());
  const std::int64_t refused = heard("refused");
  network.kill(venue_node);
  network.set_turn(venue_node, {});
  venue.reset();
  ASSERT_TRUE(network.run(second_ns / 2));
  open_venue();
  ASSERT_TRUE(network.run(6 * second_ns));
  EXPECT_TRUE(firm->sessions().front().logged_on());
  EXPECT_GE(heard("refused"), refused + 3);  // It began with the primary host again.
}

}  // namespace
}  // namespace affix::support
