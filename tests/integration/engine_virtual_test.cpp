// SPDX-License-Identifier: MIT
// Whole engines with a given transport and clock: in memory, in virtual time.
#include "affix/testing/virtual_network.hpp"
#include "affix/testing/virtual_peer.hpp"

#include "support/engine_case.hpp"
#include "support/has_message.hpp"
#include "support/virtual_engine.hpp"

namespace affix::support {
namespace {

using testing::VirtualNetwork;

/// A venue and a firm on one network.
class VirtualEngines : public ::testing::Test {
 protected:
  VirtualEngines() : venue_node(network.add_node()), firm_node(network.add_node()) {
    venue_settings = acceptor_configuration();
    venue_settings.servers.front().nic_address = "10.0.0.1";
    venue_settings.servers.front().accept_port = 5001;
    add_session(venue_settings, "VENUE", "FIRM", directory.path("venue"));
    firm_settings = initiator_configuration(5001);
    firm_settings.clients.front().primary_address = "10.0.0.1";
    add_session(firm_settings, "FIRM", "VENUE", directory.path("firm"));
  }

  std::unique_ptr<engine::Engine> start(testing::NodeId node, const config::Configuration& settings,
                                        Recorder& application) {
    return support::start_engine(network, node, settings, application);
  }

  void start_both() {
    venue = start(venue_node, venue_settings, venue_application);
    firm = start(firm_node, firm_settings, firm_application);
    ASSERT_TRUE(network.run(base::ns_per_second));
    ASSERT_TRUE(firm->sessions().front().logged_on());
  }

  void kill_firm() {
    firm->abandon();
    network.kill(firm_node);
    network.set_turn(firm_node, {});
    firm.reset();
  }

  TemporaryDirectory directory;
  VirtualNetwork network;
  testing::NodeId venue_node;
  testing::NodeId firm_node;
  config::Configuration venue_settings;
  config::Configuration firm_settings;
  Recorder venue_application;
  Recorder firm_application;
  std::unique_ptr<engine::Engine> venue;
  std::unique_ptr<engine::Engine> firm;
};

TEST_F(VirtualEngines, TradeInVirtualTime) {
  start_both();
  ASSERT_TRUE(send_order(firm->sessions().front(), "1").sent());
  ASSERT_TRUE(network.run(base::ns_per_second));
  EXPECT_EQ(venue_application.ids(), std::vector<std::string>{"1"});
  const std::uint64_t before = firm->sessions().front().next_sender_seq();
  // An hour of heartbeats, every half minute, in virtual time.
  ASSERT_TRUE(network.run(3600 * base::ns_per_second));
  EXPECT_NEAR(static_cast<double>(firm->sessions().front().next_sender_seq() - before), 120, 2);
  EXPECT_EQ(venue->sessions().front().next_target_seq(),
            firm->sessions().front().next_sender_seq());
}

TEST_F(VirtualEngines, AHalfOpenConnectionIsFoundAndReplaced) {
  start_both();
  network.silence(network.links().at(0));
  ASSERT_TRUE(network.run(base::ns_per_second));
  ASSERT_TRUE(send_order(firm->sessions().front(), "lost at first").sent());
  ASSERT_TRUE(network.run(300 * base::ns_per_second));
  EXPECT_TRUE(firm->sessions().front().logged_on());
  EXPECT_EQ(venue_application.ids(), std::vector<std::string>{"lost at first"});
  EXPECT_EQ(firm_application.logouts.size(), 1U);
}

TEST_F(VirtualEngines, AKilledProcessLeavesItsJournalAsItWas) {
  start_both();
  firm_application.when_message = [this](host::SessionHandle, const wire::MessageView&,
                                         const host::Delivery&) {
    firm->abandon();
    network.kill(firm_node);
  };
  ASSERT_TRUE(send_order(venue->sessions().front(), "in the middle of it").sent());
  ASSERT_TRUE(network.run(base::ns_per_second));
  ASSERT_EQ(firm_application.messages.size(), 1U);
  firm.reset();

  Recorder second_life;
  firm = start(firm_node, firm_settings, second_life);
  ASSERT_TRUE(network.run(10 * base::ns_per_second));
  ASSERT_EQ(second_life.messages.size(), 1U);
  EXPECT_TRUE(second_life.messages[0].delivery.redelivered);
  EXPECT_TRUE(firm->sessions().front().logged_on());
}

TEST_F(VirtualEngines, AKilledProcessResetsWhenADisconnectionWould) {
  venue_settings.sessions.front().reset_on_disconnect = true;
  firm_settings.sessions.front().reset_on_disconnect = true;
  start_both();
  ASSERT_TRUE(send_order(firm->sessions().front(), "1").sent());
  ASSERT_TRUE(network.run(base::ns_per_second));
  kill_firm();
  ASSERT_TRUE(network.run(base::ns_per_second));
  EXPECT_EQ(venue->sessions().front().next_target_seq(), 1U);
  Recorder second_life;
  firm = start(firm_node, firm_settings, second_life);
  EXPECT_EQ(firm->sessions().front().next_sender_seq(), 1U);
  ASSERT_TRUE(network.run(base::ns_per_second));
  EXPECT_TRUE(firm->sessions().front().logged_on());
  ASSERT_TRUE(send_order(firm->sessions().front(), "2").sent());
  ASSERT_TRUE(network.run(base::ns_per_second));
  EXPECT_EQ(venue_application.ids(), (std::vector<std::string>{"1", "2"}));
}

TEST_F(VirtualEngines, MessagesSentAfterAbandoningAreNotStored) {
  start_both();
  const std::uint64_t next = firm->sessions().front().next_sender_seq();
  firm->abandon();
  EXPECT_EQ(send_order(firm->sessions().front(), "never").status, host::SendStatus::JournalFull);
  kill_firm();
  Recorder second_life;
  firm = start(firm_node, firm_settings, second_life);
  EXPECT_EQ(firm->sessions().front().next_sender_seq(), next);
}

TEST_F(VirtualEngines, FinishWaitsInVirtualTime) {
  start_both();
  EXPECT_TRUE(firm->finish("done", network.steady_ns() + 10 * base::ns_per_second));
  ASSERT_TRUE(network.run(base::ns_per_second));
  EXPECT_EQ(venue_application.logouts.size(), 1U);
}

TEST_F(VirtualEngines, AReactorTooSmallIsRefused) {
  net::ReactorOptions small = engine::Engine::reactor_options(venue_settings);
  --small.rx_buffer_capacity;
  const auto opened = engine::Engine::open(venue_settings, venue_application,
                                           network.make_reactor(venue_node, small));
  ASSERT_FALSE(opened);
  EXPECT_TRUE(has_message(config::text_of(opened.error()), "E104", {"rx_buffer_capacity"}));
}

TEST_F(VirtualEngines, AHandWrittenPeerIsAnswered) {
  venue = start(venue_node, venue_settings, venue_application);
  testing::VirtualPeer peer(network);
  peer.sender = "FIRM";
  peer.target = "VENUE";
  peer.connect(venue->listening_addresses().front());
  ASSERT_TRUE(network.run(base::ns_per_ms));
  peer.say("A", "98=0|108=30");
  ASSERT_TRUE(network.run(base::ns_per_ms));
  const std::vector<std::string> answer = peer.take_messages();
  ASSERT_EQ(answer.size(), 1U);
  EXPECT_NE(answer[0].find("\x01"
                           "35=A\x01"),
            std::string::npos);
  EXPECT_TRUE(venue->sessions().front().logged_on());
}

}  // namespace
}  // namespace affix::support
