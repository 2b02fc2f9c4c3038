// SPDX-License-Identifier: MIT
// What flushing leaves behind in this process's memory.
#include "support/page_cache.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>

namespace affix::journal_test {
namespace {

using JournalFlush = JournalTest;

constexpr std::size_t message_bytes = 4'000;
constexpr std::uint64_t messages = 1'000;

TEST_F(JournalFlush, OfAGroupTakesItsPagesOutOfThePageTables) {
  journal::Options with = options();
  with.durability = journal::Durability::Group;
  with.first_segment_bytes = 16 * 1024 * 1024;
  with.max_segment_bytes = 16 * 1024 * 1024;
  const auto journal = open(with);
  send(*journal, 1, messages, message_bytes);
  const std::size_t before = support::mapped_file_bytes();
  ASSERT_TRUE(journal->flush());
  const std::size_t after = support::mapped_file_bytes();
  // Page by page in the tables, each would be an interruption of the writer's processor. A quarter
  // is left for what else the process maps meanwhile.
  EXPECT_LT(after + messages * message_bytes * 3 / 4, before);
  EXPECT_EQ(numbers_of(journal->replay(1, messages)), range(1, messages));
}

}  // namespace
}  // namespace affix::journal_test
