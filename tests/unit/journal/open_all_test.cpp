// SPDX-License-Identifier: MIT
// Journals opened together, as at start-up: the number and order of waits for the disk, and the
// result for each after a failure.
#include "support/recording_disk.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

namespace affix::journal_test {
namespace {

using journal::AppendResult;
using journal::Durability;
using journal::Journal;
using support::RecordingDisk;
using Call = RecordingDisk::Call;

class JournalOpenAll : public JournalTest {
 protected:
  using Opened = std::vector<std::expected<std::unique_ptr<Journal>, base::Error>>;

  [[nodiscard]] std::string directory_of(std::size_t number) const {
    return directory() + "/" + std::to_string(number);
  }

  [[nodiscard]] std::vector<journal::Options> wanted(std::size_t count) {
    std::vector<journal::Options> all;
    for (std::size_t number = 0; number < count; ++number) {
      journal::Options with = options();
      with.directory = directory_of(number);
      with.identity += std::to_string(number);
      with.sequence_reserve = 1'000;
      with.disk = &disk_;
      all.push_back(std::move(with));
    }
    return all;
  }

  /// Counts calls from here on.
  void count_calls() {
    calls_.clear();
    disk_.fault = [this](Call call, const std::string& path) {
      calls_.push_back({call, path});
      return 0;
    };
  }

  [[nodiscard]] std::size_t count(Call call) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(calls_, [call](const auto& one) { return one.call == call; }));
  }

  [[nodiscard]] std::size_t flushes() const {
    return count(Call::SyncFile) + count(Call::SyncMapping) + count(Call::SyncDirectory) +
           count(Call::SyncFileSystem);
  }

  /// Index of the first call of its kind with a path that ends with `end`.
  [[nodiscard]] std::size_t first(Call call, std::string_view end) const {
    const auto at = std::ranges::find_if(
        calls_, [&](const auto& one) { return one.call == call && one.path.ends_with(end); });
    return static_cast<std::size_t>(at - calls_.begin());
  }

  static void expect_all_opened(const Opened& opened) {
    for (const auto& one : opened) {
      ASSERT_TRUE(one) << one.error().text();
    }
  }

  struct Made {
    Call call;
    std::string path;
  };

  RecordingDisk disk_{1};
  std::vector<Made> calls_;
};

TEST_F(JournalOpenAll, HoweverManyTheyAreTheDiskIsWaitedForTwice) {
  for (const std::size_t many : {2U, 40U}) {
    for (const Durability durability : {Durability::Process, Durability::Group, Durability::Sync}) {
      SCOPED_TRACE(many);
      std::filesystem::remove_all(directory());
      disk_.forget();
      std::vector<journal::Options> all = wanted(many);
      for (journal::Options& one : all) {
        one.durability = durability;
      }
      count_calls();
      Opened opened = Journal::open_all(all);
      ASSERT_NO_FATAL_FAILURE(expect_all_opened(opened));
      EXPECT_EQ(count(Call::SyncFileSystem), 2U);
      EXPECT_EQ(flushes(), 2U);
      for (const auto& one : opened) {
        EXPECT_TRUE((*one)->recovered().created);
        (*one)->abandon();
      }
      opened.clear();
      disk_.fault = nullptr;
      disk_.restart(directory());
      opened = Journal::open_all(all);
      ASSERT_NO_FATAL_FAILURE(expect_all_opened(opened));
      for (const auto& one : opened) {
        EXPECT_FALSE((*one)->recovered().created);
        EXPECT_GE((*one)->next_outgoing(), durability == Durability::Sync ? 1U : 1'001U);
      }
    }
  }
}

TEST_F(JournalOpenAll, NamesFollowTheirFilesAndSummariesFollowNames) {
  count_calls();
  const Opened opened = Journal::open_all(wanted(5));
  ASSERT_NO_FATAL_FAILURE(expect_all_opened(opened));
  std::vector<std::size_t> flushed;
  for (std::size_t at = 0; at < calls_.size(); ++at) {
    if (calls_[at].call == Call::SyncFileSystem) {
      flushed.push_back(at);
    }
  }
  ASSERT_EQ(flushed.size(), 2U);
  for (std::size_t at = 0; at < calls_.size(); ++at) {
    const std::string_view path = calls_[at].path;
    if (calls_[at].call == Call::Rename) {
      EXPECT_TRUE(flushed[0] < at && at < flushed[1]) << path;
    } else if (calls_[at].call == Call::Write && path.ends_with(".journal.new")) {
      EXPECT_LT(at, flushed[0]) << path;
    } else if (path.ends_with("/summary")) {
      EXPECT_GT(at, flushed[1]) << path;
    }
  }
  EXPECT_EQ(count(Call::Rename), 5U);
  // Before anything of theirs is stored, so that no failure is missed.
  EXPECT_LT(first(Call::Open, directory_of(0)), first(Call::Open, ".journal.new"));
}

TEST_F(JournalOpenAll, ThoseThatWereThereWaitForTheDiskOnce) {
  std::vector<journal::Options> all = wanted(6);
  for (const auto& one : Journal::open_all(all)) {
    ASSERT_TRUE(one);
    send(**one, 1, 3);
    (*one)->abandon();
  }
  count_calls();
  const Opened opened = Journal::open_all(all);
  ASSERT_NO_FATAL_FAILURE(expect_all_opened(opened));
  EXPECT_EQ(flushes(), 1U);
  for (const auto& one : opened) {
    EXPECT_EQ((*one)->next_outgoing(), 4U);
  }
}

TEST_F(JournalOpenAll, OneAloneFlushesItsOwnFiles) {
  count_calls();
  Opened opened = Journal::open_all(wanted(1));
  ASSERT_NO_FATAL_FAILURE(expect_all_opened(opened));
  EXPECT_EQ(count(Call::SyncFileSystem), 0U);
  EXPECT_EQ(flushes(), 2U);
  (*opened.front())->abandon();
  opened.clear();
  count_calls();
  opened = Journal::open_all(wanted(1));
  ASSERT_NO_FATAL_FAILURE(expect_all_opened(opened));
  EXPECT_EQ(count(Call::SyncMapping), 1U) << "one that was there brings its begin";
  EXPECT_EQ(count(Call::SyncDirectory), 1U);
  EXPECT_EQ(flushes(), 2U);
}

TEST_F(JournalOpenAll, WhereTheFileSystemCannotBeFlushedEachSeesToItsOwn) {
  std::vector<Made> made;
  disk_.fault = [&](Call call, const std::string& path) {
    made.push_back({call, path});
    return call == Call::SyncFileSystem ? EOPNOTSUPP : 0;
  };
  Opened opened = Journal::open_all(wanted(7));
  ASSERT_NO_FATAL_FAILURE(expect_all_opened(opened));
  calls_ = made;
  EXPECT_EQ(count(Call::SyncMapping), 7U);
  EXPECT_EQ(count(Call::SyncDirectory), 7U);
  disk_.fault = nullptr;
  for (const auto& one : opened) {
    (*one)->abandon();
  }
  opened.clear();
  disk_.restart(directory());
  opened = Journal::open_all(wanted(7));
  ASSERT_NO_FATAL_FAILURE(expect_all_opened(opened));
  for (const auto& one : opened) {
    EXPECT_GE((*one)->next_outgoing(), 1'001U);
  }
}

// The file system's failure may concern a file of another program.
TEST_F(JournalOpenAll, AFailureIsThatOfTheJournalsWhoseOwnFlushFails) {
  for (const Call fails : {Call::SyncMapping, Call::SyncDirectory}) {
    std::filesystem::remove_all(directory());
    disk_.forget();
    disk_.fault = [&](Call call, const std::string& path) {
      return call == Call::SyncFileSystem ||
                     (call == fails && path.find(directory_of(1)) != std::string::npos)
                 ? EIO
                 : 0;
    };
    const Opened opened = Journal::open_all(wanted(3));
    EXPECT_TRUE(opened[0]);
    ASSERT_FALSE(opened[1]);
    EXPECT_EQ(opened[1].error().code, base::ErrorCode::Io);
    EXPECT_NE(opened[1].error().where.find(directory_of(1)), std::string::npos);
    EXPECT_TRUE(opened[2]);
    EXPECT_FALSE(std::filesystem::exists(directory_of(1) + "/0000000001.journal.new"));
    disk_.fault = nullptr;
    EXPECT_TRUE(Journal::open(wanted(2)[1])) << "the lock is let go of";
  }
}

TEST_F(JournalOpenAll, EachHasItsOwnResultInItsPlace) {
  std::vector<journal::Options> all = wanted(6);
  const auto held = open(all[1]);
  all[2].identity.clear();
  all[3].durability = Durability::Memory;
  all[4].sequence_reserve = 0;
  const Opened opened = Journal::open_all(all);
  ASSERT_EQ(opened.size(), 6U);
  EXPECT_TRUE(opened[0]);
  ASSERT_FALSE(opened[1]);
  EXPECT_EQ(opened[1].error().code, base::ErrorCode::Locked);
  ASSERT_FALSE(opened[2]);
  EXPECT_EQ(opened[2].error().code, base::ErrorCode::InvalidArgument);
  for (const std::size_t number : {0U, 3U, 4U, 5U}) {
    ASSERT_TRUE(opened[number]) << opened[number].error().text();
    ASSERT_NO_FATAL_FAILURE(send(**opened[number], 1, 20));
    EXPECT_EQ((*opened[number])->next_outgoing(), 21U);
  }
  EXPECT_TRUE(Journal::open_all({}).empty());
}

TEST_F(JournalOpenAll, WithoutAReserveNobodyWaitsForTheDisk) {
  std::vector<journal::Options> all = wanted(4);
  for (journal::Options& one : all) {
    one.sequence_reserve = 0;
  }
  count_calls();
  const Opened opened = Journal::open_all(all);
  ASSERT_NO_FATAL_FAILURE(expect_all_opened(opened));
  EXPECT_EQ(flushes(), 0U);
}

// Each is flushed for its own journals, and its failure only concerns those.
TEST_F(JournalOpenAll, EachFileSystemIsFlushedForItsOwn) {
  RecordingDisk other(2);
  std::vector<Made> on_other;
  bool other_fails = false;
  other.fault = [&](Call call, const std::string& path) {
    on_other.push_back({call, path});
    return call == Call::SyncFileSystem && other_fails ? EIO : 0;
  };
  for (const bool fails : {false, true}) {
    SCOPED_TRACE(fails);
    std::filesystem::remove_all(directory());
    disk_.forget();
    other.forget();
    other_fails = fails;
    on_other.clear();
    std::vector<journal::Options> all = wanted(6);
    for (std::size_t number = 0; number < all.size(); number += 2) {
      all[number].disk = &other;
    }
    count_calls();
    Opened opened = Journal::open_all(all);
    ASSERT_NO_FATAL_FAILURE(expect_all_opened(opened));
    EXPECT_EQ(flushes(), 2U);
    calls_ = on_other;
    EXPECT_EQ(count(Call::SyncFileSystem), 2U);
    EXPECT_EQ(count(Call::SyncMapping), fails ? 3U : 0U);
    EXPECT_EQ(count(Call::SyncDirectory), fails ? 3U : 0U);
  }
}

/// Records the given worth.
class WorthDisk final : public journal::Disk {
 public:
  int sync_file_system(int /*file*/, const std::string& /*directory*/,
                       std::uint64_t worth_bytes) noexcept override {
    worth.push_back(worth_bytes);
    return 0;
  }

  std::vector<std::uint64_t> worth;
};

TEST_F(JournalOpenAll, OtherFilesUnwrittenPagesAreWeighedAgainstTheJournals) {
  std::vector<std::uint64_t> of_two;
  for (const std::size_t many : {2U, 20U}) {
    std::filesystem::remove_all(directory());
    WorthDisk disk;
    std::vector<journal::Options> all = wanted(many);
    for (journal::Options& one : all) {
      one.disk = &disk;
    }
    ASSERT_NO_FATAL_FAILURE(expect_all_opened(Journal::open_all(all)));
    ASSERT_EQ(disk.worth.size(), 2U);
    if (many == 2) {
      of_two = disk.worth;
    }
    for (std::size_t flush = 0; flush < of_two.size(); ++flush) {
      EXPECT_EQ(disk.worth[flush] * 2, of_two[flush] * many);
    }
  }
}

// One that waits among many that do not: flushing the whole file system would be for it alone.
TEST_F(JournalOpenAll, OneThatWaitsAmongManyFlushesItsOwnFiles) {
  std::vector<journal::Options> all = wanted(5);
  for (std::size_t number = 1; number < all.size(); ++number) {
    all[number].sequence_reserve = 0;
  }
  count_calls();
  const Opened opened = Journal::open_all(all);
  ASSERT_NO_FATAL_FAILURE(expect_all_opened(opened));
  EXPECT_EQ(count(Call::SyncFileSystem), 0U);
  EXPECT_EQ(flushes(), 2U);
  for (const auto& one : calls_) {
    const bool flushes = one.call == Call::SyncMapping || one.call == Call::SyncDirectory;
    EXPECT_TRUE(!flushes || one.path.find(directory_of(0)) != std::string::npos) << one.path;
  }
}

// Otherwise a later power loss, and its losses, would go unnoticed.
TEST_F(JournalOpenAll, ThatOneWasClosedIsTakenBackOnTheDisk) {
  std::vector<journal::Options> all = wanted(4);
  for (journal::Options& one : all) {
    one.sequence_reserve = 0;
    one.sync_on_close = true;
  }
  for (const auto& one : Journal::open_all(all)) {
    ASSERT_TRUE(one);
    ASSERT_NO_FATAL_FAILURE(send(**one, 1, 3));
    ASSERT_TRUE((*one)->close());
  }
  count_calls();
  const Opened opened = Journal::open_all(all);
  ASSERT_NO_FATAL_FAILURE(expect_all_opened(opened));
  EXPECT_EQ(flushes(), 1U);
}

// A killed process may have left data only in the system's cache, and later appends build on it.
TEST_F(JournalOpenAll, OlderRecordsAreOnTheDiskOnceItIsOpened) {
  for (const Durability durability : {Durability::Group, Durability::Sync}) {
    std::filesystem::remove_all(directory());
    disk_.forget();
    std::vector<journal::Options> all = wanted(8);
    for (journal::Options& one : all) {
      one.durability = durability;
      one.first_segment_bytes = 8 * 1024;
      one.max_segment_bytes = 8 * 1024;
    }
    constexpr std::uint64_t messages = 60;  // Over several segments.
    for (const auto& one : Journal::open_all(all)) {
      ASSERT_TRUE(one);
      ASSERT_NO_FATAL_FAILURE(send(**one, 1, messages, 300));
      EXPECT_GT((*one)->end().segment, 2U);
      (*one)->abandon();
    }
    // Each by itself: together, the whole file system is flushed.
    for (const journal::Options& one : all) {
      open(one)->abandon();
    }
    disk_.restart(directory());
    for (const journal::Options& one : all) {
      const auto journal = open(one);
      ASSERT_NE(journal, nullptr);
      auto reader = journal::Reader::open(one.directory);
      ASSERT_TRUE(reader);
      std::uint64_t sent = 0;
      while (const auto record = reader->next()) {
        sent += record->kind == journal::Kind::Sent ? 1U : 0U;
      }
      EXPECT_EQ(sent, messages);
      EXPECT_FALSE(reader->damage());
      journal->abandon();
    }
  }
}

// Records found are on the disk from then on, so their loss is damage, and nothing to be cut.
TEST_F(JournalOpenAll, OlderMarksAreVouchedForOnceItIsOpened) {
  for (const Durability durability : {Durability::Group, Durability::Sync}) {
    for (const bool restarted : {false, true}) {
      SCOPED_TRACE(restarted);
      std::filesystem::remove_all(directory());
      disk_.forget();
      journal::Options with = wanted(1).front();
      with.durability = durability;
      with.directory = directory();
      auto journal = open(with);
      ASSERT_NO_FATAL_FAILURE(send(*journal, 1, 3));
      const journal::Position last = journal->end();
      ASSERT_NO_FATAL_FAILURE(send(*journal, 4, 4));
      ASSERT_TRUE(journal->flush());
      journal->abandon();
      journal.reset();
      if (restarted) {
        disk_.restart(directory());
      }
      journal = open(with);
      EXPECT_EQ(journal->recovered().other_boot, restarted);
      EXPECT_EQ(journal->durable(), journal->end());
      journal->abandon();
      journal.reset();
      disk_.write_back_everything();
      disk_.restart(directory());
      std::string bytes = read_file(segment_file(1));
      bytes.at(last.offset + 50) ^= 1;
      write_file(segment_file(1), bytes);
      const auto refused = refusal(with);
      ASSERT_TRUE(refused);
      EXPECT_EQ(refused->code, base::ErrorCode::Damaged) << refused->text();
    }
  }
}

TEST_F(JournalOpenAll, ThoseThatAreFlushedWaitForTheDiskWithoutAReserveToo) {
  for (const Durability durability : {Durability::Group, Durability::Sync}) {
    std::filesystem::remove_all(directory());
    disk_.forget();
    std::vector<journal::Options> all = wanted(3);
    for (journal::Options& one : all) {
      one.durability = durability;
      one.sequence_reserve = 0;
    }
    count_calls();
    const Opened opened = Journal::open_all(all);
    ASSERT_NO_FATAL_FAILURE(expect_all_opened(opened));
    EXPECT_EQ(count(Call::SyncFileSystem), 2U);
    EXPECT_LT(first(Call::SyncFileSystem, ""), first(Call::Rename, ".new"));
  }
}

// Directories are those of the system here.
TEST_F(JournalOpenAll, OnTheSystemsOwnDisk) {
  std::vector<journal::Options> all = wanted(4);
  for (journal::Options& one : all) {
    one.disk = nullptr;
  }
  for (std::uint64_t next : {1U, 4U}) {
    const Opened opened = Journal::open_all(all);
    ASSERT_NO_FATAL_FAILURE(expect_all_opened(opened));
    for (const auto& one : opened) {
      EXPECT_EQ((*one)->next_outgoing(), next);
      ASSERT_NO_FATAL_FAILURE(send(**one, next, next + 2));
      ASSERT_TRUE((*one)->close());
    }
  }
}

TEST(SystemDisk, FlushesAFileSystemOnlyWhereThatTellsOfFailuresAndIsWorthIt) {
  const int other = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_GE(other, 0);
  EXPECT_EQ(journal::system_disk().sync_file_system(other, "/proc", UINT64_MAX), EOPNOTSUPP);
  close(other);

  const support::TemporaryDirectory directory;
  const int here = open(directory.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_GE(here, 0);
  const int reported = journal::system_disk().sync_file_system(here, directory.path(), UINT64_MAX);
  // Nothing may be waiting to be written for a moment, but not each time.
  int busy = 0;
  for (int attempt = 0; attempt < 100 && busy != EOPNOTSUPP; ++attempt) {
    std::ofstream(directory.path() + "/unwritten") << std::string(1 << 20, 'x') << std::flush;
    busy = journal::system_disk().sync_file_system(here, directory.path(), 0);
  }
  close(here);
  if (reported != 0) {
    GTEST_SKIP() << "the file system of temporary files does not tell of failures";
  }
  EXPECT_EQ(busy, EOPNOTSUPP);
}

}  // namespace
}  // namespace affix::journal_test
