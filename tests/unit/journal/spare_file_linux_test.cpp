// SPDX-License-Identifier: MIT
// Files of removed segments become newer segments; a process that still reads one keeps its
// contents.
#include "journal/spare_file.hpp"
#include "support/files_used_again.hpp"
#include "support/recording_disk.hpp"
#include "support/repeating_thread.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <fcntl.h>
#include <fstream>
#include <memory>
#include <random>
#include <sched.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace affix::journal_test {
namespace {

using journal::AppendResult;
using journal::Durability;
using journal::Journal;
using Call = support::RecordingDisk::Call;

class JournalSpare : public JournalTest, public testing::WithParamInterface<Durability> {
 protected:
  void SetUp() override {
    if (!support::overwrites_in_place(std::filesystem::path(directory()).parent_path())) {
      GTEST_SKIP() << "no file is used again on a file system of this kind";
    }
    disk_.fault = [this](Call call, const std::string& path) {
      made_ += call == Call::Allocate ? 1U : 0U;
      used_again_ += call == Call::Rename && path == spare_path() ? 1U : 0U;
      const bool fails = fails_at_ != 0 && --fails_at_ == 0;
      return fails || calls_left_ == 0 ? EIO : (--calls_left_, 0);
    };
  }

  void begin_anew() {
    std::filesystem::remove_all(directory());
    disk_.forget();
    calls_left_ = UINT64_MAX;
  }

  [[nodiscard]] journal::Options small() {
    journal::Options with = options();
    with.durability = GetParam();
    with.first_segment_bytes = with.max_segment_bytes = segment_bytes_;
    with.keep_bytes = 4 * segment_bytes_;
    with.sequence_reserve = 1'000'000;
    with.disk = &disk_;
    return with;
  }

  [[nodiscard]] std::string spare_path() const { return journal::SpareFile::path_in(directory()); }

  void work(Journal& journal) {
    // A disk that has failed permanently leaves work that cannot be done.
    for (bool more = true; more && calls_left_ != 0;) {
      more = journal.needs_preparation() || journal.needs_flush();
      static_cast<void>(journal.flush());
      static_cast<void>(journal.prepare());
    }
  }

  // Appends until `segment` is in use, with all requested preparation. False: the disk has failed.
  bool fill(Journal& journal, std::uint32_t segment) {
    while (journal.end().segment < segment) {
      const std::uint64_t number = journal.next_outgoing();
      if (journal.append_sent(number, start_ns, message_of(number, 900)) !=
          AppendResult::Appended) {
        return false;
      }
      reported_ = number;
      if (number % 8 == 0) {
        work(journal);
      }
    }
    return true;
  }

  [[nodiscard]] bool is_there(const std::string& path) const {
    return std::filesystem::exists(path);
  }

  std::size_t segment_bytes_ = 32 * 1024;
  support::RecordingDisk disk_{1};
  std::uint64_t made_ = 0;        // Files allocated.
  std::uint64_t used_again_ = 0;  // Segments made from existing files.
  std::uint64_t calls_left_ = UINT64_MAX;
  std::uint64_t fails_at_ = 0;  // The call of this number fails; 0: none.
  std::uint64_t reported_ = 0;  // The last number that was appended.
};

std::string name_of(const testing::TestParamInfo<Durability>& parameter) {
  constexpr const char* names[] = {"Memory", "Process", "Group", "Sync"};
  return names[static_cast<std::size_t>(parameter.param)];
}

INSTANTIATE_TEST_SUITE_P(Each, JournalSpare,
                         testing::Values(Durability::Process, Durability::Group, Durability::Sync),
                         name_of);

TEST_P(JournalSpare, AJournalAtItsRetentionLimitCreatesNoFile) {
  auto journal = open(small());
  ASSERT_TRUE(fill(*journal, 12));
  const std::uint64_t made = made_;
  ASSERT_TRUE(fill(*journal, 40));
  EXPECT_EQ(made_, made);
  EXPECT_GE(used_again_, 28U);
  EXPECT_EQ(journal->stalls(), 0U);
  work(*journal);  // With sync, a reader sees only flushed records.
  const Contents contents = read_all();
  EXPECT_FALSE(contents.damage) << contents.damage->text();
  EXPECT_EQ(contents.rows.back().record.sequence, reported_);
  EXPECT_EQ(numbers_of(journal->replay(1, reported_)).back(), reported_);
  ASSERT_TRUE(journal->close());
  EXPECT_FALSE(is_there(spare_path()));
  journal.reset();
  EXPECT_EQ(open(small())->next_outgoing(), reported_ + 1);
}

// The file is no segment meanwhile, and has none of its old contents when it becomes one.
TEST_P(JournalSpare, NothingOfTheOldSegmentIsInTheNewOne) {
  segment_bytes_ = 128 * 1024;  // Of several steps.
  const auto journal = open(small());
  ASSERT_TRUE(fill(*journal, 12));
  while (used_again_ < 3) {
    ASSERT_TRUE(fill(*journal, journal->end().segment + 1));
  }
  const journal::Position end = journal->end();
  work(*journal);
  const std::string bytes = read_file(segment_file(end.segment));
  ASSERT_EQ(bytes.size(), segment_bytes_);
  if (GetParam() != Durability::Sync) {
    EXPECT_EQ(bytes.find_first_not_of('\0', end.offset + format::end_mark_bytes),
              std::string::npos);
  }
  // Prepared, not begun.
  while (!journal->needs_preparation()) {
    send(*journal, reported_ + 1, reported_ + 1, 900);
    ++reported_;
  }
  work(*journal);
  const std::string next = read_file(segment_file(journal->end().segment + 1));
  ASSERT_EQ(next.size(), segment_bytes_);
  EXPECT_EQ(next.find_first_not_of('\0'), std::string::npos);
}

TEST_P(JournalSpare, AReaderSeesTheOldSegmentToItsEnd) {
  const auto journal = open(small());
  ASSERT_TRUE(fill(*journal, 12));
  auto reader = journal::Reader::open(directory());
  ASSERT_TRUE(reader);
  const std::uint32_t in = reader->segment();
  const auto first = reader->next();
  ASSERT_TRUE(first);
  const std::uint64_t before = first->sequence;
  const std::uint64_t made = made_;
  ASSERT_TRUE(fill(*journal, in + 8));
  EXPECT_FALSE(is_there(segment_file(in))) << "it is gone by name";
  EXPECT_EQ(made_, made + 1) << "a new file instead of the one that is read";
  std::uint64_t seen = before;
  while (const auto record = reader->next()) {
    ASSERT_EQ(record->sequence, ++seen);
    ASSERT_EQ(record->bytes, message_of(seen, 900));
    ASSERT_EQ(record->position.segment, in);
  }
  EXPECT_GT(seen, before + 20);
  ASSERT_TRUE(reader->damage());
  EXPECT_EQ(reader->damage()->code, base::ErrorCode::NotFound) << "the next one is gone, too";
}

// One of another length would be cleaned for nothing.
TEST_P(JournalSpare, AFileShorterThanSegmentsAreNowIsRemoved) {
  journal::Options with = small();
  with.first_segment_bytes = segment_bytes_ / 4;
  const auto journal = open(with);
  std::uint64_t kept_short = 0;
  disk_.fault = [&](Call call, const std::string& path) {
    const bool is_short = path == segment_file(1) || path == segment_file(2);
    kept_short += call == Call::Rename && is_short ? 1U : 0U;
    used_again_ += call == Call::Rename && path == spare_path() ? 1U : 0U;
    return 0;
  };
  ASSERT_TRUE(fill(*journal, 16));
  EXPECT_FALSE(is_there(segment_file(1)));
  EXPECT_FALSE(is_there(segment_file(2)));
  EXPECT_EQ(kept_short, 0U);
  EXPECT_GT(used_again_, 0U);
}

TEST_P(JournalSpare, AFileWithAnotherNameKeepsItsContent) {
  const auto journal = open(small());
  ASSERT_TRUE(fill(*journal, 12));
  const std::uint32_t oldest = journal::Reader::open(directory())->segment();
  const std::string copy = directory() + "/copy";
  std::filesystem::create_hard_link(segment_file(oldest), copy);
  const std::string bytes = read_file(copy);
  ASSERT_TRUE(fill(*journal, oldest + 10));
  EXPECT_FALSE(is_there(segment_file(oldest)));
  EXPECT_TRUE(read_file(copy) == bytes);
}

// The journal's own old replay counts as a reader, too.
TEST_P(JournalSpare, AReplayInASegmentThatGoesReadsNothingElse) {
  const auto journal = open(small());
  ASSERT_TRUE(fill(*journal, 12));
  journal::Replay replay = journal->replay(1, UINT64_MAX);
  const auto first = replay.next();
  ASSERT_TRUE(first);
  std::uint64_t seen = first->sequence;
  const std::uint64_t before = seen;
  ASSERT_TRUE(fill(*journal, 30));
  while (const auto record = replay.next()) {
    ASSERT_GT(record->sequence, seen);
    seen = record->sequence;
    ASSERT_EQ(record->bytes, message_of(seen, 900));
  }
  EXPECT_GT(seen, before + 20);
}

TEST_P(JournalSpare, OneThatAnEarlierProcessLeftIsRemovedAtOpening) {
  {
    const auto journal = open(small());
    ASSERT_TRUE(fill(*journal, 3));
    ASSERT_TRUE(journal->close());
  }
  std::filesystem::copy_file(segment_file(1), spare_path());
  const auto contents = read_all();
  EXPECT_FALSE(contents.damage);
  EXPECT_EQ(contents.rows.size(), reported_);
  const auto journal = open(small());
  ASSERT_TRUE(journal);
  EXPECT_FALSE(is_there(spare_path()));
  EXPECT_EQ(journal->next_outgoing(), reported_ + 1);
}

TEST_P(JournalSpare, AFileThatGetsNoOtherNameIsRemoved) {
  const auto journal = open(small());
  disk_.fault = [&](Call call, const std::string& path) {
    return call == Call::Rename && path.ends_with(".journal") ? EIO : 0;
  };
  ASSERT_TRUE(fill(*journal, 12));
  EXPECT_FALSE(is_there(segment_file(1)));
  EXPECT_FALSE(is_there(spare_path()));
}

// A power loss could restore its former name, with any contents.
TEST_P(JournalSpare, AFileWhoseNewNameIsNotOnTheDiskIsRemoved) {
  const auto journal = open(small());
  ASSERT_TRUE(fill(*journal, 8));
  bool kept = false;
  bool failed = false;
  disk_.fault = [&](Call call, const std::string& path) {
    const bool fails = kept && call == Call::SyncDirectory;
    failed = failed || fails;
    kept = call == Call::Rename && path.ends_with(".journal");
    return fails ? EIO : 0;
  };
  while (!failed) {
    ASSERT_LT(reported_, 10'000U);
    send(*journal, reported_ + 1, reported_ + 1, 900);
    ++reported_;
    ASSERT_TRUE(journal->flush());
    while (!failed && journal->needs_preparation()) {
      static_cast<void>(journal->prepare());
    }
  }
  EXPECT_FALSE(is_there(spare_path()));
}

// The process ends before any of the calls that remove a segment and make another from its file:
// appended records are there.
TEST_P(JournalSpare, AKillAtAnyCallLeavesAppendedRecords) {
  std::uint64_t reached = 0;
  for (std::uint64_t calls = 0; reached < 2; ++calls) {
    ASSERT_LT(calls, 1'000U);
    begin_anew();
    {
      const auto journal = open(small());
      ASSERT_TRUE(fill(*journal, 8));
      used_again_ = 0;
      calls_left_ = calls;
      static_cast<void>(fill(*journal, 12));
      reached = used_again_;
      journal->abandon();
    }
    calls_left_ = UINT64_MAX;
    const auto journal = open(small());
    ASSERT_TRUE(journal) << calls;
    EXPECT_FALSE(is_there(spare_path())) << calls;
    ASSERT_EQ(journal->next_outgoing(), reported_ + 1) << calls;
    const Contents contents = read_all();
    ASSERT_FALSE(contents.damage) << calls << " " << contents.damage->text();
    ASSERT_EQ(contents.rows.back().record.sequence, reported_) << calls;
  }
}

// Each of the calls fails once: the journal continues, and flushed records are there after a power
// loss.
TEST_P(JournalSpare, ACallThatFailsOnceCostsNothingThatWasAppended) {
  bool failed = true;
  for (std::uint64_t calls = 0; failed; ++calls) {
    ASSERT_LT(calls, 2'000U);
    begin_anew();
    auto journal = open(small());
    ASSERT_TRUE(fill(*journal, 8));
    fails_at_ = calls + 1;
    for (int times = 0; !fill(*journal, 14) && times < 20; ++times) {
      work(*journal);
    }
    ASSERT_EQ(journal->end().segment, 14U) << calls;
    failed = std::exchange(fails_at_, 0) == 0;
    work(*journal);
    ASSERT_FALSE(journal->failed()) << calls;
    ASSERT_EQ(numbers_of(journal->replay(1, reported_)).back(), reported_) << calls;
    journal->abandon();
    journal.reset();
    if (GetParam() != Durability::Process) {
      disk_.restart(directory());
    }
    journal = open(small());
    ASSERT_TRUE(journal) << calls;
    ASSERT_GT(journal->next_outgoing(), reported_) << calls;
    const Contents contents = read_all();
    ASSERT_FALSE(contents.damage) << calls << " " << contents.damage->text();
    std::uint64_t next = contents.rows.front().record.sequence;
    for (const Contents::Row& row : contents.rows) {
      // With group, an opening records that numbers may be lost.
      if (row.record.kind == journal::Kind::Sent) {
        ASSERT_EQ(row.record.sequence, next++) << calls;
      }
    }
    ASSERT_EQ(next, reported_ + 1) << calls;
  }
}

/// One file, without a journal.
class SpareAlone : public JournalTest {
 protected:
  void SetUp() override {
    if (!support::overwrites_in_place(std::filesystem::path(directory()).parent_path())) {
      GTEST_SKIP() << "no file is used again on a file system of this kind";
    }
    files_ = std::make_unique<journal::SegmentFiles>(
        std::move(*journal::SegmentFiles::open(directory(), disk_)));
  }

  // Segment 1's file, on the disk with its name.
  void write_old() {
    int file = -1;
    ASSERT_EQ(disk_.open_file(files_->path(1), O_RDWR | O_CREAT | O_TRUNC, file), 0);
    EXPECT_EQ(disk_.write(file, files_->path(1), std::string(bytes_, 'o'), 0), 0);
    EXPECT_EQ(disk_.sync_file(file, files_->path(1)), 0);
    close(file);
    ASSERT_TRUE(files_->sync_directory());
  }

  void keep_and_clean() {
    ASSERT_NO_FATAL_FAILURE(write_old());
    ASSERT_TRUE(spare_.keep(*files_, 1, bytes_));
    ASSERT_TRUE(files_->sync_directory());
    clean();
  }

  void clean() {
    for (int steps = 0; spare_.wants_cleaning(); ++steps) {
      ASSERT_LT(steps, 100);
      spare_.clean_step(*files_, 4096);
    }
  }

  [[nodiscard]] journal::SegmentHandle make(std::size_t bytes) {
    return journal::SegmentHandle(spare_.make_segment(*files_, files_->path(2), bytes, {}));
  }

  [[nodiscard]] bool is_kept() const {
    return std::filesystem::exists(journal::SpareFile::path_in(directory()));
  }

  const std::uint64_t seed_ = support::chosen_seed();
  std::mt19937_64 random_{seed_};
  support::RecordingDisk disk_{seed_ + 1};
  std::unique_ptr<journal::SegmentFiles> files_;
  journal::SpareFile spare_;
  std::size_t bytes_ = 160 * 1024;  // Of several steps, the last a shorter one.
};

TEST_F(SpareAlone, BecomesASegmentOfItsLengthOnceAndOfNoOther) {
  ASSERT_NO_FATAL_FAILURE(keep_and_clean());
  EXPECT_EQ(make(bytes_ / 2), nullptr);
  EXPECT_EQ(make(bytes_ * 2), nullptr);
  EXPECT_TRUE(is_kept()) << "it may fit the next time";
  const journal::SegmentHandle segment = make(bytes_);
  ASSERT_NE(segment, nullptr);
  EXPECT_FALSE(is_kept());
  EXPECT_EQ(make(bytes_), nullptr);
  const int reader = ::open(files_->path(2).c_str(), O_RDONLY | O_NONBLOCK);
  EXPECT_GE(reader, 0) << "whoever opens it would wait for the lease";
  close(reader);
  EXPECT_EQ(read_file(files_->path(2)), std::string(bytes_, '\0'));
}

TEST_F(SpareAlone, BecomesNoSegmentBeforeItIsClean) {
  ASSERT_NO_FATAL_FAILURE(write_old());
  ASSERT_TRUE(spare_.keep(*files_, 1, bytes_));
  ASSERT_TRUE(files_->sync_directory());
  for (; spare_.wants_cleaning(); spare_.clean_step(*files_, 4096)) {
    ASSERT_EQ(make(bytes_), nullptr);
  }
  EXPECT_NE(make(bytes_), nullptr);
}

TEST_F(SpareAlone, IsKeptUntilOneOfAnotherLengthGoes) {
  ASSERT_NO_FATAL_FAILURE(keep_and_clean());
  ASSERT_NO_FATAL_FAILURE(write_old());
  EXPECT_FALSE(spare_.keep(*files_, 1, bytes_));
  EXPECT_TRUE(std::filesystem::exists(files_->path(1)));
  bytes_ *= 2;
  ASSERT_NO_FATAL_FAILURE(keep_and_clean());
  EXPECT_NE(make(bytes_), nullptr);
}

TEST_F(SpareAlone, AFileOfAnotherLengthThanItShouldHaveIsRemoved) {
  const std::string spare = journal::SpareFile::path_in(directory());
  ASSERT_NO_FATAL_FAILURE(write_old());
  ASSERT_TRUE(spare_.keep(*files_, 1, bytes_));
  ASSERT_EQ(truncate(spare.c_str(), static_cast<off_t>(bytes_ * 2)), 0);
  clean();
  EXPECT_FALSE(is_kept());
  ASSERT_NO_FATAL_FAILURE(keep_and_clean());
  ASSERT_EQ(truncate(spare.c_str(), static_cast<off_t>(bytes_ / 2)), 0);
  EXPECT_EQ(make(bytes_), nullptr);
  EXPECT_FALSE(is_kept());
  EXPECT_FALSE(std::filesystem::exists(files_->path(2)));
}

// A process that copies a directory in use may open it at any time.
TEST_F(SpareAlone, AFileThatSomebodyHasInAnyWayIsRemoved) {
  const std::string spare = journal::SpareFile::path_in(directory());
  const auto opens = [&](int flags) {
    const int file = ::open(spare.c_str(), flags);
    EXPECT_GE(file, 0);
    return file;
  };
  for (const bool cleaned : {false, true}) {
    for (const char* const way : {"read", "written", "mapped", "linked"}) {
      SCOPED_TRACE(std::string(way) + (cleaned ? ", after it was cleaned" : ", before"));
      ASSERT_NO_FATAL_FAILURE(write_old());
      ASSERT_TRUE(spare_.keep(*files_, 1, bytes_));
      ASSERT_TRUE(files_->sync_directory());
      if (cleaned) {
        clean();
      }
      const std::string before = read_file(spare);
      int file = -1;
      void* mapped = MAP_FAILED;
      const std::string link = directory() + "/link";
      if (std::string_view(way) == "linked") {
        std::filesystem::create_hard_link(spare, link);
      } else {
        file = opens(std::string_view(way) == "written" ? O_RDWR : O_RDONLY);
      }
      if (std::string_view(way) == "mapped") {
        mapped = mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, file, 0);
        ASSERT_NE(mapped, MAP_FAILED);
        close(std::exchange(file, -1));
      }
      clean();
      EXPECT_EQ(make(bytes_), nullptr);
      EXPECT_FALSE(is_kept());
      if (mapped != MAP_FAILED) {
        EXPECT_EQ(std::string(static_cast<const char*>(mapped), bytes_), before);
        munmap(mapped, bytes_);
      }
      if (file >= 0) {
        std::string now(bytes_, '\0');
        EXPECT_EQ(pread(file, now.data(), bytes_, 0), static_cast<ssize_t>(bytes_));
        EXPECT_EQ(now, before);
        close(file);
      }
      if (std::filesystem::exists(link)) {
        EXPECT_EQ(read_file(link), before);
        std::filesystem::remove(link);
      }
    }
  }
}

// A file system where a store may need space later, although the blocks were written.
TEST_F(SpareAlone, AFileOnAnotherKindOfFileSystemIsRemoved) {
  // In a child with its own mounts, so that nothing is left behind in any case.
  const std::string elsewhere = directory() + "-elsewhere";
  std::filesystem::create_directories(elsewhere);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  constexpr int not_allowed = 77;
  if (child == 0) {
    if (unshare(CLONE_NEWNS) != 0 ||
        mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("ramfs", elsewhere.c_str(), "ramfs", 0, nullptr) != 0) {
      _exit(not_allowed);
    }
    const auto files = journal::SegmentFiles::open(elsewhere);
    std::ofstream(files->path(1)) << std::string(bytes_, 'o');
    if (!spare_.keep(*files, 1, bytes_)) {
      _exit(1);
    }
    spare_.clean_step(*files, 4096);
    _exit(spare_.wants_cleaning() || std::filesystem::exists(journal::SpareFile::path_in(elsewhere))
              ? 2
              : 0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == not_allowed) {
    GTEST_SKIP() << "mounts of its own are not to be had here";
  }
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// The signal sent to the holder of a lease would end the process.
TEST_F(SpareAlone, AProgramThatOpensTheFileMeanwhileWaitsAndEndsNoOther) {
  const std::string spare = journal::SpareFile::path_in(directory());
  const support::RepeatingThread opener([&] {
    const int file = ::open(spare.c_str(), O_RDONLY);
    if (file >= 0) {
      close(file);
    }
    return true;
  });
  for (int times = 0; times < 200; ++times) {
    write_old();
    if (spare_.keep(*files_, 1, bytes_)) {
      EXPECT_TRUE(files_->sync_directory());
      clean();
      static_cast<void>(make(bytes_));
    }
  }
}

// Also if the power fails afterwards.
TEST_F(SpareAlone, ACallThatFailsLeavesZerosOrNoSegment) {
  SCOPED_TRACE("AFFIX_SEED=" + std::to_string(seed_));
  const std::string zeros(bytes_, '\0');
  for (int round = 0; round < 10; ++round) {
    bool failed = true;
    for (std::uint64_t calls = 0; failed; ++calls) {
      SCOPED_TRACE(calls);
      ASSERT_LT(calls, 1'000U);
      spare_ = {};
      std::filesystem::remove(files_->path(2));
      disk_.forget();
      ASSERT_NO_FATAL_FAILURE(write_old());
      std::uint64_t left = calls;
      failed = false;
      disk_.fault = [&](support::RecordingDisk::Call, const std::string&) {
        failed = failed || left == 0;
        return left-- == 0 ? EIO : 0;
      };
      if (spare_.keep(*files_, 1, bytes_) && !files_->sync_directory()) {
        spare_.drop(*files_);
      }
      clean();
      const bool made = make(bytes_) != nullptr;
      disk_.fault = nullptr;
      ASSERT_EQ(made, std::filesystem::exists(files_->path(2)));
      ASSERT_TRUE(!made || read_file(files_->path(2)) == zeros);
      ASSERT_TRUE(failed || made);
      disk_.restart(directory());
      if (std::filesystem::exists(files_->path(2))) {
        ASSERT_TRUE(read_file(files_->path(2)) == zeros);
      }
    }
  }
}

// The power fails at any call, with or without unflushed data: the old segment is complete under
// its name, and a file with the new name is zero.
TEST_F(SpareAlone, ThePowerLeavesAWholeSegmentOrZeros) {
  SCOPED_TRACE("AFFIX_SEED=" + std::to_string(seed_));
  const std::uint64_t rounds = support::chosen_number("AFFIX_ROUNDS", 20);
  std::uint64_t seen_new = 0;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    bool powered = false;
    for (std::uint64_t calls = 0; !powered; ++calls) {
      SCOPED_TRACE("round " + std::to_string(round) + ", call " + std::to_string(calls));
      spare_ = {};
      std::filesystem::remove(files_->path(1));
      std::filesystem::remove(files_->path(2));
      disk_.forget();
      ASSERT_NO_FATAL_FAILURE(write_old());
      disk_.lose_power_after(calls);
      // Like retention.
      if (spare_.keep(*files_, 1, bytes_) && !files_->sync_directory()) {
        spare_.drop(*files_);
      }
      while (spare_.wants_cleaning()) {
        spare_.clean_step(*files_, 4096);
        if (random_() % 4 == 0) {
          disk_.write_back_something();
        }
      }
      static_cast<void>(make(bytes_));
      powered = disk_.powered();
      disk_.restart(directory());
      if (std::filesystem::exists(files_->path(1))) {
        ASSERT_TRUE(read_file(files_->path(1)) == std::string(bytes_, 'o'));
      }
      if (std::filesystem::exists(files_->path(2))) {
        ++seen_new;
        ASSERT_TRUE(read_file(files_->path(2)) == std::string(bytes_, '\0'));
      }
    }
  }
  EXPECT_GT(seen_new, 0U);
}

}  // namespace
}  // namespace affix::journal_test
