// SPDX-License-Identifier: MIT
// Everything at once, as in an engine: the writer appends, marks and replays; one thread prepares
// and reads ahead, another flushes.
#include "support/files_used_again.hpp"
#include "support/repeating_thread.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <atomic>
#include <thread>
#include <vector>

namespace affix::journal_test {
namespace {

using journal::AppendResult;
using journal::ColdPages;
using journal::Durability;
using journal::Journal;

class JournalThreads : public JournalTest, public testing::WithParamInterface<Durability> {
 protected:
  [[nodiscard]] journal::Options threaded() const {
    journal::Options with = small_segments(32 * 1024);
    with.durability = GetParam();
    with.sequence_reserve = 1'000;
    return with;
  }

  /// Repeats an append that another thread prevents.
  static void append_next(Journal& journal) {
    for (;;) {
      const std::uint64_t next = journal.next_outgoing();
      const AppendResult result =
          journal.append_sent(next, start_ns + static_cast<std::int64_t>(next), message_of(next));
      if (result == AppendResult::Appended) {
        return;
      }
      ASSERT_EQ(result, AppendResult::NoReserve);
      std::this_thread::yield();
    }
  }
};

TEST_P(JournalThreads, NothingIsLostAndNothingWaitsForever) {
  const auto journal = open(threaded());
  ASSERT_TRUE(journal);
  support::RepeatingThread preparer([&] { return prepare_and_read_ahead(*journal); });
  support::RepeatingThread flusher([&] {
    const bool flushes = journal->needs_flush();
    EXPECT_TRUE(!flushes || journal->flush());
    return flushes;
  });
  constexpr std::uint64_t messages = 6'000;
  journal::Replay replay;
  std::uint64_t replayed = 0;
  for (std::uint64_t sequence = 1; sequence <= messages; ++sequence) {
    const journal::Appended received =
        journal->append_received(sequence, sequence + 1, start_ns, "x");
    ASSERT_EQ(received.result(), AppendResult::Appended);
    ASSERT_NO_FATAL_FAILURE(append_next(*journal));
    journal->mark_processed(received.position());
    if (const auto record = replay.next()) {
      EXPECT_EQ(record->bytes, message_of(record->sequence));
      ++replayed;
    } else if (!replay.waiting()) {
      EXPECT_FALSE(replay.damaged());
      replay = journal->replay(sequence / 2, sequence, ColdPages::Await);
    }
  }
  replay = {};
  preparer.stop();
  flusher.stop();
  EXPECT_GT(replayed, 100U);
  ASSERT_TRUE(journal->flush());
  if (GetParam() != Durability::Process) {
    EXPECT_EQ(journal->durable(), journal->end());
  }
  EXPECT_EQ(numbers_of(journal->replay(1, messages)), range(1, messages));
  EXPECT_TRUE(numbers_of(journal->unprocessed()).empty());
}

// Files of old segments become newer ones while the writer replays those about to be removed.
TEST_P(JournalThreads, AReplayReadsItsSegmentsRecordsAlthoughFilesAreReused) {
  std::atomic<std::uint64_t> used_again{0};
  support::ReuseCountingDisk disk(used_again);
  journal::Options with = threaded();
  with.disk = &disk;
  with.first_segment_bytes = with.max_segment_bytes;
  with.keep_bytes = 4 * with.max_segment_bytes;
  const auto journal = open(with);
  ASSERT_TRUE(journal);
  support::RepeatingThread helper([&] {
    const bool works = journal->needs_preparation() || journal->needs_flush();
    if (works) {
      EXPECT_TRUE(journal->flush());
      EXPECT_TRUE(journal->prepare());
    }
    return journal->read_ahead() || works;
  });
  constexpr std::uint64_t messages = 20'000;
  journal::Replay replay;
  std::uint64_t replayed = 0;
  for (std::uint64_t sequence = 1; sequence <= messages; ++sequence) {
    ASSERT_NO_FATAL_FAILURE(append_next(*journal));
    if (sequence % 64 == 0) {
      while (journal->needs_preparation() || journal->needs_flush()) {
        std::this_thread::yield();
      }
    }
    // Sometimes nothing reads; and a reader is slower than the writer, so that its segment is
    // removed while it reads.
    if (sequence % 2'000 < 1'000) {
      replay = {};
    } else if (sequence % 2 == 0) {
      if (const auto record = replay.next()) {
        ASSERT_EQ(record->bytes, message_of(record->sequence));
        ++replayed;
      } else if (!replay.waiting()) {
        ASSERT_FALSE(replay.damaged());
        replay = journal->replay(1, sequence, ColdPages::Await);
      }
    }
  }
  replay = {};
  helper.stop();
  EXPECT_GT(replayed, 100U);
  if (support::overwrites_in_place(directory())) {
    EXPECT_GT(used_again.load(), 0U);
  }
  ASSERT_TRUE(journal->flush());
  const std::vector<std::uint64_t> left = numbers_of(journal->replay(1, messages));
  ASSERT_FALSE(left.empty());
  EXPECT_EQ(left, range(left.front(), messages));
}

INSTANTIATE_TEST_SUITE_P(Durabilities, JournalThreads,
                         testing::Values(Durability::Process, Durability::Group, Durability::Sync),
                         [](const auto& one) {
                           switch (one.param) {
                             case Durability::Process:
                               return "process";
                             case Durability::Group:
                               return "group";
                             default:
                               return "sync";
                           }
                         });

}  // namespace
}  // namespace affix::journal_test
