// SPDX-License-Identifier: MIT
// Timers against a slow reference that looks at every owner.
#include "engine/deadline_queue.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace affix::engine {
namespace {

TEST(DeadlineQueue, GivesEachOwnerOnceWhenDue) {
  DeadlineQueue queue(3);
  queue.update(0, 10);
  queue.update(1, 5);
  EXPECT_EQ(queue.next(), 5);
  EXPECT_EQ(queue.pop_due(4), std::nullopt);
  EXPECT_EQ(queue.pop_due(10), 1U);
  EXPECT_EQ(queue.pop_due(10), 0U);
  EXPECT_EQ(queue.pop_due(1'000), std::nullopt);
  EXPECT_EQ(queue.next(), never_ns);
}

TEST(DeadlineQueue, AnEarlierDeadlineReplacesALaterOne) {
  DeadlineQueue queue(1);
  queue.update(0, 100);
  queue.update(0, 50);
  EXPECT_EQ(queue.pop_due(60), 0U);
  EXPECT_EQ(queue.pop_due(200), std::nullopt);
}

TEST(DeadlineQueue, AgreesWithAWalkOverAllOwners) {
  constexpr std::size_t owners = 20;
  std::mt19937 random(7);
  DeadlineQueue queue(owners);
  std::vector<std::int64_t> actual(owners, never_ns);
  for (std::int64_t now = 0; now < 20'000; ++now) {
    const std::size_t owner = random() % owners;
    actual[owner] = now + 1 + static_cast<std::int64_t>(random() % 100);
    queue.update(owner, actual[owner]);
    while (const auto due = queue.pop_due(now)) {
      // A popped owner may have moved its deadline later meanwhile; it is then entered anew.
      if (actual[*due] <= now) {
        actual[*due] = never_ns;
      } else {
        queue.update(*due, actual[*due]);
      }
    }
    for (const std::int64_t deadline : actual) {
      ASSERT_GT(deadline, now);
      ASSERT_LE(queue.next(), deadline);
    }
  }
}

}  // namespace
}  // namespace affix::engine
