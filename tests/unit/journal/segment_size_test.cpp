// SPDX-License-Identifier: MIT
// The next segment's length follows the recent rate of storing, and is not larger than needed.
#include "journal/segment_size.hpp"

#include "affix/base/time.hpp"

#include "unit/journal/journal_fixture.hpp"

namespace affix::journal_test {
namespace {

using base::ns_per_second;
using journal::next_segment_bytes;
using journal::SegmentUse;

constexpr std::size_t mib = std::size_t{1} << 20;

TEST(SegmentSize, SmallOnesDoubleHoweverSlowly) {
  EXPECT_EQ(next_segment_bytes(64 * 1024, {32 * 1024, 86'400 * ns_per_second}), 128U * 1024);
  EXPECT_EQ(next_segment_bytes(mib / 2, {}), mib);
}

TEST(SegmentSize, OneThatIsFullWithinAMinuteIsFollowedByOneTwiceAsLong) {
  EXPECT_EQ(next_segment_bytes(8 * mib, {8 * mib, 59 * ns_per_second}), 16 * mib);
  EXPECT_EQ(next_segment_bytes(8 * mib, {4 * mib, 29 * ns_per_second}), 16 * mib);
  EXPECT_EQ(next_segment_bytes(mib, {1, 0}), 2 * mib) << "a clock that stood still";
}

TEST(SegmentSize, OneThatLastsMinutesIsFollowedByOneAsLong) {
  EXPECT_EQ(next_segment_bytes(8 * mib, {8 * mib, 61 * ns_per_second}), 8 * mib);
  EXPECT_EQ(next_segment_bytes(8 * mib, {8 * mib, 239 * ns_per_second}), 8 * mib);
  EXPECT_EQ(next_segment_bytes(8 * mib, {}), 8 * mib)
      << "nothing is known of a journal just opened";
  EXPECT_EQ(next_segment_bytes(8 * mib, {-1, ns_per_second}), 8 * mib);
}

TEST(SegmentSize, IsChosenByTheBytesStoredSinceTheLastChoice) {
  journal::SegmentSizing sizing;
  sizing.begin_at(3 * mib, 0);
  EXPECT_EQ(sizing.next_bytes(8 * mib, 7 * ns_per_second), 16 * mib);
  EXPECT_EQ(sizing.next_bytes(8 * mib, 8 * ns_per_second), 8 * mib);
  sizing.begin_at_half_of(8 * mib, 10 * ns_per_second);
  EXPECT_EQ(sizing.next_bytes(8 * mib, 69 * ns_per_second), 16 * mib);
  EXPECT_EQ(sizing.next_bytes(8 * mib, 71 * ns_per_second), 8 * mib);
}

TEST(SegmentSize, AfterABurstTheyBecomeShorterAgain) {
  EXPECT_EQ(next_segment_bytes(64 * mib, {64 * mib, 241 * ns_per_second}), 32 * mib);
  EXPECT_EQ(next_segment_bytes(mib, {mib, 86'400 * ns_per_second}), mib)
      << "but not many small files";
}

// At a constant rate the size settles.
TEST(SegmentSize, ASteadyRateComesToRest) {
  for (const std::int64_t rate : {std::int64_t{100}, std::int64_t{40'000}, std::int64_t{700'000}}) {
    std::size_t bytes = 64 * mib;
    std::size_t before = 0;
    for (int segment = 0; segment < 12; ++segment) {
      before = bytes;
      const auto used = static_cast<std::int64_t>(bytes);
      bytes = next_segment_bytes(bytes, {used, used / rate * ns_per_second});
    }
    EXPECT_EQ(bytes, before) << rate;
  }
}

using JournalSegmentSize = JournalTest;

TEST_F(JournalSegmentSize, AJournalThatIsOpenedAgainGoesOnWithTheSizeItHad) {
  journal::Options with = options();
  with.first_segment_bytes = 2 * mib;
  std::uint64_t next = 1;
  const auto fill_half = [&](journal::Journal& journal) {
    for (; !journal.needs_preparation() || journal.end().offset < mib; ++next) {
      send(journal, next, next, 8'000);
      if (journal.end().offset < mib) {
        while (journal.needs_preparation()) {
          ASSERT_TRUE(journal.prepare());
        }
      }
    }
  };
  {
    const auto journal = open(with);
    fill_half(*journal);
    ASSERT_TRUE(journal->close());
  }
  const auto journal = open(with);
  while (journal->needs_preparation()) {
    ASSERT_TRUE(journal->prepare());
  }
  EXPECT_EQ(std::filesystem::file_size(segment_file(2)), 2 * mib);
  // From here on the rate is known.
  for (; journal->end().segment == 1; ++next) {
    send(*journal, next, next, 8'000);
  }
  for (; journal->end().offset < mib + 16'384; ++next) {
    send(*journal, next, next, 8'000);
    while (journal->needs_preparation()) {
      ASSERT_TRUE(journal->prepare());
    }
  }
  EXPECT_EQ(std::filesystem::file_size(segment_file(3)), 4 * mib);
}

// Only bytes stored since the opening count, and the time since then.
TEST_F(JournalSegmentSize, AJournalThatIsOpenedAgainAndFillsAtOnceGetsALongerOne) {
  journal::Options with = options();
  with.first_segment_bytes = 2 * mib;
  {
    const auto journal = open(with);
    send(*journal, 1, 2, 8'000);
    ASSERT_TRUE(journal->close());
  }
  const auto journal = open(with);
  for (std::uint64_t next = 3; journal->end().offset < mib + 16'384; ++next) {
    send(*journal, next, next, 8'000);
  }
  while (journal->needs_preparation()) {
    ASSERT_TRUE(journal->prepare());
  }
  EXPECT_EQ(std::filesystem::file_size(segment_file(2)), 4 * mib);
}

}  // namespace
}  // namespace affix::journal_test
