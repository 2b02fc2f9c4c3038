// SPDX-License-Identifier: MIT
// The count of unprocessed records and of late marks by itself.
#include "affix/journal/processed_marks.hpp"

#include <array>
#include <gtest/gtest.h>

namespace affix::journal_test {
namespace {

using journal::Marking;
using journal::Position;
using journal::ProcessedMarks;
using journal::format::Mark;

constexpr Position first{1, 4096};
constexpr Position second{1, 4160};
constexpr Position third{2, 4096};

TEST(ProcessedMarks, CountRecordsUntilTheyAreProcessed) {
  ProcessedMarks marks(Marking::Final);
  EXPECT_FALSE(marks.oldest_unprocessed().valid());
  marks.add(first);
  marks.add(second);
  marks.add(third);
  EXPECT_EQ(marks.unprocessed(), 3U);
  EXPECT_EQ(marks.oldest_unprocessed(), first);
  EXPECT_FALSE(marks.remove(second));
  EXPECT_TRUE(marks.remove(first));
  marks.move_oldest_to(third);
  EXPECT_EQ(marks.checkpoint(), third);
  EXPECT_FALSE(marks.remove(third));
  EXPECT_EQ(marks.unprocessed(), 0U);
  EXPECT_FALSE(marks.checkpoint().valid());
  EXPECT_FALSE(marks.remove(third));
}

TEST(ProcessedMarks, TheOldestFollowsByTheCountsOfTheSegments) {
  ProcessedMarks marks(Marking::Final);
  marks.add(first);
  marks.add(second);
  marks.add(third);
  EXPECT_FALSE(marks.remove(second));
  EXPECT_EQ(marks.oldest_bound(), first);
  EXPECT_TRUE(marks.remove(first));
  EXPECT_EQ(marks.oldest_bound(), third) << "nothing of the first segment is left";
  marks.move_oldest_to(third);
  marks.add({2, 4160});
  marks.add({4, 4160});
  EXPECT_TRUE(marks.remove(third));
  EXPECT_FALSE(third < marks.oldest_bound()) << "a later one of its segment is left";
  EXPECT_TRUE(marks.remove({2, 4160})) << "though the oldest was not known exactly";
  EXPECT_EQ(marks.oldest_bound(), (Position{4, 4096}));
}

TEST(ProcessedMarks, OneThatIsTakenBackCountsAgain) {
  ProcessedMarks marks(Marking::Final);
  marks.take_back(second);
  EXPECT_EQ(marks.unprocessed(), 1U);
  EXPECT_EQ(marks.oldest_unprocessed(), second);
  marks.add(third);
  marks.take_back(first);
  EXPECT_EQ(marks.unprocessed(), 3U);
  EXPECT_EQ(marks.oldest_unprocessed(), first);
  EXPECT_EQ(marks.checkpoint(), first);
  EXPECT_TRUE(marks.remove(first));
  EXPECT_EQ(marks.oldest_bound(), first) << "the second is in the same segment";
  EXPECT_FALSE(marks.remove(third));
  marks.take_back(third);
  EXPECT_EQ(marks.unprocessed(), 2U);
}

TEST(ProcessedMarks, WithoutVouchingAllAreFinal) {
  ProcessedMarks marks(Marking::Final);
  EXPECT_TRUE(marks.kept());
  EXPECT_FALSE(marks.need_settling(third));
  EXPECT_EQ(marks.mark_for(first), Mark::Final);
  marks.stop();
  EXPECT_FALSE(marks.kept());
}

TEST(ProcessedMarks, SettledOnesAreLate) {
  ProcessedMarks marks(Marking::Vouched);
  marks.add(first);
  EXPECT_TRUE(marks.need_settling(second));
  EXPECT_EQ(marks.mark_for(first), Mark::Ordered);
  const auto settled = marks.settle(second);
  EXPECT_EQ(settled.before, second);
  EXPECT_TRUE(settled.changed);
  EXPECT_FALSE(marks.need_settling(second));
  EXPECT_EQ(marks.mark_for(first), Mark::Late);
  EXPECT_EQ(marks.mark_for(second), Mark::Ordered);
  EXPECT_FALSE(marks.settle(third).changed);
}

TEST(ProcessedMarks, TheSearchBeginsAtTheOldestLateMark) {
  ProcessedMarks marks(Marking::Vouched);
  journal::SegmentCounts unprocessed;
  unprocessed.add(third.segment);
  marks.resume(unprocessed, third);
  marks.resume_late(std::array{second, first});
  EXPECT_EQ(marks.checkpoint(), first);
  marks.add_late({4, 4160});
  EXPECT_EQ(marks.late_set(), 3U);
  marks.confirm_late(second);
  EXPECT_EQ(marks.checkpoint(), first);
  marks.confirm_late(first);
  EXPECT_TRUE(marks.any_late());
  EXPECT_EQ(marks.checkpoint(), third) << "the mark that is left is later";
  EXPECT_FALSE(marks.remove(third));
  EXPECT_EQ(marks.checkpoint(), (Position{4, 4096}));
  marks.add(third);
  marks.confirm_late({4, 4160});
  EXPECT_FALSE(marks.any_late());
  EXPECT_EQ(marks.checkpoint(), third);
  marks.add_late(second);
  EXPECT_EQ(marks.late_set(), 4U);
  EXPECT_EQ(marks.settle(third).late, 4U);
}

}  // namespace
}  // namespace affix::journal_test
