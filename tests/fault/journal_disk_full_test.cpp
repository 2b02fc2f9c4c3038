// SPDX-License-Identifier: MIT
// No space for the next segment: appends are refused before anything is written, nothing is lost,
// and they continue when there is space again.
#include "support/file_size_limit.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <cerrno>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/wait.h>

namespace affix::journal_test {
namespace {

using journal::AppendResult;
using journal::Journal;
using support::FileSizeLimit;

class JournalDiskFull : public JournalTest {
 protected:
  // Sends until an append fails; returns its result and number.
  static std::pair<AppendResult, std::uint64_t> send_until_refused(Journal& journal) {
    for (std::uint64_t sequence = journal.next_outgoing();; ++sequence) {
      const AppendResult result = journal.append_sent(sequence, start_ns, message_of(sequence));
      if (result != AppendResult::Appended || sequence > 1'000'000) {
        return {result, sequence};
      }
    }
  }
};

TEST_F(JournalDiskFull, AppendsAreRefusedUntilThereIsRoomAgain) {
  const auto journal = open();
  std::uint64_t refused = 0;
  {
    const FileSizeLimit limit(64 * 1024);
    const auto [result, sequence] = send_until_refused(*journal);
    refused = sequence;
    ASSERT_EQ(result, AppendResult::NoSpace);
    EXPECT_EQ(journal->next_outgoing(), refused);
    // It stays refused, at low cost, and requests preparation.
    EXPECT_EQ(journal->append_received(1, 2, start_ns, std::string(500, 'x')).result(),
              AppendResult::NoSpace);
    EXPECT_EQ(journal->next_expected(), 1U);
    EXPECT_EQ(journal->stalls(), 1U);
    EXPECT_TRUE(journal->needs_preparation());
    const auto failed = journal->prepare();
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, base::ErrorCode::NoSpace);
    EXPECT_TRUE(journal->needs_preparation()) << "it is still wanted";
    EXPECT_FALSE(std::filesystem::exists(segment_file(2)));
    EXPECT_FALSE(std::filesystem::exists(segment_file(2) + ".new")) << "nothing half made is left";
    EXPECT_EQ(numbers_of(journal->replay(1, refused)), range(1, refused - 1));
  }
  EXPECT_EQ(journal->append_sent(refused, start_ns, message_of(refused)), AppendResult::NoSpace);
  ASSERT_TRUE(journal->prepare());
  send(*journal, refused, refused + 100);
  EXPECT_EQ(numbers_of(journal->replay(1, refused + 100)), range(1, refused + 100));
}

TEST_F(JournalDiskFull, FailedPreparationAheadLeavesTheRestOfTheSegmentUsable) {
  const auto journal = open();
  std::uint64_t sequence = 1;
  while (!journal->needs_preparation()) {
    send(*journal, sequence, sequence);
    ++sequence;
  }
  {
    const FileSizeLimit limit(64 * 1024);
    ASSERT_FALSE(journal->prepare());
    send(*journal, sequence, sequence + 50);
  }
  ASSERT_TRUE(journal->prepare());
  const std::uint64_t stalls = journal->stalls();
  send(*journal, sequence + 51, sequence + 400);
  EXPECT_EQ(journal->end().segment, 2U);
  EXPECT_EQ(journal->stalls(), stalls);
}

TEST_F(JournalDiskFull, OpeningWithoutRoomLeavesNothingBehind) {
  {
    const FileSizeLimit limit(1'000);
    const auto error = refusal();
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, base::ErrorCode::NoSpace);
  }
  const auto journal = open();
  ASSERT_TRUE(journal);
  EXPECT_TRUE(journal->recovered().created);
}

TEST_F(JournalDiskFull, DirectoryThatIsGoneIsUnavailable) {
  const auto journal = open();
  std::filesystem::remove_all(directory());
  const auto [result, sequence] = send_until_refused(*journal);
  EXPECT_EQ(result, AppendResult::Unavailable);
  EXPECT_EQ(journal->next_outgoing(), sequence);
  const auto failed = journal->prepare();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, base::ErrorCode::NotFound);
}

TEST_F(JournalDiskFull, RealFileSystemWithoutRoom) {
  // In a child with its own mounts, so that nothing is left behind in any case.
  std::filesystem::create_directories(directory());
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  constexpr int not_allowed = 77;
  if (child == 0) {
    // Without permission the first fails; in a chroot the second, because its root is no mount
    // point.
    if (unshare(CLONE_NEWNS) != 0 ||
        mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
      _exit(not_allowed);
    }
    if (mount("tmpfs", directory().c_str(), "tmpfs", 0, "size=160k") != 0) {
      _exit(errno == EPERM ? not_allowed : 1);
    }
    auto opened = Journal::open(options());
    if (!opened) {
      _exit(2);
    }
    Journal& journal = **opened;
    const auto [result, refused] = send_until_refused(journal);
    if (result != AppendResult::NoSpace || journal.next_outgoing() != refused) {
      _exit(3);
    }
    const std::string more_room = "size=1m";
    if (mount(nullptr, directory().c_str(), nullptr, MS_REMOUNT, more_room.c_str()) != 0 ||
        !journal.prepare() ||
        journal.append_sent(refused, start_ns, "again") != AppendResult::Appended) {
      _exit(4);
    }
    opened->reset();
    auto again = Journal::open(options());
    _exit(again && (*again)->next_outgoing() == refused + 1 ? 0 : 5);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == not_allowed) {
    GTEST_SKIP() << "mounts of its own are not to be had here";
  }
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace affix::journal_test
