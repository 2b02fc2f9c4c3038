// SPDX-License-Identifier: MIT
// Messages that were sent before they are stored: their order, their maximum, and the marks that
// wait for them.
#include "host/late_store.hpp"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace affix::host {
namespace {

using StoredMessages = std::vector<std::pair<std::uint64_t, std::int64_t>>;

session::PersistSent sent_message(std::uint64_t sequence) {
  return {.sequence = sequence, .bytes = "8=FIX", .placed = "8=FIX"};
}

TEST(LateStore, ASessionThatStoresFirstHasNone) {
  DelayedMarks marks;
  const LateStore late(marks, LateStore::Use::Never);
  EXPECT_TRUE(late.empty());
  EXPECT_EQ(&late.marks(), &marks);
}

TEST(LateStore, MessagesAreStoredInOrderWithTheirTimes) {
  DelayedMarks marks;
  LateStore late(marks, LateStore::Use::AfterSend);
  EXPECT_TRUE(late.empty());
  late.add(sent_message(4), 40);
  late.add(sent_message(5), 50);
  EXPECT_FALSE(late.empty());
  StoredMessages stored;
  EXPECT_TRUE(late.store([&](const session::PersistSent& sent, std::int64_t utc_ns) {
    stored.emplace_back(sent.sequence, utc_ns);
    return true;
  }));
  EXPECT_EQ(stored, StoredMessages({{4, 40}, {5, 50}}));
  EXPECT_TRUE(late.empty());
}

TEST(LateStore, MarksWaitFromTheFirstMessageToTheStore) {
  DelayedMarks marks;
  LateStore late(marks, LateStore::Use::AfterSend);
  EXPECT_TRUE(marks.open());
  late.add(sent_message(1), 1);
  EXPECT_FALSE(marks.open());
  late.add(sent_message(2), 2);
  EXPECT_TRUE(late.store([](const session::PersistSent&, std::int64_t) { return true; }));
  EXPECT_TRUE(marks.open());
  EXPECT_FALSE(marks.dropped_last());
  EXPECT_EQ(marks.refusals(), 0U);
}

TEST(LateStore, MarksWaitForAllSessionsOfTheWorker) {
  DelayedMarks marks;
  LateStore one(marks, LateStore::Use::AfterSend);
  LateStore other(marks, LateStore::Use::AfterSend);
  one.add(sent_message(1), 1);
  other.add(sent_message(1), 1);
  EXPECT_TRUE(one.store([](const session::PersistSent&, std::int64_t) { return true; }));
  EXPECT_FALSE(marks.open());
  EXPECT_TRUE(other.store([](const session::PersistSent&, std::int64_t) { return true; }));
  EXPECT_TRUE(marks.open());
}

TEST(LateStore, ARefusalEndsTheStoreAndDropsTheMarks) {
  DelayedMarks marks;
  LateStore late(marks, LateStore::Use::AfterSend);
  for (std::uint64_t sequence = 1; sequence <= 3; ++sequence) {
    late.add(sent_message(sequence), 1);
  }
  std::vector<std::uint64_t> tried;
  EXPECT_FALSE(late.store([&](const session::PersistSent& sent, std::int64_t) {
    tried.push_back(sent.sequence);
    return sent.sequence != 2;
  }));
  EXPECT_EQ(tried, std::vector<std::uint64_t>({1, 2}));
  EXPECT_TRUE(late.empty());
  EXPECT_TRUE(marks.open());
  EXPECT_TRUE(marks.dropped_last());
  EXPECT_EQ(marks.refusals(), 1U);
}

TEST(LateStore, ItHoldsAsManyAsItSays) {
  DelayedMarks marks;
  LateStore late(marks, LateStore::Use::AfterSend);
  for (std::size_t count = 0; count < LateStore::messages_max; ++count) {
    EXPECT_FALSE(late.full());
    late.add(sent_message(count + 1), 1);
  }
  EXPECT_TRUE(late.full());
  std::size_t stored = 0;
  EXPECT_TRUE(late.store([&](const session::PersistSent&, std::int64_t) { return ++stored != 0; }));
  EXPECT_EQ(stored, LateStore::messages_max);
  EXPECT_FALSE(late.full());
}

}  // namespace
}  // namespace affix::host
