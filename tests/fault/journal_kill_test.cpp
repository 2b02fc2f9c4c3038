// SPDX-License-Identifier: MIT
// A writer is repeatedly killed with SIGKILL at random moments on one journal: its appends are
// there, complete and in order, and at most one further append that it had not reported. With
// retention, files of old segments become newer ones meanwhile.
#include "support/files_used_again.hpp"
#include "support/recording_disk.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <atomic>
#include <new>
#include <random>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>

namespace affix::journal_test {
namespace {

using journal::Appended;
using journal::AppendResult;
using journal::Durability;
using journal::Journal;
using journal::Kind;

// Progress of the writer, in memory shared by both processes.
struct Reported {
  std::atomic<std::uint64_t> sent{0};
  std::atomic<std::uint64_t> received{0};
  std::atomic<std::uint64_t> used_again{0};  // Files of old segments reused by earlier lives.
  std::atomic<bool> failed{false};
};

struct Way {
  Durability durability = Durability::Process;
  bool keeps_all = true;
};

class JournalKill : public JournalTest, public testing::WithParamInterface<Way> {
 protected:
  void SetUp() override {
    void* const shared =
        mmap(nullptr, sizeof(Reported), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(shared, MAP_FAILED);
    reported_ = new (shared) Reported;
  }

  void TearDown() override { munmap(reported_, sizeof(Reported)); }

  [[nodiscard]] journal::Options small_segments() const {
    journal::Options with = options();
    with.durability = GetParam().durability;
    with.first_segment_bytes = 8 * 1024;
    // With sync they must be longer than the data between writer and disk.
    const bool is_sync = GetParam().durability == Durability::Sync;
    with.max_segment_bytes = is_sync ? 1024 * 1024 : 64 * 1024;
    if (!GetParam().keeps_all) {
      with.max_segment_bytes = is_sync ? 512 * 1024 : 64 * 1024;
      with.first_segment_bytes = with.max_segment_bytes;
      with.keep_bytes = 2 * with.max_segment_bytes;
    }
    return with;
  }

  // The writer: appends as fast as possible until it is killed, optionally with a thread that
  // prepares and flushes.
  [[noreturn]] void write_until_killed(bool with_thread) {
    support::ReuseCountingDisk disk(reported_->used_again);
    journal::Options with = small_segments();
    with.disk = &disk;
    auto opened = Journal::open(with);
    if (!opened) {
      reported_->failed = true;
      _exit(1);
    }
    Journal& journal = **opened;
    std::thread preparer;
    if (with_thread) {
      preparer = std::thread([&] {
        for (;;) {
          if (journal.needs_preparation() && !journal.prepare()) {
            reported_->failed = true;
          }
          if (journal.needs_flush() && !journal.flush()) {
            reported_->failed = true;
          }
          std::this_thread::yield();
        }
      });
    }
    for (;;) {
      const std::uint64_t sequence = journal.next_outgoing();
      const std::uint64_t expected = journal.next_expected();
      const AppendResult sent = journal.append_sent(sequence, start_ns, message_of(sequence));
      if (sent == AppendResult::Appended) {
        reported_->sent.store(sequence);
      }
      const Appended received =
          journal.append_received(expected, expected + 1, start_ns, message_of(expected));
      if (received.result() == AppendResult::Appended) {
        reported_->received.store(expected);
        journal.mark_processed(received.position());
      }
      if (sent != AppendResult::Appended || received.result() != AppendResult::Appended) {
        reported_->failed = true;
      }
    }
  }

  // Every number of both directions, each with its own bytes, each received one marked; all of
  // them, or with retention those from some number on.
  void check_history() {
    std::uint64_t next_sent = GetParam().keeps_all ? 1 : 0;
    std::uint64_t next_received = next_sent;
    auto reader = journal::Reader::open(directory());
    ASSERT_TRUE(reader) << reader.error().text();
    while (const std::optional<journal::Record> record = reader->next()) {
      std::uint64_t& next = record->kind == Kind::Sent ? next_sent : next_received;
      next = next == 0 ? record->sequence : next;
      ASSERT_EQ(record->sequence, next);
      ASSERT_EQ(record->bytes, message_of(next));
      ASSERT_EQ(record->processed, record->kind == Kind::Received);
      ++next;
    }
    ASSERT_FALSE(reader->damage()) << reader->damage()->text();
    // A kill may come before the first message of a direction.
    ASSERT_TRUE(next_sent == 0 || next_sent == reported_->sent.load() + 1);
    ASSERT_TRUE(next_received == 0 || next_received == reported_->received.load() + 1);
  }

  Reported* reported_ = nullptr;
};

TEST_P(JournalKill, AppendedRecordsAreThereAfterwards) {
  const std::uint64_t seed = support::chosen_seed();
  SCOPED_TRACE("AFFIX_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  const auto rounds = static_cast<int>(support::chosen_number("AFFIX_ROUNDS", 60));
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    // A file is only reused by a writer that fills more than one segment, and sync's are long.
    const bool fills_long_ones = !GetParam().keeps_all && GetParam().durability == Durability::Sync;
    const std::uint64_t longest = fills_long_ones ? 5'000 : 1'500;
    const std::uint64_t die_after = reported_->sent.load() + random() % longest + 1;
    const std::uint64_t spins = random() % 3'000;
    const pid_t writer = fork();
    ASSERT_GE(writer, 0);
    if (writer == 0) {
      write_until_killed(round % 2 == 0);
    }
    while (reported_->sent.load() < die_after && !reported_->failed.load()) {
      std::this_thread::yield();
    }
    // Waits slightly longer, so that the kill comes anywhere in the writer's loop.
    for (std::atomic<std::uint64_t> spin{0}; spin < spins; ++spin) {
    }
    ASSERT_EQ(kill(writer, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(waitpid(writer, &status, 0), writer);
    ASSERT_TRUE(WIFSIGNALED(status));
    ASSERT_FALSE(reported_->failed.load());

    const std::uint64_t sent = reported_->sent.load();
    const std::uint64_t received = reported_->received.load();
    auto journal = open(small_segments());
    ASSERT_TRUE(journal);
    ASSERT_FALSE(journal->recovered().clean);
    ASSERT_EQ(journal->recovered().skipped_from, 0U);
    ASSERT_GE(journal->next_outgoing(), sent + 1);
    ASSERT_LE(journal->next_outgoing(), sent + 2);
    ASSERT_GE(journal->next_expected(), received + 1);
    ASSERT_LE(journal->next_expected(), received + 2);
    // With sync, a mark may be set while its record is being written, and the record is
    // redelivered.
    const bool marks_follow = GetParam().durability == Durability::Sync;
    ASSERT_TRUE(marks_follow || journal->recovered().unprocessed <= 1U);
    journal::Replay replay = journal->unprocessed();
    while (const auto record = replay.next()) {
      ASSERT_TRUE(marks_follow || record->sequence >= received);
      journal->mark_processed(record->position);
    }
    reported_->sent = journal->next_outgoing() - 1;
    reported_->received = journal->next_expected() - 1;
    journal.reset();
    if (!GetParam().keeps_all) {
      ASSERT_NO_FATAL_FAILURE(check_history());
    }
  }
  ASSERT_NO_FATAL_FAILURE(check_history());
  if (!GetParam().keeps_all) {
    EXPECT_FALSE(std::filesystem::exists(segment_file(1)));
    if (support::overwrites_in_place(directory())) {
      EXPECT_GT(reported_->used_again.load(), 0U);
    }
  }
  RecordProperty("used_again", static_cast<int>(reported_->used_again.load()));
}

INSTANTIATE_TEST_SUITE_P(Durabilities, JournalKill,
                         testing::Values(Way{Durability::Process}, Way{Durability::Group},
                                         Way{Durability::Sync}, Way{Durability::Process, false},
                                         Way{Durability::Group, false},
                                         Way{Durability::Sync, false}));

}  // namespace
}  // namespace affix::journal_test
