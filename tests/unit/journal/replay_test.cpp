// SPDX-License-Identifier: MIT
// Resends from the journal: any range, any size of history, never across a reset, with live
// messages in between.
#include "affix/journal/replay.hpp"

#include "unit/journal/journal_fixture.hpp"

namespace affix::journal_test {
namespace {

using journal::AppendResult;
using journal::EventType;
using journal::Journal;

using JournalReplay = JournalTest;
using JournalMemory = JournalTest;

TEST_F(JournalReplay, GivesTheStoredBytesOfExactlyTheRange) {
  const auto journal = open();
  send(*journal, 1, 50);
  journal::Replay replay = journal->replay(20, 23);
  for (std::uint64_t sequence = 20; sequence <= 23; ++sequence) {
    const auto record = replay.next();
    ASSERT_TRUE(record);
    EXPECT_EQ(record->sequence, sequence);
    EXPECT_EQ(record->bytes, message_of(sequence));
    EXPECT_EQ(record->utc_ns, start_ns + static_cast<std::int64_t>(sequence));
  }
  EXPECT_FALSE(replay.next());
  EXPECT_FALSE(replay.next()) << "stays at its end";
  EXPECT_FALSE(replay.damaged());
}

TEST_F(JournalReplay, EmptyAndOutOfRangeRequestsGiveNothing) {
  const auto journal = open();
  EXPECT_TRUE(numbers_of(journal->replay(1, 10)).empty());
  send(*journal, 1, 5);
  EXPECT_TRUE(numbers_of(journal->replay(6, 10)).empty());
  EXPECT_TRUE(numbers_of(journal->replay(4, 3)).empty());
  EXPECT_EQ(numbers_of(journal->replay(0, 2)), range(1, 2));
  EXPECT_EQ(numbers_of(journal->replay(4, UINT64_MAX)), range(4, 5));
}

TEST_F(JournalReplay, FindsEveryNumberInALongHistoryOfManySegments) {
  journal::Options with = small_segments(64 * 1024);
  const auto check = [](const Journal& journal) {
    for (std::uint64_t from = 1; from <= 4'000; from += 37) {
      ASSERT_EQ(numbers_of(journal.replay(from, from + 2)),
                range(from, std::min<std::uint64_t>(from + 2, 4'000)));
    }
    ASSERT_EQ(numbers_of(journal.replay(1, 4'000)), range(1, 4'000));
  };
  {
    const auto journal = open(with);
    for (std::uint64_t sequence = 1; sequence <= 4'000; ++sequence) {
      send(*journal, sequence, sequence);
      ASSERT_EQ(journal->append_received(sequence, sequence + 1, start_ns, "x").result(),
                AppendResult::Appended);
    }
    check(*journal);
  }
  check(*open(with));
}

TEST_F(JournalReplay, NumbersWithoutAMessageAreLeftOut) {
  const auto journal = open();
  send(*journal, 1, 3);
  ASSERT_EQ(journal->append_sent(4, 100, start_ns, "a sequence reset to 100"),
            AppendResult::Appended);
  send(*journal, 100, 101);
  EXPECT_EQ(numbers_of(journal->replay(1, 200)),
            (std::vector<std::uint64_t>{1, 2, 3, 4, 100, 101}));
  EXPECT_EQ(numbers_of(journal->replay(50, 100)), std::vector<std::uint64_t>{100});
}

TEST_F(JournalReplay, NeverReachesBackPastAReset) {
  journal::Options with = small_segments();
  {
    const auto journal = open(with);
    send(*journal, 1, 500);
    ASSERT_EQ(journal->append_event(EventType::Reset, 1, 1, start_ns, "141=Y"),
              AppendResult::Appended);
    EXPECT_TRUE(numbers_of(journal->replay(1, 500)).empty());
    send(*journal, 1, 3);
    EXPECT_EQ(numbers_of(journal->replay(1, 500)), range(1, 3));
  }
  {
    const auto journal = open(with);
    EXPECT_EQ(journal->next_outgoing(), 4U);
    EXPECT_EQ(numbers_of(journal->replay(1, 500)), range(1, 3));
    // Also when the reset is several segments back.
    send(*journal, 4, 800);
  }
  const auto journal = open(with);
  EXPECT_EQ(numbers_of(journal->replay(1, 1'000)), range(1, 800));
  EXPECT_EQ(numbers_of(journal->replay(400, 410)), range(400, 410));
}

TEST_F(JournalReplay, NumbersLoweredByHandHideTheOldOnes) {
  const auto journal = open();
  send(*journal, 1, 100);
  ASSERT_EQ(journal->append_event(EventType::NumbersSet, 50, 1, start_ns, "by hand"),
            AppendResult::Appended);
  ASSERT_EQ(journal->append_sent(50, start_ns, "the new 50"), AppendResult::Appended);
  journal::Replay replay = journal->replay(1, 100);
  const auto record = replay.next();
  ASSERT_TRUE(record);
  EXPECT_EQ(record->bytes, "the new 50");
  EXPECT_FALSE(replay.next());
}

TEST_F(JournalReplay, NumbersRaisedByHandKeepTheOldOnes) {
  const auto journal = open();
  send(*journal, 1, 3);
  ASSERT_EQ(journal->append_event(EventType::NumbersSet, 1'000, 1, start_ns, ""),
            AppendResult::Appended);
  send(*journal, 1'000, 1'001);
  EXPECT_EQ(numbers_of(journal->replay(2, 2'000)),
            (std::vector<std::uint64_t>{2, 3, 1'000, 1'001}));
}

TEST_F(JournalReplay, LiveMessagesAndSegmentsLetGoOfDoNotDisturbIt) {
  journal::Options with = small_segments(8 * 1024);
  const auto journal = open(with);
  send(*journal, 1, 60);
  journal::Replay replay = journal->replay(1, UINT64_MAX);
  std::uint64_t live = 61;
  for (std::uint64_t sequence = 1; sequence <= 60; ++sequence) {
    const auto record = replay.next();
    ASSERT_TRUE(record) << sequence;
    send(*journal, live, live + 19);
    live += 20;
    if (journal->needs_preparation()) {
      ASSERT_TRUE(journal->prepare());  // Unmaps segments, except the replayed one.
    }
    ASSERT_EQ(record->bytes, message_of(sequence));
  }
  EXPECT_FALSE(replay.next()) << "what was appended since is not part of it";
}

TEST_F(JournalReplay, DamagedStoredMessageEndsItAndSaysSo) {
  const auto journal = open();
  send(*journal, 1, 20, 100);
  std::fstream file(segment_file(1), std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(
      static_cast<std::streamoff>(format::records_offset + 10 * format::record_bytes(100) + 60));
  file.put('#');
  file.close();
  journal::Replay replay = journal->replay(9, 20);
  EXPECT_EQ(replay.next()->sequence, 9U);
  EXPECT_EQ(replay.next()->sequence, 10U);
  EXPECT_FALSE(replay.next());
  EXPECT_TRUE(replay.damaged());
}

TEST_F(JournalReplay, AnIndexThatLiesCostsTimeOnly) {
  {
    const auto journal = open();
    send(*journal, 1, 400);
  }
  std::string bytes = read_file(segment_file(1));
  format::SparseIndex index;
  std::memcpy(&index, bytes.data() + format::index_offset, sizeof(index));
  ASSERT_GT(index.count, 50U);
  for (std::uint32_t entry = 0; entry < format::SparseIndex::capacity; ++entry) {
    index.entries[entry] = {entry % 7 == 0 ? 0xFFFFFFFFU : entry, entry * 977};
  }
  index.count = 0xFFFFFFFFU;
  std::memcpy(bytes.data() + format::index_offset, &index, sizeof(index));
  write_file(segment_file(1), bytes);
  const auto journal = open();
  EXPECT_EQ(numbers_of(journal->replay(300, 320)), range(300, 320));
  send(*journal, 401, 500);
  EXPECT_EQ(numbers_of(journal->replay(390, 500)), range(390, 500));
}

TEST_F(JournalReplay, MissingOldSegmentsAreNumbersWithoutMessages) {
  journal::Options with = small_segments(8 * 1024);
  {
    send(*open(with), 1, 300);
  }
  std::filesystem::remove(segment_file(1));
  std::filesystem::remove(segment_file(2));
  const auto journal = open(with);
  const std::vector<std::uint64_t> left = numbers_of(journal->replay(1, 300));
  ASSERT_FALSE(left.empty());
  EXPECT_GT(left.front(), 1U);
  EXPECT_EQ(left, range(left.front(), 300));
}

TEST_F(JournalMemory, SameInterfaceWithoutAFile) {
  journal::Options with = options();
  with.durability = journal::Durability::Memory;
  with.directory.clear();
  const auto journal = open(with);
  send(*journal, 1, 100);
  const journal::Appended received = journal->append_received(1, 2, start_ns, "x");
  ASSERT_EQ(received.result(), AppendResult::Appended);
  journal->mark_processed(received.position());
  EXPECT_EQ(journal->next_expected(), 2U);
  EXPECT_EQ(numbers_of(journal->replay(40, 50)), range(40, 50));
  ASSERT_EQ(journal->append_event(EventType::Reset, 1, 1, start_ns, ""), AppendResult::Appended);
  EXPECT_TRUE(numbers_of(journal->replay(1, 100)).empty());
  EXPECT_TRUE(journal->prepare());
  EXPECT_FALSE(journal->needs_preparation());
  EXPECT_TRUE(journal->close());
  EXPECT_FALSE(std::filesystem::exists(directory()));
}

TEST_F(JournalMemory, TheRingForgetsTheOldestAndNothingElse) {
  journal::Options with = options();
  with.durability = journal::Durability::Memory;
  with.ring_bytes = 64 * 1024;
  const auto journal = open(with);
  for (std::uint64_t sequence = 1; sequence <= 5'000; ++sequence) {
    send(*journal, sequence, sequence);
    if (sequence % 500 == 0) {
      const std::vector<std::uint64_t> kept = numbers_of(journal->replay(1, sequence));
      ASSERT_FALSE(kept.empty());
      ASSERT_EQ(kept, range(kept.front(), sequence));
      ASSERT_GT(kept.size(), 200U) << "three quarters of the ring at least";
    }
  }
  EXPECT_EQ(journal->append_sent(5'001, start_ns, std::string(20'000, 'x')),
            AppendResult::TooLarge);
  // A replay overtaken by the ring continues with the rest.
  journal::Replay replay = journal->replay(1, UINT64_MAX);
  ASSERT_TRUE(replay.next());
  send(*journal, 5'001, 9'000);
  EXPECT_TRUE(numbers_of(std::move(replay)).empty());
  EXPECT_EQ(journal->stalls(), 0U);
}

}  // namespace
}  // namespace affix::journal_test
