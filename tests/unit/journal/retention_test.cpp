// SPDX-License-Identifier: MIT
// Retention of a journal's history, and archiving.
#include "affix/base/time.hpp"

#include "support/recording_disk.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <cerrno>
#include <time.h>
#include <utility>

namespace affix::journal_test {
namespace {

using base::ns_per_second;
using journal::AppendResult;
using journal::Journal;

constexpr std::int64_t day_ns = 86'400 * ns_per_second;

std::int64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * ns_per_second + now.tv_nsec;
}

class Retention : public JournalTest {
 protected:
  [[nodiscard]] journal::Options small() const { return small_segments(8 * 1024); }

  /// Appends until the journal is in segment `until`, each record at `utc_ns`; prepares meanwhile.
  static void fill(Journal& journal, std::uint32_t until, std::int64_t utc_ns) {
    while (journal.end().segment < until) {
      const std::uint64_t next = journal.next_outgoing();
      ASSERT_EQ(journal.append_sent(next, utc_ns, message_of(next, 900)), AppendResult::Appended);
      ASSERT_TRUE(journal.prepare());
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> segments(const std::string& where) const {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t number = 1; number < 100; ++number) {
      if (std::filesystem::exists(where + segment_file(number).substr(directory().size()))) {
        numbers.push_back(number);
      }
    }
    return numbers;
  }
};

TEST_F(Retention, EverythingIsKeptUnlessAskedOtherwise) {
  const auto journal = open(small());
  fill(*journal, 8, now_ns() - 400 * day_ns);
  EXPECT_EQ(segments(directory()).front(), 1U);
}

TEST_F(Retention, BySizeTheOldestGo) {
  journal::Options with = small();
  with.keep_bytes = 5 * 8 * 1024;
  const auto journal = open(with);
  fill(*journal, 20, now_ns());
  const std::vector<std::uint32_t> left = segments(directory());
  EXPECT_LE(left.size(), 7U);
  EXPECT_GE(left.size(), 4U);
  EXPECT_EQ(left.back(), left.front() + left.size() - 1) << "a gap in the history";
  // Remaining messages are resent; removed ones are skipped.
  const std::vector<std::uint64_t> numbers = numbers_of(journal->replay(1, UINT64_MAX));
  ASSERT_FALSE(numbers.empty());
  EXPECT_EQ(numbers.back(), journal->next_outgoing() - 1);
  EXPECT_EQ(numbers, range(numbers.front(), numbers.back()));
  EXPECT_FALSE(read_all().damage);
}

TEST_F(Retention, ByAgeYoungSegmentsStay) {
  journal::Options with = small();
  with.keep_ns = 3'600 * ns_per_second;
  const auto journal = open(with);
  fill(*journal, 5, now_ns() - 2 * 3'600 * ns_per_second);
  fill(*journal, 10, now_ns() - 1'800 * ns_per_second);
  const std::vector<std::uint32_t> left = segments(directory());
  // The fifth has records of both times; only completely older segments are removed.
  EXPECT_EQ(left.front(), 5U);
}

TEST_F(Retention, ByDayTodayAndThoseBeforeItStay) {
  journal::Options with = small();
  with.keep_days = 2;
  const auto journal = open(with);
  const std::int64_t midnight_ns = now_ns() / day_ns * day_ns;
  fill(*journal, 4, midnight_ns - 2 * day_ns + ns_per_second);
  fill(*journal, 7, midnight_ns - ns_per_second);
  fill(*journal, 10, midnight_ns);
  EXPECT_EQ(segments(directory()).front(), 4U);
}

TEST_F(Retention, AnArchiveGetsThemWhole) {
  journal::Options with = small();
  with.keep_bytes = 3 * 8 * 1024;
  with.archive_directory = directory() + "-archive/session";
  std::string first;
  {
    const auto journal = open(with);
    fill(*journal, 2, now_ns());
    first = read_file(segment_file(1));
    fill(*journal, 9, now_ns());
  }
  const std::vector<std::uint32_t> archived = segments(with.archive_directory);
  const std::vector<std::uint32_t> left = segments(directory());
  ASSERT_FALSE(archived.empty());
  EXPECT_EQ(archived.front(), 1U);
  EXPECT_EQ(archived.back() + 1, left.front());
  EXPECT_EQ(read_file(with.archive_directory + "/0000000001.journal").substr(4096),
            first.substr(4096));
  // Another journal of the session does not overwrite existing files.
  std::filesystem::remove_all(directory());
  {
    const auto journal = open(with);
    fill(*journal, 9, now_ns() + 1);
  }
  EXPECT_EQ(read_file(with.archive_directory + "/0000000001.journal").substr(4096),
            first.substr(4096));
}

// A power loss leaves the segment in one of the two places: its copy and the copy's name are on the
// disk before it is removed.
TEST_F(Retention, AnArchiveOnAnotherFileSystemHasACopyOnItsDiskBeforeTheSegmentGoes) {
  support::RecordingDisk disk(1);
  journal::Options with = small();
  with.keep_bytes = 3 * 8 * 1024;
  with.archive_directory = directory() + "-archive/session";
  with.disk = &disk;
  using Call = support::RecordingDisk::Call;
  bool copied = false;
  bool named = false;
  std::size_t gone = 0;
  int failure = 0;
  disk.fault = [&](Call call, const std::string& path) {
    const bool of_archive = path.starts_with(with.archive_directory);
    if (call == Call::Rename && !of_archive && path.ends_with(".journal")) {
      if (std::exchange(named, false)) {
        ++gone;  // Its file is kept for reuse.
        return 0;
      }
      copied = false;
      return EXDEV;
    }
    if (call == Call::SyncFile && of_archive) {
      copied = true;
    }
    if (call == Call::SyncDirectory && of_archive) {
      if (failure != 0) {
        return failure;
      }
      EXPECT_TRUE(copied);
      named = true;
    }
    if (call == Call::Remove && !of_archive && path.ends_with(".journal")) {
      EXPECT_TRUE(std::exchange(named, false)) << path;
      ++gone;
    }
    return 0;
  };
  const auto journal = open(with);
  fill(*journal, 9, now_ns());
  EXPECT_GT(gone, 2U);
  EXPECT_EQ(segments(with.archive_directory).size(), gone);
  // A segment that cannot be archived stays.
  failure = EIO;
  const std::uint32_t oldest = segments(directory()).front();
  bool failed = false;
  for (std::uint64_t next = journal->next_outgoing(); journal->end().segment < 12; ++next) {
    send(*journal, next, next, 400);
    failed = (journal->needs_preparation() && !journal->prepare()) || failed;
  }
  EXPECT_TRUE(failed);
  EXPECT_EQ(segments(directory()).front(), oldest);
}

TEST_F(Retention, AnArchivesNameIsOnTheDiskBeforeASegmentIsInIt) {
  support::RecordingDisk disk(1);
  journal::Options with = small();
  with.keep_bytes = 3 * 8 * 1024;
  with.archive_directory = directory() + "-archive/session";
  with.disk = &disk;
  using Call = support::RecordingDisk::Call;
  const std::string parent = directory() + "-archive";
  const std::string grandparent = std::filesystem::path(directory()).parent_path();
  std::vector<std::string> synced;
  int failures = 1;
  disk.fault = [&](Call call, const std::string& path) {
    if (call == Call::SyncDirectory && (path == parent || path == grandparent)) {
      if (path == parent && failures-- > 0) {
        return EIO;
      }
      synced.push_back(path);
    }
    if (call == Call::Rename && path.ends_with(".journal")) {
      // The parent's first failure leaves nothing behind, so that it is attempted again.
      EXPECT_EQ(synced, (std::vector{grandparent, parent}));
    }
    return 0;
  };
  const auto journal = open(with);
  std::size_t refused = 0;
  for (std::uint64_t next = 1; journal->end().segment < 9; ++next) {
    send(*journal, next, next, 400);
    refused += journal->needs_preparation() && !journal->prepare() ? 1U : 0U;
  }
  EXPECT_EQ(refused, 1U);
  EXPECT_FALSE(segments(with.archive_directory).empty());
}

// The thread that prepares has other sessions' segments and reserves to see to, and a stop waits
// for it.
TEST_F(Retention, ABacklogGoesOneSegmentACall) {
  {
    const auto journal = open(small());
    fill(*journal, 20, now_ns());
  }
  journal::Options with = small();
  with.keep_bytes = 3 * 8 * 1024;
  const auto journal = open(with);
  while (journal->end().segment < 21) {
    const std::uint64_t next = journal->next_outgoing();
    send(*journal, next, next, 900);
  }
  std::uint32_t oldest = segments(directory()).front();
  int calls = 0;
  for (; journal->needs_preparation(); ++calls) {
    ASSERT_TRUE(journal->prepare());
    const std::uint32_t now_oldest = segments(directory()).front();
    EXPECT_LE(now_oldest, oldest + 1);
    oldest = now_oldest;
  }
  EXPECT_GT(calls, 10);
  EXPECT_GE(oldest, 17U) << "all of it is gone";
  EXPECT_FALSE(read_all().damage);
}

TEST_F(Retention, UndeliveredMessagesStay) {
  journal::Options with = small();
  with.keep_bytes = 8 * 1024;
  {
    const auto journal = open(with);
    fill(*journal, 3, now_ns());
    ASSERT_EQ(journal->append_received(1, 2, now_ns(), "unseen").result(), AppendResult::Appended);
    fill(*journal, 9, now_ns());
  }
  const auto journal = open(with);
  ASSERT_EQ(journal->recovered().unprocessed, 1U);
  EXPECT_LE(segments(directory()).front(), 3U);
  journal::Replay walk = journal->unprocessed();
  const auto record = walk.next();
  ASSERT_TRUE(record);
  EXPECT_EQ(record->bytes, "unseen");
}

// Of an application that always has a message in work, also across a restart.
TEST_F(Retention, AMessageProcessedLateDelaysItOnlyUntilThen) {
  journal::Options with = small();
  with.keep_bytes = 4 * 8 * 1024;
  for (const bool restarts : {false, true}) {
    SCOPED_TRACE(restarts);
    std::filesystem::remove_all(directory());
    auto journal = open(with);
    const journal::Position late = receive(*journal);
    fill(*journal, 4, now_ns());
    journal::Position in_work = receive(*journal);
    if (restarts) {
      journal.reset();
      journal = open(with);
    }
    EXPECT_EQ(journal->oldest_unprocessed(), late);
    journal->mark_processed(late);
    for (std::uint32_t segment = 5; segment < 20; ++segment) {
      fill(*journal, segment, now_ns());
      const journal::Position next = receive(*journal);
      journal->mark_processed(std::exchange(in_work, next));
      ASSERT_EQ(journal->unprocessed_count(), 1U);
      EXPECT_EQ(journal->oldest_unprocessed(), in_work);
      ASSERT_TRUE(journal->prepare());
    }
    EXPECT_LE(segments(directory()).size(), 7U);
  }
}

// Not in the order of the messages, where the oldest are in segments that are not mapped.
TEST_F(Retention, EachSegmentGoesOnceItsMessagesAreProcessed) {
  journal::Options with = small();
  with.keep_bytes = 8 * 1024;
  const auto journal = open(with);
  std::vector<journal::Position> backlog;
  for (std::uint32_t segment = 1; segment <= 10; ++segment) {
    fill(*journal, segment, now_ns());
    backlog.push_back(receive(*journal));
    backlog.push_back(receive(*journal));
  }
  for (std::size_t at = 0; at + 2 < backlog.size(); at += 2) {
    journal->mark_processed(backlog[at + 1]);
    EXPECT_EQ(journal->oldest_unprocessed().segment, backlog[at].segment);
    journal->mark_processed(backlog[at]);
    EXPECT_EQ(journal->oldest_unprocessed().segment, backlog[at + 2].segment);
  }
  EXPECT_EQ(numbers_of(journal->unprocessed()), range(19, 20));
}

TEST_F(Retention, NoneGoesWhileOneCannotBeLookedAt) {
  {
    const auto journal = open(small());
    fill(*journal, 8, now_ns());
  }
  journal::Options with = small();
  with.keep_bytes = 3 * 8 * 1024;
  const auto journal = open(with);
  std::filesystem::rename(segment_file(3), directory() + "/away");
  std::filesystem::create_symlink(segment_file(3), segment_file(3));  // To itself: ELOOP.
  bool failed = false;
  while (journal->end().segment < 10) {
    const std::uint64_t next = journal->next_outgoing();
    ASSERT_EQ(journal->append_sent(next, now_ns(), message_of(next, 900)), AppendResult::Appended);
    failed = !journal->prepare() || failed;
  }
  EXPECT_TRUE(failed);
  EXPECT_TRUE(std::filesystem::exists(segment_file(1)));
  EXPECT_TRUE(std::filesystem::exists(segment_file(4))) << "or 3 would be before a hole";
  std::filesystem::rename(directory() + "/away", segment_file(3));
  fill(*journal, 12, now_ns());
  EXPECT_GT(segments(directory()).front(), 4U);
}

TEST_F(Retention, AJournalOfWhichTheOldestIsGoneOpens) {
  journal::Options with = small();
  with.keep_bytes = 3 * 8 * 1024;
  std::uint64_t next = 0;
  {
    const auto journal = open(with);
    fill(*journal, 12, now_ns());
    next = journal->next_outgoing();
  }
  EXPECT_EQ(open(with)->next_outgoing(), next);
}

}  // namespace
}  // namespace affix::journal_test
