// SPDX-License-Identifier: MIT
// Journals come and go while helper threads work: neither helper waits for the other, and no
// journal goes while it is worked on.
#include "host/journal_roster.hpp"

#include "support/temporary_directory.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace affix::host {
namespace {

class JournalRosterTest : public ::testing::Test {
 protected:
  RosterEntry& make() {
    journal::Options options;
    options.directory = directory_.path("journal" + std::to_string(journals_.size()));
    options.identity = "FIX.4.4:A->B";
    journals_.push_back(std::move(*journal::Journal::open(options)));
    entries_.push_back(std::make_unique<RosterEntry>(*journals_.back(), 0, true));
    return *entries_.back();
  }

  std::vector<RosterEntry*> visited() {
    std::vector<RosterEntry*> all;
    roster_.prepare_each([&all](RosterEntry& entry) { all.push_back(&entry); });
    return all;
  }

  /// As another thread sees it.
  bool flushing_is_free() {
    bool is_free = false;
    std::thread([&] {
      const std::unique_lock lock(roster_.flushing(), std::try_to_lock);
      is_free = lock.owns_lock();
    }).join();
    return is_free;
  }

  support::TemporaryDirectory directory_;
  std::vector<std::unique_ptr<journal::Journal>> journals_;
  std::vector<std::unique_ptr<RosterEntry>> entries_;
  JournalRoster roster_;
};

TEST_F(JournalRosterTest, AJournalIsVisitedUntilItIsRemoved) {
  EXPECT_TRUE(visited().empty());
  RosterEntry& first = make();
  RosterEntry& second = make();
  int calls = 0;
  roster_.add(first, [&] { ++calls; });
  roster_.add(second, [&] { ++calls; });
  EXPECT_EQ(visited(), (std::vector<RosterEntry*>{&first, &second}));
  roster_.remove(first, [&] { ++calls; });
  EXPECT_EQ(visited(), std::vector<RosterEntry*>{&second});
  EXPECT_EQ(calls, 3);
}

TEST_F(JournalRosterTest, TheFlusherDoesNotWaitForThePreparer) {
  RosterEntry& entry = make();
  roster_.add(entry, [] {});
  bool was_free = false;
  roster_.prepare_each([&](RosterEntry&) { was_free = flushing_is_free(); });
  EXPECT_TRUE(was_free);
  const std::lock_guard flushing(roster_.flushing());
  EXPECT_EQ(visited().size(), 1U) << "nor the other way round";
}

TEST_F(JournalRosterTest, TheFlusherIsKeptOutWhileAJournalComesOrGoes) {
  RosterEntry& entry = make();
  bool was_free = true;
  roster_.add(entry, [&] { was_free = flushing_is_free(); });
  EXPECT_FALSE(was_free);
  was_free = true;
  roster_.remove(entry, [&] { was_free = flushing_is_free(); });
  EXPECT_FALSE(was_free);
  EXPECT_TRUE(flushing_is_free());
}

TEST_F(JournalRosterTest, AJournalStaysWhileItIsPrepared) {
  // A wrong remove() would run in this time; a right one waits for the end of the work.
  constexpr int turns = 1'000;
  RosterEntry& entry = make();
  roster_.add(entry, [] {});
  std::atomic<bool> removing{false};
  std::atomic<bool> working{false};
  std::atomic<bool> removed_at_work{false};
  std::thread remover;
  roster_.prepare_each([&](RosterEntry&) {
    working = true;
    remover = std::thread([&] {
      removing = true;
      roster_.remove(entry, [&] { removed_at_work = working.load(); });
    });
    while (!removing) {
      std::this_thread::yield();
    }
    for (int turn = 0; turn < turns; ++turn) {
      std::this_thread::yield();
    }
    working = false;
  });
  remover.join();
  EXPECT_FALSE(removed_at_work);
  EXPECT_TRUE(visited().empty());
}

}  // namespace
}  // namespace affix::host
