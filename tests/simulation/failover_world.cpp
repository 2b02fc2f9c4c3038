// SPDX-License-Identifier: MIT
// Storms, quiet times and the rules that hold after them.
#include "simulation/failover_world.hpp"

#include "affix/journal/reader.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <malloc.h>
#include <utility>

namespace affix::simulation {

namespace {

using testing::LinkId;
using testing::NodeId;

/// Maximum number of steps at one instant; more are a livelock.
constexpr std::uint64_t cluster_steps_in_instant_max = 50'000;

/// From the last fault to full agreement: half-open connections of peers with the longest heartbeat
/// interval, pauses between connects, retries of the store, copies of everything.
constexpr std::int64_t recovery_max_ns = 30 * base::ns_per_second;

constexpr std::size_t cluster_heap_bytes_max = std::size_t{256} * 1024 * 1024;

}  // namespace

FailoverWorld::FailoverWorld(const FailoverPlan& plan, const std::string& directory,
                             Referee& referee)
    : plan_(plan),
      directory_(directory),
      dice_(plan.seed ^ 0xfa11),
      referee_(referee),
      network_(plan.seed),
      election_(plan.seed),
      world_{.plan = plan_,
             .directory = directory_,
             .dice = dice_,
             .referee = referee,
             .network = network_,
             .election = election_,
             .ledgers = ledgers_,
             .counts = {}},
      begin_ns_(network_.steady_ns()) {
  referee_.where = [this] {
    char text[64];
    const std::int64_t ns = network_.steady_ns() - begin_ns_;
    std::snprintf(text, sizeof text, "%8llu %12.6f", static_cast<unsigned long long>(steps_),
                  static_cast<double>(ns) / 1e9);
    return std::string(text);
  };
  election_.advance(network_.steady_ns());
  election_.on_answer = [this](std::string_view node) {
    for (const ClusterNode& one : nodes_) {
      if (node == node_name(one.number())) {
        network_.wake(one.back());
      }
    }
  };
  election_.on_write = [this](std::string_view group, const replication::Entry& before,
                              const replication::Entry& after) {
    check_epochs(group, before, after);
  };
  for (std::size_t peer = 0; peer < plan_.peers; ++peer) {
    ledgers_.emplace_back(referee_, plan_, peer);
  }
  for (std::size_t node = 0; node < plan_.nodes; ++node) {
    nodes_.emplace_back(world_, node);
  }
  for (std::size_t peer = 0; peer < plan_.peers; ++peer) {
    traders_.emplace_back(world_, peer);
  }
  const auto other_end = [this](NodeId from, LinkId link) {
    const testing::LinkEnds ends = network_.ends(link);
    return ends.connector == from ? ends.acceptor : ends.connector;
  };
  network_.on_sent = [this, other_end](NodeId from, LinkId link, std::string_view bytes) {
    for (ClusterNode& node : nodes_) {
      if (from != node.front() && from != node.back()) {
        continue;
      }
      for (std::size_t peer = 0; peer < traders_.size(); ++peer) {
        if (from == node.front() && other_end(from, link) == traders_[peer].node()) {
          if (referee_.tracing()) {
            std::string text(bytes);
            std::replace(text.begin(), text.end(), '\x01', '|');
            note("node " + node_name(node.number()) + " > " + text);
          }
          ledgers_[peer].speaks(node.number(), node.epoch_of(plan_.sessions[peer].group),
                                static_cast<std::uint64_t>(link), bytes);
        }
      }
      node.die_here(from, bytes.size());
    }
    for (Trader& trader : traders_) {
      if (from == trader.node()) {
        trader.die_here(bytes.size());
      }
    }
  };
  network_.on_taken = [this, other_end](NodeId from, LinkId link, std::string_view bytes) {
    const auto id = static_cast<std::uint64_t>(link);
    for (std::size_t peer = 0; peer < traders_.size(); ++peer) {
      if (from == traders_[peer].node()) {
        traders_[peer].wire().taken(id, bytes, "VENUE");
        continue;
      }
      for (const ClusterNode& node : nodes_) {
        if (from == node.front() && other_end(from, link) == traders_[peer].node()) {
          ledgers_[peer].taken(node.number(), id, bytes);
        }
      }
    }
  };
  for (ClusterNode& node : nodes_) {
    node.start();
  }
  for (Trader& trader : traders_) {
    trader.start();
  }
}

void FailoverWorld::note(const std::string& text) const {
  if (referee_.tracing()) {
    referee_.note(text);
  }
}

std::uint64_t FailoverWorld::answers() const {
  std::uint64_t all = 0;
  for (const Ledger& ledger : ledgers_) {
    all += ledger.answers();
  }
  return all;
}

void FailoverWorld::run(std::uint64_t steps) {
  // So that the first storm finds a cluster that trades.
  calm();
  for (std::uint64_t stormed = 0; stormed < steps && !referee_.violation() && !over_;
       stormed += plan_.calm_every) {
    storm(std::min(plan_.calm_every, steps - stormed));
    if (!referee_.violation()) {
      calm();
    }
  }
}

bool FailoverWorld::step_until(std::int64_t until_ns) {
  ++steps_;
  election_.advance(network_.steady_ns());
  const bool more = network_.step(std::min(until_ns, election_.next_event_ns()));
  election_.advance(network_.steady_ns());
  bury_dead();
  check_expected();
  if (network_.steady_ns() != instant_ns_) {
    instant_ns_ = network_.steady_ns();
    steps_in_instant_ = 0;
  } else {
    referee_.rule(++steps_in_instant_ < cluster_steps_in_instant_max,
                  [&] { return "livelock: no time passes; " + standing(); });
  }
  return more;
}

/// A process may have died outside of its own turn.
void FailoverWorld::bury_dead() {
  for (ClusterNode& node : nodes_) {
    if (node.dead()) {
      node.bury();
    }
  }
  for (Trader& trader : traders_) {
    if (trader.dead()) {
      trader.bury();
    }
  }
}

void FailoverWorld::storm(std::uint64_t steps) {
  const std::uint64_t end = steps_ + steps;
  next_act_ns_ = network_.steady_ns();
  quiet_ = false;
  while (steps_ < end && !referee_.violation()) {
    restart_due();
    let_pass();
    if (network_.steady_ns() >= next_act_ns_) {
      act();
      next_act_ns_ = network_.steady_ns() + dice_.between(0, 2 * plan_.act_interval_ns);
    }
    std::int64_t until = next_act_ns_;
    for (const auto& [who, at] : restart_ns_) {
      until = std::min(until, at);
    }
    for (const Passing& passing : passing_) {
      until = std::min(until, passing.at_ns);
    }
    step_until(until);
  }
}

void FailoverWorld::restart_due() {
  const auto is_due = [this](std::size_t who) {
    const auto [at, is_new] = restart_ns_.try_emplace(who, 0);
    if (is_new) {
      at->second =
          network_.steady_ns() + dice_.between(0, 3'000) * base::ns_per_ms * dice_.between(0, 1);
    }
    if (at->second > network_.steady_ns()) {
      return false;
    }
    restart_ns_.erase(at);
    return true;
  };
  for (ClusterNode& node : nodes_) {
    if (!node.alive() && is_due(node.number())) {
      node.start();
    }
  }
  for (std::size_t peer = 0; peer < traders_.size(); ++peer) {
    if (!traders_[peer].alive() && is_due(plan_.nodes + peer)) {
      traders_[peer].start();
    }
  }
}

void FailoverWorld::pass_after(std::int64_t ns, std::function<void()> end) {
  passing_.push_back({network_.steady_ns() + ns, std::move(end)});
}

void FailoverWorld::let_pass() {
  for (std::size_t at = 0; at < passing_.size();) {
    if (passing_[at].at_ns > network_.steady_ns()) {
      ++at;
      continue;
    }
    const auto end = std::move(passing_[at].end);
    passing_.erase(passing_.begin() + static_cast<std::ptrdiff_t>(at));
    end();
  }
}

// --- Quiet ---

void FailoverWorld::heal() {
  quiet_ = true;
  promises_.clear();
  for (Passing& passing : std::exchange(passing_, {})) {
    passing.end();
  }
  restart_ns_.clear();
  network_.conditions = {};
  network_.hold_nothing();
  election_.faults = {};
  election_.set_running(true);
  for (ClusterNode& node : nodes_) {
    election_.set_reachable(node_name(node.number()), true);
    node.arm_kill(0);
    node.disk().harm = HarmedDisk::Harm::None;
    for (const NodeId each : {node.front(), node.back()}) {
      network_.stall(each, 0);
      network_.step_utc(each, -std::exchange(clock_steps_ns_[static_cast<std::uint32_t>(each)], 0));
      network_.wake(each);
    }
    if (!node.alive()) {
      node.start();
    }
  }
  for (Trader& trader : traders_) {
    trader.arm_kill(0);
    if (!trader.alive()) {
      trader.start();
    }
    network_.wake(trader.node());
  }
}

const ClusterNode* FailoverWorld::primary_of(std::size_t group) const {
  // One that is paused may not know that its reign has ended.
  const ClusterNode* primary = nullptr;
  std::uint64_t highest = 0;
  for (const ClusterNode& node : nodes_) {
    if (const std::uint64_t epoch = node.epoch_of(group); epoch > highest) {
      highest = epoch;
      primary = &node;
    }
  }
  return primary;
}

ClusterNode* FailoverWorld::primary_of(std::size_t group) {
  return const_cast<ClusterNode*>(std::as_const(*this).primary_of(group));
}

ClusterNode& FailoverWorld::any_node() {
  return nodes_[dice_.below(nodes_.size())];
}

/// Empty: everything agrees.
std::string FailoverWorld::disagreement() const {
  for (std::size_t group = 0; group < plan_.groups; ++group) {
    std::size_t primaries = 0;
    for (const ClusterNode& node : nodes_) {
      primaries += node.epoch_of(group) != 0 ? 1U : 0U;
    }
    if (primaries != 1) {
      return group_name(group) + " has " + std::to_string(primaries) + " primaries";
    }
    const auto entry = election_.entry(group_name(group));
    if (!entry || entry->in_sync.size() != plan_.nodes) {
      return group_name(group) + " has " + std::to_string(entry ? entry->in_sync.size() : 0) +
             " nodes in sync";
    }
  }
  for (std::size_t group = 0; group < plan_.groups; ++group) {
    for (const engine::StandbyStanding& standby : primary_of(group)->standing(group).standbys) {
      if (!standby.connected || standby.lag_bytes != 0) {
        return group_name(group) + ": node " + standby.node + " is behind";
      }
    }
  }
  for (std::size_t peer = 0; peer < plan_.peers; ++peer) {
    const ClusterNode& primary = *primary_of(plan_.sessions[peer].group);
    const host::SessionHandle session = primary.session(peer);
    const Trader& trader = traders_[peer];
    if (!session || !session.logged_on() || !trader.logged_on()) {
      return peer_name(peer) + " is not logged on";
    }
    if (session.next_sender_seq() != trader.session().next_target_seq() ||
        session.next_target_seq() != trader.session().next_sender_seq()) {
      return "the numbers of " + peer_name(peer) + " differ";
    }
    if (!ledgers_[peer].all_answered()) {
      return peer_name(peer) + ": " + ledgers_[peer].open_orders();
    }
  }
  return {};
}

bool FailoverWorld::agreed() const {
  return disagreement().empty();
}

std::string FailoverWorld::standing() const {
  std::string text;
  for (const ClusterNode& node : nodes_) {
    text += (text.empty() ? "node " : "; node ") + node_name(node.number());
    if (!node.alive()) {
      text += " dead";
      continue;
    }
    for (std::size_t group = 0; group < plan_.groups; ++group) {
      const engine::FailoverStanding shown = node.standing(group);
      text += " " + group_name(group) + ":" + replication::to_text(shown.standing.role) +
              ", epoch " + std::to_string(shown.standing.epoch) + " (" +
              replication::to_text(shown.standing.why_standby) + ", " +
              replication::to_text(shown.standing.output) + ")";
      for (const engine::StandbyStanding& standby : shown.standbys) {
        text += " [" + standby.node + (standby.connected ? " connected" : " not connected") +
                (standby.in_gate ? ", in gate" : "") + (standby.late ? ", late" : "") + ", lag " +
                std::to_string(standby.lag_bytes) + "]";
      }
    }
  }
  for (std::size_t group = 0; group < plan_.groups; ++group) {
    if (const auto entry = election_.entry(group_name(group))) {
      text += "; " + group_name(group) + " in the store: " + replication::to_text(*entry);
    }
  }
  std::ranges::replace(text, '\n', ' ');
  return text;
}

void FailoverWorld::calm() {
  note("== quiet");
  heal();
  await_agreement();
  // A node that fell silent, or whose lease has run out, may seem to agree until it is noticed.
  const std::int64_t noticed =
      network_.steady_ns() + (3 * plan_.heartbeat_seconds + 2) * base::ns_per_second;
  while (network_.steady_ns() < noticed && !referee_.violation()) {
    step_until(noticed);
  }
  await_agreement();
  if (over_) {
    return;
  }
  if (plan_.bug != PlantedBug::None && !agreed()) {
    over_ = true;  // A planted bug must break a rule of what is said, or none.
    return;
  }
  referee_.rule(agreed(), [&] {
    return "no agreement " + std::to_string(recovery_max_ns / base::ns_per_second) +
           " s after the last fault: " + disagreement() + "; " + standing();
  });
  if (!referee_.violation()) {
    watch_quiet();
  }
  if (!referee_.violation()) {
    compare_journals();
  }
  if (!referee_.violation() && plan_.shares_keeper && plan_.bug == PlantedBug::None) {
    hand_over_in_peace();
  }
  for (ClusterNode& node : nodes_) {
    node.lost_disk = false;
  }
  faultless_ = true;
}

void FailoverWorld::await_agreement() {
  const std::int64_t begin = network_.steady_ns();
  const std::int64_t end = begin + recovery_max_ns;
  while (!agreed() && network_.steady_ns() < end && !referee_.violation()) {
    step_until(end);
    for (ClusterNode& node : nodes_) {
      if (!node.alive()) {
        node.start();  // It had died in the storm's last event.
      }
    }
    for (Trader& trader : traders_) {
      if (!trader.alive()) {
        trader.start();
      }
    }
  }
  longest_recovery_ns_ = std::max(longest_recovery_ns_, network_.steady_ns() - begin);
}

/// Without actions hardly anything is sent, and all still agree in the end.
void FailoverWorld::watch_quiet() {
  const auto said = [this] {
    std::uint64_t all = 0;
    for (std::size_t peer = 0; peer < plan_.peers; ++peer) {
      all += ledgers_[peer].messages() + traders_[peer].wire().messages();
    }
    return all;
  };
  const std::uint64_t before = said();
  const std::uint64_t promotions = world_.counts.promotions;
  const std::int64_t end = network_.steady_ns() + 4 * plan_.heartbeat_seconds * base::ns_per_second;
  const std::uint64_t said_max = 40 * plan_.peers;  // Heartbeats and TestRequests, with a margin.
  while (network_.steady_ns() < end && !referee_.violation()) {
    step_until(end);
    referee_.rule(said() - before <= said_max, [&] {
      return "livelock: " + std::to_string(said() - before) + " messages in a quiet time; " +
             standing();
    });
  }
  for (int count = 0; count < 1'000 && !agreed() && !referee_.violation(); ++count) {
    step_until(end + base::ns_per_second);  // Heartbeats in transit.
  }
  referee_.rule(agreed(), [&] {
    return "the agreement did not last: " + disagreement() + "; " + standing();
  });
  referee_.rule(promotions == world_.counts.promotions,
                [&] { return "a promotion without a fault: " + standing(); });
  const std::size_t heap = mallinfo2().uordblks + mallinfo2().hblkhd;
  referee_.rule(heap < cluster_heap_bytes_max,
                [&] { return "memory grows: " + std::to_string(heap) + " bytes"; });
}

// --- Rules ---

/// Without faults a planned hand-over between nodes with one keeper disturbs nobody.
void FailoverWorld::hand_over_in_peace() {
  world_.keepers->expire();  // What killed processes have left there.
  const std::size_t group = dice_.below(plan_.groups);
  ClusterNode& from = *primary_of(group);
  const ClusterNode& to = nodes_[(from.number() + 1) % plan_.nodes];
  std::vector<std::uint64_t> logons;
  std::ranges::transform(traders_, std::back_inserter(logons), &Trader::logons);
  const std::uint64_t epoch = from.epoch_of(group);
  for (std::size_t peer = 0; peer < plan_.peers; ++peer) {
    traders_[peer].order(plan_.burst_max);
  }
  const auto answer = from.engine().hand_over(group_name(group), node_name(to.number()));
  note("hands over in peace: " +
       std::string(answer ? replication::to_text(*answer) : "no such group"));
  network_.wake(from.back());
  const std::int64_t end = network_.steady_ns() + 2 * base::ns_per_second;
  while (to.epoch_of(group) <= epoch && network_.steady_ns() < end && !referee_.violation()) {
    step_until(end);
  }
  referee_.rule(to.epoch_of(group) > epoch,
                [&] { return "a hand-over in peace has not happened: " + standing(); });
  if (!referee_.violation()) {
    await_agreement();
    referee_.rule(agreed(), [&] {
      return "no agreement after a hand-over in peace: " + disagreement() + "; " + standing();
    });
  }
  for (std::size_t peer = 0; peer < plan_.peers && !referee_.violation(); ++peer) {
    referee_.rule(traders_[peer].logons() == logons[peer], [&] {
      return peer_name(peer) + " has logged on again after a hand-over in peace: " + standing();
    });
  }
  referee_.rule(world_.keepers->connections() == 0, [&] {
    return std::to_string(world_.keepers->connections()) +
           " connections are left in the keeper after a hand-over in peace";
  });
}

void FailoverWorld::check_epochs(std::string_view group, const replication::Entry& before,
                                 const replication::Entry& after) {
  if (referee_.tracing()) {
    std::string text = replication::to_text(after);
    std::ranges::replace(text, '\n', ' ');
    note("store " + std::string(group) + ": " + text);
  }
  auto& primaries = primaries_[std::string(group)];
  const auto [at, is_new] = primaries.try_emplace(after.epoch, after.primary);
  referee_.rule(at->second == after.primary, [&] {
    return "epoch " + std::to_string(after.epoch) + " of " + std::string(group) + " belongs to " +
           at->second + " and to " + after.primary;
  });
  referee_.rule(after.epoch >= before.epoch, [&] {
    return "the epoch of " + std::string(group) + " goes back from " +
           std::to_string(before.epoch) + " to " + std::to_string(after.epoch);
  });
  world_.counts.promotions += is_new ? 1U : 0U;
  // The last word of a process whose disk is gone since: only it is in the set, and has nothing. An
  // operator would have to accept the loss, so the history ends.
  for (const ClusterNode& node : nodes_) {
    const bool is_last_word =
        is_new ? node.asked_with_lost_disk(group, after.epoch)
               : node.lost_disk && after.in_sync.size() == 1 && node.epoch_of_any() == 0;
    over_ = over_ || (is_last_word && after.has_in_sync(node_name(node.number())));
  }
}

bool FailoverWorld::healthy() const {
  if (!faultless_ || !passing_.empty() || !restart_ns_.empty() || !promises_.empty()) {
    return false;
  }
  for (std::size_t group = 0; group < plan_.groups; ++group) {
    const auto entry = election_.entry(group_name(group));
    const ClusterNode* const primary = primary_of(group);
    if (!entry || entry->in_sync.size() != plan_.nodes || primary == nullptr) {
      return false;
    }
    for (const engine::StandbyStanding& standby : primary->standing(group).standbys) {
      if (!standby.connected || !standby.in_gate || standby.late) {
        return false;
      }
    }
  }
  return std::ranges::all_of(nodes_, [](const ClusterNode& node) { return node.alive(); });
}

/// With a fifth of it as the margin on either side; 0 where there is none.
std::int64_t FailoverWorld::lease_ns() const noexcept {
  return plan_.is_async() ? (plan_.lease_ms + plan_.lease_ms * 2 / 5) * base::ns_per_ms : 0;
}

/// Call it before the node is lost.
void FailoverWorld::expect_takeover(const ClusterNode& lost, std::int64_t within_ns,
                                    std::string_view why) {
  const bool counts = plan_.bug == PlantedBug::None && healthy() &&
                      static_cast<std::int64_t>(plan_.nodes) > plan_.in_sync_min;
  promises_.clear();
  if (!counts) {
    return;
  }
  for (std::size_t group = 0; group < plan_.groups; ++group) {
    if (const std::uint64_t epoch = lost.epoch_of(group); epoch != 0) {
      promises_.push_back({.from_ns = network_.steady_ns(),
                           .until_ns = network_.steady_ns() + within_ns + lease_ns(),
                           .group = group,
                           .epoch = epoch,
                           .why = std::string(why)});
    }
  }
}

void FailoverWorld::check_expected() {
  std::erase_if(promises_, [this](const Promise& promise) {
    const ClusterNode* const primary = primary_of(promise.group);
    const bool leads = primary != nullptr && primary->epoch_of(promise.group) > promise.epoch;
    const std::int64_t now = network_.steady_ns();
    if (leads) {
      longest_takeover_ns_ = std::max(longest_takeover_ns_, now - promise.from_ns);
    }
    referee_.rule(leads || now <= promise.until_ns, [&] {
      return group_name(promise.group) + " has no primary " +
             std::to_string((now - promise.from_ns) / base::ns_per_ms) + " ms after " +
             promise.why + "; " + standing();
    });
    return leads;
  });
}

void FailoverWorld::compare_journals() {
  // With sync what came last may be in no segment's file yet.
  for (ClusterNode& node : nodes_) {
    node.engine().prepare_journals();
  }
  for (std::size_t peer = 0; peer < plan_.peers; ++peer) {
    const ClusterNode& primary = *primary_of(plan_.sessions[peer].group);
    const std::string journal(primary.session(peer).journal_directory());
    const std::string below = journals_of(directory_, primary.number());
    for (const ClusterNode& node : nodes_) {
      if (&node != &primary) {
        compare(journal, journals_of(directory_, node.number()) + journal.substr(below.size()),
                "journal of " + peer_name(peer) + " on node " + node_name(primary.number()) +
                    ", which leads, and on node " + node_name(node.number()));
      }
    }
  }
}

/// Record by record and place by place, from where both have begun.
void FailoverWorld::compare(const std::string& one, const std::string& other,
                            const std::string& what) {
  auto led = journal::Reader::open(one);
  auto copy = journal::Reader::open(other);
  referee_.rule(led && copy,
                [&] { return what + ": " + (led ? copy.error().text() : led.error().text()); });
  if (!led || !copy) {
    return;
  }
  std::optional<journal::Record> left = led->next();
  std::optional<journal::Record> right = copy->next();
  while (left && right && left->position < right->position) {
    left = led->next();  // The copy was begun anew from a later segment.
  }
  while (left && right) {
    const bool equal = left->position == right->position && left->kind == right->kind &&
                       left->event == right->event && left->sequence == right->sequence &&
                       left->number_after == right->number_after && left->utc_ns == right->utc_ns &&
                       left->bytes == right->bytes && left->unsent == right->unsent;
    const auto text = [](const journal::Record& record) {
      return std::string(journal::to_text(record.kind)) + " " + std::to_string(record.sequence) +
             " at " + std::to_string(record.position.segment) + ":" +
             std::to_string(record.position.offset);
    };
    referee_.rule(equal, [&] { return what + " differ: " + text(*left) + " and " + text(*right); });
    referee_.rule(!equal || left->processed == right->processed,
                  [&] { return what + " have different marks: " + text(*left); });
    if (!equal) {
      return;
    }
    left = led->next();
    right = copy->next();
  }
  referee_.rule(!left && !right, [&] {
    return what + (left ? ": the copy ends before " : ": the copy goes on with ") +
           std::to_string(left ? left->sequence : right->sequence) + " at " +
           std::to_string((left ? left : right)->position.segment) + ":" +
           std::to_string((left ? left : right)->position.offset);
  });
  referee_.rule(!led->damage() && !copy->damage(), [&] {
    return what + ": " + (led->damage() ? led->damage() : copy->damage())->text();
  });
}

}  // namespace affix::simulation
