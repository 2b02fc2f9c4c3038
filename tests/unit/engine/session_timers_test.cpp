// SPDX-License-Identifier: MIT
// Deadlines of sessions and of their probes: apart from each other, each taken once.
#include "engine/session_timers.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace affix::engine {
namespace {

std::vector<std::uint32_t> visited(SessionTimers& timers, std::int64_t now_ns) {
  std::vector<std::uint32_t> numbers;
  timers.visit_due(now_ns, [&](std::uint32_t number) { numbers.push_back(number); });
  return numbers;
}

TEST(SessionTimers, ADueSessionIsVisitedOnceAndCounted) {
  SessionTimers timers;
  timers.open(3);
  EXPECT_TRUE(visited(timers, 1'000).empty());
  timers.set_earlier(1, 20);
  timers.set_earlier(2, 10);
  timers.set_earlier(2, 30);  // The earlier one stays.
  EXPECT_EQ(timers.nearest_ns(), 10);
  EXPECT_FALSE(timers.is_due(9));
  EXPECT_TRUE(visited(timers, 9).empty());
  EXPECT_TRUE(timers.is_due(10));
  EXPECT_EQ(visited(timers, 20), (std::vector<std::uint32_t>{2, 1}));
  EXPECT_TRUE(visited(timers, 20).empty());
  EXPECT_EQ(timers.visits(), 2U);
}

TEST(SessionTimers, ASessionThatIsDueAgainWaitsForTheNextCall) {
  SessionTimers timers;
  timers.open(2);
  timers.set_earlier(0, 1);
  timers.set_earlier(1, 2);
  std::vector<std::uint32_t> numbers;
  timers.visit_due(5, [&](std::uint32_t number) {
    numbers.push_back(number);
    if (numbers.size() < 10) {
      timers.set_earlier(number, 3);
    }
  });
  EXPECT_EQ(numbers, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_TRUE(timers.is_due(3));
  EXPECT_EQ(visited(timers, 5).size(), 2U);
}

TEST(SessionTimers, ProbesAreApartFromDeadlines) {
  SessionTimers timers;
  timers.open(2);
  timers.set_earlier(0, 50);
  timers.set_probe(0, 40);
  timers.set_probe(1, 45);
  EXPECT_EQ(timers.nearest_ns(), 40);
  EXPECT_FALSE(timers.is_due(45));
  EXPECT_TRUE(timers.probe_is_due(45));
  timers.set_probe(0, 60);  // Moved, even if it is later.
  EXPECT_EQ(timers.take_due_probe(45), 1U);
  EXPECT_FALSE(timers.take_due_probe(45));
  timers.clear_probe(0);
  EXPECT_FALSE(timers.take_due_probe(60));
  EXPECT_EQ(timers.visits(), 0U) << "a probe is no visit";
  EXPECT_EQ(visited(timers, 60), std::vector<std::uint32_t>{0});
}

TEST(SessionTimers, ASessionThatLeavesIsNeverDue) {
  SessionTimers timers;
  timers.open(2);
  timers.set_earlier(0, 1);
  timers.set_probe(0, 1);
  timers.set_earlier(1, 2);
  timers.forget(0);
  EXPECT_FALSE(timers.probe_is_due(5));
  EXPECT_EQ(visited(timers, 5), std::vector<std::uint32_t>{1});
  EXPECT_EQ(timers.nearest_ns(), base::DeadlineHeap::never);
}

}  // namespace
}  // namespace affix::engine
