// SPDX-License-Identifier: MIT
// Sets of enumerators: each is apart from the others, up to the last bit.
#include "affix/base/enum_set.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <initializer_list>

namespace affix::base {
namespace {

enum class Flag : std::uint8_t { First, Second, Last = 7 };

constexpr auto flags = {Flag::First, Flag::Second, Flag::Last};

static_assert(sizeof(EnumSet<Flag>) == 1);

TEST(EnumSet, EachIsApartFromTheOthers) {
  for (const Flag one : flags) {
    EnumSet<Flag> set;
    EXPECT_TRUE(set.empty());
    EXPECT_TRUE(set.add(one));
    EXPECT_FALSE(set.add(one));
    EXPECT_FALSE(set.empty());
    for (const Flag other : flags) {
      EXPECT_EQ(set.has(other), other == one);
      EXPECT_TRUE(other == one || !set.remove(other));
    }
    EXPECT_TRUE(set.has(one));
    EXPECT_TRUE(set.remove(one));
    EXPECT_FALSE(set.remove(one));
    EXPECT_TRUE(set.empty());
  }
}

TEST(EnumSet, AreEqualByTheirElements) {
  EnumSet<Flag> one;
  EnumSet<Flag> other;
  one.add(Flag::First);
  one.add(Flag::Last);
  other.add(Flag::Last);
  EXPECT_NE(one, other);
  other.add(Flag::First);
  EXPECT_EQ(one, other);
}

}  // namespace
}  // namespace affix::base
