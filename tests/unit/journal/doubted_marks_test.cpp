// SPDX-License-Identifier: MIT
// Marks that a power loss puts in doubt: their messages are redelivered, also after any further end
// of the process, and also after a repair of the journal.
#include "affix/journal/late_marks.hpp"
#include "affix/journal/repair.hpp"

#include "support/recording_disk.hpp"
#include "unit/journal/journal_fixture.hpp"

namespace affix::journal_test {
namespace {

/// The disk of a machine that a test restarts.
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
    return vouched_segments(GetParam().durability, disk_);
  }

  /// Marks an application message before earlier sends are vouched for.
  static void receive_and_mark(journal::Journal& journal) {
    journal.mark_processed(receive(journal));
  }

  /// Later records follow it.
  void damage_first_record_of(std::uint32_t segment) const {
    std::string bytes = read_file(segment_file(segment));
    char& damaged = bytes.at(format::records_offset + 200);
    damaged = static_cast<char>(damaged ^ 0x40);
    write_file(segment_file(segment), bytes);
  }

  [[nodiscard]] journal::RepairOptions repairing() const {
    journal::RepairOptions with;
    with.directory = directory();
    with.apply = true;
    with.now_utc_ns = start_ns;
    return with;
  }

  /// Numbers of redelivered messages.
  [[nodiscard]] static std::vector<std::uint64_t> unprocessed(const journal::Journal& journal) {
    return numbers_of(journal.unprocessed());
  }

  RestartedDisk disk_;
};

TEST_P(JournalDoubtedMarks, MessagesRedeliveredAfterAPowerLossAreAfterAKillToo) {
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

TEST_P(JournalDoubtedMarks, ASegmentWithMessagesToRedeliverIsKept) {
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

TEST_P(JournalDoubtedMarks, ASegmentWhoseMarksNobodyVouchedForIsKept) {
  journal::Options keeps_little = vouched();
  keeps_little.keep_bytes = 1;
  {
    const auto journal = open(keeps_little);
    receive_and_mark(*journal);
    go_on_to(*journal, 5);
    EXPECT_TRUE(std::filesystem::exists(segment_file(1)));
    vouch_for_all(*journal);
    go_on_to(*journal, 8);
    EXPECT_FALSE(std::filesystem::exists(segment_file(1)));
  }
}

// If the power fails again while marks are removed, no state may say that they count.
TEST_P(JournalDoubtedMarks, ComeAgainWhereverThePowerGoesWhileTheyAreTakenBack) {
  const std::uint64_t seed = support::chosen_seed();
  SCOPED_TRACE("AFFIX_SEED=" + std::to_string(seed));
  support::RecordingDisk disk(seed);
  journal::Options with = vouched();
  with.disk = &disk;
  const std::vector<std::uint64_t> first{1};
  std::uint64_t cut_short = 0;
  for (int round = 0; round < 3; ++round) {
    bool lost = true;
    for (std::uint64_t calls = 0; lost; ++calls) {
      SCOPED_TRACE("power lost at call " + std::to_string(calls));
      make_empty_directory();
      disk.forget();
      {
        const auto journal = open(with);
        receive_and_mark(*journal);
        go_on_to(*journal, 4);
        journal->abandon();
      }
      disk.restart(directory());
      disk.lose_power_after(calls);
      if (const auto journal = journal::Journal::open(with)) {
        (*journal)->abandon();
      }
      lost = !disk.powered();
      cut_short += lost ? 1 : 0;
      disk.restart(directory());
      for (const char* const before : {"the power went", "a kill"}) {
        const auto journal = open(with);
        ASSERT_NE(journal, nullptr);
        ASSERT_EQ(unprocessed(*journal), first) << "after " << before;
        journal->abandon();
      }
    }
  }
  EXPECT_GT(cut_short, 30U) << "each call of an opening is one to lose the power at";
}

TEST_P(JournalDoubtedMarks, RepairingTakesThemBackAsOpeningWould) {
  for (const std::uint32_t damaged : {2U, 5U}) {
    for (const bool restarted : {true, false}) {
      SCOPED_TRACE("segment " + std::to_string(damaged) + " is damaged, after a " +
                   (restarted ? "power loss" : "kill"));
      std::filesystem::remove_all(directory());
      disk_.restarts = restarted ? 1 : 0;  // Repair uses the system's own disk.
      std::vector<std::uint64_t> again;
      {
        const auto journal = open(vouched());
        for (const std::uint32_t until : {3U, 4U, 5U}) {
          again.push_back(journal->next_expected());
          receive_and_mark(*journal);
          go_on_to(*journal, until);
        }
        again.push_back(journal->next_expected());
        receive_and_mark(*journal);
        ASSERT_TRUE(journal->flush());
        journal->abandon();
      }
      disk_.restarts = 0;
      damage_first_record_of(damaged);
      const auto repaired = journal::repair(repairing());
      ASSERT_TRUE(repaired) << repaired.error().text();
      EXPECT_TRUE(repaired->remaining.empty()) << repaired->remaining.front();
      const std::vector<std::uint64_t> expected = restarted ? again : std::vector<std::uint64_t>{};
      EXPECT_EQ(unprocessed(*open(vouched())), expected);
      EXPECT_EQ(unprocessed(*open(vouched())), expected);
      ++disk_.restarts;
      EXPECT_EQ(unprocessed(*open(vouched())), again) << "nobody has vouched for what was sent";
    }
  }
}

// The newest header refers to an unprocessed message, but not to earlier ones that are also
// redelivered.
TEST_P(JournalDoubtedMarks, RepairingFindsThoseBeforeOneThatWasNeverMarked) {
  disk_.restarts = 1;
  std::vector<std::uint64_t> again;
  {
    const auto journal = open(vouched());
    again.push_back(journal->next_expected());
    receive_and_mark(*journal);
    go_on_to(*journal, 3);
    const std::uint64_t number = journal->next_expected();
    again.push_back(number);
    ASSERT_EQ(journal->append_received(number, number + 1, start_ns, message_of(number)).result(),
              journal::AppendResult::Appended);
    go_on_to(*journal, 5);
    again.push_back(journal->next_expected());
    receive_and_mark(*journal);
    ASSERT_TRUE(journal->flush());
    journal->abandon();
  }
  disk_.restarts = 0;
  damage_first_record_of(5);
  ASSERT_TRUE(journal::repair(repairing()));
  EXPECT_EQ(unprocessed(*open(vouched())), again);
  EXPECT_EQ(unprocessed(*open(vouched())), again);
}

// A close vouches for every mark, including one still to be confirmed.
TEST_P(JournalDoubtedMarks, RepairingTakesNoneBackOfAJournalThatWasClosed) {
  for (const bool restarted : {true, false}) {
    SCOPED_TRACE(restarted);
    std::filesystem::remove_all(directory());
    disk_.restarts = restarted ? 1 : 0;
    journal::LateMarks late(4);
    {
      const auto journal = open(vouched());
      journal->set_late_marks(&late);
      const auto kept = journal->append_received(1, 2, start_ns, message_of(1)).position();
      vouch_for_all(*journal);
      journal->mark_processed(kept);
      ASSERT_EQ(late.size(), 1U);
      go_on_to(*journal, 3);
      receive_and_mark(*journal);
      vouch_for_all(*journal);
      ASSERT_TRUE(journal->close());
    }
    disk_.restarts = 0;
    damage_first_record_of(3);
    ASSERT_TRUE(journal::repair(repairing()));
    disk_.restarts = 2;
    EXPECT_EQ(unprocessed(*open(vouched())), std::vector<std::uint64_t>{});
  }
}

// Like opening, also after a power loss.
TEST_P(JournalDoubtedMarks, RepairingKeepsMarksThatWereVouchedFor) {
  disk_.restarts = 1;
  std::uint64_t last = 0;
  {
    const auto journal = open(vouched());
    receive_and_mark(*journal);
    go_on_to(*journal, 3);
    vouch_for_all(*journal);
    ASSERT_TRUE(journal->flush()) << "what was vouched for is stored";
    last = journal->next_expected();
    receive_and_mark(*journal);
    ASSERT_TRUE(journal->flush());
    journal->abandon();
  }
  disk_.restarts = 0;
  damage_first_record_of(3);
  ASSERT_TRUE(journal::repair(repairing()));
  EXPECT_EQ(unprocessed(*open(vouched())), std::vector<std::uint64_t>{last});
}

// A segment with a lost header does not show when it was written.
TEST_P(JournalDoubtedMarks, RepairingTakesBackAllWhereNothingSaysThatThePowerStayed) {
  {
    const auto journal = open(vouched());
    receive_and_mark(*journal);
    go_on_to(*journal, 1);
    ASSERT_TRUE(journal->flush());
    journal->abandon();
  }
  std::string bytes = read_file(segment_file(1));
  std::fill_n(bytes.begin(), sizeof(format::Header), '\0');
  write_file(segment_file(1), bytes);
  ASSERT_TRUE(journal::repair(repairing()));
  EXPECT_EQ(unprocessed(*open(vouched())), std::vector<std::uint64_t>{1});
}

INSTANTIATE_TEST_SUITE_P(Durabilities, JournalDoubtedMarks,
                         ::testing::Values(DoubtedCase{"group", journal::Durability::Group},
                                           DoubtedCase{"sync", journal::Durability::Sync}),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace affix::journal_test
