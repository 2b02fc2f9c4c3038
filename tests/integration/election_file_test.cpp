// SPDX-License-Identifier: MIT
// The election store in a directory: two processes' views of it, races, damage.
#include "affix/replication/file_election_store.hpp"

#include "support/election_asker.hpp"
#include "support/temporary_directory.hpp"
#include "support/whole_file.hpp"

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sys/file.h>
#include <thread>
#include <vector>

namespace affix {
namespace {

using replication::AnswerKind;
using replication::ElectionStore;
using replication::Outcome;
using support::election_entry;
using support::ElectionAsker;

std::unique_ptr<ElectionStore> open_in(const std::string& directory) {
  auto store = replication::open_file_election_store(
      {.directory = directory, .watch_ns = 2 * base::ns_per_ms});
  EXPECT_TRUE(store.has_value()) << store.error().text();
  return std::move(*store);
}

class ElectionFile : public ::testing::Test {
 protected:
  support::TemporaryDirectory directory_;
};

TEST_F(ElectionFile, ReplacesAnEntryOfTheExpectedRevisionOnly) {
  const auto store = open_in(directory_.path("new/deeper"));
  ElectionAsker asker(*store);
  const auto nothing = asker.read();
  EXPECT_EQ(nothing.outcome, Outcome::Done);
  EXPECT_EQ(nothing.revision, 0U);

  EXPECT_EQ(asker.write(election_entry(1), 5).outcome, Outcome::Conflict);
  const auto first = asker.write(election_entry(1), 0);
  EXPECT_EQ(first.outcome, Outcome::Done);
  EXPECT_GT(first.revision, 0U);
  const auto refused = asker.write(election_entry(2), 0);
  EXPECT_EQ(refused.outcome, Outcome::Conflict);
  EXPECT_EQ(refused.entry, election_entry(1));
  EXPECT_EQ(refused.revision, first.revision);
  const auto second = asker.write(election_entry(2), first.revision);
  EXPECT_EQ(second.outcome, Outcome::Done);
  EXPECT_GT(second.revision, first.revision);
  EXPECT_EQ(asker.read().entry, election_entry(2));
}

TEST_F(ElectionFile, ShowsTheChangesOfAnotherProcess) {
  const auto mine = open_in(directory_.path());
  const auto theirs = open_in(directory_.path());
  ElectionAsker watcher(*mine);
  ElectionAsker writer(*theirs);
  mine->watch("g");
  mine->watch("g");
  const auto before = watcher.change();
  EXPECT_EQ(before.kind, AnswerKind::Changed);
  EXPECT_EQ(before.revision, 0U);
  const auto written = writer.write(election_entry(1), 0);
  const auto change = watcher.change();
  EXPECT_EQ(change.kind, AnswerKind::Changed);
  EXPECT_EQ(change.entry, election_entry(1));
  EXPECT_EQ(change.revision, written.revision);
}

TEST_F(ElectionFile, ARevisionDoesNotComeAgainAfterTheFileWasRemoved) {
  const auto store = open_in(directory_.path());
  ElectionAsker asker(*store);
  const auto first = asker.write(election_entry(1), 0);
  std::filesystem::remove(directory_.path("g.election"));
  EXPECT_EQ(asker.read().revision, 0U);
  const auto second = asker.write(election_entry(1), 0);
  EXPECT_EQ(second.outcome, Outcome::Done);
  EXPECT_GT(second.revision, first.revision);
}

TEST_F(ElectionFile, OfManyWritersOneWins) {
  constexpr int rounds = 60;
  constexpr int writers = 4;
  std::vector<std::vector<std::uint64_t>> won(writers);
  std::vector<std::thread> threads;
  for (int writer = 0; writer < writers; ++writer) {
    threads.emplace_back([&, writer] {
      const auto store = open_in(directory_.path());
      ElectionAsker asker(*store);
      auto present = asker.read();
      for (int round = 0; round < rounds; ++round) {
        present = asker.write(election_entry(present.entry.epoch + 1), present.revision);
        if (present.outcome == Outcome::Done) {
          won[static_cast<std::size_t>(writer)].push_back(present.entry.epoch);
        } else {
          EXPECT_EQ(present.outcome, Outcome::Conflict) << present.error.text();
        }
      }
    });
  }
  std::set<std::uint64_t> epochs;
  std::size_t count = 0;
  for (int writer = 0; writer < writers; ++writer) {
    threads[static_cast<std::size_t>(writer)].join();
    const auto& own = won[static_cast<std::size_t>(writer)];
    epochs.insert(own.begin(), own.end());
    count += own.size();
  }
  EXPECT_EQ(epochs.size(), count) << "an epoch was won twice";
  EXPECT_EQ(*epochs.rbegin(), count) << "a write that was done is lost";
}

TEST_F(ElectionFile, SaysThatAFileIsNoEntryAndKeepsIt) {
  const auto store = open_in(directory_.path());
  ElectionAsker asker(*store);
  for (const std::string text : {"", "revision=1", "revision=x\n", "revision=0\naffix-election 1\n",
                                 "revision=5\naffix-election 9\n"}) {
    std::ofstream(directory_.path("g.election")) << text;
    const auto read = asker.read();
    EXPECT_EQ(read.outcome, Outcome::Damaged) << text;
    EXPECT_EQ(read.error.where, directory_.path("g.election"));
    EXPECT_EQ(asker.write(election_entry(1), 0).outcome, Outcome::Damaged);
    EXPECT_EQ(support::read_file(directory_.path("g.election")), text);
  }
}

TEST_F(ElectionFile, DoesNotWaitForEverForAStoppedWriter) {
  const auto store = open_in(directory_.path());
  ElectionAsker asker(*store);
  const os::FileDescriptor lock(
      ::open(directory_.path("g.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  ASSERT_EQ(::flock(lock.number(), LOCK_EX), 0);
  const auto refused = asker.write(election_entry(1), 0);
  EXPECT_EQ(refused.outcome, Outcome::Unreachable);
  EXPECT_EQ(refused.error.where, directory_.path("g.lock"));
  ASSERT_EQ(::flock(lock.number(), LOCK_UN), 0);
  EXPECT_EQ(asker.write(election_entry(1), 0).outcome, Outcome::Done);
}

TEST_F(ElectionFile, EndsWhileARequestIsWaiting) {
  const auto store = open_in(directory_.path());
  const os::FileDescriptor lock(
      ::open(directory_.path("g.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  ASSERT_EQ(::flock(lock.number(), LOCK_EX), 0);
  store->ask({.group = "g",
              .kind = replication::RequestKind::Promote,
              .entry = election_entry(1),
              .expected_revision = 0});
}

TEST_F(ElectionFile, RefusesADirectoryThatCannotBeOne) {
  std::ofstream(directory_.path("file")) << "x";
  EXPECT_FALSE(replication::open_file_election_store({.directory = directory_.path("file")}));
  EXPECT_FALSE(replication::open_file_election_store({.directory = directory_.path("file/below")}));
}

}  // namespace
}  // namespace affix
