// SPDX-License-Identifier: MIT
// The mapped segments of a writer by themselves, with segments in memory.
#include "affix/journal/mapped_segments.hpp"

#include "journal/segment.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace affix::journal_test {
namespace {

using journal::MappedSegments;
using journal::Segment;
using journal::SegmentHandle;

constexpr std::size_t segment_bytes = 64 * 1024;

class MappedSegmentsTest : public ::testing::Test {
 protected:
  Segment& make(std::uint32_t number) {
    // Words, so that the header is aligned.
    memory_.push_back(std::make_unique<std::uint64_t[]>(segment_bytes / sizeof(std::uint64_t)));
    segments_.emplace_back(
        Segment::create_in_memory(reinterpret_cast<char*>(memory_.back().get()), segment_bytes));
    segments_.back()->header().segment_number = number;
    return *segments_.back();
  }

  std::vector<std::unique_ptr<std::uint64_t[]>> memory_;
  std::vector<SegmentHandle> segments_;
  MappedSegments mapped_;
};

TEST_F(MappedSegmentsTest, AreTheOneInUseAndThePreviousOne) {
  Segment& first = make(1);
  Segment& second = make(2);
  EXPECT_EQ(mapped_.number(), 0U);
  mapped_.begin_in(first);
  EXPECT_EQ(&mapped_.current(), &first);
  EXPECT_EQ(mapped_.find(1), &first);
  EXPECT_EQ(mapped_.find(0), nullptr);
  EXPECT_EQ(mapped_.find(2), nullptr);
  EXPECT_EQ(mapped_.take_earlier(0), nullptr);
  mapped_.roll_to(second);
  EXPECT_EQ(mapped_.number(), 2U);
  EXPECT_EQ(mapped_.find(1), &first);
  EXPECT_EQ(mapped_.find(2), &second);
}

TEST_F(MappedSegmentsTest, ASegmentThatIsNotWrittenIsTakenBeforeTheNextRoll) {
  Segment& first = make(1);
  mapped_.begin_in(first);
  mapped_.roll_to(make(2));
  Segment* const taken = mapped_.take_earlier(0);
  EXPECT_EQ(taken, &first);
  EXPECT_EQ(taken->next_retired, nullptr);
  EXPECT_EQ(mapped_.find(1), nullptr);
  mapped_.roll_to(make(3));
  EXPECT_NE(mapped_.find(2), nullptr);
  EXPECT_NE(mapped_.find(3), nullptr);
  EXPECT_FALSE(mapped_.in_ring());
}

TEST_F(MappedSegmentsTest, DropsItsReferences) {
  Segment& first = make(1);
  Segment& second = make(2);
  first.add_reference();
  second.add_reference();
  mapped_.begin_in(first);
  mapped_.roll_to(second);
  mapped_.drop();
  // The test's own references are left; the sanitizer would report them otherwise.
  EXPECT_EQ(first.number(), 1U);
  EXPECT_EQ(second.number(), 2U);
}

}  // namespace
}  // namespace affix::journal_test
