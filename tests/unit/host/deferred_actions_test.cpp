// SPDX-License-Identifier: MIT
// Deferred actions keep their order, in the room and beyond it, and while some are carried out.
#include "host/deferred_actions.hpp"

#include <array>
#include <gtest/gtest.h>
#include <vector>

namespace affix::host {
namespace {

session::Action numbered(std::uint64_t number) {
  return session::Action(session::Report(session::Event::TestRequestSent, number));
}

TEST(DeferredActions, AnyNumberComesBackInItsOrder) {
  for (const std::size_t count : {0U, 1U, 3U, 4U, 5U, 40U}) {
    std::array<session::Action, 4> room = {numbered(0), numbered(0), numbered(0), numbered(0)};
    DeferredActions deferred;
    EXPECT_TRUE(deferred.empty());
    std::vector<std::uint64_t> expected;
    for (std::uint64_t number = 1; number <= count; ++number) {
      deferred.add(room, numbered(number));
      EXPECT_FALSE(deferred.empty());
      expected.push_back(number);
    }
    std::vector<std::uint64_t> taken;
    deferred.take(room,
                  [&](const session::Action& action) { taken.push_back(action.report.first); });
    EXPECT_EQ(taken, expected);
    EXPECT_TRUE(deferred.empty());
  }
}

TEST(DeferredActions, ActionsAddedMeanwhileWaitForTheNextCall) {
  std::array<session::Action, 2> room = {numbered(0), numbered(0)};
  DeferredActions deferred;
  for (std::uint64_t number = 1; number <= 3; ++number) {
    deferred.add(room, numbered(number));
  }
  std::vector<std::uint64_t> taken;
  const auto take = [&](const session::Action& action) {
    taken.push_back(action.report.first);
    if (action.report.first <= 3) {
      deferred.add(room, numbered(action.report.first + 10));
    }
  };
  deferred.take(room, take);
  EXPECT_EQ(taken, std::vector<std::uint64_t>({1, 2, 3}));
  EXPECT_FALSE(deferred.empty());
  taken.clear();
  deferred.take(room, take);
  EXPECT_EQ(taken, std::vector<std::uint64_t>({11, 12, 13}));
  EXPECT_TRUE(deferred.empty());
}

}  // namespace
}  // namespace affix::host
