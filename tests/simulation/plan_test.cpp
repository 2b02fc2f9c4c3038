// SPDX-License-Identifier: MIT
// Whatever a seed draws, both engines take it: a combination of settings that an engine refuses
// would end a history before it begins.
#include "simulation/plan.hpp"

#include "engine/configuration_checks.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

namespace affix::simulation {
namespace {

constexpr std::uint64_t seeds = 5'000;

TEST(SimulationPlan, GivesSettingsThatAnEngineTakes) {
  std::set<std::string> refusals;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Plan plan = make_plan(seed);
    for (const Who who : {Who::Venue, Who::Firm}) {
      const engine::Configuration settings = configuration_of(plan, who, "journals");
      for (const base::Error& refusal :
           engine::problems_of(engine::check_configuration(settings))) {
        if (refusals.insert(refusal.message).second) {
          ADD_FAILURE() << "seed " << seed << ", " << to_text(who) << ": " << refusal.message;
        }
      }
    }
  }
}

}  // namespace
}  // namespace affix::simulation
