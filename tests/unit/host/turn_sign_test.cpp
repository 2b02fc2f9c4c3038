// SPDX-License-Identifier: MIT
// Since when nobody serves a connection, from what a worker has left.
#include "host/turn_sign.hpp"

#include <gtest/gtest.h>

namespace affix::host {
namespace {

constexpr std::int64_t second = base::ns_per_second;

TEST(TurnSign, AWorkerThatWaitsServesUntilItsProcessEnds) {
  EXPECT_EQ(unserved_since(-10 * second, ProcessEnd::Killed, 10 * second + 7), 10 * second + 7);
  EXPECT_EQ(unserved_since(-10 * second, ProcessEnd::Killed, 11 * second), 11 * second);
}

TEST(TurnSign, OneThatDidNotComeBackFromItsWaitHung) {
  EXPECT_EQ(unserved_since(-10 * second, ProcessEnd::Killed, 10 * second + longest_wait_ns + 1),
            10 * second);
}

TEST(TurnSign, OneThatWasKilledWithinATurnHadServedUntilThen) {
  EXPECT_EQ(unserved_since(10 * second, ProcessEnd::Killed, 10 * second + 7), 10 * second);
  EXPECT_EQ(unserved_since(10 * second, ProcessEnd::Left, 10 * second + 7), 10 * second);
}

TEST(TurnSign, OneThatLeftHadStoppedBeforeItsProcessEnded) {
  EXPECT_EQ(unserved_since(-10 * second, ProcessEnd::Left, 10 * second + 7), 10 * second);
}

TEST(TurnSign, WithoutAWitnessOfTheEndTheSignCounts) {
  EXPECT_EQ(unserved_since(-10 * second, ProcessEnd::Killed, 0), 10 * second);
  // Another process's end, of before.
  EXPECT_EQ(unserved_since(-10 * second, ProcessEnd::Killed, 9 * second), 10 * second);
}

TEST(TurnSign, WithoutASignTheEndCountsIfItIsKnown) {
  EXPECT_EQ(unserved_since(0, ProcessEnd::Killed, 9), 9);
  EXPECT_EQ(unserved_since(0, ProcessEnd::Killed, 0), 0);
}

}  // namespace
}  // namespace affix::host
