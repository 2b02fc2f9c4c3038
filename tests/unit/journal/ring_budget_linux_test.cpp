// SPDX-License-Identifier: MIT
// Rings in memory that share a budget: each grows while some is left, otherwise continues in its
// oldest segment, and returns exactly the messages that it claims to have.
#include "affix/journal/journal.hpp"

#include "support/has_message.hpp"
#include "support/own_memory.hpp"
#include "support/repeating_thread.hpp"
#include "support/sanitized.hpp"
#include "unit/journal/journal_fixture.hpp"
#include "unit/journal/ring_preparation.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace affix::journal_test {
namespace {

using journal::AppendResult;
using journal::Journal;
using journal::RingBudget;
using support::has_message;

constexpr std::uint64_t bounded_ring_bytes = 1024 * kib;
constexpr std::uint64_t bounded_ring_message_max = 40'000;

journal::Options options_of(RingBudget* budget) {
  journal::Options options;
  options.identity = "FIX.4.4:US->THEM";
  options.durability = journal::Durability::Memory;
  options.ring_bytes = bounded_ring_bytes;
  options.ring_message_bytes_max = bounded_ring_message_max;
  options.ring_budget = budget;
  return options;
}

std::uint64_t bytes_at_start() {
  return journal::ring_bytes_at_start(options_of(nullptr));
}

std::uint64_t segment_bytes() {
  return bytes_at_start() / 2;
}

std::unique_ptr<Journal> open_ring(RingBudget& budget) {
  auto journal = Journal::open(options_of(&budget));
  EXPECT_TRUE(journal) << journal.error().message;
  return journal ? std::move(*journal) : nullptr;
}

/// Sends messages of `bytes`, preparing in between, until the ring has advanced by `segments`.
void send_segments(Journal& journal, std::uint32_t segments, std::size_t bytes = 300) {
  const std::uint32_t until = journal.end().segment + segments;
  while (journal.end().segment < until) {
    const std::uint64_t sequence = journal.next_outgoing();
    ASSERT_EQ(journal.append_sent(sequence, start_ns, message_of(sequence, bytes)),
              AppendResult::Appended);
    prepare(journal);
  }
}

/// Number of the newest messages stored, which must be all stored ones, and correct.
std::uint64_t count_kept(Journal& journal, std::size_t bytes = 300) {
  const std::uint64_t end = journal.next_outgoing();
  std::uint64_t wanted = 0;
  std::uint64_t count = 0;
  auto replay = journal.replay(1, UINT64_MAX);
  while (const auto record = replay.next()) {
    EXPECT_TRUE(wanted == 0 || record->sequence == wanted);
    EXPECT_EQ(record->bytes, message_of(record->sequence, bytes));
    wanted = record->sequence + 1;
    ++count;
  }
  EXPECT_EQ(wanted, end);
  EXPECT_FALSE(replay.damaged());
  return count;
}

TEST(RingBudget, IsTakenWholeOrNotAtAll) {
  RingBudget budget(100);
  EXPECT_TRUE(budget.take(60));
  EXPECT_FALSE(budget.take(41));
  EXPECT_TRUE(budget.take(40));
  EXPECT_FALSE(budget.take(1));
  EXPECT_EQ(budget.taken(), 100U);
  budget.give_back(60);
  EXPECT_TRUE(budget.take(60));
  RingBudget none;
  EXPECT_TRUE(none.take(std::uint64_t{1} << 60));
  EXPECT_EQ(none.limit(), RingBudget::unbounded);
}

TEST(RingBudget, ARingTakesASegmentWhenItNeedsOneAndGivesAllBack) {
  RingBudget budget;
  auto journal = open_ring(budget);
  ASSERT_NE(journal, nullptr);
  EXPECT_EQ(budget.taken(), 2 * segment_bytes());
  send_segments(*journal, 1);
  EXPECT_EQ(budget.taken(), 2 * segment_bytes()) << "the second one is not half used";
  send_segments(*journal, 1);
  EXPECT_EQ(budget.taken(), 3 * segment_bytes());
  send_segments(*journal, 100);
  EXPECT_GE(budget.taken(), bounded_ring_bytes);
  EXPECT_LE(budget.taken(), bounded_ring_bytes + 4 * segment_bytes())
      << "one is written to; headers";
  EXPECT_EQ(journal->take_ring_refusals(), 0U);
  EXPECT_GE(count_kept(*journal), bounded_ring_bytes / journal::format::record_bytes(300));
  EXPECT_EQ(journal->stalls(), 0U);
  journal.reset();
  EXPECT_EQ(budget.taken(), 0U);
}

TEST(RingBudget, OpeningNeedsTwoSegmentsAndSaysHowManyBytesAreLeft) {
  RingBudget budget(bytes_at_start() + segment_bytes());
  auto first = open_ring(budget);
  ASSERT_NE(first, nullptr);
  const auto refused = Journal::open(options_of(&budget));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::Limit);
  EXPECT_TRUE(
      has_message(refused.error().text(), "E204",
                  {std::to_string(bytes_at_start()),
                   std::to_string(segment_bytes()) + " of " + std::to_string(budget.limit())}));
  EXPECT_EQ(budget.taken(), bytes_at_start());
  first.reset();
  EXPECT_NE(open_ring(budget), nullptr);
}

TEST(RingBudget, ARefusedRingGoesOnInItsOldestSegment) {
  RingBudget budget(bytes_at_start());
  const auto journal = open_ring(budget);
  ASSERT_NE(journal, nullptr);
  const std::uint64_t of_a_segment =
      (segment_bytes() - format::records_offset) / format::record_bytes(300) - 1;
  for (std::uint32_t round = 1; round <= 20; ++round) {
    send_segments(*journal, 1);
    EXPECT_EQ(journal->take_ring_refusals(), round == 1 ? 0U : 1U) << "the first has its second";
    EXPECT_EQ(journal->take_ring_refusals(), 0U);
    EXPECT_GE(count_kept(*journal), of_a_segment);
    EXPECT_EQ(budget.taken(), budget.limit());
  }
  EXPECT_EQ(journal->stalls(), 0U);
}

TEST(RingBudget, BytesThatOneRingReturnsLetAnotherGrow) {
  RingBudget budget(2 * bytes_at_start());
  auto other = open_ring(budget);
  const auto journal = open_ring(budget);
  ASSERT_NE(journal, nullptr);
  send_segments(*journal, 7);
  const std::uint64_t few = count_kept(*journal);
  EXPECT_EQ(journal->take_ring_refusals(), 6U);
  other.reset();
  send_segments(*journal, 9);
  EXPECT_EQ(budget.taken(), budget.limit()) << "both are in use";
  const std::uint64_t more = count_kept(*journal);
  EXPECT_GE(more, 2 * few);
  EXPECT_GE(journal->take_ring_refusals(), 6U);
  for (int turn = 0; turn < 30; ++turn) {  // Its segments are no longer in the order of their
                                           // places.
    send_segments(*journal, 1);
    EXPECT_GE(count_kept(*journal), more);
  }
}

TEST(RingBudget, TheLongestMessageFitsIntoASegment) {
  for (const std::uint64_t longest :
       {std::uint64_t{1}, 40'000UL, 61'388UL, 61'399UL, 65'536UL, 212'992UL, 1'000'001UL}) {
    SCOPED_TRACE(longest);
    RingBudget budget;
    journal::Options options = options_of(&budget);
    options.ring_message_bytes_max = longest;
    const auto journal = Journal::open(options);
    ASSERT_TRUE(journal);
    EXPECT_EQ(budget.taken() % (2 * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE))), 0U);
    for (std::uint64_t sequence = 1; sequence <= 6; ++sequence) {
      ASSERT_EQ((*journal)->append_sent(sequence, start_ns, std::string(longest, 'x')),
                AppendResult::Appended);
    }
    EXPECT_EQ((*journal)->append_sent(7, start_ns, std::string(budget.taken(), 'x')),
              AppendResult::TooLarge);
  }
}

// A refused ring reuses segments while a replay reads it.
TEST(RingBudget, AReplayGoesOnWithTheRestWhereItsSegmentIsTaken) {
  std::mt19937 random(20'261'125);
  for (int run = 0; run < 40; ++run) {
    SCOPED_TRACE(run);
    RingBudget budget(bytes_at_start() + random() % 4 * segment_bytes());
    const auto journal = open_ring(budget);
    ASSERT_NE(journal, nullptr);
    send_segments(*journal, static_cast<std::uint32_t>(1 + random() % 6));
    const std::uint64_t end = journal->next_outgoing();
    auto replay = journal->replay(1, UINT64_MAX);
    std::uint64_t last = 0;
    while (const auto record = replay.next()) {
      ASSERT_GT(record->sequence, last);
      ASSERT_LT(record->sequence, end) << "stored after it was asked for";
      last = record->sequence;
      ASSERT_EQ(record->bytes, message_of(last, 300));
      for (auto count = random() % 5; count != 0; --count) {
        const std::uint64_t sequence = journal->next_outgoing();
        ASSERT_EQ(journal->append_sent(sequence, start_ns, message_of(sequence, 300)),
                  AppendResult::Appended);
        prepare(*journal);
      }
    }
    EXPECT_FALSE(replay.damaged());
    count_kept(*journal);
  }
}

// --- Many rings together ---

struct Ring {
  std::unique_ptr<Journal> journal;
  std::deque<std::size_t> sizes;  // Sizes of sent messages, the newest last.
  std::uint64_t first = 1;        // Number of the first of these.

  void append(std::size_t bytes) {
    const std::uint64_t sequence = journal->next_outgoing();
    ASSERT_EQ(journal->append_sent(sequence, start_ns, message_of(sequence, bytes)),
              AppendResult::Appended);
    sizes.push_back(std::max(bytes, message_of(sequence, 1).size()));
  }

  /// Checks all messages that it claims to have, which must be the newest without a gap. Returns
  /// their bytes.
  std::uint64_t check(std::uint64_t from) {
    const std::uint64_t end = journal->next_outgoing();
    std::uint64_t bytes = 0;
    std::uint64_t wanted = 0;
    auto replay = journal->replay(from, UINT64_MAX);
    while (const auto record = replay.next()) {
      EXPECT_TRUE(wanted == 0 ? record->sequence >= from : record->sequence == wanted);
      EXPECT_EQ(record->bytes, message_of(record->sequence, sizes[record->sequence - first]));
      wanted = record->sequence + 1;
      bytes += format::record_bytes(record->bytes.size());
    }
    EXPECT_TRUE(from >= end || wanted == end);
    EXPECT_FALSE(replay.damaged());
    return bytes;
  }
};

TEST(RingBudget, ManyRingsOfOneBudgetKeepTheirRecordsAndStayWithinIt) {
  for (const unsigned seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const std::uint64_t limit = (6 + random() % 40) * segment_bytes() + random() % 1'000;
    RingBudget budget(limit);
    std::vector<Ring> rings(6);
    std::uint64_t refusals = 0;
    for (int step = 0; step < 12'000; ++step) {
      Ring& ring = rings[random() % rings.size()];
      if (ring.journal == nullptr) {
        const bool fits = limit - budget.taken() >= bytes_at_start();
        auto opened = Journal::open(options_of(&budget));
        ASSERT_EQ(opened.has_value(), fits);
        if (opened) {
          ring = {.journal = std::move(*opened), .sizes = {}, .first = 1};
        }
        continue;
      }
      const std::size_t longest = random() % 50 == 0 ? bounded_ring_message_max : 1'500;
      ring.append(20 + random() % longest);
      if (random() % 3 != 0) {
        prepare(*ring.journal);
      }
      ASSERT_LE(budget.taken(), limit);
      refusals += ring.journal->take_ring_refusals();
      if (random() % 400 == 0) {
        const std::uint64_t end = ring.journal->next_outgoing();
        const std::uint64_t kept = ring.check(1 + random() % end);
        ASSERT_LE(kept, bounded_ring_bytes + 4 * segment_bytes());
        ring.check(1);
      }
      if (random() % 2'500 == 0) {
        ring.check(1);
        ring.journal.reset();
      }
    }
    EXPECT_GT(refusals, 0U);
    for (Ring& ring : rings) {
      ring.journal.reset();
    }
    EXPECT_EQ(budget.taken(), 0U);
  }
}

TEST(RingBudget, WritersOnTheirThreadsAndOnePreparerShareIt) {
  RingBudget budget(20 * segment_bytes());
  constexpr std::size_t writers = 4;
  std::vector<std::unique_ptr<Journal>> journals;
  for (std::size_t number = 0; number < writers; ++number) {
    journals.push_back(open_ring(budget));
    ASSERT_NE(journals.back(), nullptr);
  }
  std::atomic<bool> over{false};
  support::RepeatingThread preparer([&] {
    for (const auto& journal : journals) {
      if (journal->needs_preparation()) {
        static_cast<void>(journal->prepare());
      }
    }
    if (budget.taken() > budget.limit()) {
      over.store(true, std::memory_order_relaxed);
    }
    return false;
  });
  std::atomic<std::size_t> refused{0};
  std::vector<std::thread> threads;
  for (const auto& journal : journals) {
    threads.emplace_back([&refused, &journal] {
      for (std::uint64_t sequence = 1; sequence <= 8'000; ++sequence) {
        if (journal->append_sent(sequence, start_ns, message_of(sequence, 300)) !=
            AppendResult::Appended) {
          refused.fetch_add(1, std::memory_order_relaxed);
        }
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  preparer.stop();
  EXPECT_EQ(refused.load(), 0U);
  EXPECT_FALSE(over.load());
  EXPECT_EQ(budget.taken(), budget.limit());
  for (const auto& journal : journals) {
    EXPECT_GT(count_kept(*journal), 100U);
  }
}

// --- The system's memory ---

TEST(RingBudget, BoundsTheMemoryThatIsTakenAndGetsItBack) {
  if (support::sanitized) {
    GTEST_SKIP() << "a sanitizer's own memory counts, too";
  }
  constexpr std::size_t count = 30;
  RingBudget budget(count * bytes_at_start() + 10 * segment_bytes());
  std::vector<std::unique_ptr<Journal>> journals;
  const std::size_t before = support::own_memory_bytes();
  for (std::size_t number = 0; number < count; ++number) {
    journals.push_back(open_ring(budget));
    ASSERT_NE(journals.back(), nullptr);
  }
  for (const auto& journal : journals) {
    send_segments(*journal, 20);
  }
  const std::size_t full = support::own_memory_bytes();
  EXPECT_GT(full, before + budget.limit() / 2);
  // A journal's own 4 KiB, and its data about each of 17 segments.
  EXPECT_LT(full, before + budget.limit() + count * (4 * kib + 17 * std::uint64_t{144}));
  journals.clear();
  EXPECT_LT(support::own_memory_bytes(), before + budget.limit() / 10);
}

// In a process that locks all mappings, each page of a ring would be present from the beginning.
TEST(RingBudget, ALockedRingTakesMemoryAsItIsUsed) {
  if (support::sanitized) {
    GTEST_SKIP() << "a sanitizer's own memory counts, too";
  }
  if (::mlockall(MCL_FUTURE) != 0) {
    GTEST_SKIP() << "this process may not lock memory";
  }
  RingBudget budget;
  journal::Options options = options_of(&budget);
  options.ring_bytes = 64 * 1024 * kib;
  options.lock_pages = true;
  const std::size_t before = support::own_memory_bytes();
  const auto journal = Journal::open(options);
  const std::size_t opened = support::own_memory_bytes();
  ::munlockall();
  if (!journal && journal.error().code == base::ErrorCode::Exhausted) {
    GTEST_SKIP() << "this process may not lock so much: " << journal.error().text();
  }
  ASSERT_TRUE(journal) << journal.error().text();
  EXPECT_LT(opened, before + 1024 * kib);
}

}  // namespace
}  // namespace affix::journal_test
