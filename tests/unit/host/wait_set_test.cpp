// SPDX-License-Identifier: MIT
// A session stands once in each list of its worker, whatever else it waits for.
#include "host/wait_set.hpp"

#include <gtest/gtest.h>

namespace affix::host {
namespace {

constexpr auto all = {Wait::Attention, Wait::NextTurn, Wait::Durability, Wait::Pages,
                      Wait::CallbackRoom};

TEST(WaitSet, EachWaitIsApartFromTheOthers) {
  for (const Wait one : all) {
    WaitSet waits;
    EXPECT_TRUE(waits.add(one));
    EXPECT_FALSE(waits.add(one));
    for (const Wait other : all) {
      EXPECT_EQ(waits.has(other), other == one);
    }
    for (const Wait other : all) {
      if (other != one) {
        waits.remove(other);
      }
    }
    EXPECT_TRUE(waits.has(one));
    waits.remove(one);
    EXPECT_FALSE(waits.has(one));
  }
}

}  // namespace
}  // namespace affix::host
