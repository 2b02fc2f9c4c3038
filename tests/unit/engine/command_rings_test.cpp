// SPDX-License-Identifier: MIT
// Commands of several senders: a turn takes a share of each, and all in order.
#include "engine/command_rings.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace affix::engine {
namespace {

class CommandQueues : public ::testing::Test {
 protected:
  base::ByteRing& ring() {
    made_.push_back(std::make_unique<base::ByteRing>(std::size_t{1} << 16));
    return *made_.back();
  }

  static void put(base::ByteRing& ring, const std::string& text) {
    const std::span<char> place = ring.claim(text.size());
    ASSERT_NE(place.data(), nullptr);
    std::memcpy(place.data(), text.data(), text.size());
    ring.publish(text.size());
  }

  std::uint64_t take() {
    return rings_.take([this](std::string_view record) { taken_.emplace_back(record); });
  }

  std::vector<std::unique_ptr<base::ByteRing>> made_;
  CommandRings rings_;
  std::vector<std::string> taken_;
};

TEST_F(CommandQueues, WithoutCouriersThereIsNothing) {
  EXPECT_EQ(take(), 0U);
  EXPECT_FALSE(rings_.has_more());
}

TEST_F(CommandQueues, ATurnTakesAShareOfEachAndTheRestFollows) {
  base::ByteRing& first = ring();
  base::ByteRing& second = ring();
  rings_.add(first);
  rings_.add(second);
  constexpr int many = CommandRings::commands_per_turn + 3;
  std::vector<std::string> expected;
  for (int number = 0; number < many; ++number) {
    put(first, "a" + std::to_string(number));
    expected.push_back("a" + std::to_string(number));
  }
  put(second, "b");
  EXPECT_EQ(take(), CommandRings::commands_per_turn + 1U);
  EXPECT_TRUE(rings_.has_more());
  EXPECT_EQ(taken_.back(), "b") << "the second sender does not wait for the first one's rest";
  taken_.pop_back();
  EXPECT_EQ(take(), 3U);
  EXPECT_FALSE(rings_.has_more());
  EXPECT_EQ(taken_, expected);
}

TEST_F(CommandQueues, AllMeansAllThatWereThereAtTheCall) {
  base::ByteRing& one = ring();
  rings_.add(one);
  constexpr int many = 2 * CommandRings::commands_per_turn;
  for (int number = 0; number < many; ++number) {
    put(one, std::to_string(number));
  }
  int count = 0;
  rings_.take_all([&](std::string_view record) {
    EXPECT_EQ(record, std::to_string(count));
    if (count++ == 0) {
      put(one, "later");
    }
  });
  EXPECT_EQ(count, many);
  EXPECT_EQ(take(), 1U);
  EXPECT_EQ(taken_, std::vector<std::string>({"later"}));
}

}  // namespace
}  // namespace affix::engine
