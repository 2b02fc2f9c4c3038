// SPDX-License-Identifier: MIT
// Segments made ready ahead of need, by another thread or between batches; no append stalls then,
// and none allocates.
#include "affix/journal/journal.hpp"

#include "unit/journal/journal_fixture.hpp"

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

namespace {

// Counts this thread's allocations while it is not negative.
thread_local long allocations = -1;

[[maybe_unused]] void count_allocation() noexcept {
  if (allocations >= 0) {
    ++allocations;
  }
}

}  // namespace

// ThreadSanitizer brings its own, and two cannot be linked; there the count stays at zero.
#if defined(__SANITIZE_THREAD__)
#define AFFIX_TEST_COUNTS_NOTHING
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define AFFIX_TEST_COUNTS_NOTHING
#endif
#endif

#ifndef AFFIX_TEST_COUNTS_NOTHING

void* operator new(std::size_t bytes) {
  count_allocation();
  if (void* const at = std::malloc(bytes)) {
    return at;
  }
  std::abort();
}

void operator delete(void* at) noexcept {
  std::free(at);
}

void operator delete(void* at, std::size_t) noexcept {
  std::free(at);
}

#endif

namespace affix::journal_test {
namespace {

using journal::AppendResult;
using journal::Journal;

using JournalPrepare = JournalTest;

TEST_F(JournalPrepare, IsAskedForWhenTheSegmentIsHalfUsed) {
  const auto journal = open();
  EXPECT_FALSE(journal->needs_preparation());
  std::uint64_t sequence = 1;
  while (journal->end().offset + 2 * format::record_bytes(100) < 32 * 1024) {
    send(*journal, sequence, sequence, 100);
    ++sequence;
  }
  EXPECT_FALSE(journal->needs_preparation());
  send(*journal, sequence, sequence + 3, 100);
  EXPECT_TRUE(journal->needs_preparation());
  EXPECT_FALSE(std::filesystem::exists(segment_file(2)));
  ASSERT_TRUE(journal->prepare());
  EXPECT_FALSE(journal->needs_preparation());
  EXPECT_EQ(std::filesystem::file_size(segment_file(2)), 128U * 1024);
  ASSERT_TRUE(journal->close());
  EXPECT_FALSE(std::filesystem::exists(segment_file(2))) << "not used, so not left behind";
}

TEST_F(JournalPrepare, PreparedInTimeNothingStallsAndNothingAllocates) {
#ifndef AFFIX_TEST_COUNTS_NOTHING
  allocations = 0;
  ::operator delete(::operator new(8));
  ASSERT_EQ(allocations, 1) << "the counter does not count";
  allocations = -1;
#endif
  const auto journal = open();
  const std::string message = message_of(1, 212);
  const std::string_view pieces[] = {message, message};
  journal::Position unmarked;
  std::uint64_t sequence = 1;
  while (journal->end().segment < 6) {
    allocations = 0;
    bool appended = true;
    for (int batch = 0; batch < 16; ++batch, ++sequence) {
      appended =
          appended && journal->append_sent(sequence, start_ns, message) == AppendResult::Appended;
      const journal::Appended received =
          journal->append_received(sequence, sequence + 1, start_ns, message);
      appended = appended && received.result == AppendResult::Appended;
      journal->mark_processed(received.position);
      appended = appended &&
                 journal->append_held(sequence + 9, start_ns, message) == AppendResult::Appended;
    }
    appended = appended && journal->append_sent(sequence, sequence + 1, start_ns, pieces) ==
                               AppendResult::Appended;
    ++sequence;
    appended = appended && journal->append_event(journal::EventType::Remark, 0, 0, start_ns,
                                                 message) == AppendResult::Appended;
    const bool wants = journal->needs_preparation();
    const long counted = allocations;
    allocations = -1;
    ASSERT_TRUE(appended);
    ASSERT_EQ(counted, 0);
    if (wants) {
      ASSERT_TRUE(journal->prepare());
    }
    unmarked = journal->end();
  }
  EXPECT_EQ(journal->stalls(), 0U);
  EXPECT_FALSE(read_all().damage);
}

TEST_F(JournalPrepare, WithoutItAppendsPrepareForThemselves) {
  journal::Options with = options();
  with.first_segment_bytes = 8 * 1024;
  with.max_segment_bytes = 8 * 1024;
  const auto journal = open(with);
  send(*journal, 1, 200);
  EXPECT_GE(journal->stalls(), 3U);
  EXPECT_EQ(journal->stalls(), journal->end().segment - 1);
}

TEST_F(JournalPrepare, SegmentPreparedTooSmallIsReplaced) {
  const auto journal = open();
  std::uint64_t sequence = 1;
  while (!journal->needs_preparation()) {
    send(*journal, sequence, sequence, 200);
    ++sequence;
  }
  ASSERT_TRUE(journal->prepare());
  const std::string large(300'000, 'x');
  ASSERT_EQ(journal->append_sent(sequence, start_ns, large), AppendResult::Appended);
  EXPECT_EQ(journal->stalls(), 1U);
  EXPECT_EQ(std::filesystem::file_size(segment_file(2)), 512U * 1024);
  const Contents contents = read_all();
  EXPECT_FALSE(contents.damage);
  EXPECT_EQ(contents.rows.size(), sequence);
  EXPECT_EQ(contents.rows.back().bytes, large);
}

TEST_F(JournalPrepare, FromAnotherThreadAllTheTime) {
  journal::Options with = options();
  with.first_segment_bytes = 8 * 1024;
  with.max_segment_bytes = 32 * 1024;
  with.sequence_reserve = 400;
  const auto journal = open(with);
  std::atomic<bool> done{false};
  std::thread preparer([&] {
    while (!done.load()) {
      if (journal->needs_preparation()) {
        EXPECT_TRUE(journal->prepare());
      } else {
        std::this_thread::yield();
      }
    }
  });
  for (std::uint64_t sequence = 1; sequence <= 20'000; ++sequence) {
    const journal::Appended received =
        journal->append_received(sequence, sequence + 1, start_ns, "x");
    send(*journal, sequence, sequence);
    journal->mark_processed(received.position);
    if (sequence % 1'000 == 0) {
      ASSERT_EQ(numbers_of(journal->replay(sequence - 700, sequence)),
                range(sequence - 700, sequence));
    }
  }
  done = true;
  preparer.join();
  EXPECT_FALSE(read_all().damage);
  EXPECT_TRUE(numbers_of(journal->unprocessed()).empty());
  EXPECT_EQ(numbers_of(journal->replay(1, 20'000)), range(1, 20'000));
}

}  // namespace
}  // namespace affix::journal_test
