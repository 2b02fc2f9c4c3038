// SPDX-License-Identifier: MIT
// Segments made ready ahead of need, by another thread or between batches; no append stalls then,
// and none allocates.
#include "affix/journal/journal.hpp"

#include "journal/segment.hpp"
#include "support/allocation_count.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <fstream>
#include <iterator>
#include <linux/magic.h>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <thread>
#include <unistd.h>

namespace affix::journal_test {
namespace {

using journal::AppendResult;
using journal::Journal;
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
  ASSERT_TRUE(journal->prepare());
  EXPECT_FALSE(journal->needs_preparation());
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
    // A reserve of 400 is used up while the preparer waits for the disk or for its turn on a core.
    // What is refused for that goes through once it is done.
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
  done = true;
  preparer.join();
  EXPECT_FALSE(read_all().damage);
  EXPECT_TRUE(numbers_of(journal->unprocessed()).empty());
  EXPECT_EQ(numbers_of(journal->replay(1, 20'000)), range(1, 20'000));
}

/// Reads a new file far ahead: all of it.
class FarReadingDisk final : public journal::Disk {
 public:
  [[nodiscard]] int allocate(int file, const std::string& path,
                             std::uint64_t bytes) noexcept override {
    const int result = Disk::allocate(file, path, bytes);
    char read[4096];
    ssize_t got = 0;
    for (off_t at = 0; (got = pread(file, read, sizeof read, at)) > 0; at += got) {
    }
    return result;
  }
};

/// Whether the mapping of the file at `path` asks for large pages; nothing when it is not mapped.
std::optional<bool> asks_for_large_pages(const std::string& path) {
  std::ifstream mappings("/proc/self/smaps");
  bool found = false;
  for (std::string line; std::getline(mappings, line);) {
    found = found || line.ends_with(path);
    if (found && line.starts_with("VmFlags:")) {
      return line.find(" hg") != std::string::npos;
    }
  }
  return std::nullopt;
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
  TemporaryDirectory directory_{TemporaryDirectory::On::Disk};
  std::string path_ = directory_.path() + "/segment";
};

TEST_F(SegmentPages, ThatTheSystemReadFarAheadIsSeen) {
  Segment::Making apart;
  apart.flushed_often = true;  // Nothing comes but what is asked for.
  const SegmentHandle segment = made(apart);
  ASSERT_NE(segment, nullptr);
  EXPECT_FALSE(segment->was_read_far_ahead());
  std::ifstream file(path(), std::ios::binary);
  std::string read(std::size_t{1} << 20, 'x');
  ASSERT_TRUE(file.read(read.data(), static_cast<std::streamsize>(read.size())));
  EXPECT_TRUE(segment->was_read_far_ahead());
}

TEST_F(SegmentPages, LargeOnesComeOneAtATimeAndTakeEveryStore) {
  Segment::Making large;
  large.in_large_pages = true;
  const SegmentHandle segment = made(large);
  ASSERT_NE(segment, nullptr);
  const std::size_t first = segment->resident_end(0, bytes);
  while (segment->lacks_pages()) {
    segment->populate_some();
  }
  EXPECT_EQ(segment->resident_end(0, bytes), bytes);
  for (std::size_t at = 0; at < bytes; at += 1000) {
    segment->base()[at] = 'x';
  }
  std::ifstream file(path(), std::ios::binary);
  const std::string stored{std::istreambuf_iterator<char>(file), {}};
  ASSERT_EQ(stored.size(), bytes);
  std::size_t found = 0;
  for (std::size_t at = 0; at < bytes; at += 1000) {
    found += stored[at] == 'x' ? 1U : 0U;
  }
  EXPECT_EQ(found, (bytes + 999) / 1000);
  if (madvise(segment->base(), bytes, MADV_HUGEPAGE) != 0) {
    GTEST_SKIP() << "this kernel has no large pages";
  }
  EXPECT_LE(first, std::size_t{2} << 20);
}

TEST_F(SegmentPages, WhatIsReadFarAheadHasTheNextSegmentsInLargePages) {
  if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage")) {
    GTEST_SKIP() << "this kernel has no large pages";
  }
  FarReadingDisk disk;
  for (const journal::Durability durability :
       {journal::Durability::Process, journal::Durability::Group}) {
    journal::Options options = JournalTest::options();
    options.directory = path() + std::to_string(static_cast<int>(durability));
    options.durability = durability;
    options.first_segment_bytes = std::uint64_t{1} << 20;
    options.disk = &disk;
    const auto journal = open(options);
    const auto mapped = [&](const char* number) {
      return asks_for_large_pages(options.directory + "/000000000" + number + ".journal");
    };
    for (std::uint64_t sequence = 1; journal->end().segment < 3; sequence += 8) {
      send(*journal, sequence, sequence + 7, 1000);
      ASSERT_TRUE(journal->prepare());
    }
    EXPECT_EQ(mapped("2"), false) << "made before anything was seen";
    EXPECT_EQ(mapped("3"), durability == journal::Durability::Process);
  }
}

}  // namespace
}  // namespace affix::journal_test
