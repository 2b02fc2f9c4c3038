// SPDX-License-Identifier: MIT
// One history: two parties, strangers, a network, and all faults. Storm and quiet alternate; after
// each quiet time the two must agree.
#pragma once

#include "affix/testing/virtual_network.hpp"

#include "simulation/channel.hpp"
#include "simulation/dice.hpp"
#include "simulation/party.hpp"
#include "simulation/plan.hpp"
#include "simulation/referee.hpp"
#include "simulation/strangers.hpp"

#include <cstdint>
#include <set>
#include <string>

namespace affix::simulation {

class World {
 public:
  /// Journals are below `directory`, which the caller removes.
  World(const Plan& plan, const std::string& directory, Referee& referee);

  /// Runs up to this many steps, the last of them in a quiet time; ends early at a violation.
  void run(std::uint64_t steps);

  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }

  [[nodiscard]] std::int64_t virtual_ns() const noexcept {
    return network_.steady_ns() - begin_ns_;
  }

  [[nodiscard]] std::uint64_t delivered() const noexcept {
    return to_venue_.delivered() + to_firm_.delivered();
  }

  [[nodiscard]] Adoptions adoptions() const {
    Adoptions all = venue_.adoptions();
    all.add(firm_.adoptions());
    return all;
  }

  [[nodiscard]] std::uint64_t lives() const noexcept { return venue_.lives() + firm_.lives(); }

 private:
  [[nodiscard]] Party& party(Who who) noexcept { return who == Who::Venue ? venue_ : firm_; }

  void storm(std::uint64_t steps);
  void act();
  void act(Act act, Party& party, Who who);
  void harm_link(Act act);
  void step_clock(Who who);
  void change_conditions();
  void change_connects();
  void kill(Who who);
  void restart_due(Who who);
  void heal();
  void calm();
  void await_agreement();
  void watch_quiet();
  [[nodiscard]] bool agreed() const;
  [[nodiscard]] std::uint64_t said();  ///< Messages of both on the wire so far.
  [[nodiscard]] std::string standing() const;
  bool step_until(std::int64_t until_ns);

  const Plan plan_;
  Dice dice_;
  Referee& referee_;
  testing::VirtualNetwork network_;
  Channel to_venue_;
  Channel to_firm_;
  Party venue_;
  Party firm_;
  Strangers strangers_;
  std::int64_t begin_ns_;
  std::int64_t next_act_ns_ = 0;
  std::int64_t restart_ns_[2] = {};  // By Who, for a dead party.
  std::int64_t clock_steps_ns_[2] = {};
  std::set<testing::LinkId> corrupted_;
  std::int64_t instant_ns_ = 0;
  std::uint64_t steps_in_instant_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace affix::simulation
