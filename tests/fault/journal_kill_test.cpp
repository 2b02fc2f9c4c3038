// SPDX-License-Identifier: MIT
// A writer killed with SIGKILL at random moments, again and again on one journal: what it had
// appended is there, whole and in order, and nothing else but at most the one append it had not yet
// told of.
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

// What the writer has told before it dies, in memory that both processes see.
struct Told {
  std::atomic<std::uint64_t> sent{0};
  std::atomic<std::uint64_t> received{0};
  std::atomic<bool> failed{false};
};

class JournalKill : public JournalTest, public testing::WithParamInterface<Durability> {
 protected:
  void SetUp() override {
    JournalTest::SetUp();
    void* const shared =
        mmap(nullptr, sizeof(Told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(shared, MAP_FAILED);
    told_ = new (shared) Told;
  }

  void TearDown() override { munmap(told_, sizeof(Told)); }

  [[nodiscard]] journal::Options small_segments() const {
    journal::Options with = options();
    with.durability = GetParam();
    with.first_segment_bytes = 8 * 1024;
    // Those of sync's must be longer than what lies between writer and disk.
    with.max_segment_bytes = GetParam() == Durability::Sync ? 1024 * 1024 : 64 * 1024;
    return with;
  }

  // The writer: appends as fast as it can until it is killed, a thread preparing and flushing
  // beside it when told so.
  [[noreturn]] void write_until_killed(bool with_thread) {
    auto opened = Journal::open(small_segments());
    if (!opened) {
      told_->failed = true;
      _exit(1);
    }
    Journal& journal = **opened;
    std::thread preparer;
    if (with_thread) {
      preparer = std::thread([&] {
        for (;;) {
          if (journal.needs_preparation() && !journal.prepare()) {
            told_->failed = true;
          }
          if (journal.needs_flush() && !journal.flush()) {
            told_->failed = true;
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
        told_->sent.store(sequence);
      }
      const Appended received =
          journal.append_received(expected, expected + 1, start_ns, message_of(expected));
      if (received.result() == AppendResult::Appended) {
        told_->received.store(expected);
        journal.mark_processed(received.position());
      }
      if (sent != AppendResult::Appended || received.result() != AppendResult::Appended) {
        told_->failed = true;
      }
    }
  }

  Told* told_ = nullptr;
};

TEST_P(JournalKill, WhatWasAppendedIsThereAfterwards) {
  const std::uint64_t seed = support::chosen_seed();
  SCOPED_TRACE("AFFIX_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  const auto rounds = static_cast<int>(support::chosen_number("AFFIX_ROUNDS", 60));
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    const std::uint64_t die_after = told_->sent.load() + random() % 1'500 + 1;
    const std::uint64_t spins = random() % 3'000;
    const pid_t writer = fork();
    ASSERT_GE(writer, 0);
    if (writer == 0) {
      write_until_killed(round % 2 == 0);
    }
    while (told_->sent.load() < die_after && !told_->failed.load()) {
      std::this_thread::yield();
    }
    // A little later still, so that death comes anywhere in the writer's loop.
    for (std::atomic<std::uint64_t> spin{0}; spin < spins; ++spin) {
    }
    ASSERT_EQ(kill(writer, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(waitpid(writer, &status, 0), writer);
    ASSERT_TRUE(WIFSIGNALED(status));
    ASSERT_FALSE(told_->failed.load());

    const std::uint64_t sent = told_->sent.load();
    const std::uint64_t received = told_->received.load();
    const auto journal = open(small_segments());
    ASSERT_TRUE(journal);
    ASSERT_FALSE(journal->recovered().clean);
    ASSERT_EQ(journal->recovered().skipped_from, 0U);
    ASSERT_GE(journal->next_outgoing(), sent + 1);
    ASSERT_LE(journal->next_outgoing(), sent + 2);
    ASSERT_GE(journal->next_expected(), received + 1);
    ASSERT_LE(journal->next_expected(), received + 2);
    // With sync a mark may be set while its record is being written, and the record be handed out
    // once more.
    const bool marks_follow = GetParam() == Durability::Sync;
    ASSERT_TRUE(marks_follow || journal->recovered().unprocessed <= 1U);
    journal::Replay replay = journal->unprocessed();
    while (const auto record = replay.next()) {
      ASSERT_TRUE(marks_follow || record->sequence >= received);
      journal->mark_processed(record->position);
    }
    told_->sent = journal->next_outgoing() - 1;
    told_->received = journal->next_expected() - 1;
  }
  // The whole history, once: every number of both directions, each with its own bytes, each
  // received one marked.
  std::uint64_t next_sent = 1;
  std::uint64_t next_received = 1;
  const Contents contents = read_all();
  ASSERT_FALSE(contents.damage) << contents.damage->text();
  for (const Contents::Row& row : contents.rows) {
    std::uint64_t& next = row.record.kind == Kind::Sent ? next_sent : next_received;
    ASSERT_EQ(row.record.sequence, next);
    ASSERT_EQ(row.bytes, message_of(next));
    ASSERT_EQ(row.record.processed, row.record.kind == Kind::Received);
    ++next;
  }
  ASSERT_EQ(next_sent, told_->sent.load() + 1);
  ASSERT_EQ(next_received, told_->received.load() + 1);
}

INSTANTIATE_TEST_SUITE_P(Durabilities, JournalKill,
                         testing::Values(Durability::Process, Durability::Group, Durability::Sync));

}  // namespace
}  // namespace affix::journal_test
