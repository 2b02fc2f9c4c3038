// SPDX-License-Identifier: MIT
// A journal that refuses a record: while connected, without a connection, and until it takes
// records again.
#include "host/journal_health.hpp"

#include <gtest/gtest.h>

namespace affix::host {
namespace {

using journal::AppendResult;

TEST(JournalHealth, OneThatHasRefusedNothingIsNoObstacle) {
  JournalHealth health;
  EXPECT_FALSE(health.failed());
  EXPECT_FALSE(health.refuses());
  EXPECT_FALSE(health.take_failure());
  EXPECT_FALSE(health.take_unreported());
  EXPECT_EQ(health.refusal().text, "");
}

TEST(JournalHealth, ARefusalInAConnectionStopsItAndThenTheNextOne) {
  JournalHealth health;
  health.on_refusal(AppendResult::NoSpace, JournalHealth::Link::Connected);
  EXPECT_TRUE(health.failed());
  EXPECT_FALSE(health.refuses()) << "the connection is still there";
  EXPECT_TRUE(health.take_failure());
  EXPECT_FALSE(health.take_failure()) << "the numbers are restored once";
  EXPECT_FALSE(health.failed());
  EXPECT_TRUE(health.refuses());
  EXPECT_EQ(health.refusal().code, base::MessageCode("S302"));
  health.on_prepared();
  EXPECT_FALSE(health.refuses());
  EXPECT_EQ(health.refusal().text, "");
}

TEST(JournalHealth, ARefusalWithoutAConnectionKeepsTheNextOneAway) {
  JournalHealth health;
  health.on_refusal(AppendResult::Failed, JournalHealth::Link::Down);
  EXPECT_FALSE(health.failed());
  EXPECT_FALSE(health.take_failure());
  EXPECT_TRUE(health.refuses());
  EXPECT_EQ(health.refusal().text, journal::to_text(AppendResult::Failed));
}

TEST(JournalHealth, EachRefusalIsReportedOnce) {
  JournalHealth health;
  health.on_refusal(AppendResult::NoSpace, JournalHealth::Link::Connected);
  health.on_refusal(AppendResult::NoSpace, JournalHealth::Link::Connected);
  EXPECT_TRUE(health.take_unreported());
  EXPECT_FALSE(health.take_unreported());
  EXPECT_TRUE(health.take_failure());
  health.on_prepared();
  EXPECT_FALSE(health.take_unreported());
  health.on_refusal(AppendResult::NoSpace, JournalHealth::Link::Down);
  EXPECT_TRUE(health.take_unreported());
}

}  // namespace
}  // namespace affix::host
