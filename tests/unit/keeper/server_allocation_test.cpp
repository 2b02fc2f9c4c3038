// SPDX-License-Identifier: MIT
// A server allocates when it is opened and never afterwards; an owner's requests do not either.
#include "support/allocation_count.hpp"
#include "unit/keeper/keeper_case.hpp"

namespace affix::keeper {
namespace {

using namespace cases;

class KeeperAllocation : public Case {};

TEST_F(KeeperAllocation, OnlyAtTheStart) {
  if (!support::allocations_are_counted) {
    GTEST_SKIP() << "the thread sanitizer has its own operator new";
  }
  reports.recording = false;
  const Connection connection;
  for (int round = 0; round < 3; ++round) {
    auto owner = open_keeper(options.socket, "venue");
    auto successor = open_keeper(options.socket, "venue", WhenOwned::Wait);
    ASSERT_TRUE(owner && successor);
    std::uint64_t before = support::allocation_count();
    turn();
    EXPECT_EQ(support::allocation_count(), before);
    ASSERT_TRUE((*owner)->take());
    before = support::allocation_count();
    std::array<char, 4> name{'s', '0', '0', '0'};
    for (int number = 0; number < 20; ++number) {
      name[3] = static_cast<char>('a' + number);
      EXPECT_EQ((*owner)->hold({name.data(), name.size()}, connection.own.fd()), Held::Yes);
      turn();
    }
    EXPECT_EQ((*owner)->drop({name.data(), name.size()}), Held::Yes);
    EXPECT_FALSE((*owner)->lost());
    turn();
    EXPECT_EQ(support::allocation_count(), before);
    owner->reset();
    before = support::allocation_count();
    turn();
    EXPECT_EQ(support::allocation_count(), before);
    EXPECT_EQ((*successor)->take()->size(), options.entries);
    successor->reset();
    before = support::allocation_count();
    turn();
    now_ns += options.keep_ns;
    turn();
    EXPECT_EQ(support::allocation_count(), before);
  }
}

}  // namespace
}  // namespace affix::keeper
