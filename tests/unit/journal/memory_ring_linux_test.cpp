// SPDX-License-Identifier: MIT
// Durability::Memory: the ring takes memory as it is used, keeps the required amount, and continues
// with or without preparation.
#include "affix/journal/journal.hpp"

#include "support/page_faults.hpp"
#include "support/repeating_thread.hpp"
#include "support/sanitized.hpp"
#include "unit/journal/journal_fixture.hpp"
#include "unit/journal/ring_preparation.hpp"

#include <cstdint>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

namespace affix::journal_test {
namespace {

using journal::AppendResult;
using journal::Journal;
using support::sanitized;

constexpr std::uint64_t ring_bytes = 4 * kib * kib;
constexpr std::size_t longest_message = 61'000;

std::unique_ptr<Journal> open_ring(std::uint64_t bytes = ring_bytes) {
  journal::Options options;
  options.identity = "FIX.4.4:US->THEM";
  options.durability = journal::Durability::Memory;
  options.ring_bytes = bytes;
  options.ring_message_bytes_max = longest_message;
  auto journal = Journal::open(options);
  EXPECT_TRUE(journal) << journal.error().message;
  return journal ? std::move(*journal) : nullptr;
}

std::size_t resident_bytes() {
  std::size_t all = 0;
  std::size_t resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

TEST(MemoryRing, TakesMemoryAsItIsUsed) {
  if (sanitized) {
    GTEST_SKIP() << "a sanitizer's own memory counts, too";
  }
  constexpr std::size_t journals = 200;
  std::vector<std::unique_ptr<Journal>> open;
  const std::size_t before = resident_bytes();
  const auto taken = [before] {
    const std::size_t now = resident_bytes();
    return now > before ? now - before : 0;
  };
  for (std::size_t number = 0; number < journals; ++number) {
    open.push_back(open_ring());
    ASSERT_NE(open.back(), nullptr);
    prepare(*open.back());
  }
  EXPECT_LT(taken(), journals * 32 * kib) << "before use";

  const std::string message(150, 'x');
  for (const std::unique_ptr<Journal>& journal : open) {
    for (std::uint64_t sequence = 1; sequence <= 20; ++sequence) {
      ASSERT_EQ(journal->append_sent(sequence, start_ns, message), AppendResult::Appended);
      prepare(*journal);
    }
  }
  EXPECT_LT(taken(), journals * 64 * kib) << "after a logon and a few messages";

  Journal& used = *open.front();
  const std::size_t little = taken();
  for (std::uint64_t sequence = used.next_outgoing(); sequence <= 100'000; ++sequence) {
    ASSERT_EQ(used.append_sent(sequence, start_ns, message), AppendResult::Appended);
    prepare(used);
  }
  EXPECT_LT(taken(), little + ring_bytes * 9 / 8 + 512 * kib) << "a segment more, and headers";
  EXPECT_GT(taken(), little + ring_bytes / 2);
}

TEST(MemoryRing, AppendsFindThePagesThatWerePrepared) {
  if (sanitized) {
    GTEST_SKIP() << "a sanitizer's own pages count, too";
  }
  const std::string message(400, 'x');
  std::int64_t faults = 0;
  for (int time = 0; time < 2; ++time) {  // The first run faults in the program's own pages.
    const auto journal = open_ring();
    ASSERT_NE(journal, nullptr);
    faults = 0;
    for (std::uint64_t sequence = 1; sequence <= 20'000; ++sequence) {
      const std::int64_t before = support::page_faults_of_this_thread();
      ASSERT_EQ(journal->append_sent(sequence, start_ns, message), AppendResult::Appended);
      faults += support::page_faults_of_this_thread() - before;
      prepare(*journal);
    }
  }
  const std::int64_t pages = static_cast<std::int64_t>(ring_bytes) / ::sysconf(_SC_PAGESIZE);
  EXPECT_LT(faults, pages / 20);
}

TEST(MemoryRing, KeepsTheNewestRoundAfterRoundWhicheverThreadPrepares) {
  std::mt19937 random(20'251'124);
  constexpr std::uint64_t small_ring_bytes = 1024 * kib;
  for (int run = 0; run < 12; ++run) {
    SCOPED_TRACE(run);
    const auto journal = open_ring(small_ring_bytes);
    ASSERT_NE(journal, nullptr);
    const std::size_t longest = std::vector<std::size_t>{200, 5'000, 60'000}[random() % 3];
    const unsigned prepared_of_8 = run % 3 == 0 ? 0 : 1 + random() % 8;
    std::vector<std::string> sent;
    std::size_t bytes = 0;
    while (bytes < 3 * small_ring_bytes) {
      const std::uint64_t sequence = sent.size() + 1;
      sent.push_back(message_of(sequence, 40 + random() % longest));
      bytes += sent.back().size() + 64;
      ASSERT_EQ(journal->append_sent(sequence, start_ns, sent.back()), AppendResult::Appended);
      if (random() % 8 < prepared_of_8) {
        prepare(*journal);
      }
      if (random() % 4'000 != 0 && bytes < 3 * small_ring_bytes) {
        continue;
      }
      // More than half of the ring, as its segments may end early by the longest message.
      std::size_t within = 0;
      std::uint64_t from = sequence;
      while (from > 1 &&
             within + sent[from - 2].size() + 64 < small_ring_bytes * 10 / 16 - longest) {
        --from;
        within += sent[from - 1].size() + 64;
      }
      auto replay = journal->replay(from, sequence);
      for (std::uint64_t wanted = from; wanted <= sequence; ++wanted) {
        const auto record = replay.next();
        ASSERT_TRUE(record) << wanted;
        ASSERT_EQ(record->sequence, wanted);
        ASSERT_EQ(record->bytes, sent[wanted - 1]);
      }
    }
    EXPECT_EQ(journal->stalls(), 0U);
  }
}

TEST(MemoryRing, IsPreparedByAnotherThreadWhileItIsUsed) {
  for (int run = 0; run < 8; ++run) {
    const auto journal = open_ring();
    ASSERT_NE(journal, nullptr);
    support::RepeatingThread preparer(
        [&] { return journal->needs_preparation() && journal->prepare().has_value(); });
    constexpr std::uint64_t last = 20'000;
    std::size_t refused = 0;
    for (std::uint64_t sequence = 1; sequence <= last; ++sequence) {
      refused += journal->append_sent(sequence, start_ns, message_of(sequence, 300)) !=
                 AppendResult::Appended;
    }
    preparer.stop();
    ASSERT_EQ(refused, 0U);
    constexpr std::uint64_t kept = 8'000;
    auto replay = journal->replay(last - kept + 1, last);
    for (std::uint64_t wanted = last - kept + 1; wanted <= last; ++wanted) {
      const auto record = replay.next();
      ASSERT_TRUE(record) << wanted;
      ASSERT_EQ(record->bytes, message_of(wanted, 300));
    }
  }
}

}  // namespace
}  // namespace affix::journal_test
