// SPDX-License-Identifier: MIT
// A disk fails in every call of a journal: stored records stay, the append reports the failure, no
// number changes, and the journal continues if possible.
#include "affix/os/bus_error.hpp"

#include "support/has_message.hpp"
#include "support/recording_disk.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <cerrno>

namespace affix::journal_test {
namespace {

using journal::AppendResult;
using journal::Durability;
using journal::Journal;
using support::has_message;
using support::RecordingDisk;
using Call = RecordingDisk::Call;

class JournalDiskFaults : public JournalTest {
 protected:
  [[nodiscard]] journal::Options on(RecordingDisk& disk, Durability durability) const {
    journal::Options with = small_segments(8 * 1024);
    with.durability = durability;
    with.disk = &disk;
    with.sequence_reserve = 1'000;
    return with;
  }

  static void fail(RecordingDisk& disk, std::vector<Call> calls, int error_number) {
    disk.fault = [calls = std::move(calls), error_number](Call call, const std::string&) {
      return std::find(calls.begin(), calls.end(), call) != calls.end() ? error_number : 0;
    };
  }

  /// Appends until refused; returns the refused number.
  static std::uint64_t fill(Journal& journal, AppendResult& refused) {
    for (;;) {
      const std::uint64_t next = journal.next_outgoing();
      refused = journal.append_sent(next, start_ns, message_of(next, 500));
      if (refused != AppendResult::Appended) {
        EXPECT_EQ(journal.next_outgoing(), next) << "a refused append moved the number";
        return next;
      }
    }
  }

  RecordingDisk disk_{1};
};

TEST_F(JournalDiskFaults, EachCallThatMakesASegmentMayFailAndComeBack) {
  const auto journal = open(on(disk_, Durability::Process));
  ASSERT_TRUE(journal);
  for (const Call call : {Call::Open, Call::Allocate, Call::Map, Call::Rename}) {
    for (const int error_number : {EIO, EACCES, ENOSPC, ENOMEM, EROFS}) {
      SCOPED_TRACE(static_cast<int>(call));
      SCOPED_TRACE(error_number);
      fail(disk_, {call}, error_number);
      AppendResult refused = AppendResult::Appended;
      const std::uint64_t next = fill(*journal, refused);
      EXPECT_EQ(refused,
                error_number == ENOSPC ? AppendResult::NoSpace : AppendResult::Unavailable);
      EXPECT_FALSE(journal->prepare());
      disk_.fault = nullptr;
      ASSERT_TRUE(journal->prepare());
      EXPECT_EQ(journal->append_sent(next, start_ns, message_of(next, 500)),
                AppendResult::Appended);
    }
  }
  EXPECT_EQ(numbers_of(journal->replay(1, UINT64_MAX)), range(1, journal->next_outgoing() - 1));
}

TEST_F(JournalDiskFaults, TheDirectoryGoesAndComesBack) {
  const auto journal = open(on(disk_, Durability::Process));
  ASSERT_TRUE(journal);
  send(*journal, 1, 3, 500);
  std::filesystem::rename(directory(), directory() + ".away");
  AppendResult refused = AppendResult::Appended;
  const std::uint64_t next = fill(*journal, refused);
  EXPECT_EQ(refused, AppendResult::Unavailable);
  const auto reported = journal->prepare();
  ASSERT_FALSE(reported);
  EXPECT_EQ(reported.error().code, base::ErrorCode::NotFound);
  std::filesystem::rename(directory() + ".away", directory());
  ASSERT_TRUE(journal->prepare());
  EXPECT_EQ(journal->append_sent(next, start_ns, message_of(next, 500)), AppendResult::Appended);
  EXPECT_FALSE(read_all().damage);
}

TEST_F(JournalDiskFaults, AFileThatMayNotBeWrittenIsRefusedAndUnchanged) {
  {
    const auto journal = open(on(disk_, Durability::Process));
    send(*journal, 1, 3);
  }
  const std::string before = read_file(segment_file(1));
  disk_.fault = [](Call call, const std::string& path) {
    return call == Call::Open && path.ends_with(".journal") ? EROFS : 0;
  };
  const auto refused = refusal(on(disk_, Durability::Process));
  ASSERT_TRUE(refused);
  EXPECT_TRUE(has_message(refused->text(), "O104", {"0000000001.journal"}));
  EXPECT_EQ(read_file(segment_file(1)), before);
}

TEST_F(JournalDiskFaults, AFlushThatFailsIsTriedAgainWithTheSameBytes) {
  for (const Durability durability : {Durability::Group, Durability::Sync}) {
    SCOPED_TRACE(static_cast<int>(durability));
    RecordingDisk disk(7);
    std::filesystem::remove_all(directory());
    auto journal = open(on(disk, durability));
    ASSERT_TRUE(journal);
    send(*journal, 1, 3);
    ASSERT_TRUE(journal->flush());
    send(*journal, 4, 6);
    const journal::Position durable = journal->durable();
    fail(disk, {Call::SyncFile, Call::SyncMapping}, EIO);
    const auto failed = journal->flush();
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, base::ErrorCode::Io);
    EXPECT_EQ(journal->durable(), durable) << "durable before it was";
    EXPECT_TRUE(journal->failed());
    EXPECT_EQ(journal->append_sent(7, start_ns, "7"), AppendResult::Failed);
    EXPECT_EQ(journal->next_outgoing(), 7U);
    disk.fault = nullptr;
    ASSERT_TRUE(journal->needs_flush());
    ASSERT_TRUE(journal->flush());
    EXPECT_EQ(journal->durable(), journal->end());
    EXPECT_EQ(journal->append_sent(7, start_ns, "7"), AppendResult::Appended);
    ASSERT_TRUE(journal->flush());
    journal->abandon();
    journal.reset();
    disk.restart(directory());
    journal = open(on(disk, durability));
    ASSERT_TRUE(journal);
    EXPECT_EQ(numbers_of(journal->replay(1, UINT64_MAX)), range(1, 7));
  }
}

TEST_F(JournalDiskFaults, AFlushThatFailsAcrossSegmentsLosesNothing) {
  RecordingDisk disk(9);
  auto journal = open(on(disk, Durability::Sync));
  ASSERT_TRUE(journal);
  int until_failure = 0;
  disk.fault = [&](Call call, const std::string&) {
    const bool flushes =
        call == Call::SyncFile || call == Call::SyncDirectory || call == Call::Write;
    return flushes && until_failure-- == 0 ? EIO : 0;
  };
  std::uint64_t next = 1;
  for (int round = 0; round < 60; ++round) {
    until_failure = INT32_MAX;
    for (int at = 0; at < 12; ++at) {
      ASSERT_TRUE(journal->prepare());
      ASSERT_EQ(journal->append_sent(next, start_ns, message_of(next, 500)),
                AppendResult::Appended);
      ++next;
    }
    until_failure = round % 9;
    if (!journal->flush()) {
      until_failure = INT32_MAX;
      ASSERT_TRUE(journal->flush());
    }
    ASSERT_EQ(journal->durable(), journal->end());
  }
  journal->abandon();
  journal.reset();
  disk.fault = nullptr;
  disk.restart(directory());
  journal = open(on(disk, Durability::Sync));
  ASSERT_TRUE(journal);
  EXPECT_EQ(numbers_of(journal->replay(1, UINT64_MAX)), range(1, next - 1));
}

TEST_F(JournalDiskFaults, AFileThatSomebodyCutFailsItsJournalAndNoOther) {
  ASSERT_TRUE(os::install_bus_error_handler());
  for (const Durability durability : {Durability::Process, Durability::Sync}) {
    SCOPED_TRACE(static_cast<int>(durability));
    RecordingDisk disk(3);
    std::filesystem::remove_all(directory());
    journal::Options with = on(disk, durability);
    with.first_segment_bytes = with.max_segment_bytes = 64 * 1024;
    auto journal = open(with);
    ASSERT_TRUE(journal);
    journal::Options other_options = with;
    other_options.directory = directory() + "-other";
    const auto other = open(other_options);
    ASSERT_TRUE(other);
    send(*journal, 1, 3, 500);
    ASSERT_TRUE(journal->flush());
    ASSERT_EQ(truncate(segment_file(1).c_str(), 8 * 1024), 0);
    AppendResult refused = AppendResult::Appended;
    const std::uint64_t next = fill(*journal, refused);
    EXPECT_EQ(refused, AppendResult::Failed);
    EXPECT_TRUE(journal->failed());
    EXPECT_EQ(journal->append_sent(next, start_ns, "again"), AppendResult::Failed);
    send(*other, 1, 50);
    EXPECT_FALSE(other->failed());
    journal->abandon();
    journal.reset();
    // No crash truncates a file, so opening refuses it. After a repair, records before the cut are
    // there, and no number is used again.
    ASSERT_TRUE(refusal(with));
    journal::RepairOptions repairing;
    repairing.directory = directory();
    repairing.apply = true;
    const auto repaired = journal::repair(repairing);
    ASSERT_TRUE(repaired) << repaired.error().text();
    journal = open(with);
    ASSERT_TRUE(journal);
    EXPECT_GE(journal->next_outgoing(), next);
    EXPECT_GE(numbers_of(journal->replay(1, next)).size(), 3U);
    std::filesystem::remove_all(other_options.directory);
  }
}

TEST_F(JournalDiskFaults, AResendFromACutFileEndsAsDamaged) {
  ASSERT_TRUE(os::install_bus_error_handler());
  const auto journal = open(on(disk_, Durability::Process));
  ASSERT_TRUE(journal);
  for (std::uint64_t next = 1; journal->end().segment < 4; ++next) {
    ASSERT_EQ(journal->append_sent(next, start_ns, message_of(next, 500)), AppendResult::Appended);
  }
  journal::Replay walk = journal->replay(1, UINT64_MAX);
  ASSERT_TRUE(walk.next());
  ASSERT_EQ(truncate(segment_file(1).c_str(), 4096), 0);
  std::uint64_t seen = 1;
  while (walk.next()) {
    ++seen;
  }
  EXPECT_LT(seen, journal->next_outgoing() - 1) << "nothing was lost";
  EXPECT_TRUE(walk.damaged());
  EXPECT_FALSE(journal->failed());
}

TEST(BusErrorDeathTest, OneFromElsewhereStillEndsTheProcess) {
  EXPECT_EXIT(
      {
        static_cast<void>(os::install_bus_error_handler());
        raise(SIGBUS);
        raise(SIGBUS);
      },
      testing::KilledBySignal(SIGBUS), "");
}

}  // namespace
}  // namespace affix::journal_test
