// SPDX-License-Identifier: MIT
// One history of a cluster: nodes that take over from each other, the store that elects, and peers,
// under faults. Storms and quiet times alternate; after each quiet time all must agree.
#pragma once

#include "affix/testing/memory_election_store.hpp"
#include "affix/testing/virtual_network.hpp"

#include "simulation/cluster_node.hpp"
#include "simulation/dice.hpp"
#include "simulation/failover_plan.hpp"
#include "simulation/ledger.hpp"
#include "simulation/referee.hpp"
#include "simulation/trader.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace affix::simulation {

class FailoverWorld {
 public:
  /// Journals are below `directory`, which the caller removes.
  FailoverWorld(const FailoverPlan& plan, const std::string& directory, Referee& referee);

  /// Runs storms of this many steps in all, each with a quiet time; ends early at a violation.
  void run(std::uint64_t steps);

  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }

  [[nodiscard]] std::int64_t virtual_ns() const noexcept {
    return network_.steady_ns() - begin_ns_;
  }

  [[nodiscard]] const ClusterWorld::Counts& counts() const noexcept { return world_.counts; }

  /// Orders that were answered.
  [[nodiscard]] std::uint64_t answers() const;

  /// The longest times of healthy clusters from a fault to the next primary.
  [[nodiscard]] std::int64_t longest_takeover_ns() const noexcept { return longest_takeover_ns_; }

  /// The longest time from the last fault of a storm to full agreement.
  [[nodiscard]] std::int64_t longest_recovery_ns() const noexcept { return longest_recovery_ns_; }

 private:
  /// Something that ends by itself at a time.
  struct Passing {
    std::int64_t at_ns = 0;
    std::function<void()> end;
  };

  /// A group must have a primary again by then, unless another fault comes.
  struct Promise {
    std::int64_t from_ns = 0;
    std::int64_t until_ns = 0;
    std::size_t group = 0;
    std::uint64_t epoch = 0;  // Of the primary that is gone.
    std::string why;
  };

  void storm(std::uint64_t steps);
  void act();
  void act(FailoverAct act);
  void act_on_cluster(FailoverAct act);
  void act_on_links(FailoverAct act);
  void act_on_store(FailoverAct act);
  void command(FailoverAct act);
  void change_conditions();
  void kill(ClusterNode& node, std::string_view why);
  void kill_primary();
  void lose_disk(ClusterNode& node);
  void hold(std::size_t from, std::size_t to, bool held);
  void isolate(std::size_t node);
  void restart_due();
  void let_pass();
  void pass_after(std::int64_t ns, std::function<void()> end);
  void heal();
  void calm();
  void await_agreement();
  void watch_quiet();
  void bury_dead();
  void expect_takeover(const ClusterNode& lost, std::int64_t within_ns, std::string_view why);
  [[nodiscard]] std::int64_t lease_ns() const noexcept;
  void check_expected();
  void check_epochs(std::string_view group, const replication::Entry& before,
                    const replication::Entry& after);
  void compare_journals();
  void hand_over_in_peace();
  void compare(const std::string& one, const std::string& other, const std::string& what);
  [[nodiscard]] bool healthy() const;
  [[nodiscard]] bool agreed() const;
  [[nodiscard]] std::string disagreement() const;
  [[nodiscard]] ClusterNode* primary_of(std::size_t group);
  [[nodiscard]] const ClusterNode* primary_of(std::size_t group) const;
  [[nodiscard]] ClusterNode& any_node();
  [[nodiscard]] std::string standing() const;
  bool step_until(std::int64_t until_ns);
  void note(const std::string& text) const;

  const FailoverPlan plan_;
  const std::string directory_;
  Dice dice_;
  Referee& referee_;
  testing::VirtualNetwork network_;
  testing::ElectionRegister election_;
  std::deque<Ledger> ledgers_;
  ClusterWorld world_;
  std::deque<ClusterNode> nodes_;
  std::deque<Trader> traders_;
  std::int64_t begin_ns_;
  std::int64_t next_act_ns_ = 0;
  std::map<std::size_t, std::int64_t> restart_ns_;  // By node, and peers after them.
  std::map<std::uint32_t, std::int64_t> clock_steps_ns_;
  std::vector<Passing> passing_;
  bool faultless_ = true;  // Since the last quiet time, apart from kills that were expected.
  std::vector<Promise> promises_;
  std::map<std::string, std::map<std::uint64_t, std::string>, std::less<>> primaries_;  // By epoch.
  std::int64_t longest_takeover_ns_ = 0;
  std::int64_t longest_recovery_ns_ = 0;
  std::int64_t instant_ns_ = 0;
  std::uint64_t steps_in_instant_ = 0;
  std::uint64_t steps_ = 0;
  bool quiet_ = false;
  bool over_ = false;  // Without a broken rule: a planted bug, or a loss that has to be accepted.
};

}  // namespace affix::simulation
