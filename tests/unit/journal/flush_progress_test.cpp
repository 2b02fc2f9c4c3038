// SPDX-License-Identifier: MIT
// The positions of writer and flushing thread by themselves.
#include "affix/journal/flush_progress.hpp"

#include <gtest/gtest.h>

namespace affix::journal_test {
namespace {

using journal::FlushProgress;
using journal::Position;

constexpr Position begin{1, 4096};
constexpr Position middle{1, 5000};
constexpr Position next_segment{2, 4096};

TEST(FlushProgress, IsBehindUntilTheEndIsFlushed) {
  FlushProgress progress;
  progress.begin_at(begin);
  EXPECT_FALSE(progress.is_behind());
  progress.store_end(next_segment);
  EXPECT_TRUE(progress.is_behind());
  EXPECT_EQ(progress.end(), next_segment);
  EXPECT_EQ(progress.durable(), begin);
  progress.advance(next_segment);
  EXPECT_FALSE(progress.is_behind());
  EXPECT_EQ(progress.durable(), next_segment);
}

TEST(FlushProgress, AMarkOfAFlushedRecordIsTheWriters) {
  FlushProgress progress;
  progress.begin_at(begin);
  progress.store_end(next_segment);
  EXPECT_FALSE(progress.is_past_mark(middle));
  progress.advance(next_segment);
  EXPECT_TRUE(progress.is_past_mark(middle));
}

TEST(FlushProgress, TheOldestMarkIsTakenOnce) {
  FlushProgress progress;
  progress.begin_at(begin);
  EXPECT_EQ(progress.marked(), FlushProgress::no_mark);
  EXPECT_FALSE(progress.is_past_mark(next_segment));
  EXPECT_FALSE(progress.is_past_mark(middle));
  EXPECT_FALSE(progress.is_past_mark(next_segment));
  EXPECT_EQ(progress.marked(), middle);
  EXPECT_EQ(progress.take_marked(), middle);
  EXPECT_EQ(progress.take_marked(), FlushProgress::no_mark);
}

}  // namespace
}  // namespace affix::journal_test
