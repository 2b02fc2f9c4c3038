// SPDX-License-Identifier: MIT
// Runs an engine as the process of a node of a virtual network; a venue and a firm on two nodes.
#pragma once

#include "affix/testing/virtual_network.hpp"

#include "support/engine_case.hpp"

#include <memory>
#include <utility>

namespace affix::support {

/// Opens the engine on `node` and lets the node turn it. Null, and a failure, when it cannot be
/// opened. The network and `application` outlive it.
inline std::unique_ptr<engine::Engine> start_engine(testing::VirtualNetwork& network,
                                                    testing::NodeId node,
                                                    const config::Configuration& settings,
                                                    host::Application& application) {
  auto opened = engine::Engine::open(
      settings, application, network.make_reactor(node, engine::Engine::reactor_options(settings)));
  EXPECT_TRUE(opened) << config::text_of(opened.error());
  if (!opened) {
    return nullptr;
  }
  network.set_turn(node, [engine = opened->get()] {
    engine->poll(testing::VirtualNetwork::never_ns);
    engine->prepare_journals();
  });
  return std::move(*opened);
}

/// An acceptor on the network's first node.
inline config::Configuration virtual_acceptor() {
  config::Configuration settings = acceptor_configuration();
  settings.servers.front().nic_address = "10.0.0.1";
  settings.servers.front().accept_port = 5001;
  return settings;
}

/// An initiator that connects to it.
inline config::Configuration virtual_initiator() {
  config::Configuration settings = initiator_configuration(5001);
  settings.clients.front().primary_address = "10.0.0.1";
  return settings;
}

/// VENUE accepts the session with FIRM, each on a node of its own.
class VirtualPairTest : public ::testing::Test {
 protected:
  VirtualPairTest() : venue_node(network.add_node()), firm_node(network.add_node()) {
    add_session(venue_settings, "VENUE", "FIRM", directory.path("venue"));
    add_session(firm_settings, "FIRM", "VENUE", directory.path("firm"));
  }

  void open_venue() {
    venue.reset();
    venue = start_engine(network, venue_node, venue_settings, venue_application);
  }

  void open_firm() {
    firm.reset();
    firm = start_engine(network, firm_node, firm_settings, firm_application);
  }

  /// The firm's process ends without a Logout.
  void lose_firm() {
    network.kill(firm_node);
    network.set_turn(firm_node, {});
    firm.reset();
  }

  TemporaryDirectory directory;
  testing::VirtualNetwork network;
  testing::NodeId venue_node;
  testing::NodeId firm_node;
  Recorder venue_application;
  Recorder firm_application;
  config::Configuration venue_settings = virtual_acceptor();
  config::Configuration firm_settings = virtual_initiator();
  std::unique_ptr<engine::Engine> venue;
  std::unique_ptr<engine::Engine> firm;
};

}  // namespace affix::support
