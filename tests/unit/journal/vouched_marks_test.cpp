// SPDX-License-Identifier: MIT
// The extent of the marks that are vouched for, by itself.
#include "affix/journal/vouched_marks.hpp"

#include "affix/journal/format.hpp"

#include <gtest/gtest.h>

namespace affix::journal_test {
namespace {

using journal::Position;
using journal::VouchedMarks;
using journal::format::records_offset;

TEST(VouchedMarks, OnlyAscend) {
  VouchedMarks marks;
  marks.begin_at({2, records_offset});
  marks.vouch({{3, records_offset + 64}, false, 7});
  marks.vouch({{2, records_offset}, false, 5});
  EXPECT_EQ(marks.before(), (Position{3, records_offset + 64}));
  EXPECT_EQ(marks.late(), 7U);
}

TEST(VouchedMarks, AreUnsavedOnceAMarkChanged) {
  VouchedMarks marks;
  marks.vouch({{1, records_offset}, false, 0});
  EXPECT_FALSE(marks.unsaved());
  marks.vouch({{1, records_offset}, true, 0});
  EXPECT_TRUE(marks.unsaved());
  marks.set_unsaved(false);
  EXPECT_FALSE(marks.unsaved());
}

TEST(VouchedMarks, ASegmentCountsUpToThem) {
  VouchedMarks marks;
  marks.begin_at({2, records_offset + 64});
  EXPECT_EQ(marks.offset_in(1, records_offset + 128), records_offset + 128U);
  EXPECT_EQ(marks.offset_in(2, records_offset + 128), records_offset + 64U);
  EXPECT_EQ(marks.offset_in(2, records_offset + 8), records_offset + 8U);
  EXPECT_EQ(marks.offset_in(3, records_offset + 128), std::size_t{records_offset});
}

}  // namespace
}  // namespace affix::journal_test
