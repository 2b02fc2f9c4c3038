// SPDX-License-Identifier: MIT
// The fixed-capacity vector: refuses elements that do not fit and is a value type.
#include "affix/base/fixed_vector.hpp"

#include <gtest/gtest.h>

namespace affix::base {
namespace {

TEST(FixedVector, RefusesElementsThatDoNotFit) {
  FixedVector<int, 2> vector;
  EXPECT_TRUE(vector.empty());
  EXPECT_TRUE(vector.push_back(1));
  EXPECT_TRUE(vector.push_back(2));
  EXPECT_TRUE(vector.full());
  EXPECT_FALSE(vector.push_back(3));
  EXPECT_EQ(vector.size(), 2U);
  EXPECT_EQ(vector.back(), 2);
}

TEST(FixedVector, IteratesItsElements) {
  FixedVector<int, 8> vector;
  EXPECT_TRUE(vector.push_back(3));
  EXPECT_TRUE(vector.push_back(4));
  vector.pop_back();
  EXPECT_TRUE(vector.push_back(5));
  int sum = 0;
  for (const int element : vector) {
    sum += element;
  }
  EXPECT_EQ(sum, 8);
  vector.clear();
  EXPECT_EQ(vector.begin(), vector.end());
}

TEST(FixedVector, CopiesAsAValue) {
  FixedVector<int, 4> first;
  EXPECT_TRUE(first.push_back(1));
  FixedVector<int, 4> second = first;
  second[0] = 9;
  EXPECT_EQ(first[0], 1);
}

}  // namespace
}  // namespace affix::base
