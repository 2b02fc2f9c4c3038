// SPDX-License-Identifier: MIT
// The hand-over of segments by itself, with segments in memory.
#include "affix/journal/segment_handover.hpp"

#include "journal/segment.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace affix::journal_test {
namespace {

using journal::AppendResult;
using journal::Segment;
using journal::SegmentHandle;
using journal::SegmentHandover;

constexpr std::size_t segment_bytes = 64 * 1024;

class SegmentHandoverTest : public ::testing::Test {
 protected:
  Segment& make() {
    // Words, so that the header is aligned.
    memory_.push_back(std::make_unique<std::uint64_t[]>(segment_bytes / sizeof(std::uint64_t)));
    segments_.emplace_back(
        Segment::create_in_memory(reinterpret_cast<char*>(memory_.back().get()), segment_bytes));
    return *segments_.back();
  }

  std::vector<std::unique_ptr<std::uint64_t[]>> memory_;
  std::vector<SegmentHandle> segments_;
  SegmentHandover handover_;
};

TEST_F(SegmentHandoverTest, ThePreparedSegmentStaysUntilItIsEntered) {
  Segment& first = make();
  Segment& second = make();
  handover_.enter(first);
  EXPECT_EQ(&handover_.current(), &first);
  EXPECT_EQ(handover_.prepared(), nullptr);
  handover_.offer(second);
  EXPECT_EQ(handover_.prepared(), &second);
  EXPECT_EQ(&handover_.current(), &first);
  handover_.enter(second);
  EXPECT_EQ(handover_.prepared(), nullptr);
  EXPECT_EQ(&handover_.current(), &second);
}

TEST_F(SegmentHandoverTest, ARefusalHoldsUntilASegmentIsOffered) {
  handover_.enter(make());
  handover_.refuse(AppendResult::NoSpace);
  EXPECT_EQ(handover_.refusal(), AppendResult::NoSpace);
  Segment& next = make();
  handover_.offer(next);
  EXPECT_EQ(handover_.refusal(), AppendResult::Appended);
  EXPECT_EQ(handover_.withdraw(), &next);
  EXPECT_EQ(handover_.withdraw(), nullptr);
}

TEST_F(SegmentHandoverTest, AllRetiredSegmentsAreTakenAtOnce) {
  Segment& one = make();
  Segment& other = make();
  EXPECT_EQ(handover_.take_retired(), nullptr);
  handover_.retire(one);
  handover_.retire(other);
  const Segment* const taken = handover_.take_retired();
  ASSERT_EQ(taken, &other);
  EXPECT_EQ(taken->next_retired, &one);
  EXPECT_EQ(one.next_retired, nullptr);
  EXPECT_EQ(handover_.take_retired(), nullptr);
}

}  // namespace
}  // namespace affix::journal_test
