// SPDX-License-Identifier: MIT
// The counters of a failover group: values of a standing, take-over times, and how a reign ends.
#include "engine/failover_meter.hpp"

#include <gtest/gtest.h>
#include <memory>

namespace affix::engine {
namespace {

using counters::FailoverCounter;
using counters::FailoverCounters;
using counters::FailoverRole;
using counters::StandbyCounter;

std::uint64_t value(FailoverCounters& counters, FailoverCounter which) {
  return counters[which].value();
}

FailoverStanding leading() {
  FailoverStanding group{.group = "DESKS", .node = "A", .standing = {}, .standbys = {}};
  group.standing.role = replication::Role::Leading;
  group.standing.epoch = 7;
  group.standing.primary = "A";
  group.standing.in_sync = {"A", "B"};
  group.standing.output = replication::Output::Passes;
  group.standing.store = replication::Outcome::Done;
  group.standbys.push_back({.node = "B",
                            .connected = true,
                            .in_gate = true,
                            .late = true,
                            .lag_bytes = 120,
                            .lag_ns = 5'000});
  return group;
}

TEST(FailoverMeter, ShowsAStanding) {
  const auto counters = std::make_unique<FailoverCounters>();
  FailoverMeter meter(*counters);
  meter.show(leading());
  EXPECT_EQ(counters->primary.text(), "A");
  EXPECT_EQ(counters->in_sync.text(), "A,B");
  EXPECT_EQ(value(*counters, FailoverCounter::Role),
            static_cast<std::uint64_t>(FailoverRole::Primary));
  EXPECT_EQ(value(*counters, FailoverCounter::Epoch), 7U);
  EXPECT_EQ(value(*counters, FailoverCounter::InSync), 2U);
  EXPECT_EQ(value(*counters, FailoverCounter::Alone), 0U);
  EXPECT_EQ(value(*counters, FailoverCounter::OutputHeld), 0U);
  EXPECT_EQ(value(*counters, FailoverCounter::StoreSilent), 0U);
  EXPECT_EQ(counters->standbys[0].name.text(), "B");
  EXPECT_EQ(counters->standbys[0][StandbyCounter::Late].value(), 1U);
  EXPECT_EQ(counters->standbys[0][StandbyCounter::LagTime].value(), 5'000U);
  EXPECT_EQ(counters->version.load() % 2, 0U);

  FailoverStanding alone = leading();
  alone.standing.in_sync = {"A"};
  alone.standing.output = replication::Output::HeldForStandby;
  alone.standing.store = replication::Outcome::Unreachable;
  alone.standbys.clear();
  meter.show(alone);
  EXPECT_EQ(value(*counters, FailoverCounter::Alone), 1U);
  EXPECT_EQ(value(*counters, FailoverCounter::OutputHeld), 1U);
  EXPECT_EQ(value(*counters, FailoverCounter::StoreSilent), 1U);
  EXPECT_EQ(counters->standbys[0].name.text(), "");

  // A standby is never alone, nor does it hold anything back.
  alone.standing.role = replication::Role::Standby;
  meter.show(alone);
  EXPECT_EQ(value(*counters, FailoverCounter::Alone), 0U);
  EXPECT_EQ(value(*counters, FailoverCounter::OutputHeld), 0U);
}

TEST(FailoverMeter, MeasuresATakeOverFromTheFirstSign) {
  const auto counters = std::make_unique<FailoverCounters>();
  FailoverMeter meter(*counters);
  meter.begin_take_over(100);
  meter.follows();  // It was back: what follows is another take-over.
  meter.begin_take_over(1'000);
  meter.begin_take_over(1'500);
  meter.leads({.steady_ns = 3'000, .utc_ns = 77});
  EXPECT_EQ(value(*counters, FailoverCounter::LastTakeOver), 2'000U);
  EXPECT_EQ(value(*counters, FailoverCounter::Promotions), 1U);
  EXPECT_EQ(value(*counters, FailoverCounter::LeadingSince), 77U);
}

TEST(FailoverMeter, CountsHowAReignEnds) {
  const auto counters = std::make_unique<FailoverCounters>();
  FailoverMeter meter(*counters);
  meter.leads({.steady_ns = 1, .utc_ns = 1});
  meter.ends(LeadEnd::HandedOver);
  meter.ends(LeadEnd::Lost);
  meter.ends(LeadEnd::Lost);
  EXPECT_EQ(value(*counters, FailoverCounter::HandOvers), 1U);
  EXPECT_EQ(value(*counters, FailoverCounter::StepDowns), 2U);
  EXPECT_EQ(value(*counters, FailoverCounter::LeadingSince), 0U);
}

}  // namespace
}  // namespace affix::engine
