// SPDX-License-Identifier: MIT
// A worker reads pages itself when nobody else does, and waits again when somebody is seen.
#include "engine/page_patience.hpp"

#include <gtest/gtest.h>

namespace affix::engine {
namespace {

constexpr std::int64_t limit_ns = PagePatience::patience_ns;

TEST(PagePatience, IsOverWhenNobodyWasSeenForItsTime) {
  PagePatience patience;
  patience.begin(1'000);
  EXPECT_EQ(patience.deadline_ns(), 1'000 + limit_ns);
  EXPECT_FALSE(patience.is_over(0, 1'000 + limit_ns - 1));
  EXPECT_TRUE(patience.is_over(0, 1'000 + limit_ns));
  EXPECT_EQ(patience.deadline_ns(), 0);
  patience.begin(9'000 + limit_ns);
  EXPECT_TRUE(patience.is_over(0, 9'000 + limit_ns)) << "nobody came meanwhile";
}

TEST(PagePatience, AHelperIsWaitedForWhileItWorks) {
  PagePatience patience;
  patience.begin(0);
  EXPECT_FALSE(patience.is_over(1, limit_ns)) << "it has begun";
  EXPECT_FALSE(patience.is_over(1, 9 * limit_ns)) << "it is slow";
  EXPECT_FALSE(patience.is_over(2, 10 * limit_ns)) << "it has ended just now";
  EXPECT_FALSE(patience.is_over(2, 11 * limit_ns - 1));
  EXPECT_TRUE(patience.is_over(2, 11 * limit_ns));
  EXPECT_FALSE(patience.is_over(4, 12 * limit_ns)) << "one was there between two looks";
}

TEST(PagePatience, AWorkerThatCouldReadNothingPauses) {
  PagePatience patience;
  patience.begin(0);
  ASSERT_TRUE(patience.is_over(0, limit_ns));
  patience.pause(2 * limit_ns);
  EXPECT_EQ(patience.deadline_ns(), 3 * limit_ns) << "or its turns would follow without a wait";
  EXPECT_FALSE(patience.is_over(0, 3 * limit_ns - 1));
  EXPECT_TRUE(patience.is_over(0, 3 * limit_ns));
}

}  // namespace
}  // namespace affix::engine
