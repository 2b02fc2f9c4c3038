// SPDX-License-Identifier: MIT
// A failed assertion stops the program and names the condition; a true one does nothing.
#include "affix/base/assert.hpp"

#include <gtest/gtest.h>

namespace affix::base {
namespace {

TEST(AssertDeathTest, NamesTheCondition) {
  const int one = 1;
  EXPECT_DEATH(AFFIX_ASSERT(one == 2), "assertion failed: one == 2 .*assert_test.cpp");
}

TEST(Assert, PassesTrueConditions) {
  int evaluated = 0;
  AFFIX_ASSERT(++evaluated == 1);
  EXPECT_EQ(evaluated, 1);
}

}  // namespace
}  // namespace affix::base
