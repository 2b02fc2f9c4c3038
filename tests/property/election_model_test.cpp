// SPDX-License-Identifier: MIT
// Histories of three nodes with kills, pauses, cuts, losses of power and a store with faults. Each
// is repeated by its seed; AFFIX_ELECTION_SEEDS=FIRST..LAST plays others.
#include "support/election_model.hpp"

#include <cstdlib>
#include <gtest/gtest.h>

namespace affix {
namespace {

using support::election::Mode;
using support::election::Model;
using support::election::Plan;
using support::election::Plant;
using support::election::Tally;

struct Seeds {
  std::uint64_t first = 1;
  std::uint64_t last = 150;
};

Seeds asked_seeds() {
  Seeds seeds;
  if (const char* const text = std::getenv("AFFIX_ELECTION_SEEDS"); text != nullptr) {
    char* rest = nullptr;
    seeds.first = seeds.last = std::strtoull(text, &rest, 10);
    if (rest[0] == '.' && rest[1] == '.') {
      seeds.last = std::strtoull(rest + 2, nullptr, 10);
    }
  }
  return seeds;
}

void add(Tally& sum, const Tally& one) {
  sum.promotions += one.promotions;
  sum.raises += one.raises;
  sum.step_downs += one.step_downs;
  sum.hand_overs += one.hand_overs;
  sum.hand_overs_given_up += one.hand_overs_given_up;
  sum.accepted_losses += one.accepted_losses;
  sum.shown += one.shown;
}

/// Plays all seeds and returns what happened in them.
Tally expect_rules_hold(Plan plan) {
  Tally sum;
  const Seeds seeds = asked_seeds();
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    Model model(seed, plan);
    const std::string broken = model.run();
    EXPECT_EQ(broken, "") << "seed " << seed << "\n" << model.trace();
    if (!broken.empty()) {
      break;
    }
    add(sum, model.tally());
  }
  return sum;
}

TEST(ElectionModel, NothingThatWasShownIsLostBeforeSend) {
  const Tally tally = expect_rules_hold({});
  EXPECT_GT(tally.promotions, 300);
  EXPECT_GT(tally.raises, 3);
  EXPECT_GT(tally.step_downs, 50);
  EXPECT_GT(tally.hand_overs, 50);
  EXPECT_GT(tally.hand_overs_given_up, 5);
  EXPECT_GT(tally.shown, 50'000U);
  EXPECT_EQ(tally.accepted_losses, 0);
}

TEST(ElectionModel, NodesThatLostPowerLeadOnlyByAnOperatorsWord) {
  const Tally tally = expect_rules_hold({.has_power_losses = true});
  EXPECT_GT(tally.promotions, 300);
  EXPECT_GT(tally.accepted_losses, 3);
}

TEST(ElectionModel, OutputWaitsForTwoNodes) {
  EXPECT_GT(expect_rules_hold({.in_sync_min = 2}).promotions, 300);
}

TEST(ElectionModel, LeasesKeepTwoFromSpeakingAtOnce) {
  const Tally tally = expect_rules_hold({.mode = Mode::Async});
  EXPECT_GT(tally.promotions, 300);
  EXPECT_GT(tally.hand_overs, 50);
}

/// A rule that no fault breaks would prove nothing.
void expect_caught(Plan plan, std::string_view rule) {
  constexpr std::uint64_t seeds_max = 1000;
  for (std::uint64_t seed = 1; seed <= seeds_max; ++seed) {
    Model model(seed, plan);
    const std::string broken = model.run();
    if (broken.find(rule) != std::string::npos) {
      ::testing::Test::RecordProperty("seed", static_cast<int>(seed));
      return;
    }
  }
  ADD_FAILURE() << "no seed up to " << seeds_max << " breaks the rule: " << rule;
}

TEST(ElectionModel, FindsAPromotionOfANodeOutsideOfTheSet) {
  expect_caught({.plant = Plant::PromoteWithoutSet}, "was not in the set");
}

TEST(ElectionModel, FindsAPrimaryThatGoesOnAloneWithoutATransaction) {
  expect_caught({.plant = Plant::AloneWithoutTransaction}, "leads without something");
}

TEST(ElectionModel, FindsAForgottenPromise) {
  expect_caught({.plant = Plant::ForgetPromise}, "show");
}

TEST(ElectionModel, FindsAStandbyThatIsInTheSetBeforeItIsInTheGate) {
  expect_caught({.plant = Plant::GateAfterSet}, "leads without something");
}

TEST(ElectionModel, FindsAStandbyThatIsInTheSetBeforeItHasEverything) {
  expect_caught({.plant = Plant::CoveredTooEarly}, "leads without something");
}

TEST(ElectionModel, FindsANodeThatBelievesAnOldEpoch) {
  expect_caught({.plant = Plant::BelieveOldEpoch}, "an epoch");
}

TEST(ElectionModel, FindsANodeThatLostPowerAndLeads) {
  expect_caught({.plant = Plant::TrustLostContent, .has_power_losses = true},
                "leads without something");
}

TEST(ElectionModel, FindsAPrimaryThatIgnoresItsLease) {
  expect_caught({.mode = Mode::Async, .plant = Plant::IgnoreLease}, "spoke after");
}

}  // namespace
}  // namespace affix
