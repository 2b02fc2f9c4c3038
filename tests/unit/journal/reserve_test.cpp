// SPDX-License-Identifier: MIT
// Outgoing numbers are reserved on the disk before use, at any rate and with any disk behaviour.
#include "affix/journal/format.hpp"

#include "support/recording_disk.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <fstream>
#include <ios>
#include <string>

namespace affix::journal_test {
namespace {

using journal::AppendResult;
using journal::Durability;
using journal::EventType;
using journal::Journal;
using support::RecordingDisk;

class JournalReserve : public JournalTest {
 protected:
  [[nodiscard]] journal::Options reserving(std::uint64_t reserve) {
    journal::Options with = options();
    with.sequence_reserve = reserve;
    with.disk = &disk_;
    return with;
  }

  /// The first outgoing number free for use after a power loss now. Reads only the segment's head:
  /// a test asks at every preparation, thousands of times on a busy machine.
  [[nodiscard]] std::uint64_t reserved(std::uint32_t segment) const {
    std::string bytes(journal::format::records_offset, '\0');
    std::ifstream(segment_file(segment), std::ios::binary)
        .read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const auto scan = journal::SegmentScan::open(bytes, segment, "");
    return scan && scan->state() ? scan->state()->reserved_outgoing : 0;
  }

  static AppendResult send_next(Journal& journal) {
    return journal.append_sent(journal.next_outgoing(), start_ns, "x");
  }

  RecordingDisk disk_{1};
};

TEST_F(JournalReserve, PreparedInTimeNoRateUsesItUp) {
  const auto journal = open(reserving(1'000));
  for (int sent = 0; sent < 100'000; ++sent) {
    ASSERT_EQ(send_next(*journal), AppendResult::Appended);
    if (journal->needs_preparation()) {
      ASSERT_TRUE(journal->prepare());
    }
  }
  EXPECT_EQ(journal->stalls(), 0U);
  EXPECT_GE(reserved(journal->end().segment), journal->next_outgoing());
}

TEST_F(JournalReserve, AReserveThatDoesNotLastGrows) {
  const auto journal = open(reserving(1'000));
  int renewals = 0;
  for (int sent = 0; sent < 100'000; ++sent) {
    ASSERT_EQ(send_next(*journal), AppendResult::Appended);
    if (journal->needs_preparation()) {
      const std::uint64_t before = reserved(journal->end().segment);
      ASSERT_TRUE(journal->prepare());
      renewals += reserved(journal->end().segment) != before ? 1 : 0;
    }
  }
  EXPECT_GT(renewals, 2);
  EXPECT_LT(renewals, 30) << "of a hundred";
}

TEST_F(JournalReserve, NobodyWhoPreparesIsAStallAndNoBrokenPromise) {
  const auto journal = open(reserving(50));
  for (int sent = 0; sent < 1'000; ++sent) {
    ASSERT_EQ(send_next(*journal), AppendResult::Appended);
    ASSERT_GE(reserved(1), journal->next_outgoing());
  }
  EXPECT_GT(journal->stalls(), 2U);
}

TEST_F(JournalReserve, GroupIsHeldToItToo) {
  journal::Options with = reserving(50);
  with.durability = Durability::Group;
  const auto journal = open(with);
  for (int sent = 0; sent < 500; ++sent) {
    ASSERT_EQ(send_next(*journal), AppendResult::Appended);
    ASSERT_GE(reserved(1), journal->next_outgoing());
  }
  ASSERT_TRUE(journal->flush());
  EXPECT_GT(reserved(1), journal->next_outgoing());
}

TEST_F(JournalReserve, SyncNeedsNone) {
  journal::Options with = reserving(50);
  with.durability = Durability::Sync;
  const auto journal = open(with);
  const std::uint64_t before = reserved(1);
  for (int sent = 0; sent < 200; ++sent) {
    ASSERT_EQ(send_next(*journal), AppendResult::Appended);
  }
  EXPECT_EQ(reserved(1), before);
  EXPECT_EQ(journal->stalls(), 0U);
}

TEST_F(JournalReserve, WhileAnotherThreadIsAtItTheAppendSaysSoAndDoesNotWait) {
  const auto journal = open(reserving(50));
  for (int sent = 0; sent < 30; ++sent) {
    ASSERT_EQ(send_next(*journal), AppendResult::Appended);
  }
  ASSERT_TRUE(journal->needs_preparation());
  // During its disk call that thread is as slow as a disk can be.
  int refused = 0;
  disk_.fault = [&](RecordingDisk::Call call, const std::string&) {
    if (call == RecordingDisk::Call::SyncMapping) {
      while (send_next(*journal) == AppendResult::Appended) {
      }
      refused += send_next(*journal) == AppendResult::NoReserve ? 1 : 0;
    }
    return 0;
  };
  ASSERT_TRUE(journal->prepare());
  disk_.fault = nullptr;
  EXPECT_EQ(refused, 1);
  EXPECT_EQ(journal->next_outgoing(), 51U) << "all that was reserved, and not one more";
  EXPECT_EQ(send_next(*journal), AppendResult::Appended);
  EXPECT_EQ(journal->stalls(), 0U);
}

TEST_F(JournalReserve, ADiskThatCannotReserveStopsSendingUntilItCan) {
  const auto journal = open(reserving(50));
  disk_.fault = [](RecordingDisk::Call call, const std::string&) {
    return call == RecordingDisk::Call::SyncMapping ? EIO : 0;
  };
  while (send_next(*journal) == AppendResult::Appended) {
    ASSERT_LE(journal->next_outgoing(), 51U);
  }
  EXPECT_EQ(send_next(*journal), AppendResult::NoReserve);
  EXPECT_FALSE(journal->prepare());
  EXPECT_EQ(send_next(*journal), AppendResult::NoReserve);
  EXPECT_EQ(journal->next_outgoing(), 51U);
  EXPECT_EQ(journal->append_received(1, 2, start_ns, "x").result(), AppendResult::Appended)
      << "which takes no number of ours";
  disk_.fault = nullptr;
  ASSERT_TRUE(journal->needs_preparation());
  ASSERT_TRUE(journal->prepare());
  EXPECT_EQ(send_next(*journal), AppendResult::Appended);
}

TEST_F(JournalReserve, ANumberSetFarAheadIsReservedBeforeItCounts) {
  const auto journal = open(reserving(50));
  ASSERT_EQ(journal->append_event(EventType::NumbersSet, 5'000'000, 1, start_ns, "by hand"),
            AppendResult::Appended);
  EXPECT_GE(reserved(1), 5'000'000U);
  ASSERT_EQ(journal->append_sent(5'000'000, 9'000'000, start_ns, "a sequence reset"),
            AppendResult::Appended);
  EXPECT_GE(reserved(1), 9'000'000U);
  disk_.fault = [](RecordingDisk::Call call, const std::string&) {
    return call == RecordingDisk::Call::SyncMapping ? EIO : 0;
  };
  EXPECT_EQ(journal->append_event(EventType::NumbersSet, 20'000'000, 1, start_ns, "by hand"),
            AppendResult::NoReserve);
  EXPECT_EQ(journal->next_outgoing(), 9'000'000U);
}

// A first start makes thousands of journals, and flushes take most of its time.
TEST_F(JournalReserve, ANewJournalIsOnTheDiskByOneFlushAndOneOfItsDirectory) {
  for (const Durability durability : {Durability::Process, Durability::Group, Durability::Sync}) {
    SCOPED_TRACE(static_cast<int>(durability));
    std::filesystem::remove_all(directory());
    disk_.forget();
    int files = 0;
    int directories = 0;
    disk_.fault = [&](RecordingDisk::Call call, const std::string&) {
      files += call == RecordingDisk::Call::SyncFile || call == RecordingDisk::Call::SyncMapping;
      directories += call == RecordingDisk::Call::SyncDirectory;
      return 0;
    };
    journal::Options with = reserving(1'000);
    with.durability = durability;
    const auto journal = open(with);
    disk_.fault = nullptr;
    EXPECT_EQ(files, 1);
    EXPECT_EQ(directories, 1);
    journal->abandon();
    disk_.restart(directory());
    const auto after = open(with);
    ASSERT_NE(after, nullptr);
    EXPECT_FALSE(after->recovered().created);
    EXPECT_GE(after->next_outgoing(), durability == Durability::Sync ? 1U : 1'001U);
  }
}

}  // namespace
}  // namespace affix::journal_test
