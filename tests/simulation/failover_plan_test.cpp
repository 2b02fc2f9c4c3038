// SPDX-License-Identifier: MIT
// All engines of a cluster accept any seed's settings: a refused combination would end a history
// before it begins.
#include "simulation/failover_plan.hpp"

#include "config/configuration_checks.hpp"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <string>

namespace affix::simulation {
namespace {

constexpr std::uint64_t seeds = 2'000;

TEST(SimulationFailoverPlan, GivesSettingsThatAnEngineTakes) {
  std::set<std::string> refusals;
  const auto check = [&refusals](std::uint64_t seed, const config::Configuration& settings) {
    for (const base::Error& refusal : config::problems_of(config::check_configuration(settings))) {
      if (refusals.insert(refusal.message).second) {
        ADD_FAILURE() << "seed " << seed << ": " << refusal.message;
      }
    }
  };
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const FailoverPlan plan =
        make_failover_plan(seed, static_cast<PlantedBug>(seed % planted_bug_count));
    for (std::size_t node = 0; node < plan.nodes; ++node) {
      check(seed, configuration_of_node(plan, node, "journals"));
    }
    for (std::size_t peer = 0; peer < plan.peers; ++peer) {
      check(seed, configuration_of_peer(plan, peer, "journals"));
    }
  }
}

}  // namespace
}  // namespace affix::simulation
