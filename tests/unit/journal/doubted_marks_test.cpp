// SPDX-License-Identifier: MIT
// Marks that a power loss puts in doubt: what they stood on comes again, and goes on doing so
// whatever ends the process next, whoever has mended the journal before.
#include "affix/journal/repair.hpp"

#include "unit/journal/journal_fixture.hpp"

namespace affix::journal_test {
namespace {

/// Of a machine that a test restarts.
class RestartedDisk final : public journal::Disk {
 public:
  [[nodiscard]] journal::BootId boot_id() noexcept override {
    journal::BootId id = Disk::boot_id();
    id.bytes[0] = static_cast<std::uint8_t>(id.bytes[0] + restarts);
    return id;
  }

  std::uint8_t restarts = 0;
};

struct DoubtedCase {
  const char* name;
  journal::Durability durability;
};

class JournalDoubtedMarks : public JournalTest, public ::testing::WithParamInterface<DoubtedCase> {
 protected:
  [[nodiscard]] journal::Options vouched() {
    journal::Options with = options();
    with.durability = GetParam().durability;
    with.mark_trust = journal::MarkTrust::Vouched;
    with.disk = &disk_;
    with.first_segment_bytes = 8 * 1024;
    with.max_segment_bytes = 16 * 1024;
    with.sequence_reserve = 1'000;
    return with;
  }

  /// A message of the application's, marked before anybody vouches for what was sent before.
  static void receive_and_mark(journal::Journal& journal) {
    const std::uint64_t number = journal.next_expected();
    const auto appended = journal.append_received(number, number + 1, start_ns, message_of(number));
    ASSERT_EQ(appended.result(), journal::AppendResult::Appended);
    journal.mark_processed(appended.position());
  }

  /// Messages of the session's alone until the journal is in segment `segment`, all on the disk.
  static void go_on_to(journal::Journal& journal, std::uint32_t segment) {
    while (journal.end().segment < segment) {
      const std::uint64_t number = journal.next_expected();
      ASSERT_EQ(journal
                    .append_received(number, number + 1, start_ns, message_of(number, 1'000),
                                     journal::Delivery::SessionOnly)
                    .result(),
                journal::AppendResult::Appended);
      ASSERT_TRUE(journal.flush());
      ASSERT_TRUE(journal.prepare());
    }
  }

  /// Numbers of received messages that come again.
  [[nodiscard]] static std::vector<std::uint64_t> unprocessed(const journal::Journal& journal) {
    return numbers_of(journal.unprocessed());
  }

  RestartedDisk disk_;
};

TEST_P(JournalDoubtedMarks, WhatComesAgainAfterAPowerLossDoesSoAfterAKillToo) {
  {
    const auto journal = open(vouched());
    receive_and_mark(*journal);
    go_on_to(*journal, 4);
    EXPECT_EQ(journal->unprocessed_count(), 0U);
  }
  ++disk_.restarts;
  const std::vector<std::uint64_t> first{1};
  EXPECT_EQ(unprocessed(*open(vouched())), first);
  EXPECT_EQ(unprocessed(*open(vouched())), first) << "nobody has dealt with it";
  ++disk_.restarts;
  EXPECT_EQ(unprocessed(*open(vouched())), first) << "and the machine went down again";
  {
    const auto journal = open(vouched());
    go_on_to(*journal, 7);
    EXPECT_EQ(unprocessed(*journal), first);
  }
  EXPECT_EQ(unprocessed(*open(vouched())), first);
}

TEST_P(JournalDoubtedMarks, ASegmentWithWhatComesAgainIsKept) {
  {
    const auto journal = open(vouched());
    receive_and_mark(*journal);
    go_on_to(*journal, 4);
  }
  ++disk_.restarts;
  journal::Options keeps_little = vouched();
  keeps_little.keep_bytes = 1;
  const auto journal = open(keeps_little);
  ASSERT_TRUE(journal->prepare());
  EXPECT_TRUE(std::filesystem::exists(segment_file(1)));
  EXPECT_EQ(unprocessed(*journal), (std::vector<std::uint64_t>{1}));
}

TEST_P(JournalDoubtedMarks, RepairingTakesThemBackAsOpeningWould) {
  for (const bool restarted : {true, false}) {
    SCOPED_TRACE(restarted ? "after a power loss" : "after a kill");
    std::filesystem::remove_all(directory());
    disk_.restarts = restarted ? 1 : 0;  // Repairing asks the system's own disk.
    std::vector<std::uint64_t> marked;
    {
      const auto journal = open(vouched());
      for (const std::uint32_t until : {3U, 4U, 5U}) {
        marked.push_back(journal->next_expected());
        receive_and_mark(*journal);
        go_on_to(*journal, until);
      }
      marked.push_back(journal->next_expected());
      receive_and_mark(*journal);
      ASSERT_TRUE(journal->flush());
    }
    disk_.restarts = 0;
    std::string bytes = read_file(segment_file(2));
    bytes.at(6'000) = static_cast<char>(bytes.at(6'000) ^ 0x40);
    write_file(segment_file(2), bytes);
    journal::RepairOptions repairing;
    repairing.directory = directory();
    repairing.apply = true;
    repairing.now_utc_ns = start_ns;
    const auto repaired = journal::repair(repairing);
    ASSERT_TRUE(repaired) << repaired.error().text();
    EXPECT_TRUE(repaired->remaining.empty()) << repaired->remaining.front();
    const std::vector<std::uint64_t> expected = restarted ? marked : std::vector<std::uint64_t>{};
    EXPECT_EQ(unprocessed(*open(vouched())), expected);
    EXPECT_EQ(unprocessed(*open(vouched())), expected);
    if (restarted) {
      ++disk_.restarts;
      EXPECT_EQ(unprocessed(*open(vouched())), expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Durabilities, JournalDoubtedMarks,
                         ::testing::Values(DoubtedCase{"group", journal::Durability::Group},
                                           DoubtedCase{"sync", journal::Durability::Sync}),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace affix::journal_test
