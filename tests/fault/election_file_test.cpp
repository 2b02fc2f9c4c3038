// SPDX-License-Identifier: MIT
// The election store in a directory when its writer is killed at any moment, and when its disk is
// full: the former entry or the new one is there, and nothing that was acknowledged is lost.
#include "affix/replication/file_election_store.hpp"

#include "support/election_asker.hpp"
#include "support/file_size_limit.hpp"
#include "support/temporary_directory.hpp"

#include <csignal>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <sys/wait.h>
#include <unistd.h>

namespace affix {
namespace {

using replication::Outcome;
using support::election_entry;
using support::ElectionAsker;

/// Writes epoch after epoch, and tells each that is acknowledged.
[[noreturn]] void write_for_ever(const std::string& directory, int told) {
  const auto store = replication::open_file_election_store({.directory = directory});
  ElectionAsker asker(**store);
  auto present = asker.read();
  while (true) {
    present = asker.write(election_entry(present.entry.epoch + 1), present.revision);
    if (::write(told, &present.entry.epoch, sizeof present.entry.epoch) < 0) {
      _exit(1);
    }
  }
}

TEST(ElectionFileFault, NothingAcknowledgedIsLostWhenTheWriterIsKilled) {
  const support::TemporaryDirectory directory(support::TemporaryDirectory::On::Memory);
  std::uint64_t seen = 0;
  for (int round = 0; round < 30; ++round) {
    int ends[2] = {-1, -1};
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      ::close(ends[0]);
      write_for_ever(directory.path(), ends[1]);
    }
    ::close(ends[1]);
    std::uint64_t epoch = 0;
    // After a number of writes that differs, so at another moment of the next one.
    for (int count = 0; count <= round % 7; ++count) {
      ASSERT_EQ(::read(ends[0], &epoch, sizeof epoch), ssize_t{sizeof epoch});
      EXPECT_GT(epoch, seen);
      seen = epoch;
    }
    ::kill(child, SIGKILL);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    while (::read(ends[0], &epoch, sizeof epoch) == ssize_t{sizeof epoch}) {
      seen = epoch;
    }
    ::close(ends[0]);
    const auto store = replication::open_file_election_store({.directory = directory.path()});
    ASSERT_TRUE(store.has_value());
    ElectionAsker asker(**store);
    const auto present = asker.read();
    ASSERT_EQ(present.outcome, Outcome::Done) << present.error.text();
    EXPECT_GE(present.entry.epoch, seen);
    EXPECT_LE(present.entry.epoch, seen + 1);
    seen = present.entry.epoch;
  }
}

TEST(ElectionFileFault, AFullDiskKeepsTheFormerEntry) {
  const support::TemporaryDirectory directory;
  const auto store = replication::open_file_election_store({.directory = directory.path()});
  ASSERT_TRUE(store.has_value());
  ElectionAsker asker(**store);
  const auto first = asker.write(election_entry(1), 0);
  ASSERT_EQ(first.outcome, Outcome::Done);
  {
    const support::FileSizeLimit full(10);
    const auto refused = asker.write(election_entry(2), first.revision);
    EXPECT_EQ(refused.outcome, Outcome::Unreachable);
    EXPECT_EQ(refused.error.where, directory.path("g.election"));
    EXPECT_EQ(asker.read().entry, election_entry(1));
  }
  EXPECT_EQ(asker.write(election_entry(2), first.revision).outcome, Outcome::Done);
}

}  // namespace
}  // namespace affix
