// SPDX-License-Identifier: MIT
// A replay passes what is stored, in order, a page at a time.
#include "testing/stored_replay.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace affix::testing {
namespace {

class StoredReplayTest : public ::testing::Test {
 protected:
  StoredReplayTest() {
    for (std::uint64_t number = 1; number <= 6; ++number) {
      stored_[number] = "34=" + std::to_string(number) + '\x01';
    }
  }

  /// Numbers in one page.
  std::vector<std::string> page(std::uint32_t count_max, const std::string& blocked_at = {}) {
    std::vector<std::string> numbers;
    const bool passed = replay_.pass_some(stored_, count_max, [&](const wire::MessageView& view) {
      numbers.emplace_back(view.value_at(0));
      return numbers.back() != blocked_at;
    });
    EXPECT_EQ(passed, numbers.empty() || numbers.back() != blocked_at);
    return numbers;
  }

  using Numbers = std::vector<std::string>;

  StoredReplay::Stored stored_;
  StoredReplay replay_;
};

TEST_F(StoredReplayTest, PassesItsRangeInPages) {
  EXPECT_TRUE(replay_.finished());
  replay_.begin(stored_, 2, 5);
  EXPECT_EQ(page(3), (Numbers{"2", "3", "4"}));
  EXPECT_FALSE(replay_.finished());
  EXPECT_EQ(page(3), Numbers{"5"});
  EXPECT_TRUE(replay_.finished());
}

TEST_F(StoredReplayTest, WhatIsNotStoredIsLeftOut) {
  stored_.erase(2);
  replay_.begin(stored_, 1, 4);
  stored_.erase(3);
  EXPECT_EQ(page(8), (Numbers{"1", "4"}));
}

TEST_F(StoredReplayTest, AMessageForWhichThereIsNoRoomIsPassedAgain) {
  replay_.begin(stored_, 1, 3);
  EXPECT_EQ(page(8, "2"), (Numbers{"1", "2"}));
  EXPECT_EQ(page(8), (Numbers{"2", "3"}));
}

TEST_F(StoredReplayTest, ANewRangeReplacesTheOneBefore) {
  replay_.begin(stored_, 1, 6);
  replay_.begin(stored_, 6, 9);
  EXPECT_EQ(page(8), Numbers{"6"});
  replay_.begin(stored_, 1, 6);
  replay_.clear();
  EXPECT_TRUE(replay_.finished());
  EXPECT_TRUE(page(8).empty());
}

}  // namespace
}  // namespace affix::testing
