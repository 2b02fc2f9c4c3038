// SPDX-License-Identifier: MIT
// Lending and return of blocks.
#include "net/block_pool.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <set>

namespace affix::net {
namespace {

TEST(BlockPool, LendsDistinctBlocksOfTheFullSize) {
  BlockPool pool;
  ASSERT_TRUE(pool.open(5, 5000, "test"));
  std::set<char*> blocks;
  for (int index = 0; index < 5; ++index) {
    char* const block = pool.lend();
    std::memset(block, index, 5000);
    blocks.insert(block);
  }
  EXPECT_EQ(blocks.size(), 5U);
  for (auto next = std::next(blocks.begin()), before = blocks.begin(); next != blocks.end();
       ++next, ++before) {
    EXPECT_GE(*next - *before, 5000);
  }
  EXPECT_EQ(pool.free_count(), 0U);
}

TEST(BlockPool, LendsTheWarmestFirst) {
  BlockPool pool;
  ASSERT_TRUE(pool.open(3, 100, "test"));
  char* const first = pool.lend();
  char* const second = pool.lend();
  pool.give_back(first, 100);
  EXPECT_EQ(pool.lend(), first);
  pool.give_back(second, 100);
  EXPECT_EQ(pool.lend(), second);
}

TEST(BlockPool, ReturnsALargeBlocksMemory) {
  BlockPool pool;
  constexpr std::size_t size = 1 << 20;
  ASSERT_TRUE(pool.open(1, size, "test"));
  char* block = pool.lend();
  std::memset(block, 'x', size);
  pool.give_back(block, size);
  block = pool.lend();
  // Memory returned to the system reads as zeros.
  EXPECT_EQ(block[0], 0);
  EXPECT_EQ(block[size - 1], 0);
}

TEST(BlockPool, SaysWhenTheAddressSpaceIsTooSmall) {
  BlockPool pool;
  const auto opened = pool.open(1 << 20, std::numeric_limits<std::size_t>::max() / 2, "huge");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, base::ErrorCode::NoSpace);
  BlockPool second;
  const auto refused = second.open(1 << 20, std::size_t{1} << 36, "huge");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::NoSpace);
}

}  // namespace
}  // namespace affix::net
