// SPDX-License-Identifier: MIT
// A notice is taken once, whatever the number of times it was raised.
#include "engine/notice.hpp"

#include <gtest/gtest.h>

namespace affix::engine {
namespace {

TEST(Notice, IsTakenOnce) {
  Notice notice;
  EXPECT_FALSE(notice.is_raised());
  EXPECT_FALSE(notice.take());
  notice.raise();
  notice.raise();
  EXPECT_TRUE(notice.is_raised());
  EXPECT_TRUE(notice.take());
  EXPECT_FALSE(notice.is_raised());
  EXPECT_FALSE(notice.take());
  notice.raise();
  EXPECT_TRUE(notice.take());
}

}  // namespace
}  // namespace affix::engine
