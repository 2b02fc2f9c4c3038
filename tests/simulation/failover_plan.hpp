// SPDX-License-Identifier: MIT
// Decisions derived from a seed in advance, for a history of nodes that take over from each other:
// their number, groups, mode and durability, kinds and rates of faults.
#pragma once

#include "affix/config/configuration.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace affix::simulation {

inline constexpr std::size_t cluster_nodes_max = 3;
inline constexpr std::size_t cluster_peers_max = 2;

/// Actions of the simulation between spontaneous events.
enum class FailoverAct : std::uint8_t {
  Order,        ///< A peer sends some orders.
  News,         ///< The primary's application sends some messages that nobody asked for.
  Kill,         ///< A node's process is killed between two turns.
  ArmKill,      ///< It will be killed within a turn: in a callback, a send or a question to the
                ///< store.
  KillPrimary,  ///< A group's primary is killed, and perhaps its successor within the promotion.
  PowerOff,     ///< A machine is gone: nobody sees its connections end.
  Pause,        ///< A process gets no processor time for longer than the others wait.
  Cut,          ///< A connection is reset at some byte.
  Silence,      ///< A connection becomes half-open.
  Hold,         ///< Nothing arrives between two machines, in one direction or both, for a while.
  Isolate,      ///< A machine is cut off from all others and perhaps from the store.
  CutOffStore,  ///< A node does not reach the store for a while.
  HarmStore,    ///< The store loses requests and answers, or delays them.
  StopStore,    ///< The store is down for a while.
  StepClock,    ///< A wall clock is set.
  HandOver,     ///< An operator wants another primary.
  Promote,      ///< An operator wants this primary.
  LoseDisk,     ///< A node is killed, and returns without its files.
  HarmDisk,     ///< A node's disk refuses something for a while.
  KillPeer,     ///< A peer's process is killed.
  Conditions,   ///< Changes delay, pieces and window of the network.
};

inline constexpr std::size_t failover_act_count = 21;

[[nodiscard]] const char* to_text(FailoverAct act) noexcept;

/// A bug that the simulation puts into the nodes to see that its rules find it.
enum class PlantedBug : std::uint8_t {
  None,
  SpeakTooEarly,      ///< Output does not wait for the standbys.
  DeliverTooEarly,    ///< Input of BEFORE_DELIVER does not wait for them.
  PromoteOutsideSet,  ///< A standby takes itself for a member of the in-sync set.
  GoOnAlone,          ///< A primary takes a standby out of the set without the store.
  ForgetReserve,      ///< A new primary does not skip the numbers that may have been used.
  BelieveOldEpoch,    ///< A primary does not learn of another one.
};

inline constexpr std::size_t planted_bug_count = 7;

[[nodiscard]] const char* to_text(PlantedBug bug) noexcept;
[[nodiscard]] std::optional<PlantedBug> planted_bug_of(std::string_view name) noexcept;

/// One session of the cluster, with a peer.
struct SessionPlan {
  std::size_t group = 0;
  bool cluster_dials = false;  ///< The failover side is the initiator.
};

struct FailoverPlan {
  std::uint64_t seed = 0;
  PlantedBug bug = PlantedBug::None;
  std::array<std::uint32_t, failover_act_count> weights{};  ///< By FailoverAct; 0 = never.
  std::int64_t act_interval_ns = 0;                         ///< Mean time between two acts.
  std::uint64_t calm_every = 0;                             ///< Steps between two quiet times.
  std::uint32_t burst_max = 1;
  std::uint32_t text_bytes_max = 0;
  std::size_t nodes = 2;
  std::size_t groups = 1;
  std::size_t peers = 1;
  std::array<SessionPlan, cluster_peers_max> sessions{};  ///< By peer.
  config::Replication replication = config::Replication::BeforeSend;
  journal::Durability durability = journal::Durability::Process;
  std::int64_t in_sync_min = 1;
  std::int64_t lease_ms = 1'000;
  std::int64_t timeout_ms = 50;
  std::int64_t heartbeat_seconds = 1;
  std::int64_t segment_bytes = 64 * 1024;
  std::int64_t backlog_bytes = 0;
  bool shares_keeper = false;  ///< The nodes are processes of one machine, with one keeper.

  [[nodiscard]] bool is_async() const noexcept { return replication == config::Replication::Async; }
};

[[nodiscard]] FailoverPlan make_failover_plan(std::uint64_t seed, PlantedBug bug);

[[nodiscard]] std::string node_name(std::size_t node);
[[nodiscard]] std::string group_name(std::size_t group);
[[nodiscard]] std::string peer_name(std::size_t peer);

/// Where a node has its journals, of any session.
[[nodiscard]] std::string journals_of(const std::string& directory, std::size_t node);

/// Numbers of the virtual network's nodes, from 1: of a machine, the one that trades and the one at
/// which other nodes replicate; and a peer's.
[[nodiscard]] constexpr std::uint32_t front_number(std::size_t node) noexcept {
  return static_cast<std::uint32_t>(2 * node + 1);
}

[[nodiscard]] constexpr std::uint32_t back_number(std::size_t node) noexcept {
  return static_cast<std::uint32_t>(2 * node + 2);
}

[[nodiscard]] constexpr std::uint32_t peer_number(const FailoverPlan& plan,
                                                  std::size_t peer) noexcept {
  return static_cast<std::uint32_t>(2 * plan.nodes + peer + 1);
}

/// Settings of a node's engine.
[[nodiscard]] config::Configuration configuration_of_node(const FailoverPlan& plan,
                                                          std::size_t node,
                                                          const std::string& directory);

[[nodiscard]] config::Configuration configuration_of_peer(const FailoverPlan& plan,
                                                          std::size_t peer,
                                                          const std::string& directory);

/// The plan in a few lines, for the head of a trace.
[[nodiscard]] std::string text_of(const FailoverPlan& plan);

}  // namespace affix::simulation
