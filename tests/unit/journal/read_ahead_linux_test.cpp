// SPDX-License-Identifier: MIT
// Replays of history that is not in memory: another thread reads, the writer never waits for the
// disk, and memory use stays constant.
#include "journal/find_record.hpp"
#include "journal/segment_files.hpp"
#include "support/no_free_descriptors.hpp"
#include "support/page_cache.hpp"
#include "support/repeating_thread.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <random>
#include <thread>

namespace affix::journal_test {
namespace {

using journal::AppendResult;
using journal::ColdPages;
using journal::Journal;
using support::NoFreeDescriptors;

/// Runs a replay to its end, calling `bring` whenever it waits.
template <typename Bring>
std::vector<std::uint64_t> numbers_awaited(journal::Replay replay, Bring&& bring) {
  std::vector<std::uint64_t> numbers;
  for (;;) {
    if (const std::optional<journal::Record> record = replay.next()) {
      EXPECT_EQ(record->bytes.substr(0, 13 + std::to_string(record->sequence).size()),
                "8=FIX.4.4|34=" + std::to_string(record->sequence));
      numbers.push_back(record->sequence);
    } else if (replay.waiting()) {
      bring();
    } else {
      EXPECT_FALSE(replay.damaged());
      return numbers;
    }
  }
}

class JournalReadAhead : public JournalTest {
 protected:
  [[nodiscard]] std::vector<std::uint64_t> awaited(Journal& journal, std::uint64_t from,
                                                   std::uint64_t to) {
    return numbers_awaited(journal.replay(from, to, ColdPages::Await), [&] {
      ++waits_;
      ASSERT_TRUE(journal.needs_read_ahead());
      ASSERT_TRUE(journal.read_ahead());
    });
  }

  std::size_t waits_ = 0;
};

TEST_F(JournalReadAhead, SegmentsMappedByTheWriterAreGivenAtOnce) {
  const auto journal = open();
  send(*journal, 1, 100);
  EXPECT_EQ(awaited(*journal, 1, 100), range(1, 100));
  EXPECT_EQ(waits_, 0U);
  EXPECT_FALSE(journal->needs_read_ahead());
  EXPECT_FALSE(journal->read_ahead());
}

TEST_F(JournalReadAhead, OlderSegmentsAreWaitedForAndTheRangeIsExact) {
  const auto journal = open(small_segments());
  send(*journal, 1, 3'000);
  for (std::uint64_t from = 1; from <= 3'000; from += 41) {
    ASSERT_EQ(awaited(*journal, from, from + 150),
              range(from, std::min<std::uint64_t>(from + 150, 3'000)));
  }
  EXPECT_EQ(awaited(*journal, 1, UINT64_MAX), range(1, 3'000));
  EXPECT_GT(waits_, 10U);
  EXPECT_TRUE(journal->read_ahead()) << "what the last one is done with";
  EXPECT_FALSE(journal->read_ahead());
}

TEST_F(JournalReadAhead, WithoutAReadingThreadNothingWaitsForever) {
  const auto journal = open(small_segments());
  send(*journal, 1, 1'000);
  journal::Replay replay = journal->replay(1, 1'000, ColdPages::Await);
  for (int look = 0; look < 3; ++look) {
    EXPECT_FALSE(replay.next());
    EXPECT_TRUE(replay.waiting());
    EXPECT_FALSE(replay.damaged());
  }
  journal->read_ahead();
  EXPECT_EQ(replay.next()->sequence, 1U);
  EXPECT_FALSE(replay.waiting());
}

TEST_F(JournalReadAhead, ARecordSteppedBackFromComesAgain) {
  const auto journal = open(small_segments());
  send(*journal, 1, 600);
  journal::Replay replay = journal->replay(1, 600, ColdPages::Await);
  std::uint64_t expected = 1;
  while (expected <= 600) {
    const auto record = replay.next();
    if (!record) {
      ASSERT_TRUE(replay.waiting());
      journal->read_ahead();
      continue;
    }
    ASSERT_EQ(record->sequence, expected);
    if (expected % 3 == 0) {
      replay.step_back();
      ASSERT_EQ(replay.next()->sequence, expected);
    }
    ++expected;
  }
  EXPECT_FALSE(replay.next());
}

TEST_F(JournalReadAhead, RecordsLongerThanAStretchAreBroughtWhole) {
  journal::Options with = options();
  with.max_segment_bytes = 8 * 1024 * 1024;
  const auto journal = open(with);
  for (std::uint64_t sequence = 1; sequence <= 30; ++sequence) {
    ASSERT_EQ(journal->append_sent(sequence, start_ns,
                                   message_of(sequence, sequence % 4 == 0 ? 3'000'000 : 90)),
              AppendResult::Appended);
  }
  ASSERT_GT(journal->end().segment, 4U);
  EXPECT_EQ(awaited(*journal, 1, 30), range(1, 30));
}

TEST_F(JournalReadAhead, WithSyncRecordsNotOnTheDiskYetAreGivenToo) {
  journal::Options with = small_segments();
  with.durability = journal::Durability::Sync;
  const auto journal = open(with);
  send(*journal, 1, 400);
  ASSERT_TRUE(journal->flush());
  send(*journal, 401, 500);
  EXPECT_EQ(awaited(*journal, 1, 500), range(1, 500));
  ASSERT_TRUE(journal->flush());
  EXPECT_EQ(awaited(*journal, 250, 500), range(250, 500));
}

TEST_F(JournalReadAhead, ASegmentThatGoesMeanwhileIsNumbersWithoutMessages) {
  const auto journal = open(small_segments());
  send(*journal, 1, 2'000);
  journal::Replay replay = journal->replay(1, 2'000, ColdPages::Await);
  EXPECT_FALSE(replay.next());
  for (std::uint32_t number = 1; number <= 3; ++number) {
    std::filesystem::remove(segment_file(number));
  }
  const std::vector<std::uint64_t> left =
      numbers_awaited(std::move(replay), [&] { journal->read_ahead(); });
  ASSERT_FALSE(left.empty());
  EXPECT_GT(left.front(), 1U);
  EXPECT_EQ(left, range(left.front(), 2'000));
}

TEST_F(JournalReadAhead, WithoutADescriptorItIsAskedAgain) {
  const auto journal = open(small_segments());
  send(*journal, 1, 2'000);
  ASSERT_GT(journal->end().segment, 10U);
  std::size_t refusals = 0;
  const std::vector<std::uint64_t> numbers =
      numbers_awaited(journal->replay(1, 2'000, ColdPages::Await), [&] {
        {
          const NoFreeDescriptors none;
          refusals += journal->read_ahead() ? 0U : 1U;
        }
        ASSERT_TRUE(journal->needs_read_ahead() || refusals == 0);
        journal->read_ahead();
      });
  EXPECT_EQ(numbers, range(1, 2'000));
  EXPECT_GT(refusals, 5U) << "the search, and the opening of most segments";
}

TEST_F(JournalReadAhead, OneGivenUpWithoutADescriptorLeavesNothingBehind) {
  const auto journal = open(small_segments());
  send(*journal, 1, 2'000);
  {
    journal::Replay replay = journal->replay(1, 2'000, ColdPages::Await);
    EXPECT_FALSE(replay.next());
    const NoFreeDescriptors none;
    EXPECT_FALSE(journal->read_ahead());
    EXPECT_FALSE(replay.next());
    EXPECT_TRUE(replay.waiting());
  }
  EXPECT_TRUE(journal->read_ahead());
  EXPECT_FALSE(journal->needs_read_ahead());
  const journal::Replay unanswered = journal->replay(1, 2'000, ColdPages::Await);
  const NoFreeDescriptors none;
  EXPECT_FALSE(journal->read_ahead());
}

TEST_F(JournalReadAhead, OneThatReadsAwaitsFromTheFirstLackOfADescriptorOn) {
  const auto journal = open(small_segments());
  send(*journal, 1, 2'000);
  for (const std::uint64_t read_before : {0U, 100U}) {
    SCOPED_TRACE(read_before);
    std::optional<NoFreeDescriptors> none;
    if (read_before == 0) {
      none.emplace();  // Already the search finds none.
    }
    journal::Replay replay = journal->replay(1, 2'000);
    for (std::uint64_t sequence = 1; sequence <= read_before; ++sequence) {
      ASSERT_TRUE(replay.next());
    }
    if (!none) {
      none.emplace();
    }
    std::uint64_t next = read_before + 1;
    while (const std::optional<journal::Record> record = replay.next()) {
      EXPECT_EQ(record->sequence, next);
      ++next;
    }
    ASSERT_TRUE(replay.waiting());
    EXPECT_FALSE(replay.damaged());
    EXPECT_FALSE(journal->read_ahead());
    none.reset();
    EXPECT_EQ(numbers_awaited(std::move(replay), [&] { ASSERT_TRUE(journal->read_ahead()); }),
              range(next, 2'000));
    EXPECT_TRUE(journal->read_ahead()) << "what it is done with";
  }
}

TEST_F(JournalReadAhead, TheSearchSkipsNoSegmentThatItCannotRead) {
  std::uint32_t newest = 0;
  {
    const auto journal = open(small_segments());
    send(*journal, 1, 2'000);
    newest = journal->end().segment;
  }
  const auto files = journal::SegmentFiles::open(directory(), journal::system_disk());
  ASSERT_TRUE(files);
  const auto found = journal::find_segment(*files, 1, newest, 1);
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, 1U);
  const NoFreeDescriptors none;
  const auto refused = journal::find_segment(*files, 1, newest, 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), EMFILE);
}

TEST_F(JournalReadAhead, AFileCutShortIsDamage) {
  const auto journal = open(small_segments());
  send(*journal, 1, 2'000);
  std::filesystem::resize_file(segment_file(2), 4'096);
  journal::Replay replay = journal->replay(1, 2'000, ColdPages::Await);
  std::uint64_t given = 0;
  for (;;) {
    if (const auto record = replay.next()) {
      given = record->sequence;
    } else if (replay.waiting()) {
      journal->read_ahead();
    } else {
      break;
    }
  }
  EXPECT_TRUE(replay.damaged());
  EXPECT_GT(given, 10U);
  EXPECT_LT(given, 200U);
}

TEST_F(JournalReadAhead, OneGivenUpAtAnyMomentLeavesNothingBehind) {
  std::mt19937 random(1);  // Any seed works: the test must reach all moments.
  auto journal = open(small_segments());
  send(*journal, 1, 2'000);

  struct Resend {
    journal::Replay replay;
    std::uint64_t next;
    std::uint64_t last;
  };

  std::vector<Resend> replays;
  std::uint64_t given = 0;
  for (int round = 0; round < 2'000; ++round) {
    const std::uint64_t from = 1 + random() % 2'000;
    const std::uint64_t to = from + random() % 500;
    replays.push_back(
        {journal->replay(from, to, ColdPages::Await), from, std::min<std::uint64_t>(to, 2'000)});
    for (std::size_t steps = random() % 300; steps > 0; --steps) {
      Resend& resend = replays[random() % replays.size()];
      if (const auto record = resend.replay.next()) {
        ASSERT_EQ(record->sequence, resend.next) << "round " << round;
        ++resend.next;
        ++given;
      } else if (resend.replay.waiting()) {
        if (random() % 2 == 0) {
          journal->read_ahead();
        }
      } else {
        ASSERT_EQ(resend.next, resend.last + 1) << "round " << round;
      }
    }
    if (replays.size() > 3) {
      std::swap(replays[random() % replays.size()], replays.back());
      replays.pop_back();
    }
  }
  EXPECT_GT(given, 10'000U);
  replays.clear();
  journal.reset();  // With unhandled requests.
}

TEST_F(JournalReadAhead, AnotherThreadReadsWhileTheWriterAppends) {
  const auto journal = open(small_segments());
  send(*journal, 1, 5'000);
  const support::RepeatingThread reader([&] { return prepare_and_read_ahead(*journal); });
  std::uint64_t live = 5'001;
  for (std::uint64_t from = 1; from < 5'000; from += 499) {
    const std::vector<std::uint64_t> numbers =
        numbers_awaited(journal->replay(from, from + 900, ColdPages::Await), [&] {
          send(*journal, live, live);
          ++live;
        });
    ASSERT_EQ(numbers, range(from, std::min<std::uint64_t>(from + 900, numbers.back())));
    ASSERT_GE(numbers.back(), std::min<std::uint64_t>(from + 900, 5'000));
  }
}

/// History on a disk whose pages can be dropped from memory.
class JournalColdHistory : public JournalTest {
 protected:
  static constexpr std::uint64_t messages = 100'000;

  void SetUp() override {
    options_ = options();
    options_.directory = disk_.path() + "/session";
    options_.max_segment_bytes = 4 * 1024 * 1024;
    {
      const auto journal = open(options_);
      ASSERT_TRUE(journal);
      send(*journal, 1, messages, 400);
    }
    if (!forget_history()) {
      GTEST_SKIP() << "files here cannot be taken out of memory";
    }
    journal_ = open(options_);
    ASSERT_TRUE(journal_);
    ASSERT_GT(journal_->end().segment, 8U);
  }

  /// True if then only pages of the two newest segments are in memory.
  [[nodiscard]] bool forget_history() const {
    bool forgotten = true;
    for (const auto& entry : std::filesystem::directory_iterator(options_.directory)) {
      forgotten = support::forget_pages(entry.path()) && forgotten;
    }
    return forgotten;
  }

  [[nodiscard]] std::size_t resident_bytes() const {
    std::size_t bytes = 0;
    for (std::uint32_t number = 1; number + 2 < journal_->end().segment; ++number) {
      bytes += support::resident_bytes(journal::segment_file_path(options_.directory, number));
    }
    return bytes;
  }

  support::TemporaryDirectory disk_;
  journal::Options options_;
  std::unique_ptr<Journal> journal_;
};

TEST_F(JournalColdHistory, TheWriterReadsNothingFromTheDisk) {
  support::RepeatingThread reader([&] { return journal_->read_ahead(); });
  const support::ThreadReads before = support::thread_reads();
  const std::vector<std::uint64_t> numbers = numbers_awaited(
      journal_->replay(1, messages, ColdPages::Await), [] { std::this_thread::yield(); });
  const support::ThreadReads after = support::thread_reads();
  reader.stop();
  EXPECT_EQ(numbers, range(1, messages));
  EXPECT_EQ(after.major_faults, before.major_faults);
  EXPECT_EQ(after.blocks, before.blocks);
}

TEST_F(JournalColdHistory, AReplayThatDoesNotAwaitReadsItself) {
  const support::ThreadReads before = support::thread_reads();
  EXPECT_EQ(numbers_of(journal_->replay(1, messages)), range(1, messages));
  EXPECT_GT(support::thread_reads().blocks, before.blocks)
      << "or the test beside this one cannot fail";
}

TEST_F(JournalColdHistory, MemoryStaysFlatAndTheCacheIsAsItWas) {
  const std::size_t cached_before = resident_bytes();
  const std::size_t mapped_before = support::mapped_file_bytes();
  std::size_t cached = 0;
  std::size_t mapped = 0;
  int waits = 0;
  const std::vector<std::uint64_t> numbers =
      numbers_awaited(journal_->replay(1, messages, ColdPages::Await), [&] {
        journal_->read_ahead();
        if (++waits % 4 == 0) {
          cached = std::max(cached, resident_bytes());
          mapped = std::max(mapped, support::mapped_file_bytes());
        }
      });
  EXPECT_EQ(numbers.size(), messages);
  journal_->read_ahead();
  EXPECT_GT(waits, 20);
  // Stretches of half a megabyte: one current, one ahead, one behind, and the system's read-ahead.
  constexpr std::size_t flat_bytes = 4 * 1024 * 1024;
  RecordProperty("cached", std::to_string(cached - cached_before));
  RecordProperty("mapped", std::to_string(mapped - mapped_before));
  EXPECT_LT(cached, cached_before + flat_bytes);
  EXPECT_LT(mapped, mapped_before + flat_bytes);
  EXPECT_LT(resident_bytes(), cached_before + flat_bytes);
  EXPECT_LT(support::mapped_file_bytes(), mapped_before + flat_bytes);
}

TEST_F(JournalColdHistory, AFileCutShortWhileItIsReadIsDamageAndNoSignal) {
  journal::Replay replay = journal_->replay(1, messages, ColdPages::Await);
  std::uint64_t given = 0;
  bool cut = false;
  for (;;) {
    if (const auto record = replay.next()) {
      given = record->sequence;
      if (!cut && record->position.segment == 8) {
        std::filesystem::resize_file(journal::segment_file_path(options_.directory, 8),
                                     2 * 1024 * 1024);
        cut = true;
      }
    } else if (replay.waiting()) {
      journal_->read_ahead();
    } else {
      break;
    }
  }
  EXPECT_TRUE(replay.damaged());
  EXPECT_GT(given, 1'000U);
  EXPECT_LT(given, messages);
}

TEST_F(JournalColdHistory, PagesThatWereInMemoryBeforeStayThere) {
  const std::string path = journal::segment_file_path(options_.directory, 4);
  ASSERT_FALSE(read_file(path).empty());
  const std::size_t before = support::resident_bytes(path);
  ASSERT_GT(before, 100'000U);
  EXPECT_EQ(numbers_awaited(journal_->replay(1, messages, ColdPages::Await),
                            [&] { journal_->read_ahead(); })
                .size(),
            messages);
  journal_->read_ahead();
  EXPECT_EQ(support::resident_bytes(path), before);
}

}  // namespace
}  // namespace affix::journal_test
