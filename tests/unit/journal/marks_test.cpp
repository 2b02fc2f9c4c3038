// SPDX-License-Identifier: MIT
// Processed marks set at any time, also during a flush: after an orderly end exactly the unmarked
// messages are unprocessed. And marks given from outside, at possibly wrong positions.
#include "journal_fixture.hpp"

#include <algorithm>
#include <functional>
#include <random>

namespace affix::journal_test {
namespace {

/// Calls back during disk work.
class BusyDisk final : public journal::Disk {
 public:
  [[nodiscard]] int sync_file(int file, const std::string& path) noexcept override {
    call();
    return Disk::sync_file(file, path);
  }

  [[nodiscard]] int sync_mapping(const std::string& path, char* base, std::size_t begin,
                                 std::size_t end) noexcept override {
    call();
    return Disk::sync_mapping(path, base, begin, end);
  }

  std::function<void()> while_busy;

 private:
  void call() {
    if (while_busy) {
      while_busy();
    }
  }
};

struct MarksCase {
  const char* name;
  journal::Durability durability;
};

class JournalMarks : public JournalTest, public ::testing::WithParamInterface<MarksCase> {
 protected:
  [[nodiscard]] journal::Options marked_options() {
    journal::Options with = options();
    with.durability = GetParam().durability;
    with.disk = &disk_;
    with.first_segment_bytes = 64 * 1024;
    with.max_segment_bytes = 1024 * 1024;
    return with;
  }

  BusyDisk disk_;
};

TEST_P(JournalMarks, AnOrderlyEndKeepsEveryMarkWheneverItWasSet) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    std::filesystem::remove_all(directory());
    std::mt19937 random(seed);
    std::vector<journal::Position> open_ones;
    std::vector<std::uint64_t> numbers;
    auto journal = open(marked_options());
    const auto mark_some = [&] {
      // Usually from the front, like an application, sometimes any.
      for (std::size_t count = random() % 40; count != 0 && !open_ones.empty(); --count) {
        const std::size_t at = random() % 4 == 0 ? random() % open_ones.size() : 0;
        journal->mark_processed(open_ones[at]);
        open_ones.erase(open_ones.begin() + static_cast<std::ptrdiff_t>(at));
        numbers.erase(numbers.begin() + static_cast<std::ptrdiff_t>(at));
      }
    };
    // The writer of a journal and its flushing thread; here they alternate during a flush.
    disk_.while_busy = mark_some;
    std::uint64_t sequence = 0;
    for (int step = 0; step < 60; ++step) {
      for (std::size_t count = random() % 60; count != 0; --count) {
        ++sequence;
        const auto appended =
            journal->append_received(sequence, sequence + 1, start_ns, message_of(sequence, 1'000));
        ASSERT_EQ(appended.result(), journal::AppendResult::Appended);
        open_ones.push_back(appended.position());
        numbers.push_back(sequence);
      }
      if (random() % 2 == 0) {
        ASSERT_TRUE(journal->flush());
      }
      if (random() % 3 == 0) {
        mark_some();
      }
      if (journal->needs_preparation()) {
        ASSERT_TRUE(journal->prepare());
      }
    }
    disk_.while_busy = {};
    EXPECT_EQ(journal->unprocessed_count(), numbers.size());
    ASSERT_TRUE(journal->close());
    journal.reset();
    journal = open(marked_options());
    EXPECT_EQ(journal->recovered().unprocessed, numbers.size());
    std::vector<std::uint64_t> left;
    journal::Replay replay = journal->unprocessed();
    while (const auto record = replay.next()) {
      left.push_back(record->sequence);
    }
    std::ranges::sort(numbers);
    EXPECT_EQ(left, numbers);
  }
}

TEST_P(JournalMarks, OnlyReceivedRecordsAreFinishedAndOnce) {
  auto journal = open(marked_options());
  const auto first = journal->append_received(1, 2, start_ns, message_of(1)).position();
  const journal::Position sent_at = journal->end();
  ASSERT_EQ(journal->append_sent(1, start_ns, message_of(1)), journal::AppendResult::Appended);
  const auto second = journal->append_received(2, 3, start_ns, message_of(2)).position();
  // Far enough for the first segment to be unmapped.
  for (std::uint64_t sequence = 3; sequence < 3'000; ++sequence) {
    const auto appended =
        journal->append_received(sequence, sequence + 1, start_ns, message_of(sequence, 1'000),
                                 journal::Delivery::SessionOnly);
    ASSERT_EQ(appended.result(), journal::AppendResult::Appended);
    if (sequence % 16 == 0) {
      ASSERT_TRUE(journal->flush());
      ASSERT_TRUE(journal->prepare());
    }
  }
  ASSERT_GT(journal->end().segment, first.segment + 2);
  EXPECT_FALSE(journal->finish(sent_at));
  EXPECT_FALSE(journal->finish({}));
  EXPECT_FALSE(journal->finish({first.segment, first.offset + 8}));
  EXPECT_FALSE(journal->finish({first.segment, first.offset + 1}));
  EXPECT_FALSE(journal->finish(journal->end()));
  EXPECT_FALSE(journal->finish({first.segment + 100, first.offset}));
  EXPECT_FALSE(journal->finish({UINT32_MAX, UINT32_MAX}));
  EXPECT_EQ(journal->unprocessed_count(), 2U);
  EXPECT_TRUE(journal->finish(second));
  EXPECT_TRUE(journal->finish(second));
  EXPECT_EQ(journal->unprocessed_count(), 1U) << "twice is as once";
  EXPECT_TRUE(journal->finish(first));
  EXPECT_EQ(journal->unprocessed_count(), 0U);
  EXPECT_FALSE(journal->oldest_unprocessed().valid());
}

INSTANTIATE_TEST_SUITE_P(Durabilities, JournalMarks,
                         ::testing::Values(MarksCase{"process", journal::Durability::Process},
                                           MarksCase{"group", journal::Durability::Group},
                                           MarksCase{"sync", journal::Durability::Sync}),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace affix::journal_test
