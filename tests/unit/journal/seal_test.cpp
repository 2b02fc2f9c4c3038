// SPDX-License-Identifier: MIT
// Earlier segments are flushed in parallel to the writer, so that after a power loss only the last
// few are read, for any length of history.
#include "unit/journal/journal_fixture.hpp"

#include <cstring>

namespace affix::journal_test {
namespace {

using journal::Journal;

class JournalSeal : public JournalTest {
 protected:
  static constexpr std::size_t message_bytes = 200;

  [[nodiscard]] journal::Options small() const {
    journal::Options with = options();
    with.first_segment_bytes = with.max_segment_bytes = 8 * 1024;
    with.sequence_reserve = 10'000;
    return with;
  }

  static void prepare(Journal& journal) {
    while (journal.needs_preparation()) {
      ASSERT_TRUE(journal.prepare());
    }
  }

  // Appends until `segment` is in use; returns the next number.
  static void fill(Journal& journal, std::uint32_t segment) {
    while (journal.end().segment < segment) {
      const std::uint64_t number = journal.next_outgoing();
      send(journal, number, number, message_bytes);
    }
  }

  [[nodiscard]] bool is_on_disk(std::uint32_t number) const {
    const std::string bytes = read_file(segment_file(number));
    const auto scan = journal::SegmentScan::open(bytes, number, segment_file(number));
    const auto state = scan ? scan->state() : std::nullopt;
    return state && state->end_offset != 0 && state->durable_offset == state->end_offset;
  }

  void restart_all(std::uint32_t newest) const {
    for (std::uint32_t number = 1; number <= newest; ++number) {
      restart_machine(number);
    }
  }
};

TEST_F(JournalSeal, AfterAPowerLossTheLastFewSegmentsAreRead) {
  {
    const auto journal = open(small());
    for (std::uint32_t segment = 2; segment <= 20; ++segment) {
      fill(*journal, segment);
      prepare(*journal);
    }
  }
  for (std::uint32_t number = 1; number <= 17; ++number) {
    EXPECT_TRUE(is_on_disk(number)) << number;
  }
  EXPECT_FALSE(is_on_disk(19));
  restart_all(20);
  const std::uint64_t in_a_segment = (8 * 1024 - 4096) / (message_bytes + 48);
  const auto journal = open(small());
  ASSERT_TRUE(journal);
  EXPECT_LE(journal->recovered().records, 4 * in_a_segment);
  EXPECT_GE(journal->next_outgoing(), 10'001U);
  EXPECT_FALSE(read_all().damage);
}

// As left by earlier builds, or by a writer that was killed before.
TEST_F(JournalSeal, AHistoryThatNobodyVouchesForIsCaughtUpWith) {
  {
    const auto journal = open(small());
    fill(*journal, 12);
    EXPECT_FALSE(is_on_disk(1));
    journal->abandon();
  }
  {
    const auto journal = open(small());
    prepare(*journal);
    for (std::uint32_t number = 1; number <= 9; ++number) {
      EXPECT_TRUE(is_on_disk(number)) << number;
    }
  }
  // Segments read because of a power loss are vouched for at once.
  restart_all(12);
  {
    const auto journal = open(small());
    ASSERT_TRUE(journal);
  }
  EXPECT_TRUE(is_on_disk(10));
}

TEST_F(JournalSeal, OneThatIsVouchedForIsDamageWithoutTheNext) {
  {
    const auto journal = open(small());
    fill(*journal, 6);
    prepare(*journal);
  }
  ASSERT_TRUE(is_on_disk(3));
  for (std::uint32_t number = 4; number <= 7; ++number) {
    std::filesystem::remove(segment_file(number));
  }
  restart_all(3);
  const auto error = refusal(small());
  ASSERT_TRUE(error) << "no power loss takes what was on the disk";
  EXPECT_EQ(error->code, base::ErrorCode::Damaged) << error->text();
}

}  // namespace
}  // namespace affix::journal_test
