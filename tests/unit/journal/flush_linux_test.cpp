// SPDX-License-Identifier: MIT
// Effects of flushing on this process's memory.
#include "support/page_cache.hpp"
#include "support/page_faults.hpp"
#include "support/sanitized.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <thread>

namespace affix::journal_test {
namespace {

using JournalFlush = JournalTest;

TEST_F(JournalFlush, OfAGroupTakesItsPagesOutOfThePageTables) {
  constexpr std::size_t message_bytes = 4'000;
  constexpr std::uint64_t messages = 1'000;
  journal::Options with = options();
  with.durability = journal::Durability::Group;
  with.first_segment_bytes = 16 * 1024 * 1024;
  with.max_segment_bytes = 16 * 1024 * 1024;
  const auto journal = open(with);
  send(*journal, 1, messages, message_bytes);
  const std::size_t before = support::mapped_file_bytes();
  ASSERT_TRUE(journal->flush());
  const std::size_t after = support::mapped_file_bytes();
  // Flushing a page in the page tables interrupts the writer's processor. A quarter is left for
  // other mappings of the process.
  EXPECT_LT(after + messages * message_bytes * 3 / 4, before);
  EXPECT_EQ(numbers_of(journal->replay(1, messages)), range(1, messages));
}

// A flush leaves a page write-protected. The flushing thread takes the fault that makes it
// writable, not the next message.
TEST_F(JournalFlush, OfAGroupLeavesThePageOfTheNextMessageWritable) {
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
  with.durability = journal::Durability::Group;
  with.first_segment_bytes = with.max_segment_bytes = 1024 * 1024;
  const auto journal = open(with);
  const std::string message = message_of(1, 200);
  constexpr std::uint64_t rounds = 100;
  std::int64_t faults = 0;
  for (std::uint64_t number = 1; number <= rounds; ++number) {
    const std::int64_t before = support::page_faults_of_this_thread();
    const journal::AppendResult result = journal->append_sent(number, start_ns, message);
    faults += support::page_faults_of_this_thread() - before;
    ASSERT_EQ(result, journal::AppendResult::Appended);
    std::thread([&] { EXPECT_TRUE(journal->flush()); }).join();
  }
  EXPECT_LT(faults, static_cast<std::int64_t>(rounds / 10));
}

}  // namespace
}  // namespace affix::journal_test
