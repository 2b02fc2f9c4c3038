// SPDX-License-Identifier: MIT
// Runs an engine as the process of a node of a virtual network; a venue and a firm on two nodes.
#pragma once

#include "affix/engine/worker_handle.hpp"
#include "affix/testing/virtual_network.hpp"

#include "support/engine_case.hpp"

#include <cstdint>
#include <expected>
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

  /// The session of the venue calls its application on a thread of that one's own, which is blocked
  /// while `application_blocked`.
  void open_venue_with_application_thread() {
    venue_settings.sessions.front().callback_thread = 0;
    open_venue();
    network.set_turn(venue_node, [this] {
      ++venue_turns;
      venue->worker(0).poll(testing::VirtualNetwork::never_ns);
      venue->prepare_journals();
      if (!application_blocked && venue->poll_callbacks(0)) {
        network.wake(venue_node);
      }
    });
  }

  /// Reloads the venue with a changed key that restarts its session, up to the place where the
  /// restart waits for the application's thread.
  [[nodiscard]] std::expected<engine::Change, config::Problems> restart_venues_session() {
    config::Configuration wanted = venue->configuration();
    wanted.sessions.front().timestamp_subseconds_precision = wire::TimePrecision::Millis;
    auto change = venue->reload(wanted);
    EXPECT_TRUE(change) << config::text_of(change.error());
    // The worker's next turn takes what the first one's end has prepared.
    EXPECT_TRUE(network.run(1));
    EXPECT_TRUE(network.run(1));
    return change;
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
  bool application_blocked = false;
  std::uint64_t venue_turns = 0;  ///< Of a venue with an application's thread.
  std::unique_ptr<engine::Engine> venue;
  std::unique_ptr<engine::Engine> firm;
};

}  // namespace affix::support
