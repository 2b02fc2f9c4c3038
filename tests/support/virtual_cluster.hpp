// SPDX-License-Identifier: MIT
// A cluster of nodes with one failover group, and a firm that trades with it, in virtual time.
#pragma once

#include "affix/engine/failover_means.hpp"
#include "affix/engine/failover_standing.hpp"
#include "affix/testing/memory_election_store.hpp"
#include "affix/testing/virtual_network.hpp"

#include "support/engine_case.hpp"
#include "support/memory_keepers.hpp"
#include "support/virtual_engine.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace affix::support {

/// One process of the cluster: an engine, and its standby on an address of its own.
struct ClusterNode {
  std::string name;
  testing::NodeId engine_node;
  testing::NodeId standby_node;
  config::Configuration settings;
  Recorder application;
  std::unique_ptr<engine::Engine> engine;
};

/// VENUE accepts the session with FIRM on whichever node leads.
class VirtualClusterTest : public ::testing::Test {
 protected:
  static constexpr std::int64_t step_ns = base::ns_per_ms;

  explicit VirtualClusterTest(std::size_t count = 2) {
    std::string addresses;
    std::string names;
    for (std::size_t at = 0; at < count; ++at) {
      auto node = std::make_unique<ClusterNode>();
      node->name = std::string(1, static_cast<char>('a' + at));
      node->engine_node = network.add_node();
      node->standby_node = network.add_node();
      // Loopback addresses need no TLS; on a virtual network any node can have any of them.
      addresses +=
          (at == 0 ? "" : ",") + node->name + "@127.0.0." + std::to_string(at + 2) + ":7001";
      names += (at == 0 ? "" : ",") + node->name;
      nodes.push_back(std::move(node));
    }
    for (std::size_t at = 0; at < count; ++at) {
      ClusterNode& node = *nodes[at];
      node.settings = acceptor_configuration();
      config::ServerSettings& server = node.settings.servers.front();
      server.nic_address = "10.0.0." + std::to_string(2 * at + 1);
      server.accept_port = 5001;
      server.failover_group = "venue";
      node.settings.engine.node = node.name;
      node.settings.engine.node_addresses = addresses;
      node.settings.engine.election = "file:" + directory.path("election");
      node.settings.engine.failover_directory = directory.path("promises-" + node.name);
      config::FailoverSettings group;
      group.name = "venue";
      group.replication_nodes = names;
      node.settings.failovers.push_back(group);
      add_session(node.settings, "VENUE", "FIRM", directory.path("venue-" + node.name));
      // Numbers that a primary has used must be known to the next.
      node.settings.sessions.back().sequence_reserve = 100'000;
    }
    firm_node = network.add_node();
    firm_settings = initiator_configuration(5001);
    firm_settings.clients.front().primary_address = "10.0.0.1";
    std::string further;
    for (std::size_t at = 1; at < count; ++at) {
      further +=
          (at == 1 ? "" : ",") + std::string("10.0.0.") + std::to_string(2 * at + 1) + ":5001";
    }
    firm_settings.clients.front().further_addresses = further;
    add_session(firm_settings, "FIRM", "VENUE", directory.path("firm"));
  }

  void open(std::size_t at) {
    ClusterNode& node = *nodes[at];
    auto opened = engine::Engine::open(
        node.settings, node.application,
        network.make_reactor(node.engine_node, engine::Engine::reactor_options(node.settings)), {},
        engine::FailoverMeans{
            .store = store.connect(node.name),
            .reactor = network.make_reactor(
                node.standby_node, {.connections_max = 64, .rx_buffer_capacity = 1024 * 1024}),
            .keeper = keepers == nullptr ? nullptr : std::make_unique<MemoryAccess>(keepers)});
    ASSERT_TRUE(opened) << config::text_of(opened.error());
    node.engine = std::move(*opened);
    const auto turn = [engine = node.engine.get()] {
      engine->poll(testing::VirtualNetwork::never_ns);
      engine->prepare_journals();
    };
    network.set_turn(node.engine_node, turn);
    network.set_turn(node.standby_node, turn);
  }

  void open_all() {
    for (std::size_t at = 0; at < nodes.size(); ++at) {
      open(at);
    }
  }

  void open_firm() {
    firm.reset();
    firm = start_engine(network, firm_node, firm_settings, firm_application);
  }

  /// As SIGKILL does.
  void kill(std::size_t at) {
    ClusterNode& node = *nodes[at];
    network.kill(node.engine_node,
                 keepers == nullptr ? std::vector<net::Socket*>() : keepers->sockets());
    network.kill(node.standby_node);
    network.set_turn(node.engine_node, {});
    network.set_turn(node.standby_node, {});
    node.engine->abandon();
    node.engine.reset();
  }

  /// Runs until `wanted` holds, for `ns` at most.
  [[nodiscard]] bool run_until(const std::function<bool()>& wanted,
                               std::int64_t ns = 10 * base::ns_per_second) {
    const std::int64_t until_ns = network.steady_ns() + ns;
    while (!wanted()) {
      if (network.steady_ns() >= until_ns) {
        return false;
      }
      step();
    }
    return true;
  }

  void run(std::int64_t ns) {
    const std::int64_t until_ns = network.steady_ns() + ns;
    while (network.steady_ns() < until_ns) {
      step();
    }
  }

  [[nodiscard]] replication::Standing standing(std::size_t at) const {
    return nodes[at]->engine->failover_standings().front().standing;
  }

  [[nodiscard]] bool leads(std::size_t at) const {
    return nodes[at]->engine != nullptr && standing(at).role == replication::Role::Leading &&
           !nodes[at]->engine->sessions().empty();
  }

  /// The reports of everybody, for a test that fails.
  [[nodiscard]] std::string story() const {
    std::string text;
    for (const auto& node : nodes) {
      text += "node " + node->name + ":\n" + node->application.all_events();
      if (node->engine != nullptr) {
        const auto shown = node->engine->failover_standings().front();
        text += std::string(replication::to_text(shown.standing.role)) + ", " +
                replication::to_text(shown.standing.why_standby) + ", " +
                replication::to_text(shown.standing.output) + ", epoch " +
                std::to_string(shown.standing.epoch) + ", gate " +
                std::to_string(shown.standing.gate) + ", in sync " +
                std::to_string(shown.standing.in_sync.size()) + "\n";
        for (const auto& standby : shown.standbys) {
          text += standby.node + (standby.connected ? " connected" : " away") +
                  (standby.late ? " late" : "") + " lag " + std::to_string(standby.lag_bytes) +
                  "\n";
        }
      }
    }
    return text + "firm:\n" + firm_application.all_events();
  }

  [[nodiscard]] bool trades() const {
    return firm != nullptr && firm->sessions().front().logged_on();
  }

  TemporaryDirectory directory;
  testing::VirtualNetwork network;
  testing::ElectionRegister store;
  std::shared_ptr<KeeperInstances> keepers;  ///< The nodes' common one; null: they have none.
  std::vector<std::unique_ptr<ClusterNode>> nodes;
  testing::NodeId firm_node;
  config::Configuration firm_settings;
  Recorder firm_application;
  std::unique_ptr<engine::Engine> firm;

 private:
  void step() {
    ASSERT_TRUE(network.run(step_ns));
    store.advance(network.steady_ns());
  }
};

}  // namespace affix::support
