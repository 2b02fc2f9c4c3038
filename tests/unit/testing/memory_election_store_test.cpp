// SPDX-License-Identifier: MIT
// The election store in memory keeps a store's promises, and its faults are what they are said to
// be.
#include "affix/testing/memory_election_store.hpp"

#include <gtest/gtest.h>

namespace affix::testing {
namespace {

using base::ns_per_ms;
using base::ns_per_second;
using replication::Answer;
using replication::AnswerKind;
using replication::Entry;
using replication::Outcome;
using replication::RequestKind;

Entry entry_of(std::uint64_t epoch) {
  return {.epoch = epoch, .primary = "a", .in_sync = {"a"}};
}

class MemoryElection : public ::testing::Test {
 protected:
  Answer ask(MemoryElectionStore& store, RequestKind kind, Entry entry = {},
             std::uint64_t revision = 0) {
    store.ask(
        {.group = "g", .kind = kind, .entry = std::move(entry), .expected_revision = revision});
    return next(store);
  }

  Answer next(MemoryElectionStore& store) {
    while (true) {
      if (auto answer = store.take()) {
        return std::move(*answer);
      }
      if (shared_.next_event_ns() == INT64_MAX) {
        ADD_FAILURE() << "nothing comes";
        return {};
      }
      now_ns_ = shared_.next_event_ns();
      shared_.advance(now_ns_);
    }
  }

  ElectionRegister shared_{7};
  std::unique_ptr<MemoryElectionStore> a_ = shared_.connect("a");
  std::unique_ptr<MemoryElectionStore> b_ = shared_.connect("b");
  std::int64_t now_ns_ = 0;
};

TEST_F(MemoryElection, ComparesAndSets) {
  EXPECT_EQ(ask(*a_, RequestKind::Read).revision, 0U);
  const Answer first = ask(*a_, RequestKind::Promote, entry_of(1));
  EXPECT_EQ(first.outcome, Outcome::Done);
  EXPECT_GT(now_ns_, 0);
  const Answer refused = ask(*b_, RequestKind::Promote, entry_of(2));
  EXPECT_EQ(refused.outcome, Outcome::Conflict);
  EXPECT_EQ(refused.entry, entry_of(1));
  EXPECT_EQ(refused.revision, first.revision);
  EXPECT_EQ(ask(*b_, RequestKind::ChangeSet, entry_of(2), first.revision).outcome, Outcome::Done);
  EXPECT_EQ(shared_.entry("g"), entry_of(2));
}

TEST_F(MemoryElection, TellsWatchersOfChanges) {
  b_->watch("g");
  EXPECT_EQ(next(*b_).revision, 0U);
  const Answer written = ask(*a_, RequestKind::Promote, entry_of(1));
  const Answer change = next(*b_);
  EXPECT_EQ(change.kind, AnswerKind::Changed);
  EXPECT_EQ(change.entry, entry_of(1));
  EXPECT_EQ(change.revision, written.revision);
  shared_.overwrite("g", std::nullopt);
  EXPECT_EQ(next(*b_).revision, 0U);
}

TEST_F(MemoryElection, ARefusedOrLostRequestIsNotCarriedOut) {
  shared_.faults.refused = 1000;
  EXPECT_EQ(ask(*a_, RequestKind::Promote, entry_of(1)).outcome, Outcome::Unreachable);
  shared_.faults.refused = 0;
  shared_.faults.lost_requests = 1000;
  EXPECT_EQ(ask(*a_, RequestKind::Promote, entry_of(1)).outcome, Outcome::Unknown);
  shared_.advance(now_ns_ + ns_per_second);
  EXPECT_EQ(shared_.entry("g"), std::nullopt);
}

TEST_F(MemoryElection, ALostAnswerHidesWhatWasDone) {
  shared_.faults.lost_answers = 1000;
  EXPECT_EQ(ask(*a_, RequestKind::Promote, entry_of(1)).outcome, Outcome::Unknown);
  EXPECT_EQ(shared_.entry("g"), entry_of(1));
}

TEST_F(MemoryElection, ALateRequestIsCarriedOutAfterItsAnswer) {
  shared_.faults.late_requests = 1000;
  EXPECT_EQ(ask(*a_, RequestKind::Promote, entry_of(1)).outcome, Outcome::Unknown);
  EXPECT_EQ(shared_.entry("g"), std::nullopt);
  a_.reset();
  shared_.advance(now_ns_ + ns_per_second);
  EXPECT_EQ(shared_.entry("g"), entry_of(1));
}

TEST_F(MemoryElection, ALateRequestIsRefusedIfAnotherWasFaster) {
  shared_.faults.late_requests = 1000;
  EXPECT_EQ(ask(*a_, RequestKind::Promote, entry_of(1)).outcome, Outcome::Unknown);
  shared_.faults.late_requests = 0;
  EXPECT_EQ(ask(*b_, RequestKind::Promote, entry_of(2)).outcome, Outcome::Done);
  shared_.advance(now_ns_ + ns_per_second);
  EXPECT_EQ(shared_.entry("g"), entry_of(2));
}

TEST_F(MemoryElection, ANodeThatIsCutOffReachesNothingAndHearsTheLatestLater) {
  b_->watch("g");
  static_cast<void>(next(*b_));
  shared_.set_reachable("b", false);
  EXPECT_EQ(ask(*b_, RequestKind::Read).outcome, Outcome::Unreachable);
  const Answer first = ask(*a_, RequestKind::Promote, entry_of(1));
  EXPECT_EQ(ask(*a_, RequestKind::Promote, entry_of(2), first.revision).outcome, Outcome::Done);
  shared_.advance(now_ns_ + ns_per_second);
  EXPECT_FALSE(b_->take().has_value());
  shared_.set_reachable("b", true);
  EXPECT_EQ(next(*b_).entry, entry_of(2));
}

TEST_F(MemoryElection, AnAnswerThatIsCutOffIsUnknown) {
  a_->ask({.group = "g", .kind = RequestKind::Promote, .entry = entry_of(1)});
  while (!shared_.entry("g")) {
    shared_.advance(shared_.next_event_ns());
  }
  shared_.set_reachable("a", false);
  EXPECT_EQ(next(*a_).outcome, Outcome::Unknown);
}

TEST_F(MemoryElection, ARequestThatIsCutOffIsUnknown) {
  a_->ask({.group = "g", .kind = RequestKind::Promote, .entry = entry_of(1)});
  shared_.set_reachable("a", false);
  EXPECT_EQ(next(*a_).outcome, Outcome::Unknown);
  EXPECT_EQ(shared_.entry("g"), std::nullopt);
}

TEST_F(MemoryElection, AStoreThatIsDownKeepsWhatItHas) {
  EXPECT_EQ(ask(*a_, RequestKind::Promote, entry_of(1)).outcome, Outcome::Done);
  shared_.set_running(false);
  EXPECT_EQ(ask(*a_, RequestKind::Read).outcome, Outcome::Unreachable);
  shared_.set_running(true);
  EXPECT_EQ(ask(*a_, RequestKind::Read).entry, entry_of(1));
}

TEST_F(MemoryElection, TheSameSeedGivesTheSameHistory) {
  const auto history = [] {
    ElectionRegister shared(3);
    shared.faults = {.refused = 200, .lost_requests = 200, .lost_answers = 200};
    const auto store = shared.connect("a");
    std::string text;
    for (int round = 0; round < 50; ++round) {
      store->ask({.group = "g", .kind = RequestKind::Promote, .entry = entry_of(1)});
      std::optional<Answer> answer;
      while (!(answer = store->take())) {
        shared.advance(shared.next_event_ns());
      }
      text += static_cast<char>('0' + static_cast<int>(answer->outcome));
    }
    return text;
  };
  EXPECT_EQ(history(), history());
  EXPECT_NE(history().find('1'), std::string::npos);
}

}  // namespace
}  // namespace affix::testing
