// SPDX-License-Identifier: MIT
// Faults and commands between the events of a storm.
#include "simulation/failover_world.hpp"

#include <algorithm>

namespace affix::simulation {

namespace {

using testing::LinkId;
using testing::NodeId;

/// From one fault of a healthy cluster to the next primary, without the lease of ASYNC.
constexpr std::int64_t takeover_killed_ns = 100 * base::ns_per_ms;
constexpr std::int64_t takeover_silent_ns = base::ns_per_second;

}  // namespace

void FailoverWorld::act() {
  act(static_cast<FailoverAct>(dice_.weighted(plan_.weights)));
  bury_dead();
}

void FailoverWorld::act(FailoverAct act) {
  note("-- " + std::string(to_text(act)));
  switch (act) {
    case FailoverAct::Order: {
      Trader& trader = traders_[dice_.below(traders_.size())];
      trader.order(1 + static_cast<std::uint32_t>(dice_.below(plan_.burst_max)));
      network_.wake(trader.node());
      return;
    }
    case FailoverAct::News: {
      const std::size_t peer = dice_.below(traders_.size());
      if (ClusterNode* const primary = primary_of(plan_.sessions[peer].group)) {
        primary->send_news(peer, 1 + static_cast<std::uint32_t>(dice_.below(plan_.burst_max)));
        network_.wake(primary->front());
      }
      return;
    }
    case FailoverAct::Kill:
    case FailoverAct::ArmKill:
    case FailoverAct::KillPrimary:
    case FailoverAct::PowerOff:
    case FailoverAct::Pause:
    case FailoverAct::StepClock:
    case FailoverAct::LoseDisk:
    case FailoverAct::HarmDisk:
    case FailoverAct::KillPeer:
      act_on_cluster(act);
      return;
    case FailoverAct::Cut:
    case FailoverAct::Silence:
    case FailoverAct::Hold:
    case FailoverAct::Isolate:
    case FailoverAct::Conditions:
      act_on_links(act);
      return;
    case FailoverAct::CutOffStore:
    case FailoverAct::HarmStore:
    case FailoverAct::StopStore:
      act_on_store(act);
      return;
    case FailoverAct::HandOver:
    case FailoverAct::Promote:
      command(act);
      return;
  }
}

// --- Machines and processes ---

void FailoverWorld::act_on_cluster(FailoverAct act) {
  ClusterNode& node = any_node();
  switch (act) {
    case FailoverAct::Kill:
      kill(node, "a kill");
      return;
    case FailoverAct::KillPrimary:
      kill_primary();
      return;
    case FailoverAct::KillPeer: {
      Trader& trader = traders_[dice_.below(traders_.size())];
      if (dice_.chance(500)) {
        trader.kill();
      } else {
        trader.arm_kill(1 + static_cast<std::uint32_t>(dice_.below(10)));
      }
      return;
    }
    case FailoverAct::StepClock: {
      // Within what peers accept, so that trade goes on.
      const std::int64_t step = dice_.pick<std::int64_t>({-50, -1, 1, 50}) * base::ns_per_second -
                                clock_steps_ns_[static_cast<std::uint32_t>(node.front())];
      for (const NodeId each : {node.front(), node.back()}) {
        network_.step_utc(each, step);
        clock_steps_ns_[static_cast<std::uint32_t>(each)] += step;
      }
      return;
    }
    case FailoverAct::Pause: {
      const std::int64_t ns = dice_.between(1, 3'000) * base::ns_per_ms;
      // A primary that wakes up within its lease goes on.
      if (ns > 400 * base::ns_per_ms + lease_ns()) {
        expect_takeover(node, takeover_silent_ns, "a pause");
      } else {
        faultless_ = false;
        promises_.clear();
      }
      network_.stall(node.front(), ns);
      network_.stall(node.back(), ns);
      pass_after(ns, [] {});
      return;
    }
    case FailoverAct::PowerOff: {
      if (!node.alive()) {
        return;
      }
      expect_takeover(node, takeover_silent_ns, "the end of a machine");
      isolate(node.number());
      node.kill();
      const std::int64_t ns = dice_.between(100, 4'000) * base::ns_per_ms;
      restart_ns_[node.number()] = network_.steady_ns() + ns;
      pass_after(ns, [this, number = node.number()] {
        for (std::size_t other = 0; other < plan_.nodes + plan_.peers; ++other) {
          hold(number, other, false);
          hold(other, number, false);
        }
      });
      return;
    }
    case FailoverAct::LoseDisk:
      lose_disk(node);
      return;
    case FailoverAct::HarmDisk:
      faultless_ = false;
      promises_.clear();
      node.disk().harm = HarmedDisk::Harm::Full;
      pass_after(dice_.between(1, 2'000) * base::ns_per_ms,
                 [&node] { node.disk().harm = HarmedDisk::Harm::None; });
      return;
    default:
      faultless_ = false;
      promises_.clear();
      node.arm_kill(1 + static_cast<std::uint32_t>(dice_.below(30)));
      return;
  }
}

void FailoverWorld::kill(ClusterNode& node, std::string_view why) {
  if (node.alive()) {
    expect_takeover(node, takeover_killed_ns, why);
    node.kill();
    node.bury();
  }
}

/// Perhaps its successor too, within the promotion.
void FailoverWorld::kill_primary() {
  const std::size_t group = dice_.below(plan_.groups);
  ClusterNode* const primary = primary_of(group);
  if (primary == nullptr) {
    return;
  }
  const bool successor_too = dice_.chance(300);
  faultless_ = faultless_ && !successor_too;
  kill(*primary, "a kill");
  if (successor_too) {
    ClusterNode& next = any_node();
    next.arm_kill(1 + static_cast<std::uint32_t>(dice_.below(20)));
  }
}

/// Only if another member of each set has everything, and only one node at a time: else an operator
/// would have to accept a loss.
void FailoverWorld::lose_disk(ClusterNode& node) {
  if (std::ranges::any_of(nodes_, [](const ClusterNode& one) { return one.lost_disk; })) {
    return;
  }
  for (std::size_t group = 0; group < plan_.groups; ++group) {
    const auto entry = election_.entry(group_name(group));
    if (!entry ||
        entry->in_sync.size() < (entry->has_in_sync(node_name(node.number())) ? 2U : 1U)) {
      return;
    }
  }
  faultless_ = false;
  promises_.clear();
  node.lose_disk();
}

// --- The network ---

void FailoverWorld::hold(std::size_t from, std::size_t to, bool held) {
  const auto ends = [this](std::size_t who) -> std::vector<NodeId> {
    if (who < plan_.nodes) {
      return {nodes_[who].front(), nodes_[who].back()};
    }
    return {traders_[who - plan_.nodes].node()};
  };
  for (const NodeId one : ends(from)) {
    for (const NodeId other : ends(to)) {
      network_.hold(one, other, held);
    }
  }
}

void FailoverWorld::isolate(std::size_t node) {
  for (std::size_t other = 0; other < plan_.nodes + plan_.peers; ++other) {
    if (other != node) {
      hold(node, other, true);
      hold(other, node, true);
    }
  }
}

void FailoverWorld::act_on_links(FailoverAct act) {
  faultless_ = false;
  promises_.clear();
  switch (act) {
    case FailoverAct::Conditions:
      change_conditions();
      return;
    case FailoverAct::Hold: {
      const std::size_t one = dice_.below(plan_.nodes);
      const std::size_t other =
          (one + 1 + dice_.below(plan_.nodes + plan_.peers - 1)) % (plan_.nodes + plan_.peers);
      const bool both = dice_.chance(600);
      hold(one, other, true);
      if (both) {
        hold(other, one, true);
      }
      pass_after(dice_.between(1, 3'000) * base::ns_per_ms, [this, one, other] {
        hold(one, other, false);
        hold(other, one, false);
      });
      return;
    }
    case FailoverAct::Isolate: {
      const std::size_t node = dice_.below(plan_.nodes);
      const bool keeps_peers = dice_.chance(500);
      isolate(node);
      for (std::size_t peer = 0; keeps_peers && peer < plan_.peers; ++peer) {
        hold(node, plan_.nodes + peer, false);
        hold(plan_.nodes + peer, node, false);
      }
      if (dice_.chance(500)) {
        election_.set_reachable(node_name(node), false);
      }
      pass_after(dice_.between(1, 3'000) * base::ns_per_ms, [this, node] {
        election_.set_reachable(node_name(node), true);
        for (std::size_t other = 0; other < plan_.nodes + plan_.peers; ++other) {
          hold(node, other, false);
          hold(other, node, false);
        }
      });
      return;
    }
    default:
      break;
  }
  const std::vector<LinkId> links = network_.links();
  if (links.empty()) {
    return;
  }
  const LinkId link = links[dice_.below(links.size())];
  if (act == FailoverAct::Silence) {
    network_.silence(link);
    return;
  }
  const std::uint64_t from = dice_.below(network_.bytes_on_the_way(link, true) + 1);
  const std::uint64_t to = dice_.below(network_.bytes_on_the_way(link, false) + 1);
  network_.cut(link, from, to);
}

void FailoverWorld::change_conditions() {
  testing::LinkConditions& conditions = network_.conditions;
  conditions.delay_ns = dice_.pick<std::int64_t>({1'000, 100'000, 5'000'000, 60'000'000});
  conditions.jitter_ns = dice_.pick<std::int64_t>({0, 1'000'000, 50'000'000});
  conditions.piece_bytes_max = dice_.pick({0U, 0U, 7U, 100U});
  conditions.window_bytes = dice_.pick<std::size_t>({256 * 1024, 256 * 1024, 4'096, 500});
}

// --- The store and operators ---

void FailoverWorld::act_on_store(FailoverAct act) {
  faultless_ = false;
  promises_.clear();
  const std::int64_t ns = dice_.between(1, 4'000) * base::ns_per_ms;
  if (act == FailoverAct::StopStore) {
    election_.set_running(false);
    pass_after(ns, [this] { election_.set_running(true); });
  } else if (act == FailoverAct::CutOffStore) {
    const std::string node = node_name(any_node().number());
    election_.set_reachable(node, false);
    pass_after(ns, [this, node] { election_.set_reachable(node, true); });
  } else {
    election_.faults.delay_max_ns = dice_.pick<std::int64_t>({1, 10, 100}) * base::ns_per_ms;
    election_.faults.refused = dice_.pick({0U, 100U});
    election_.faults.lost_requests = dice_.pick({0U, 100U});
    election_.faults.lost_answers = dice_.pick({0U, 100U, 300U});
    election_.faults.late_requests = dice_.pick({0U, 50U});
    election_.faults.lost_news = dice_.pick({0U, 300U});
    pass_after(ns, [this] { election_.faults = {}; });
  }
}

void FailoverWorld::command(FailoverAct act) {
  faultless_ = false;
  promises_.clear();
  const std::size_t group = dice_.below(plan_.groups);
  if (act == FailoverAct::HandOver) {
    if (ClusterNode* const primary = primary_of(group)) {
      const std::string to =
          dice_.chance(500) ? std::string() : node_name(dice_.below(plan_.nodes));
      const auto answer = primary->engine().hand_over(group_name(group), to);
      note(std::string("  ") + (answer ? replication::to_text(*answer) : "no such group"));
      world_.counts.hand_overs += answer && *answer == replication::WishAnswer::Begun ? 1U : 0U;
      network_.wake(primary->back());
    }
    return;
  }
  ClusterNode& node = any_node();
  if (node.alive()) {
    const auto answer = node.engine().promote(group_name(group), replication::Loss::Refused);
    note(std::string("  ") + (answer ? replication::to_text(*answer) : "no such group"));
    network_.wake(node.back());
  }
}

}  // namespace affix::simulation
