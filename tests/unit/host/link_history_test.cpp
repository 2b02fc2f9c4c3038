// SPDX-License-Identifier: MIT
// How connections ended and went on, as operators see it.
#include "host/link_history.hpp"

#include <gtest/gtest.h>

namespace affix::host {
namespace {

TEST(LinkHistory, BeforeTheFirstConnectionThereIsNone) {
  const LinkHistory end;
  EXPECT_EQ(end.why(), "");
  SessionSight sight;
  end.show_in(sight);
  EXPECT_EQ(sight.ended_utc_ns, 0);
  EXPECT_EQ(sight.ended_why.view(), "");
}

TEST(LinkHistory, TheLatestOneCountsWithItsSideAndReason) {
  LinkHistory end;
  end.note(EndedBy::Peer, "connection reset", 5);
  end.note(EndedBy::Operator, "disconnected by an operator", 7);
  const std::string expected =
      std::string("ended by ") + to_text(EndedBy::Operator) + ": disconnected by an operator";
  EXPECT_EQ(end.why(), expected);
  const LinkHistory successor = end;
  SessionSight sight;
  successor.show_in(sight);
  EXPECT_EQ(sight.ended_utc_ns, 7);
  EXPECT_EQ(sight.ended_why.view(), expected);
}

TEST(LinkHistory, AContinuationIsKeptBesideTheEnd) {
  LinkHistory history;
  SessionSight sight;
  history.show_in(sight);
  EXPECT_EQ(sight.continued_utc_ns, 0);
  history.note_continued(9, 3);
  history.note(EndedBy::Peer, "connection reset", 11);
  history.show_in(sight);
  EXPECT_EQ(sight.continued_utc_ns, 9);
  EXPECT_EQ(sight.silent_ns, 3);
  EXPECT_EQ(sight.ended_utc_ns, 11);
}

}  // namespace
}  // namespace affix::host
