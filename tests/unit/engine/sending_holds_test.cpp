// SPDX-License-Identifier: MIT
// The latest command for a scope applies to everything in it.
#include "engine/sending_holds.hpp"

#include <gtest/gtest.h>

namespace affix::engine {
namespace {

constexpr SendingScope everything{};
constexpr SendingScope venue{.instance = "VENUE"};
constexpr SendingScope other{.instance = "OTHER"};
constexpr SendingScope session{.instance = "VENUE", .session = "S1"};
constexpr SendingScope neighbour{.instance = "VENUE", .session = "S2"};
constexpr SendingScope namesake{.instance = "OTHER", .session = "S1"};

TEST(SendingHolds, NothingIsStoppedAtFirst) {
  const SendingHolds holds;
  EXPECT_FALSE(holds.is_stopped(everything));
  EXPECT_FALSE(holds.is_stopped(venue));
  EXPECT_FALSE(holds.is_stopped(session));
}

TEST(SendingHolds, ACommandAppliesToItsScopeAndNothingElse) {
  SendingHolds holds;
  holds.set(session, true);
  EXPECT_TRUE(holds.is_stopped(session));
  EXPECT_FALSE(holds.is_stopped(neighbour));
  EXPECT_FALSE(holds.is_stopped(namesake));
  EXPECT_FALSE(holds.is_stopped(venue));
  holds.set(venue, true);
  EXPECT_TRUE(holds.is_stopped(neighbour));
  EXPECT_FALSE(holds.is_stopped(other));
  EXPECT_FALSE(holds.is_stopped(everything));
  holds.set(everything, true);
  EXPECT_TRUE(holds.is_stopped(other));
  EXPECT_TRUE(holds.is_stopped(namesake));
}

TEST(SendingHolds, AnInnerWordStandsUntilOneAboutMore) {
  SendingHolds holds;
  holds.set(everything, true);
  holds.set(venue, false);
  EXPECT_FALSE(holds.is_stopped(session));
  EXPECT_TRUE(holds.is_stopped(namesake));
  holds.set(session, true);
  EXPECT_TRUE(holds.is_stopped(session));
  EXPECT_FALSE(holds.is_stopped(neighbour));
  holds.set(venue, false);
  EXPECT_FALSE(holds.is_stopped(session));
  holds.set(session, true);
  holds.set(everything, false);
  EXPECT_FALSE(holds.is_stopped(session));
  EXPECT_FALSE(holds.is_stopped(namesake));
}

TEST(SendingHolds, AnUndoneHoldLeavesNoException) {
  SendingHolds holds;
  holds.set(venue, true);
  holds.set(venue, false);
  holds.set(session, true);
  holds.set(session, false);
  // If commands were stored as exceptions, the engine's would not apply to them.
  EXPECT_FALSE(holds.is_stopped(session));
  holds.set(venue, true);
  EXPECT_TRUE(holds.is_stopped(session));
}

}  // namespace
}  // namespace affix::engine
