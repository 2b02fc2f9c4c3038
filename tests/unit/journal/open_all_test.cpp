// SPDX-License-Identifier: MIT
// Journals that are opened together, as at a start: how often the disk is waited for, in which
// order, and what becomes of each when something fails.
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

  /// Counts the calls from here on.
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

  /// Where the first call of its kind stands whose path ends so.
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

TEST_F(JournalOpenAll, NamesFollowWhatTheyNameAndSummariesFollowNames) {
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
  // Before anything of theirs is stored, so that no failure of it is missed.
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
  const Opened opened = Journal::open_all(wanted(1));
  ASSERT_NO_FATAL_FAILURE(expect_all_opened(opened));
  EXPECT_EQ(count(Call::SyncFileSystem), 0U);
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

// The file system's failure may be that of a file which is nobody's here.
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

// The directories and theirs are the system's here, too.
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
}

}  // namespace
}  // namespace affix::journal_test
