// SPDX-License-Identifier: MIT
// The wait of a turn ends with the next thing that is due, or earlier by the configured limit.
#include "engine/turn_wait.hpp"

#include <gtest/gtest.h>

namespace affix::engine {
namespace {

TEST(TurnWait, EndsWhenSomethingIsDue) {
  const TurnWait wait(net::Wait{.mode = net::Wait::Mode::SpinThenBlock, .spin_ns = 7}, 0);
  const net::Wait turn = wait.until(500, 100);
  EXPECT_EQ(turn.mode, net::Wait::Mode::SpinThenBlock);
  EXPECT_EQ(turn.spin_ns, 7);
  EXPECT_EQ(turn.deadline_ns, 500);
  EXPECT_FALSE(wait.spins());
}

TEST(TurnWait, EndsAtItsLimitIfNothingIsDueBefore) {
  const TurnWait wait(net::Wait::spin(), 50);
  EXPECT_TRUE(wait.spins());
  EXPECT_EQ(wait.until(INT64_MAX, 100).deadline_ns, 150);
  EXPECT_EQ(wait.until(120, 100).deadline_ns, 120);
  EXPECT_EQ(wait.until(0, 100).deadline_ns, 0);
}

TEST(TurnWait, AnotherLoopsTurnsLookAtAllEvents) {
  TurnWait wait(net::Wait::spin(), 0);
  wait.leave_to_other_loop();
  EXPECT_FALSE(wait.spins());
  EXPECT_EQ(wait.until(0, 5).mode, net::Wait::Mode::Block);
}

}  // namespace
}  // namespace affix::engine
