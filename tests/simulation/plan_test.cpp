// SPDX-License-Identifier: MIT
// Both engines accept any seed's settings: a refused combination would end a history before it
// begins.
#include "simulation/plan.hpp"

#include "config/configuration_checks.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <string>

namespace affix::simulation {
namespace {

constexpr std::uint64_t seeds = 5'000;

TEST(SimulationPlan, GivesSettingsThatAnEngineTakes) {
  std::set<std::string> refusals;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Plan plan = make_plan(seed);
    for (const Who who : {Who::Venue, Who::Firm}) {
      const config::Configuration settings = configuration_of(plan, who, "journals");
      for (const base::Error& refusal :
           config::problems_of(config::check_configuration(settings))) {
        if (refusals.insert(refusal.message).second) {
          ADD_FAILURE() << "seed " << seed << ", " << to_text(who) << ": " << refusal.message;
        }
      }
    }
  }
}

}  // namespace
}  // namespace affix::simulation
