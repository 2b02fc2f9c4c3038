// SPDX-License-Identifier: MIT
// on_turn_end() is called at the end of each turn with callbacks, before the turn's output is sent,
// and of no other turn.
#include "support/engine_case.hpp"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace affix {
namespace {

TEST(EngineTurnEnd, ComesOnceAfterAllMessagesOfATurn) {
  support::Pair pair;
  ASSERT_TRUE(pair.log_on());
  std::size_t reported = 0;
  std::vector<std::size_t> batches;
  pair.venue_application.when_turn_end = [&] {
    batches.push_back(pair.venue_application.messages.size() - reported);
    reported = pair.venue_application.messages.size();
  };
  // Inside a callback of the firm, so that all leave in one send.
  constexpr std::size_t count = 5;
  bool asked = false;
  pair.firm_application.when_message = [&](host::SessionHandle session, const auto&, const auto&) {
    if (!std::exchange(asked, true)) {
      for (std::size_t order = 0; order < count; ++order) {
        ASSERT_TRUE(support::send_order(session, "A" + std::to_string(order)).sent());
      }
    }
  };
  ASSERT_TRUE(support::send_order(pair.venue(), "GO").sent());
  ASSERT_TRUE(pair.turn_until([&] { return pair.venue_application.messages.size() == count; }));
  EXPECT_EQ(batches, std::vector<std::size_t>{count});
  EXPECT_FALSE(pair.venue_application.nested);
}

TEST(EngineTurnEnd, ItsMessagesLeaveWithTheTurn) {
  support::Pair pair;
  ASSERT_TRUE(pair.log_on());
  bool sent = false;
  pair.venue_application.when_turn_end = [&] {
    if (!pair.venue_application.messages.empty() && !std::exchange(sent, true)) {
      EXPECT_TRUE(support::send_order(pair.venue(), "NEWS").sent());
    }
  };
  ASSERT_TRUE(support::send_order(pair.firm(), "A").sent());
  ASSERT_TRUE(pair.turn_until([&] { return !pair.firm_application.messages.empty(); }));
  EXPECT_EQ(pair.firm_application.ids(), std::vector<std::string>{"NEWS"});
}

TEST(EngineTurnEnd, DoesNotComeWithoutNews) {
  support::Pair pair;
  ASSERT_TRUE(pair.log_on());
  support::turn(pair.engines());
  const int before = pair.venue_application.turn_ends;
  for (int turn = 0; turn < 20; ++turn) {
    support::turn(pair.engines());
  }
  EXPECT_EQ(pair.venue_application.turn_ends, before);
}

}  // namespace
}  // namespace affix
