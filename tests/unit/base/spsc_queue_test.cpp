// SPDX-License-Identifier: MIT
// The queue between two threads: order, limits, contents of released slots, and two real threads.
#include "affix/base/spsc_queue.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <thread>

namespace affix::base {
namespace {

bool push(SpscQueue<int>& queue, int value) {
  int* const slot = queue.claim();
  if (slot == nullptr) {
    return false;
  }
  *slot = value;
  queue.publish();
  return true;
}

TEST(SpscQueue, KeepsOrderAndTellsFullAndEmpty) {
  SpscQueue<int> queue(4);
  EXPECT_EQ(queue.capacity(), 4U);
  // More rounds than slots, so that positions wrap.
  for (int round = 0; round < 10; ++round) {
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(queue.front(), nullptr);
    for (int value = 0; value < 4; ++value) {
      ASSERT_TRUE(push(queue, round * 10 + value));
    }
    EXPECT_FALSE(push(queue, -1));
    for (int value = 0; value < 4; ++value) {
      ASSERT_NE(queue.front(), nullptr);
      EXPECT_EQ(*queue.front(), round * 10 + value);
      EXPECT_FALSE(queue.empty());
      queue.pop();
    }
    EXPECT_TRUE(push(queue, 100)) << "a popped slot is free at once";
    ASSERT_NE(queue.front(), nullptr);
    queue.pop();
  }
}

TEST(SpscQueue, CapacityIsRoundedUp) {
  EXPECT_EQ(SpscQueue<int>(0).capacity(), 2U);
  EXPECT_EQ(SpscQueue<int>(3).capacity(), 4U);
  EXPECT_EQ(SpscQueue<int>(1024).capacity(), 1024U);
}

TEST(SpscQueue, SlotsKeepTheirMemory) {
  SpscQueue<std::string> queue(2);
  for (int use = 0; use < 2; ++use) {
    std::string* const slot = queue.claim();
    ASSERT_NE(slot, nullptr);
    slot->assign(1000, 'x');
    queue.publish();
    ASSERT_NE(queue.front(), nullptr);
    queue.pop();
  }
  EXPECT_GE(queue.claim()->capacity(), 1000U);
}

TEST(SpscQueue, TheSidesShareNoCacheLine) {
  static_assert(alignof(SpscQueue<int>) == cache_line);
  static_assert(sizeof(SpscQueue<int>) == 3 * cache_line);
}

TEST(SpscQueue, NothingIsLostBetweenTwoThreads) {
  constexpr std::uint64_t values = 200'000;
  SpscQueue<std::uint64_t> queue(8);
  std::uint64_t refused = 0;
  std::thread producer([&] {
    for (std::uint64_t value = 1; value <= values;) {
      if (std::uint64_t* const slot = queue.claim()) {
        *slot = value++;
        queue.publish();
      } else {
        ++refused;
        std::this_thread::yield();
      }
    }
  });
  std::uint64_t expected = 1;
  while (expected <= values) {
    if (const std::uint64_t* const slot = queue.front()) {
      ASSERT_EQ(*slot, expected);
      ++expected;
      queue.pop();
    } else {
      std::this_thread::yield();
    }
  }
  producer.join();
  EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace affix::base
