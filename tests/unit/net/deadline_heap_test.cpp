// SPDX-License-Identifier: MIT
// The heap of deadlines against a sorted list, over many random changes.
#include "net/deadline_heap.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace affix::net {
namespace {

TEST(DeadlineHeap, IsNeverWhenEmpty) {
  DeadlineHeap heap;
  heap.open(4);
  EXPECT_EQ(heap.nearest_ns(), DeadlineHeap::never);
  heap.clear(2);
  EXPECT_EQ(heap.size(), 0U);
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
}  // namespace affix::net
