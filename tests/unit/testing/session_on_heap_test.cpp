// SPDX-License-Identifier: MIT
// A session restarts with the recorded numbers, and with nothing else of its past.
#include "testing/session_on_heap.hpp"

#include <gtest/gtest.h>

namespace affix::testing {
namespace {

TEST(SessionOnHeap, ARestartKeepsTheNumbersOnly) {
  session::SessionOptions options;
  options.role = session::Role::Initiator;
  options.begin_string = "FIX.4.4";
  options.sender_comp_id = "US";
  options.target_comp_id = "THEM";
  SessionOnHeap heap(options, 1 << 16);
  EXPECT_EQ(heap.state().phase, session::Phase::Disconnected);
  heap.session().on_connected({1, 1}, heap.out());
  EXPECT_EQ(heap.state().phase, session::Phase::LogonSent);
  EXPECT_EQ(heap.state().next_outgoing, 2U);
  EXPECT_FALSE(heap.out().bytes().empty());
  RecordedNumbers numbers;
  numbers.record(session::PersistEvent{.next_outgoing = 8, .next_expected = 9});
  heap.restart(numbers);
  EXPECT_EQ(heap.state().phase, session::Phase::Disconnected);
  EXPECT_EQ(heap.state().next_outgoing, 8U);
  EXPECT_EQ(heap.state().next_expected, 9U);
  EXPECT_TRUE(heap.out().bytes().empty());
  EXPECT_FALSE(heap.out().has_actions());
}

}  // namespace
}  // namespace affix::testing
