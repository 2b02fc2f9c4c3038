// SPDX-License-Identifier: MIT
// Segments prepared early, by another thread or between batches; then no append stalls or
// allocates.
#include "affix/journal/journal.hpp"

#include "journal/segment.hpp"
#include "support/allocation_count.hpp"
#include "support/page_faults.hpp"
#include "support/repeating_thread.hpp"
#include "support/sanitized.hpp"
#include "support/whole_file.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <linux/magic.h>
#include <memory>
#include <string>
#include <sys/vfs.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace affix::journal_test {
namespace {

using journal::AppendResult;
using journal::Journal;
using journal::NewPages;
using journal::Segment;
using journal::SegmentHandle;

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
  while (journal->needs_preparation()) {
    ASSERT_TRUE(journal->prepare());
  }
  EXPECT_EQ(std::filesystem::file_size(segment_file(2)), 128U * 1024);
  ASSERT_TRUE(journal->close());
  EXPECT_FALSE(std::filesystem::exists(segment_file(2))) << "not used, so not left behind";
}

TEST_F(JournalPrepare, PreparedInTimeNothingStallsAndNothingAllocates) {
  EXPECT_EQ(support::allocation_count() > 0, support::allocations_are_counted)
      << "the counter does not count";
  const auto journal = open();
  const std::string message = message_of(1, 212);
  const std::string_view pieces[] = {message, message};
  journal::Position unmarked;
  std::uint64_t sequence = 1;
  while (journal->end().segment < 6) {
    const std::uint64_t before = support::allocation_count();
    bool appended = true;
    for (int batch = 0; batch < 16; ++batch, ++sequence) {
      appended =
          appended && journal->append_sent(sequence, start_ns, message) == AppendResult::Appended;
      const journal::Appended received =
          journal->append_received(sequence, sequence + 1, start_ns, message);
      appended = appended && received.result() == AppendResult::Appended;
      journal->mark_processed(received.position());
      appended = appended &&
                 journal->append_held(sequence + 9, start_ns, message) == AppendResult::Appended;
    }
    appended = appended && journal->append_sent(sequence, sequence + 1, start_ns, pieces) ==
                               AppendResult::Appended;
    ++sequence;
    appended = appended && journal->append_event(journal::EventType::Remark, 0, 0, start_ns,
                                                 message) == AppendResult::Appended;
    const bool wants = journal->needs_preparation();
    const std::uint64_t after = support::allocation_count();
    ASSERT_TRUE(appended);
    ASSERT_EQ(after, before);
    if (wants) {
      ASSERT_TRUE(journal->prepare());
    }
    unmarked = journal->end();
  }
  EXPECT_EQ(journal->stalls(), 0U);
  EXPECT_FALSE(read_all().damage);
}

/// Calls a test within each wait for a directory's names, and has no space on demand.
class CallingDisk final : public journal::Disk {
 public:
  [[nodiscard]] int allocate(int file, const std::string& path,
                             std::uint64_t bytes) noexcept override {
    return full ? ENOSPC : Disk::allocate(file, path, bytes);
  }

  [[nodiscard]] int sync_directory(const std::string& directory) noexcept override {
    if (during) {
      during();
    }
    return Disk::sync_directory(directory);
  }

  std::function<void()> during;
  bool full = false;
};

class JournalTryPrepare : public JournalTest {
 protected:
  JournalTryPrepare() {
    journal::Options with = small_segments();
    with.sequence_reserve = 10'000;  // So that segments are sealed, which waits for the disk.
    with.disk = &disk_;
    journal_ = open(with);
    while (journal_->end().segment < 6) {
      append();
    }
  }

  AppendResult append() {
    const std::uint64_t number = journal_->next_outgoing();
    return journal_->append_sent(number, start_ns, message_of(number, 500));
  }

  /// Prepares until the disk was waited for; returns what try_prepare() returned meanwhile.
  std::vector<bool> results_while_preparing() {
    std::vector<bool> results;
    disk_.during = [&] { results.push_back(journal_->try_prepare()); };
    for (int calls = 0; calls < 100 && results.empty(); ++calls) {
      EXPECT_EQ(journal_->prepare().has_value(), !disk_.full);
    }
    disk_.during = nullptr;
    return results;
  }

  CallingDisk disk_;
  std::unique_ptr<Journal> journal_;
};

// A worker would wait with all its sessions.
TEST_F(JournalTryPrepare, DoesNotWaitForTheThreadThatPrepares) {
  std::vector<bool> results = results_while_preparing();
  ASSERT_FALSE(results.empty());
  EXPECT_TRUE(results.front());
  disk_.full = true;
  while (append() == AppendResult::Appended) {
  }
  EXPECT_FALSE(journal_->try_prepare());
  results = results_while_preparing();
  ASSERT_FALSE(results.empty());
  EXPECT_FALSE(results.front());
  disk_.full = false;
  EXPECT_TRUE(journal_->try_prepare());
  EXPECT_EQ(append(), AppendResult::Appended);
}

TEST_F(JournalTryPrepare, LeavesSlowWorkToTheThreadThatPrepares) {
  bool waited = false;
  disk_.during = [&] { waited = true; };
  EXPECT_TRUE(journal_->try_prepare());
  EXPECT_FALSE(waited);
  EXPECT_TRUE(journal_->needs_preparation());
  disk_.during = nullptr;
  EXPECT_FALSE(results_while_preparing().empty());
}

/// Counts waits, and checks that one has ended before the next begins.
class CountingWatch final : public journal::StallWatch {
 public:
  void on_stall_begin() noexcept override {
    EXPECT_FALSE(std::exchange(waiting_, true));
    ++count;
  }

  void on_stall_end() noexcept override { EXPECT_TRUE(std::exchange(waiting_, false)); }

  std::uint64_t count = 0;

 private:
  bool waiting_ = false;
};

TEST_F(JournalPrepare, AWatcherIsCalledForEachWaitAndNeverWhereAllWasReady) {
  for (const journal::Durability durability :
       {journal::Durability::Process, journal::Durability::Group, journal::Durability::Sync}) {
    for (const bool prepares : {true, false}) {
      journal::Options with = options();
      with.directory += prepares ? "-ready" : "-late";
      with.directory += std::to_string(static_cast<int>(durability));
      with.durability = durability;
      with.sequence_reserve = 0;
      const auto journal = open(with);
      CountingWatch watch;
      journal->watch_stalls(&watch);
      for (std::uint64_t sequence = 1; journal->end().segment < 5; ++sequence) {
        ASSERT_EQ(journal->append_sent(sequence, start_ns, message_of(sequence, 500)),
                  AppendResult::Appended);
        while (prepares && journal->needs_preparation()) {
          ASSERT_TRUE(journal->prepare());
        }
        if (durability != journal::Durability::Process) {
          ASSERT_TRUE(journal->flush());
        }
      }
      // With a mirror, segments are written once at each change.
      const std::uint64_t rolls = durability == journal::Durability::Sync ? 4U : 0U;
      if (prepares) {
        EXPECT_EQ(journal->stalls(), 0U);
        EXPECT_EQ(watch.count, rolls) << static_cast<int>(durability);
      } else {
        EXPECT_EQ(journal->stalls(), 4U);
        EXPECT_GE(watch.count, 4U + rolls) << static_cast<int>(durability);
      }
      const std::uint64_t reported = watch.count;
      journal->watch_stalls(nullptr);
      for (std::uint64_t sequence = 100'000; journal->end().segment < 6; ++sequence) {
        ASSERT_EQ(journal->append_sent(sequence, start_ns, message_of(sequence, 500)),
                  AppendResult::Appended);
      }
      EXPECT_EQ(watch.count, reported) << "nobody watches any more";
    }
  }
}

TEST_F(JournalPrepare, RecordsBeyondThePreparedPagesAreStoredAllTheSame) {
  // Whole segments, records longer than several steps, and a segment taken before it is prepared,
  // without another thread and with one that prepares continuously.
  for (const bool beside : {false, true}) {
    journal::Options with = options();
    with.directory += beside ? "-beside" : "-alone";
    with.max_segment_bytes = std::uint64_t{4} << 20;
    const auto journal = open(with);
    std::atomic<bool> done{false};
    std::thread preparer([&] {
      while (beside && !done.load()) {
        if (journal->needs_preparation()) {
          EXPECT_TRUE(journal->prepare());
        }
      }
    });
    std::vector<std::size_t> lengths;
    for (std::uint64_t sequence = 1; journal->end().segment < 12; ++sequence) {
      lengths.push_back(sequence % 50 == 0 ? 700'000 : sequence % 7 == 0 ? 70'000 : 900);
      ASSERT_EQ(journal->append_sent(sequence, start_ns, message_of(sequence, lengths.back())),
                AppendResult::Appended);
    }
    done = true;
    preparer.join();
    journal::Replay replay = journal->replay(1, lengths.size());
    for (std::size_t at = 0; at < lengths.size(); ++at) {
      const auto record = replay.next();
      ASSERT_TRUE(record) << at;
      ASSERT_TRUE(record->bytes == message_of(at + 1, lengths[at])) << at;
    }
    EXPECT_FALSE(replay.next());
    EXPECT_FALSE(replay.damaged());
  }
}

TEST_F(JournalPrepare, TheWriterTakesNoPageFaultWhereAnotherThreadPrepares) {
  if (support::sanitized) {
    GTEST_SKIP() << "a sanitizer's own pages count, too";
  }
  const auto journal = open();
  const std::string message = message_of(1, 1000);
  std::int64_t faults = 0;
  std::uint64_t sequence = 1;
  std::uint64_t bytes = 0;
  // To segment 8, which has 8 MiB; a batch is smaller than one step.
  while (journal->end().segment < 8) {
    const std::int64_t before = support::page_faults_of_this_thread();
    bool appended = true;
    for (int at = 0; at < 16; ++at, ++sequence) {
      appended =
          appended && journal->append_sent(sequence, start_ns, message) == AppendResult::Appended;
    }
    faults += support::page_faults_of_this_thread() - before;
    bytes += 16 * format::record_bytes(message.size());
    ASSERT_TRUE(appended);
    std::thread([&] {
      for (int step = 0; step < 4 && journal->needs_preparation(); ++step) {
        EXPECT_TRUE(journal->prepare());
      }
    }).join();
  }
  EXPECT_EQ(journal->stalls(), 0U);
  // A page that the system writes to the disk meanwhile costs one fault.
  EXPECT_LE(faults, static_cast<std::int64_t>(bytes / 4096 / 20));
}

// The system writes pages to the disk half a minute after they were stored to or prepared; here the
// test makes it do so between two messages.
TEST_F(JournalPrepare, PagesThatTheSystemHasWrittenAreMadeWritableAheadOfTheWriter) {
  if (support::sanitized) {
    GTEST_SKIP() << "a sanitizer's own pages count, too";
  }
  const support::TemporaryDirectory disk;
  struct statfs status{};
  ASSERT_EQ(statfs(disk.path().c_str(), &status), 0);
  if (status.f_type == TMPFS_MAGIC) {
    GTEST_SKIP() << "a file here is on no disk";
  }
  journal::Options with = options();
  with.directory = disk.path() + "/session";
  with.first_segment_bytes = with.max_segment_bytes = 1024 * 1024;
  const auto journal = open(with);
  const std::string path = with.directory + segment_file(1).substr(directory().size());
  const std::string message = message_of(1, 3000);  // Nearly a page.
  std::uint64_t number = 0;
  const auto faults_of_rounds = [&](bool keeps_writable) {
    std::int64_t faults = 0;
    for (int round = 0; round < 50; ++round) {
      const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
      EXPECT_EQ(::fsync(file), 0);
      ::close(file);
      if (keeps_writable) {
        std::thread([&] { journal->keep_writable(); }).join();
      }
      const std::int64_t before = support::page_faults_of_this_thread();
      const journal::AppendResult result = journal->append_sent(++number, start_ns, message);
      faults += support::page_faults_of_this_thread() - before;
      EXPECT_EQ(result, journal::AppendResult::Appended);
      while (journal->needs_preparation()) {
        EXPECT_TRUE(journal->prepare());
      }
    }
    return faults;
  };
  const std::int64_t kept = faults_of_rounds(true);
  const std::int64_t left_alone = faults_of_rounds(false);
  if (left_alone < 40) {
    GTEST_SKIP() << "this file system does not write-protect a page that it has written";
  }
  // Whatever another process flushes makes the system write pages of this file, too: between
  // keep_writable() and the append it costs a fault of this thread.
  EXPECT_LT(3 * kept, left_alone) << kept << " of " << left_alone;
}

// Pages far ahead of the writer take no memory yet, as they would be written back before they are
// used.
TEST_F(JournalPrepare, PagesArePreparedAsTheWriterComesToThem) {
  const support::TemporaryDirectory disk;
  struct statfs status{};
  ASSERT_EQ(statfs(disk.path().c_str(), &status), 0);
  if (status.f_type == TMPFS_MAGIC) {
    GTEST_SKIP() << "a file here is in memory as soon as it has its length";
  }
  journal::Options with = options();
  with.directory = disk.path() + "/session";
  with.first_segment_bytes = with.max_segment_bytes = 16 << 20;
  const auto journal = open(with);
  const std::string path = with.directory + segment_file(1).substr(directory().size());
  const auto present = [&] {
    const auto mapped = Segment::map(path, journal::SegmentAccess::ReadOnly);
    const SegmentHandle segment(mapped ? *mapped : nullptr);
    return segment == nullptr ? 0 : segment->resident_end(0, segment->size());
  };
  const auto prepare = [&] {
    while (journal->needs_preparation()) {
      ASSERT_TRUE(journal->prepare());
    }
  };
  prepare();
  ASSERT_LT(present(), with.first_segment_bytes);
  std::uint64_t next = 1;
  for (std::size_t at = 0; at < with.first_segment_bytes - 100'000; at += 256 << 10) {
    const std::size_t ready = present();
    for (; journal->end().offset < at; ++next) {
      send(*journal, next, next, 1'000);
    }
    ASSERT_LE(journal->end().offset, ready) << "the writer came to the end of what was ready";
    prepare();
    ASSERT_LE(present(), journal->end().offset + (2U << 20) + Segment::filled_in_a_step);
  }
  EXPECT_EQ(journal->stalls(), 0U);
}

TEST_F(JournalPrepare, WithoutItAppendsPrepareForThemselves) {
  journal::Options with = small_segments(8 * 1024);
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

// Retention takes as long as an archive's disk does.
TEST_F(JournalPrepare, AReplacementDoesNotWaitForTheOtherThreadsOtherWork) {
  CallingDisk disk;
  journal::Options with = options();
  with.keep_bytes = 1;
  with.disk = &disk;
  const auto journal = open(with);
  std::uint64_t sequence = 0;
  while (journal->end().segment < 3 || journal->end().offset < 200 * 1024) {
    ++sequence;
    send(*journal, sequence, sequence, 200);
  }
  const std::string large(1'500'000, 'x');
  std::vector<AppendResult> during;
  disk.during = [&] {
    if (during.empty()) {
      during.push_back(journal->append_sent(++sequence, start_ns, large));
    }
  };
  const std::uint64_t stalls = journal->stalls();
  ASSERT_TRUE(journal->prepare());
  ASSERT_EQ(during, std::vector{AppendResult::Appended});
  EXPECT_EQ(journal->stalls(), stalls + 1) << "a segment was prepared, and too short";
  EXPECT_EQ(journal->end().segment, 4U);
  while (journal->needs_preparation()) {
    ASSERT_TRUE(journal->prepare());
  }
  const Contents contents = read_all();
  EXPECT_FALSE(contents.damage);
  ASSERT_FALSE(contents.rows.empty());
  EXPECT_EQ(contents.rows.back().bytes, large);
}

/// Once armed, opens a segment only after the writer could have put another file in its place.
class SlowlyOpeningDisk final : public journal::Disk, public journal::StallWatch {
 public:
  [[nodiscard]] int open_file(const std::string& path, int flags, int& file) noexcept override {
    if (path.ends_with(".journal") && armed.exchange(false)) {
      opens.store(true);
      opens.notify_all();
      writer_is_there.wait(false);
      for (int turn = 0; turn < 2'000 && !writer_went_on.load(); ++turn) {
        std::this_thread::yield();
      }
    }
    return Disk::open_file(path, flags, file);
  }

  void on_stall_begin() noexcept override {
    writer_is_there.store(true);
    writer_is_there.notify_all();
  }

  void on_stall_end() noexcept override {}

  std::atomic<bool> armed{false};
  std::atomic<bool> opens{false};
  std::atomic<bool> writer_is_there{false};
  std::atomic<bool> writer_went_on{false};
};

TEST_F(JournalPrepare, AReplacementIsNotFilledWithTheZerosOfItsPredecessor) {
  SlowlyOpeningDisk disk;
  journal::Options with = options();
  with.disk = &disk;
  const auto journal = open(with);
  journal->watch_stalls(&disk);
  std::uint64_t sequence = 1;
  while (!journal->needs_preparation()) {
    send(*journal, sequence, sequence, 200);
    ++sequence;
  }
  ASSERT_TRUE(journal->prepare());
  ASSERT_TRUE(journal->needs_preparation()) << "the segment lacks pages";
  disk.armed = true;
  std::thread preparer([&] { EXPECT_TRUE(journal->prepare()); });
  disk.opens.wait(false);
  const std::string large(300'000, 'x');
  EXPECT_EQ(journal->append_sent(sequence, start_ns, large), AppendResult::Appended);
  disk.writer_went_on = true;
  preparer.join();
  const Contents contents = read_all();
  EXPECT_FALSE(contents.damage);
  ASSERT_EQ(contents.rows.size(), sequence);
  EXPECT_EQ(contents.rows.back().bytes, large);
}

TEST_F(JournalPrepare, FromAnotherThreadAllTheTime) {
  journal::Options with = small_segments(32 * 1024);
  with.sequence_reserve = 400;
  const auto journal = open(with);
  support::RepeatingThread preparer([&] { return prepare_and_read_ahead(*journal); });
  for (std::uint64_t sequence = 1; sequence <= 20'000; ++sequence) {
    const journal::Appended received =
        journal->append_received(sequence, sequence + 1, start_ns, "x");
    // A reserve of 400 is used up while the preparing thread waits for the disk or a core. Refused
    // appends succeed once it is done.
    journal::AppendResult sent = journal::AppendResult::NoReserve;
    while (sent == journal::AppendResult::NoReserve) {
      sent = journal->append_sent(sequence, start_ns + static_cast<std::int64_t>(sequence),
                                  message_of(sequence, 0));
    }
    ASSERT_EQ(sent, journal::AppendResult::Appended);
    journal->mark_processed(received.position());
    if (sequence % 1'000 == 0) {
      ASSERT_EQ(numbers_of(journal->replay(sequence - 700, sequence)),
                range(sequence - 700, sequence));
    }
  }
  preparer.stop();
  EXPECT_FALSE(read_all().damage);
  EXPECT_TRUE(numbers_of(journal->unprocessed()).empty());
  EXPECT_EQ(numbers_of(journal->replay(1, 20'000)), range(1, 20'000));
}

class SegmentPages : public JournalTest {
 protected:
  static constexpr std::size_t bytes = std::size_t{4} << 20;

  [[nodiscard]] SegmentHandle made(const Segment::Making& making) const {
    const auto segment = Segment::create(path_, bytes, making, journal::system_disk());
    return SegmentHandle(segment ? *segment : nullptr);
  }

  [[nodiscard]] const std::string& path() const { return path_; }

  void SetUp() override {
    struct statfs status{};
    ASSERT_EQ(statfs(directory_.path().c_str(), &status), 0);
    if (status.f_type == TMPFS_MAGIC) {
      GTEST_SKIP() << "a file here is in memory as soon as it has its length";
    }
  }

 private:
  support::TemporaryDirectory directory_;
  std::string path_ = directory_.path() + "/segment";
};

TEST_F(SegmentPages, ComeInBoundedStepsWhateverTheDiskReadsAhead) {
  for (const NewPages new_pages : {NewPages::Written, NewPages::Faulted}) {
    Segment::Making making;
    making.new_pages = new_pages;
    const SegmentHandle segment = made(making);
    ASSERT_NE(segment, nullptr);
    std::size_t before = 0;
    for (;;) {
      const std::size_t end = segment->present_end();
      ASSERT_GT(end, before);
      ASSERT_LE(end - before, Segment::filled_in_a_step);
      ASSERT_EQ(segment->resident_end(0, bytes), end);
      before = end;
      if (!segment->lacks_pages()) {
        break;
      }
      segment->prepare_pages();
    }
    EXPECT_EQ(before, bytes);
  }
}

TEST_F(SegmentPages, AreNeverFilledWhereTheWriterMayHaveStored) {
  const SegmentHandle segment = made({});
  ASSERT_NE(segment, nullptr);
  segment->prepare_pages();
  segment->take();
  std::thread preparer([&] {
    while (segment->lacks_pages()) {
      segment->prepare_pages();
    }
  });
  // As fast as possible, so that it reaches the end of present pages repeatedly.
  std::string stored(bytes, 'x');
  for (std::size_t at = 0; at < bytes; at += 512) {
    if (segment->present_end() < at + 512) {
      segment->prepare_pages_now(at + 512);
    }
    ASSERT_GE(segment->present_end(), at + 512);
    std::memset(segment->base() + at, 'x', 512);
  }
  preparer.join();
  EXPECT_TRUE(support::read_file(path()) == stored);
}

/// Once armed, stays in a write until the writer could have overtaken it.
class SlowDisk final : public journal::Disk {
 public:
  [[nodiscard]] int write(int file, const std::string& path, std::string_view bytes,
                          std::uint64_t offset) noexcept override {
    if (armed.exchange(false)) {
      writes.store(true);
      while (!writer_is_there.load()) {
        std::this_thread::yield();
      }
      for (int turn = 0; turn < 2'000 && !writer_went_on.load(); ++turn) {
        std::this_thread::yield();
      }
    }
    return Disk::write(file, path, bytes, offset);
  }

  std::atomic<bool> armed{false};
  std::atomic<bool> writes{false};
  std::atomic<bool> writer_is_there{false};
  std::atomic<bool> writer_went_on{false};
};

TEST_F(SegmentPages, AreTakenWhileTheyAreFilled) {
  SlowDisk disk;
  const auto created = Segment::create(path(), bytes, {}, disk);
  ASSERT_TRUE(created);
  const SegmentHandle segment(*created);
  disk.armed = true;
  std::thread preparer([&] { segment->prepare_pages(); });
  while (!disk.writes.load()) {
    std::this_thread::yield();
  }
  segment->take();  // Does not wait.
  const std::size_t begin = segment->present_end();
  disk.writer_is_there = true;
  segment->prepare_pages_now(begin + 64);
  std::memset(segment->base() + begin, 'x', 64);
  disk.writer_went_on = true;
  preparer.join();
  EXPECT_EQ(support::read_file(path()).substr(begin, 64), std::string(64, 'x'));
  // From here on it fills no more, though it still makes pages present.
  disk.armed = true;
  segment->prepare_pages();
  EXPECT_TRUE(disk.armed.load());
}

/// Refuses to fill a file.
class UnwritableDisk final : public journal::Disk {
 public:
  [[nodiscard]] int write(int, const std::string&, std::string_view,
                          std::uint64_t) noexcept override {
    return ENOSPC;
  }
};

TEST_F(SegmentPages, ComeWithoutFillingWhereTheDiskRefusesIt) {
  UnwritableDisk disk;
  const auto segment = Segment::create(path(), bytes, {}, disk);
  ASSERT_TRUE(segment);
  const SegmentHandle handle(*segment);
  while ((*segment)->lacks_pages()) {
    (*segment)->prepare_pages();
  }
  EXPECT_EQ((*segment)->resident_end(0, bytes), bytes);
}

}  // namespace
}  // namespace affix::journal_test
