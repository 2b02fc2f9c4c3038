// SPDX-License-Identifier: MIT
// Work on a worker's journals beside its turns: what is flushed when, who prepares, and who reads
// pages when nobody else does.
#include "engine/journal_keeper.hpp"

#include "support/temporary_directory.hpp"

#include <cerrno>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace affix::engine {
namespace {

/// Fails as it is told to.
class FailingDisk final : public journal::Disk {
 public:
  bool fails = false;

  int write(int file, const std::string& path, std::string_view bytes,
            std::uint64_t offset) noexcept override {
    return fails ? EIO : Disk::write(file, path, bytes, offset);
  }
};

class KeptJournals : public ::testing::Test {
 protected:
  KeptJournals() : reactor_(std::move(*net::make_reactor(net::default_reactor(), {}))) {
    keeper_.open(*reactor_, 8);
  }

  ~KeptJournals() override {
    for (const auto& entry : entries_) {
      keeper_.leave(*entry);
    }
  }

  /// `interval_ns` 0 and sync: output waits for the flush.
  host::RosterEntry& add(journal::Durability durability, std::int64_t interval_ns) {
    journal::Options options;
    options.disk = &disk_;
    options.directory = directory_.path("journal" + std::to_string(journals_.size()));
    options.identity = "FIX.4.4:A->B";
    options.durability = durability;
    journals_.push_back(std::move(*journal::Journal::open(options)));
    entries_.push_back(std::make_unique<host::RosterEntry>(
        *journals_.back(), interval_ns, durability != journal::Durability::Process));
    keeper_.enter(*entries_.back());
    keeper_.join(*entries_.back());
    return *entries_.back();
  }

  void append(host::RosterEntry& entry) {
    ASSERT_EQ(entry.journal.append_sent(entry.journal.next_outgoing(), 1, "8=FIX.4.4"),
              journal::AppendResult::Appended);
    keeper_.note_append(entry);
  }

  FailingDisk disk_;
  support::TemporaryDirectory directory_;
  std::unique_ptr<net::Reactor> reactor_;
  std::vector<std::unique_ptr<journal::Journal>> journals_;
  std::vector<std::unique_ptr<host::RosterEntry>> entries_;
  JournalKeeper keeper_;
};

TEST_F(KeptJournals, ThoseThatNeedNoFlushGetNone) {
  host::RosterEntry& process = add(journal::Durability::Process, 0);
  append(process);
  keeper_.end_turn();
  EXPECT_FALSE(keeper_.flush());
  EXPECT_FALSE(keeper_.has_flush_news());
  EXPECT_FALSE(keeper_.awaits_flushes());
  EXPECT_EQ(keeper_.flush_pause_ns(), JournalKeeper::never_ns);
}

TEST_F(KeptJournals, PagesAreKeptWritableOnceASecondWhileMessagesCome) {
  constexpr std::int64_t second_ns = base::ns_per_second;
  host::RosterEntry& process = add(journal::Durability::Process, 0);
  EXPECT_TRUE(keeper_.take_preparation_request(0, false)) << "at the start, for all";
  keeper_.prepare();
  EXPECT_FALSE(keeper_.take_preparation_request(5 * second_ns, false)) << "nothing was appended";
  append(process);
  EXPECT_TRUE(keeper_.take_preparation_request(5 * second_ns, false));
  append(process);
  EXPECT_FALSE(keeper_.take_preparation_request(6 * second_ns - 1, false));
  EXPECT_TRUE(keeper_.take_preparation_request(6 * second_ns, false));
  EXPECT_FALSE(keeper_.take_preparation_request(60 * second_ns, false));
}

TEST_F(KeptJournals, ASyncJournalDoesNotWaitForAnothersBacklog) {
  host::RosterEntry& group = add(journal::Durability::Group, base::ns_per_ms);
  host::RosterEntry& sync = add(journal::Durability::Sync, 0);
  const std::string large(1'000'000, 'x');
  for (std::uint64_t number = 1; number <= 12; ++number) {
    ASSERT_EQ(group.journal.append_sent(number, 1, large), journal::AppendResult::Appended);
  }
  keeper_.note_append(group);
  append(sync);
  keeper_.end_turn();
  EXPECT_TRUE(keeper_.flush());
  EXPECT_GE(sync.journal.durable(), sync.journal.end());
  EXPECT_LT(group.journal.durable(), group.journal.end());
  EXPECT_FALSE(keeper_.take_flush_failed());
  int more = 0;
  while (group.journal.needs_flush()) {
    ASSERT_EQ(keeper_.flush_pause_ns(), 0) << "there is more";
    ASSERT_TRUE(keeper_.flush());
    ++more;
  }
  EXPECT_GT(more, 1);
  EXPECT_LT(more, 12);
}

TEST_F(KeptJournals, ASyncJournalIsFlushedOnceForAllItsAppends) {
  host::RosterEntry& sync = add(journal::Durability::Sync, 0);
  EXPECT_TRUE(keeper_.awaits_flushes());
  append(sync);
  append(sync);
  keeper_.end_turn();
  EXPECT_TRUE(keeper_.flush());
  EXPECT_GE(sync.journal.durable(), sync.journal.end());
  EXPECT_TRUE(keeper_.has_flush_news());
  EXPECT_TRUE(keeper_.take_flushed());
  EXPECT_FALSE(keeper_.take_flushed());
  EXPECT_FALSE(keeper_.take_flush_failed());
}

TEST_F(KeptJournals, AWorkerThatFlushesItselfWaitsNoLongerThanUntilItsNextFlush) {
  host::RosterEntry& sync = add(journal::Durability::Sync, 0);
  EXPECT_EQ(keeper_.own_flush_ns(), JournalKeeper::never_ns) << "nothing was appended";
  append(sync);
  EXPECT_EQ(keeper_.own_flush_ns(), 0);
  EXPECT_TRUE(keeper_.flush());
  EXPECT_EQ(keeper_.own_flush_ns(), JournalKeeper::never_ns) << "all of it is on the disk";
  append(sync);
  net::Waker flusher;
  keeper_.set_flush_waker(&flusher);
  EXPECT_EQ(keeper_.own_flush_ns(), JournalKeeper::never_ns) << "the flushing thread wakes it";
  keeper_.set_flush_waker(nullptr);
  EXPECT_EQ(keeper_.own_flush_ns(), 0);
}

TEST_F(KeptJournals, AFailedDiskIsTriedAgainAfterAPauseAndNotAllTheTime) {
  host::RosterEntry& sync = add(journal::Durability::Sync, 0);
  append(sync);
  disk_.fails = true;
  EXPECT_TRUE(keeper_.flush());
  EXPECT_TRUE(keeper_.take_flush_failed());
  const std::int64_t again_ns = keeper_.own_flush_ns();
  EXPECT_GT(again_ns, reactor_->now().steady_ns);
  EXPECT_LT(again_ns, JournalKeeper::never_ns);
  EXPECT_FALSE(keeper_.flush()) << "too early";
  EXPECT_EQ(keeper_.own_flush_ns(), again_ns);
  disk_.fails = false;
}

TEST_F(KeptJournals, AGroupJournalIsFlushedOnceInItsInterval) {
  constexpr std::int64_t hour_ns = 3'600 * base::ns_per_second;
  host::RosterEntry& group = add(journal::Durability::Group, hour_ns);
  EXPECT_FALSE(keeper_.awaits_flushes()) << "no output waits for it";
  append(group);
  keeper_.end_turn();
  EXPECT_TRUE(keeper_.flush());
  append(group);
  keeper_.end_turn();
  EXPECT_FALSE(keeper_.flush()) << "the interval is not over";
  const std::int64_t pause_ns = keeper_.flush_pause_ns();
  EXPECT_GE(pause_ns, 0);
  EXPECT_LE(pause_ns, hour_ns);
}

TEST_F(KeptJournals, AJournalWithAShortIntervalWakesTheFlusherThatWaitsForALongOne) {
  constexpr std::int64_t hour_ns = 3'600 * base::ns_per_second;
  host::RosterEntry& slow = add(journal::Durability::Group, hour_ns);
  host::RosterEntry& prompt = add(journal::Durability::Group, 1);
  net::Waker flusher;
  keeper_.set_flush_waker(&flusher);
  append(slow);
  EXPECT_TRUE(keeper_.flush());
  append(slow);
  EXPECT_FALSE(keeper_.flush()) << "the interval is not over";
  EXPECT_GT(keeper_.flush_pause_ns(), 1) << "the time of looks without a wake is over";
  EXPECT_FALSE(flusher.take());
  append(prompt);
  EXPECT_TRUE(flusher.take());
  keeper_.end_flush_rest();
  EXPECT_TRUE(keeper_.flush());
  append(slow);
  EXPECT_FALSE(flusher.take()) << "it is listed already";
  EXPECT_GT(keeper_.flush_pause_ns(), 1);
  append(prompt);
  EXPECT_TRUE(flusher.take()) << "each time";
  keeper_.set_flush_waker(nullptr);
}

TEST_F(KeptJournals, NoAppendGoesUnseenBeforeTheFlusherRests) {
  constexpr std::int64_t hour_ns = 3'600 * base::ns_per_second;
  host::RosterEntry& slow = add(journal::Durability::Group, hour_ns);
  host::RosterEntry& prompt = add(journal::Durability::Group, 1);
  append(slow);
  EXPECT_TRUE(keeper_.flush());
  append(slow);
  EXPECT_FALSE(keeper_.flush());
  append(prompt);
  EXPECT_EQ(keeper_.flush_pause_ns(), 0);
}

TEST_F(KeptJournals, PreparationIsAskedForOnce) {
  EXPECT_TRUE(keeper_.take_preparation_request(0, false)) << "a worker begins with it";
  EXPECT_FALSE(keeper_.take_preparation_request(0, false));
  keeper_.want_preparation();
  keeper_.want_preparation();
  EXPECT_TRUE(keeper_.take_preparation_request(0, false));
  EXPECT_FALSE(keeper_.take_preparation_request(0, true));
}

TEST_F(KeptJournals, PagesAreReadByTheWorkerWhenNoHelperDoes) {
  std::int64_t now_ns = base::ns_per_second;
  keeper_.begin_page_wait(now_ns);
  EXPECT_FALSE(keeper_.must_read_pages(now_ns)) << "a helper may come";
  const std::int64_t deadline_ns = keeper_.page_deadline_ns();
  EXPECT_GT(deadline_ns, now_ns);
  keeper_.prepare();
  EXPECT_FALSE(keeper_.must_read_pages(deadline_ns)) << "one has been there";
  now_ns = keeper_.page_deadline_ns();
  EXPECT_GT(now_ns, deadline_ns);
  EXPECT_TRUE(keeper_.must_read_pages(now_ns));
  EXPECT_EQ(keeper_.page_deadline_ns(), 0) << "at once, from here on";
  EXPECT_TRUE(keeper_.must_read_pages(now_ns));
  keeper_.prepare();
  EXPECT_FALSE(keeper_.must_read_pages(now_ns));
  keeper_.on_pages_read();
  EXPECT_TRUE(keeper_.take_pages());
  EXPECT_FALSE(keeper_.take_pages());
}

TEST_F(KeptJournals, TheLastTurnFlushesEverything) {
  host::RosterEntry& sync = add(journal::Durability::Sync, 0);
  host::RosterEntry& process = add(journal::Durability::Process, 0);
  append(sync);
  append(process);
  keeper_.close(std::vector{&sync, &process});
  EXPECT_GE(sync.journal.durable(), sync.journal.end());
}

}  // namespace
}  // namespace affix::engine
