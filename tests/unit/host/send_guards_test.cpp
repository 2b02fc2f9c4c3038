// SPDX-License-Identifier: MIT
// Conditions that refuse a message, alone and together, and the wait after a refusal.
#include "host/send_guards.hpp"

#include <array>
#include <gtest/gtest.h>

namespace affix::host {
namespace {

constexpr std::array all_guards = {SendGuard::Limit, SendGuard::AdminMessage, SendGuard::Stopped,
                                   SendGuard::OverLimit};

TEST(SendGuards, AMessageTestsOneByte) {
  static_assert(sizeof(SendGuards) == 2, "the conditions, and the wait");
  SendGuards guards;
  EXPECT_FALSE(guards.any());
  EXPECT_FALSE(guards.closed());
  for (const SendGuard guard : all_guards) {
    guards.raise(guard);
    EXPECT_TRUE(guards.any());
    guards.lower(guard);
    EXPECT_FALSE(guards.any());
  }
}

TEST(SendGuards, AnyCombinationIsClosedUnlessItIsOnlyTheLimit) {
  for (unsigned combination = 0; combination < 16; ++combination) {
    SendGuards guards;
    bool closed = false;
    for (std::size_t at = 0; at < all_guards.size(); ++at) {
      if ((combination >> at & 1U) != 0) {
        guards.raise(all_guards[at]);
        closed = closed || all_guards[at] != SendGuard::Limit;
      }
    }
    for (std::size_t at = 0; at < all_guards.size(); ++at) {
      EXPECT_EQ(guards.has(all_guards[at]), (combination >> at & 1U) != 0) << combination;
    }
    EXPECT_EQ(guards.closed(), closed) << combination;
    EXPECT_EQ(guards.any(), combination != 0);
  }
}

TEST(SendGuards, OneThatIsTakenIsLoweredAlone) {
  SendGuards guards;
  guards.raise(SendGuard::Limit);
  guards.raise(SendGuard::OverLimit);
  EXPECT_TRUE(guards.take(SendGuard::OverLimit));
  EXPECT_FALSE(guards.take(SendGuard::OverLimit));
  EXPECT_TRUE(guards.has(SendGuard::Limit));
}

TEST(SendGuards, ASuccessorIsStoppedAsItsPredecessorWas) {
  SendGuards before;
  before.raise(SendGuard::OverLimit);
  before.raise(SendGuard::Limit);
  SendGuards successor;
  successor.go_on_from(before);
  EXPECT_FALSE(successor.any()) << "its own settings say whether it has a limit";
  before.raise(SendGuard::Stopped);
  successor.raise(SendGuard::Limit);
  successor.go_on_from(before);
  EXPECT_TRUE(successor.has(SendGuard::Stopped));
  EXPECT_TRUE(successor.has(SendGuard::Limit));
  EXPECT_FALSE(successor.has(SendGuard::OverLimit));
}

TEST(SendGuards, TheWaitForTheLimitPrecedesTheWaitForRoom) {
  SendGuards guards;
  EXPECT_FALSE(guards.awaits_room());
  EXPECT_FALSE(guards.awaits_limit());
  guards.await_room();
  EXPECT_TRUE(guards.awaits_room());
  guards.await_limit();
  EXPECT_TRUE(guards.awaits_limit());
  EXPECT_FALSE(guards.awaits_room());
  guards.await_room();
  EXPECT_TRUE(guards.awaits_limit()) << "room in the outbox does not end it";
  guards.on_limit_room();
  EXPECT_TRUE(guards.awaits_room());
  EXPECT_FALSE(guards.awaits_limit());
  guards.end_wait();
  EXPECT_FALSE(guards.awaits_room());
}

}  // namespace
}  // namespace affix::host
