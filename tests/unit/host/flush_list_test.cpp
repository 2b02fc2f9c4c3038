// SPDX-License-Identifier: MIT
// Appended records are flushed: no entry is missed, and none is added twice.
#include "host/flush_list.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <thread>
#include <utility>

namespace affix::host {
namespace {

RosterEntry& nobody() {
  static std::array<std::byte, 1> storage;
  return reinterpret_cast<RosterEntry&>(storage);  // Never dereferenced.
}

TEST(FlushList, AnEntryIsThereOnceUntilItsFlushBegins) {
  FlushList list;
  FlushList::Entry entry(nobody());
  EXPECT_EQ(list.take(), nullptr);
  EXPECT_TRUE(list.add(entry));
  EXPECT_FALSE(list.add(entry));
  EXPECT_EQ(list.take(), &entry);
  EXPECT_EQ(entry.next, nullptr);
  EXPECT_FALSE(list.add(entry)) << "it was taken, and its flush will bring this append too";
  FlushList::begin(entry);
  EXPECT_TRUE(list.add(entry)) << "an append during the flush was lost";
  EXPECT_EQ(list.take(), &entry);
}

TEST(FlushList, AllThatWereAddedAreTakenTogether) {
  FlushList list;
  std::array<std::unique_ptr<FlushList::Entry>, 10> entries;
  for (auto& entry : entries) {
    entry = std::make_unique<FlushList::Entry>(nobody());
    EXPECT_TRUE(list.add(*entry));
  }
  std::set<FlushList::Entry*> taken;
  for (FlushList::Entry* entry = list.take(); entry != nullptr; entry = entry->next) {
    EXPECT_TRUE(taken.insert(entry).second);
  }
  EXPECT_EQ(taken.size(), entries.size());
  EXPECT_EQ(list.take(), nullptr);
}

TEST(FlushList, AFailedFlushIsKeptByOneSideOnly) {
  FlushList list;
  FlushList::Entry entry(nobody());
  EXPECT_TRUE(list.add(entry));
  EXPECT_EQ(list.take(), &entry);
  FlushList::begin(entry);
  EXPECT_TRUE(list.keep(entry));
  EXPECT_FALSE(list.add(entry));
  EXPECT_EQ(list.take(), nullptr);
  FlushList::begin(entry);
  EXPECT_TRUE(list.add(entry));
  EXPECT_FALSE(list.keep(entry)) << "both sides have it";
  EXPECT_EQ(list.take(), &entry);
}

TEST(FlushList, TheFlushingThreadDoesNotSleepWithWorkLeft) {
  FlushList list;
  FlushList::Entry entry(nobody());
  EXPECT_FALSE(list.is_resting());
  EXPECT_TRUE(list.rest());
  EXPECT_TRUE(list.is_resting());
  EXPECT_TRUE(list.add(entry));
  EXPECT_FALSE(list.rest());
  list.end_rest();
  EXPECT_FALSE(list.is_resting());
}

TEST(FlushList, NoAppendIsMissedByAnotherThread) {
  constexpr std::uint64_t appends = 200'000;
  FlushList list;
  FlushList::Entry entry(nobody());
  std::atomic<std::uint64_t> appended{0};
  std::atomic<bool> ended{false};
  std::uint64_t flushed = 0;
  std::thread flusher([&] {
    for (bool last = false; !last;) {
      last = ended.load(std::memory_order_acquire);
      for (FlushList::Entry* taken = list.take(); taken != nullptr;) {
        FlushList::Entry& one = *std::exchange(taken, taken->next);
        FlushList::begin(one);
        flushed = appended.load(std::memory_order_relaxed);
      }
    }
  });
  for (std::uint64_t append = 1; append <= appends; ++append) {
    appended.store(append, std::memory_order_relaxed);
    static_cast<void>(list.add(entry));
  }
  ended.store(true, std::memory_order_release);
  flusher.join();
  // The last append is flushed, either by its own entry or by one that was taken after it.
  EXPECT_EQ(flushed, appends);
}

}  // namespace
}  // namespace affix::host
