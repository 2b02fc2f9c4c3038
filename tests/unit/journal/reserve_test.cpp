// SPDX-License-Identifier: MIT
// Outgoing numbers are reserved on the disk before use, at any rate and with any disk behaviour.
#include "affix/journal/format.hpp"

#include "support/recording_disk.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <ios>
#include <optional>
#include <string>
#include <thread>

namespace affix::journal_test {
namespace {

using journal::AppendResult;
using journal::Durability;
using journal::EventType;
using journal::Journal;
using support::RecordingDisk;

class JournalReserve : public JournalTest {
 protected:
  [[nodiscard]] journal::Options reserving(std::uint64_t reserve) {
    journal::Options with = options();
    with.sequence_reserve = reserve;
    with.disk = &disk_;
    return with;
  }

  /// The first outgoing number free for use after a power loss now. Reads only the segment's head:
  /// a test asks at every preparation, thousands of times on a busy machine.
  [[nodiscard]] std::uint64_t reserved(std::uint32_t segment) const {
    std::string bytes(journal::format::records_offset, '\0');
    std::ifstream(segment_file(segment), std::ios::binary)
        .read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const auto scan = journal::SegmentScan::open(bytes, segment, "");
    return scan && scan->state() ? scan->state()->reserved_outgoing : 0;
  }

  static AppendResult send_next(Journal& journal) {
    return journal.append_sent(journal.next_outgoing(), start_ns, "x");
  }

  RecordingDisk disk_{1};
};

TEST_F(JournalReserve, PreparedInTimeNoRateUsesItUp) {
  const auto journal = open(reserving(1'000));
  for (int sent = 0; sent < 100'000; ++sent) {
    ASSERT_EQ(send_next(*journal), AppendResult::Appended);
    if (journal->needs_preparation()) {
      ASSERT_TRUE(journal->prepare());
    }
  }
  EXPECT_EQ(journal->stalls(), 0U);
  EXPECT_GE(reserved(journal->end().segment), journal->next_outgoing());
}

TEST_F(JournalReserve, AReserveThatDoesNotLastGrows) {
  const auto journal = open(reserving(1'000));
  int renewals = 0;
  for (int sent = 0; sent < 100'000; ++sent) {
    ASSERT_EQ(send_next(*journal), AppendResult::Appended);
    if (journal->needs_preparation()) {
      const std::uint64_t before = reserved(journal->end().segment);
      ASSERT_TRUE(journal->prepare());
      renewals += reserved(journal->end().segment) != before ? 1 : 0;
    }
  }
  EXPECT_GT(renewals, 2);
  EXPECT_LT(renewals, 30) << "of a hundred";
}

TEST_F(JournalReserve, AMissingPreparingThreadIsAStallAndNotABrokenPromise) {
  const auto journal = open(reserving(50));
  for (int sent = 0; sent < 1'000; ++sent) {
    ASSERT_EQ(send_next(*journal), AppendResult::Appended);
    ASSERT_GE(reserved(1), journal->next_outgoing());
  }
  EXPECT_GT(journal->stalls(), 2U);
}

TEST_F(JournalReserve, GroupIsHeldToItToo) {
  journal::Options with = reserving(50);
  with.durability = Durability::Group;
  const auto journal = open(with);
  for (int sent = 0; sent < 500; ++sent) {
    ASSERT_EQ(send_next(*journal), AppendResult::Appended);
    ASSERT_GE(reserved(1), journal->next_outgoing());
  }
  ASSERT_TRUE(journal->flush());
  EXPECT_GT(reserved(1), journal->next_outgoing());
}

TEST_F(JournalReserve, SyncNeedsNone) {
  journal::Options with = reserving(50);
  with.durability = Durability::Sync;
  const auto journal = open(with);
  const std::uint64_t before = reserved(1);
  for (int sent = 0; sent < 200; ++sent) {
    ASSERT_EQ(send_next(*journal), AppendResult::Appended);
  }
  EXPECT_EQ(reserved(1), before);
  EXPECT_EQ(journal->stalls(), 0U);
}

/// Lets the other thread's disk call return once the writer waits.
class WaitingWriter : public journal::StallWatch {
 public:
  void on_stall_begin() noexcept override {
    ++count_;
    waits_.store(true, std::memory_order_release);
    waits_.notify_all();
  }

  void on_stall_end() noexcept override {}

  void await() const noexcept { waits_.wait(false, std::memory_order_acquire); }

  /// For the writer's thread.
  [[nodiscard]] int count() const noexcept { return count_; }

 private:
  int count_ = 0;
  std::atomic<bool> waits_{false};
};

class JournalReserveOf : public JournalReserve,
                         public testing::WithParamInterface<journal::Durability> {};

TEST_P(JournalReserveOf, AnAppendWaitsForTheThreadThatIsAtIt) {
  journal::Options with = reserving(50);
  with.durability = GetParam();
  const auto journal = open(with);
  WaitingWriter writer;
  journal->watch_stalls(&writer);
  for (int sent = 0; sent < 30; ++sent) {
    ASSERT_EQ(send_next(*journal), AppendResult::Appended);
  }
  // The other thread is in the middle of its disk call when the last number is used.
  std::atomic<bool> began{false};
  disk_.fault = [&](RecordingDisk::Call call, const std::string&) {
    if (call == RecordingDisk::Call::SyncMapping || call == RecordingDisk::Call::SyncFile) {
      began.store(true, std::memory_order_release);
      began.notify_all();
      writer.await();
    }
    return 0;
  };
  std::thread helper([&] {
    EXPECT_TRUE(GetParam() == Durability::Group ? journal->flush() : journal->prepare());
  });
  began.wait(false, std::memory_order_acquire);
  for (int sent = 30; sent < 60; ++sent) {
    EXPECT_EQ(send_next(*journal), AppendResult::Appended);
  }
  helper.join();
  disk_.fault = nullptr;
  journal->watch_stalls(nullptr);
  EXPECT_EQ(journal->next_outgoing(), 61U);
  EXPECT_GE(reserved(1), 61U);
}

INSTANTIATE_TEST_SUITE_P(Durabilities, JournalReserveOf,
                         testing::Values(Durability::Process, Durability::Group));

TEST_F(JournalReserve, AFlushRenewsItBeforeTheRecords) {
  journal::Options with = reserving(50);
  with.durability = Durability::Group;
  const auto journal = open(with);
  for (int sent = 0; sent < 30; ++sent) {
    ASSERT_EQ(send_next(*journal), AppendResult::Appended);
  }
  const std::uint64_t before = reserved(1);
  int calls = 0;
  std::uint64_t after_first = 0;
  disk_.fault = [&](RecordingDisk::Call call, const std::string&) {
    if (call == RecordingDisk::Call::SyncMapping || call == RecordingDisk::Call::SyncFile) {
      after_first = calls++ == 0 ? reserved(1) : after_first;
    }
    return 0;
  };
  ASSERT_TRUE(journal->flush());
  disk_.fault = nullptr;
  EXPECT_GT(calls, 1) << "the reserve, then the records";
  EXPECT_GT(after_first, before);
}

// An append that finds it used up waits for it, about a second at most.
TEST_F(JournalReserve, AFlushOfALargeBacklogRenewsItBetweenItsPieces) {
  journal::Options with = reserving(50);
  with.durability = Durability::Group;
  with.first_segment_bytes = with.max_segment_bytes = 32 * 1024 * 1024;
  const auto journal = open(with);
  const std::string large(1'000'000, 'x');
  for (std::uint64_t received = 1; received <= 20; ++received) {
    ASSERT_EQ(journal->append_received(received, received + 1, start_ns, large).result(),
              AppendResult::Appended);
  }
  const std::uint64_t before = reserved(1);
  const journal::Position backlog = journal->end();
  std::optional<journal::Position> renewed_at;
  bool asked = false;
  disk_.fault = [&](RecordingDisk::Call call, const std::string&) {
    if (call != RecordingDisk::Call::SyncMapping) {
      return 0;
    }
    while (!asked && journal->next_outgoing() < 40) {
      EXPECT_EQ(send_next(*journal), AppendResult::Appended);
    }
    asked = true;
    if (!renewed_at && reserved(1) > before) {
      renewed_at = journal->durable();
    }
    return 0;
  };
  ASSERT_TRUE(journal->flush());
  disk_.fault = nullptr;
  ASSERT_TRUE(renewed_at);
  EXPECT_LT(renewed_at->offset, backlog.offset / 2);
  EXPECT_GE(journal->durable(), backlog);
}

// The flushing thread is segments behind the writer, and the reserve is in the segment that it
// flushes.
TEST_F(JournalReserve, AfterAPowerLossARenewalDuringABurstCounts) {
  journal::Options with = reserving(50);
  with.durability = Durability::Group;
  with.mark_trust = journal::MarkTrust::Stored;
  with.first_segment_bytes = 8 * 1024;
  with.max_segment_bytes = 8 * 1024;
  // The seed decides which unflushed pages a power loss leaves.
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    std::filesystem::remove_all(directory());
    RecordingDisk disk(seed);
    with.disk = &disk;
    const auto journal = open(with);
    const auto send_to = [&](std::uint64_t next) {
      while (journal->next_outgoing() < next) {
        ASSERT_EQ(send_next(*journal), AppendResult::Appended);
      }
    };
    send_to(26);
    ASSERT_TRUE(journal->flush());
    send_to(51);
    const std::string large(2 * 1024, 'x');
    for (std::uint64_t received = 1; received <= 10; ++received) {
      ASSERT_EQ(journal->append_received(received, received + 1, start_ns, large).result(),
                AppendResult::Appended);
    }
    ASSERT_GE(journal->end().segment, 3U);
    ASSERT_TRUE(journal->flush());
    send_to(91);
    ASSERT_TRUE(journal->flush());
    send_to(96);
    journal->abandon();
    disk.restart(directory());
    const auto after = open(with);
    EXPECT_GE(after->next_outgoing(), 96U);
  }
}

/// The helper thread goes on with work that takes long once the reserve is on the disk.
TEST_F(JournalReserve, AnAppendGoesOnOnceTheReserveIsThere) {
  const auto journal = open(reserving(50));
  WaitingWriter writer;
  journal->watch_stalls(&writer);
  for (int sent = 0; sent < 30; ++sent) {
    ASSERT_EQ(send_next(*journal), AppendResult::Appended);
  }
  // An event that ends the first segment's half has the next one made after the reserve.
  const std::string large(options().first_segment_bytes / 2, 'x');
  ASSERT_EQ(journal->append_received(1, 2, start_ns, large).result(), AppendResult::Appended);
  std::atomic<bool> began{false};
  std::atomic<bool> sent_all{false};
  std::atomic<int> held{0};
  disk_.fault = [&](RecordingDisk::Call call, const std::string&) {
    if (call == RecordingDisk::Call::SyncMapping) {
      began.store(true, std::memory_order_release);
      began.notify_all();
      writer.await();
    } else if (call == RecordingDisk::Call::Allocate) {
      ++held;
      sent_all.wait(false, std::memory_order_acquire);
    }
    return 0;
  };
  std::thread helper([&] { EXPECT_TRUE(journal->prepare()); });
  began.wait(false, std::memory_order_acquire);
  for (int sent = 30; sent < 60; ++sent) {
    EXPECT_EQ(send_next(*journal), AppendResult::Appended);
  }
  sent_all.store(true, std::memory_order_release);
  sent_all.notify_all();
  helper.join();
  disk_.fault = nullptr;
  journal->watch_stalls(nullptr);
  EXPECT_GT(held.load(), 0) << "the helper thread had more to do";
}

TEST_F(JournalReserve, ADiskThatIsStuckLongerThanAnAppendWaitsIsReported) {
  const auto journal = open(reserving(50));
  WaitingWriter writer;
  journal->watch_stalls(&writer);
  for (int sent = 0; sent < 30; ++sent) {
    ASSERT_EQ(send_next(*journal), AppendResult::Appended);
  }
  ASSERT_TRUE(journal->needs_preparation());
  // During its disk call that thread is as slow as a disk can be.
  int refused = 0;
  disk_.fault = [&](RecordingDisk::Call call, const std::string&) {
    if (call == RecordingDisk::Call::SyncMapping) {
      while (send_next(*journal) == AppendResult::Appended) {
      }
      refused += send_next(*journal) == AppendResult::NoReserve ? 1 : 0;
    }
    return 0;
  };
  ASSERT_TRUE(journal->prepare());
  disk_.fault = nullptr;
  EXPECT_EQ(refused, 1);
  EXPECT_EQ(journal->next_outgoing(), 51U) << "all that was reserved, and not one more";
  EXPECT_EQ(send_next(*journal), AppendResult::Appended);
  EXPECT_EQ(journal->stalls(), 0U);
  EXPECT_EQ(writer.count(), 1) << "the first refused append waits, and those after it do not";
}

TEST_F(JournalReserve, ADiskThatCannotReserveStopsSendingUntilItCan) {
  const auto journal = open(reserving(50));
  disk_.fault = [](RecordingDisk::Call call, const std::string&) {
    return call == RecordingDisk::Call::SyncMapping ? EIO : 0;
  };
  while (send_next(*journal) == AppendResult::Appended) {
    ASSERT_LE(journal->next_outgoing(), 51U);
  }
  EXPECT_EQ(send_next(*journal), AppendResult::NoReserve);
  EXPECT_FALSE(journal->prepare());
  EXPECT_EQ(send_next(*journal), AppendResult::NoReserve);
  EXPECT_EQ(journal->next_outgoing(), 51U);
  EXPECT_EQ(journal->append_received(1, 2, start_ns, "x").result(), AppendResult::Appended)
      << "which takes no number of ours";
  disk_.fault = nullptr;
  ASSERT_TRUE(journal->needs_preparation());
  ASSERT_TRUE(journal->prepare());
  EXPECT_EQ(send_next(*journal), AppendResult::Appended);
}

TEST_F(JournalReserve, OfGroupARefusalLastsUntilAFlushHasStoredIt) {
  journal::Options with = reserving(50);
  with.durability = Durability::Group;
  const auto journal = open(with);
  ASSERT_EQ(send_next(*journal), AppendResult::Appended);
  ASSERT_TRUE(journal->flush());
  ASSERT_FALSE(journal->needs_flush());
  disk_.fault = [](RecordingDisk::Call call, const std::string&) {
    return call == RecordingDisk::Call::SyncMapping ? EIO : 0;
  };
  EXPECT_EQ(journal->append_event(EventType::NumbersSet, 1'000, 1, start_ns, "by hand"),
            AppendResult::NoReserve);
  EXPECT_TRUE(journal->needs_flush()) << "though all records are flushed";
  EXPECT_FALSE(journal->try_prepare());
  EXPECT_FALSE(journal->flush());
  EXPECT_FALSE(journal->try_prepare());
  disk_.fault = nullptr;
  ASSERT_TRUE(journal->flush());
  EXPECT_FALSE(journal->needs_flush());
  EXPECT_TRUE(journal->try_prepare());
  EXPECT_EQ(journal->append_event(EventType::NumbersSet, 1'000, 1, start_ns, "by hand"),
            AppendResult::Appended);
}

TEST_F(JournalReserve, ANumberSetFarAheadIsReservedBeforeItCounts) {
  const auto journal = open(reserving(50));
  ASSERT_EQ(journal->append_event(EventType::NumbersSet, 5'000'000, 1, start_ns, "by hand"),
            AppendResult::Appended);
  EXPECT_GE(reserved(1), 5'000'000U);
  ASSERT_EQ(journal->append_sent(5'000'000, 9'000'000, start_ns, "a sequence reset"),
            AppendResult::Appended);
  EXPECT_GE(reserved(1), 9'000'000U);
  disk_.fault = [](RecordingDisk::Call call, const std::string&) {
    return call == RecordingDisk::Call::SyncMapping ? EIO : 0;
  };
  EXPECT_EQ(journal->append_event(EventType::NumbersSet, 20'000'000, 1, start_ns, "by hand"),
            AppendResult::NoReserve);
  EXPECT_EQ(journal->next_outgoing(), 9'000'000U);
}

// A first start makes thousands of journals, and flushes take most of its time.
TEST_F(JournalReserve, ANewJournalIsOnTheDiskByOneFlushAndOneOfItsDirectory) {
  for (const Durability durability : {Durability::Process, Durability::Group, Durability::Sync}) {
    SCOPED_TRACE(static_cast<int>(durability));
    std::filesystem::remove_all(directory());
    disk_.forget();
    int files = 0;
    int directories = 0;
    disk_.fault = [&](RecordingDisk::Call call, const std::string&) {
      files += call == RecordingDisk::Call::SyncFile || call == RecordingDisk::Call::SyncMapping;
      directories += call == RecordingDisk::Call::SyncDirectory;
      return 0;
    };
    journal::Options with = reserving(1'000);
    with.durability = durability;
    const auto journal = open(with);
    disk_.fault = nullptr;
    EXPECT_EQ(files, 1);
    EXPECT_EQ(directories, 1);
    journal->abandon();
    disk_.restart(directory());
    const auto after = open(with);
    ASSERT_NE(after, nullptr);
    EXPECT_FALSE(after->recovered().created);
    EXPECT_GE(after->next_outgoing(), durability == Durability::Sync ? 1U : 1'001U);
  }
}

}  // namespace
}  // namespace affix::journal_test
