// SPDX-License-Identifier: MIT
// The heap of deadlines against a sorted list, over many random changes.
#include "affix/base/deadline_heap.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace affix::base {
namespace {

TEST(DeadlineHeap, IsNeverWhenEmpty) {
  DeadlineHeap heap;
  heap.open(4);
  EXPECT_EQ(heap.nearest_ns(), DeadlineHeap::never);
  heap.clear(2);
  EXPECT_EQ(heap.size(), 0U);
}

TEST(DeadlineHeap, ALaterDeadlineWaitsForTheEarlierOne) {
  DeadlineHeap heap;
  heap.open(2);
  heap.set_earlier(1, 50);
  heap.set_earlier(1, 70);
  EXPECT_EQ(heap.deadline_of(1), 50);
  heap.set_earlier(1, 20);
  EXPECT_EQ(heap.nearest_ns(), 20);
  EXPECT_EQ(heap.nearest_slot(), 1U);
  heap.set_earlier(0, DeadlineHeap::never);
  EXPECT_EQ(heap.size(), 1U);
  EXPECT_EQ(heap.deadline_of(0), DeadlineHeap::never);
}

TEST(DeadlineHeap, AgreesWithAListOverRandomChanges) {
  constexpr std::uint32_t slots = 50;
  DeadlineHeap heap;
  heap.open(slots);
  std::map<std::uint32_t, std::int64_t> model;
  std::mt19937 random(7);
  for (int round = 0; round < 50000; ++round) {
    const auto slot = static_cast<std::uint32_t>(random() % slots);
    if (random() % 3 == 0) {
      heap.clear(slot);
      model.erase(slot);
    } else {
      const auto deadline = static_cast<std::int64_t>(random() % 1000);
      heap.set(slot, deadline);
      model[slot] = deadline;
    }
    ASSERT_EQ(heap.size(), model.size());
    const auto known = model.find(slot);
    ASSERT_EQ(heap.deadline_of(slot), known == model.end() ? DeadlineHeap::never : known->second);
    if (model.empty()) {
      continue;
    }
    const auto nearest =
        std::min_element(model.begin(), model.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    ASSERT_EQ(heap.nearest_ns(), nearest->second);
    ASSERT_EQ(model.at(heap.nearest_slot()), nearest->second);
  }
}

}  // namespace
}  // namespace affix::base
