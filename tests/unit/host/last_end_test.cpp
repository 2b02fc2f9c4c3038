// SPDX-License-Identifier: MIT
// The end of the last connection, as operators see it.
#include "host/last_end.hpp"

#include <gtest/gtest.h>

namespace affix::host {
namespace {

TEST(LastEnd, BeforeTheFirstConnectionThereIsNone) {
  const LastEnd end;
  EXPECT_EQ(end.why(), "");
  SessionSight sight;
  end.show_in(sight);
  EXPECT_EQ(sight.ended_utc_ns, 0);
  EXPECT_EQ(sight.ended_why.view(), "");
}

TEST(LastEnd, TheLatestOneCountsWithItsSideAndReason) {
  LastEnd end;
  end.note(EndedBy::Peer, "connection reset", 5);
  end.note(EndedBy::Operator, "disconnected by an operator", 7);
  const std::string expected =
      std::string("ended by ") + to_text(EndedBy::Operator) + ": disconnected by an operator";
  EXPECT_EQ(end.why(), expected);
  const LastEnd successor = end;
  SessionSight sight;
  successor.show_in(sight);
  EXPECT_EQ(sight.ended_utc_ns, 7);
  EXPECT_EQ(sight.ended_why.view(), expected);
}

}  // namespace
}  // namespace affix::host
