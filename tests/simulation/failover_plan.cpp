// SPDX-License-Identifier: MIT
// Random clusters and rates. Every kind of fault is omitted for half of the seeds: faults hidden by
// a frequent one appear without it.
#include "simulation/failover_plan.hpp"

#include "affix/base/assert.hpp"
#include "affix/config/words.hpp"

#include "simulation/dice.hpp"

#include <algorithm>

namespace affix::simulation {

namespace {

constexpr std::int64_t cluster_outbox_bytes = 256 * 1024;
constexpr std::int64_t cluster_port = 5'001;
constexpr std::int64_t peer_port = 6'001;

constexpr const char* act_names[failover_act_count] = {
    "order",      "news",      "kill",    "arm kill",  "kill primary",  "power off",  "pause",
    "cut",        "silence",   "hold",    "isolate",   "cut off store", "harm store", "stop store",
    "step clock", "hand over", "promote", "lose disk", "harm disk",     "kill peer",  "conditions"};

constexpr const char* bug_names[planted_bug_count] = {
    "none",        "speak-too-early", "deliver-too-early", "promote-outside-set",
    "go-on-alone", "forget-reserve",  "believe-old-epoch"};

std::string address_of(std::uint32_t number) {
  return "10.0.0." + std::to_string(number);
}

void choose_failover_acts(Dice& dice, FailoverPlan& plan) {
  const auto set = [&](FailoverAct act, std::uint32_t weight) {
    plan.weights[static_cast<std::size_t>(act)] = weight;
  };
  // From a rare fault during much trade to almost only faults.
  const std::uint32_t harshness = dice.pick({1U, 3U, 10U});
  const auto sometimes = [&](FailoverAct act, std::uint32_t most) {
    set(act, dice.chance(500) ? harshness * (1 + static_cast<std::uint32_t>(dice.below(most))) : 0);
  };
  set(FailoverAct::Order, 100 + static_cast<std::uint32_t>(dice.below(100)));
  sometimes(FailoverAct::News, 30);
  sometimes(FailoverAct::Kill, 6);
  sometimes(FailoverAct::ArmKill, 10);
  sometimes(FailoverAct::KillPrimary, 10);
  sometimes(FailoverAct::PowerOff, 4);
  sometimes(FailoverAct::Pause, 8);
  sometimes(FailoverAct::Cut, 10);
  sometimes(FailoverAct::Silence, 4);
  sometimes(FailoverAct::Hold, 8);
  sometimes(FailoverAct::Isolate, 6);
  sometimes(FailoverAct::CutOffStore, 6);
  sometimes(FailoverAct::HarmStore, 6);
  sometimes(FailoverAct::StopStore, 3);
  sometimes(FailoverAct::StepClock, 3);
  sometimes(FailoverAct::HandOver, 10);
  sometimes(FailoverAct::Promote, 4);
  sometimes(FailoverAct::LoseDisk, 3);
  sometimes(FailoverAct::HarmDisk, 4);
  sometimes(FailoverAct::KillPeer, 5);
  sometimes(FailoverAct::Conditions, 6);
}

/// Options that bring the planted bug to light, apart from the bug itself.
void provoke(FailoverPlan& plan) {
  const auto often = [&](FailoverAct act) {
    plan.weights[static_cast<std::size_t>(act)] =
        std::max(plan.weights[static_cast<std::size_t>(act)], 30U);
  };
  switch (plan.bug) {
    case PlantedBug::None:
      return;
    case PlantedBug::SpeakTooEarly:
      plan.replication = config::Replication::BeforeSend;
      often(FailoverAct::ArmKill);
      often(FailoverAct::Hold);
      often(FailoverAct::PowerOff);
      break;
    case PlantedBug::DeliverTooEarly:
      plan.replication = config::Replication::BeforeDeliver;
      often(FailoverAct::ArmKill);
      often(FailoverAct::Hold);
      often(FailoverAct::PowerOff);
      break;
    case PlantedBug::PromoteOutsideSet:
    case PlantedBug::GoOnAlone:
      plan.replication = config::Replication::BeforeSend;
      often(FailoverAct::Hold);
      break;
    case PlantedBug::ForgetReserve:
      plan.replication = config::Replication::Async;
      break;
    case PlantedBug::BelieveOldEpoch:
      plan.replication = config::Replication::Async;
      often(FailoverAct::Hold);
      often(FailoverAct::CutOffStore);
      // The peer then hears both.
      for (SessionPlan& session : plan.sessions) {
        session.cluster_dials = true;
      }
      break;
  }
  often(FailoverAct::KillPrimary);
}

/// A list of the cluster's nodes, `each` of one.
template <typename Each>
std::string list_of(std::size_t nodes, std::size_t first, Each each) {
  std::string list;
  for (std::size_t count = 0; count < nodes; ++count) {
    list += (count == 0 ? "" : ",") + each((first + count) % nodes);
  }
  return list;
}

config::SessionSettings session_of(const FailoverPlan& plan, std::size_t peer, bool is_cluster) {
  config::SessionSettings session;
  session.name = peer_name(peer);
  session.begin_string = "FIX.4.4";
  session.sender_comp_id = is_cluster ? "VENUE" : peer_name(peer);
  session.target_comp_id = is_cluster ? peer_name(peer) : "VENUE";
  session.heartbeat_interval_seconds = plan.heartbeat_seconds;
  session.heartbeat_interval_seconds_min = 1;
  session.heartbeat_interval_seconds_max = 30;
  session.logon_timeout_seconds = 1;
  session.logout_timeout_seconds = 1;
  session.output_timeout_seconds = 2;
  session.outgoing_resend_request_expire_in_secs = 1;
  session.max_message_bytes = 4'096;
  session.max_serialised_file_size = plan.segment_bytes;
  session.send_while_disconnected = session::SendWhileDown::Queue;
  session.send_queue_max = 100'000;
  session.second_logon = config::SecondLogon::Probe;
  session.second_logon_probe_milliseconds = 10;
  return session;
}

void set_buffers(config::InstanceSettings& instance) {
  instance.tx_encode_buffer_capacity = cluster_outbox_bytes;
  instance.rx_buffer_capacity = cluster_outbox_bytes;
}

config::ClientSettings client_to(const std::string& name,
                                 const std::vector<std::pair<std::string, std::int64_t>>& places) {
  config::ClientSettings client;
  client.name = name;
  set_buffers(client);
  client.primary_address = places.front().first;
  client.primary_port = places.front().second;
  for (std::size_t at = 1; at < places.size(); ++at) {
    if (at == 1) {
      client.secondary_address = places[at].first;
      client.secondary_port = places[at].second;
    } else {
      client.further_addresses += (client.further_addresses.empty() ? "" : ",") + places[at].first +
                                  ":" + std::to_string(places[at].second);
    }
  }
  client.connect_timeout_milliseconds = 200;
  client.reconnect_milliseconds = 10;
  client.reconnect_milliseconds_max = 200;
  return client;
}

config::ServerSettings server_at(const std::string& name, std::string address, std::int64_t port) {
  config::ServerSettings server;
  server.name = name;
  set_buffers(server);
  server.nic_address = std::move(address);
  server.accept_port = port;
  server.max_connections_before_logon = 8;
  return server;
}

}  // namespace

const char* to_text(FailoverAct act) noexcept {
  return act_names[static_cast<std::size_t>(act)];
}

const char* to_text(PlantedBug bug) noexcept {
  return bug_names[static_cast<std::size_t>(bug)];
}

std::optional<PlantedBug> planted_bug_of(std::string_view name) noexcept {
  const auto found = std::ranges::find(bug_names, name);
  return found == std::end(bug_names)
             ? std::nullopt
             : std::optional(static_cast<PlantedBug>(found - std::begin(bug_names)));
}

std::string node_name(std::size_t node) {
  return std::string(1, static_cast<char>('a' + node));
}

std::string group_name(std::size_t group) {
  return "G" + std::to_string(group + 1);
}

std::string peer_name(std::size_t peer) {
  return "PEER" + std::to_string(peer + 1);
}

std::string journals_of(const std::string& directory, std::size_t node) {
  return directory + "/" + node_name(node);
}

FailoverPlan make_failover_plan(std::uint64_t seed, PlantedBug bug) {
  Dice dice(seed);
  FailoverPlan plan;
  plan.seed = seed;
  plan.bug = bug;
  plan.nodes = dice.pick<std::size_t>({2, 2, 3});
  plan.peers = dice.pick<std::size_t>({1, 2});
  plan.groups = plan.peers == 2 && dice.chance(500) ? 2 : 1;
  for (std::size_t peer = 0; peer < plan.peers; ++peer) {
    plan.sessions[peer] = {.group = peer % plan.groups, .cluster_dials = dice.chance(250)};
  }
  plan.replication = dice.pick({config::Replication::BeforeSend, config::Replication::BeforeSend,
                                config::Replication::BeforeDeliver, config::Replication::Async});
  plan.durability = dice.pick({journal::Durability::Process, journal::Durability::Process,
                               journal::Durability::Group, journal::Durability::Sync});
  plan.in_sync_min = dice.chance(150) ? 2 : 1;
  plan.lease_ms = dice.pick({300, 1'000});
  plan.timeout_ms = dice.pick({20, 50, 200});
  plan.heartbeat_seconds = dice.pick({1, 2});
  plan.segment_bytes = dice.pick({64 * 1024, 128 * 1024, 1024 * 1024});
  plan.backlog_bytes = dice.pick({1024 * 1024, 16 * 1024 * 1024});
  choose_failover_acts(dice, plan);
  plan.act_interval_ns =
      dice.pick<std::int64_t>({1'000'000, 20'000'000, 200'000'000, 1'000'000'000});
  plan.calm_every = static_cast<std::uint64_t>(dice.pick({300, 1'000, 3'000}));
  plan.burst_max = dice.pick({1U, 5U, 40U});
  plan.text_bytes_max = dice.pick({20U, 200U, 1'500U});
  provoke(plan);
  // By dice of its own: a seed means the same with and without it.
  plan.shares_keeper = Dice(seed ^ 0x6b65'6570).chance(500);
  return plan;
}

config::Configuration configuration_of_node(const FailoverPlan& plan, std::size_t node,
                                            const std::string& directory) {
  config::Configuration configuration;
  config::EngineSettings& engine = configuration.engine;
  engine.node = node_name(node);
  // Loopback addresses need no TLS; on a virtual network any node can have any of them.
  engine.node_addresses = list_of(plan.nodes, 0, [](std::size_t each) {
    return node_name(each) + "@127.0.0." + std::to_string(each + 2) + ":7000";
  });
  engine.election = "file:" + directory + "/election";
  engine.failover_directory = journals_of(directory, node) + "/failover";
  for (std::size_t group = 0; group < plan.groups; ++group) {
    config::FailoverSettings failover;
    failover.name = group_name(group);
    failover.replication_nodes = list_of(plan.nodes, group, node_name);
    failover.replication = plan.replication;
    // Bugs that are a wrong mode: its effects are what the rules of the right one forbid.
    if (plan.bug == PlantedBug::SpeakTooEarly) {
      failover.replication = config::Replication::Async;
    } else if (plan.bug == PlantedBug::DeliverTooEarly ||
               (plan.bug == PlantedBug::ForgetReserve && node != 0)) {
      failover.replication = config::Replication::BeforeSend;
    }
    failover.replication_timeout_milliseconds = plan.timeout_ms;
    failover.in_sync_min = plan.in_sync_min;
    failover.replication_backlog_bytes = plan.backlog_bytes;
    if (failover.replication == config::Replication::Async) {
      failover.lease_milliseconds = plan.lease_ms;
    }
    configuration.failovers.push_back(failover);
  }
  for (std::size_t peer = 0; peer < plan.peers; ++peer) {
    const SessionPlan& wanted = plan.sessions[peer];
    config::SessionSettings session = session_of(plan, peer, true);
    session.journal_path = journals_of(directory, node) + "/journals";
    session.durability = plan.durability;
    if (wanted.cluster_dials) {
      configuration.clients.push_back(client_to(
          "OUT" + std::to_string(peer), {{address_of(peer_number(plan, peer)), peer_port}}));
      configuration.clients.back().failover_group = group_name(wanted.group);
      session.instance = configuration.clients.back().name;
    } else {
      configuration.servers.push_back(server_at("IN" + std::to_string(peer),
                                                address_of(front_number(node)),
                                                cluster_port + static_cast<std::int64_t>(peer)));
      configuration.servers.back().failover_group = group_name(wanted.group);
      session.instance = configuration.servers.back().name;
    }
    configuration.sessions.push_back(session);
  }
  return configuration;
}

config::Configuration configuration_of_peer(const FailoverPlan& plan, std::size_t peer,
                                            const std::string& directory) {
  config::Configuration configuration;
  config::SessionSettings session = session_of(plan, peer, false);
  session.journal_path = directory + "/" + peer_name(peer);
  session.sequence_reserve = 0;  // No power is lost here, and a flush costs more than a step.
  if (plan.sessions[peer].cluster_dials) {
    configuration.servers.push_back(
        server_at("SERVER", address_of(peer_number(plan, peer)), peer_port));
    session.instance = "SERVER";
  } else {
    std::vector<std::pair<std::string, std::int64_t>> places;
    for (std::size_t node = 0; node < plan.nodes; ++node) {
      places.emplace_back(address_of(front_number(node)),
                          cluster_port + static_cast<std::int64_t>(peer));
    }
    configuration.clients.push_back(client_to("CLIENT", places));
    session.instance = "CLIENT";
  }
  configuration.sessions.push_back(session);
  return configuration;
}

std::string text_of(const FailoverPlan& plan) {
  const char* const modes[] = {"ASYNC", "BEFORE_SEND", "BEFORE_DELIVER"};
  const char* const durabilities[] = {"memory", "process", "group", "sync"};
  std::string text = "seed " + std::to_string(plan.seed) + ": " + std::to_string(plan.nodes) +
                     " nodes, " + std::to_string(plan.groups) + " groups, " +
                     modes[static_cast<int>(plan.replication)] + ", durability " +
                     durabilities[static_cast<int>(plan.durability)] + ", in_sync_min " +
                     std::to_string(plan.in_sync_min) + ", lease " + std::to_string(plan.lease_ms) +
                     " ms, timeout " + std::to_string(plan.timeout_ms) + " ms, an act every " +
                     std::to_string(plan.act_interval_ns / 1'000) + " us";
  text += plan.shares_keeper ? ", one keeper" : "";
  text += plan.bug == PlantedBug::None ? "\n" : std::string(", bug ") + to_text(plan.bug) + "\n";
  for (std::size_t peer = 0; peer < plan.peers; ++peer) {
    text += "  " + peer_name(peer) + " with " + group_name(plan.sessions[peer].group) +
            (plan.sessions[peer].cluster_dials ? ", which dials\n" : "\n");
  }
  text += "  acts:";
  for (std::size_t act = 0; act < failover_act_count; ++act) {
    if (plan.weights[act] != 0) {
      text += " " + std::string(act_names[act]) + "=" + std::to_string(plan.weights[act]);
    }
  }
  return text + "\n";
}

}  // namespace affix::simulation
