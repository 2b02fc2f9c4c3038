// SPDX-License-Identifier: MIT
// Hand-made counters files, as in docs/reference/counters-format.md: the contents of valid ones,
// and errors for other files, other versions, truncated and contradictory ones.
#include "affix/counters/counter_reader.hpp"

#include "support/temporary_directory.hpp"

#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <new>
#include <string>
#include <vector>

namespace affix::counters {
namespace {

using counters::CountersHeader;
using counters::FailoverCounter;
using counters::FailoverCounters;
using counters::FailoverRole;
using counters::SeatChunk;
using counters::SessionCounter;
using counters::SessionCounters;
using counters::SessionLatencies;
using counters::SessionLatency;
using counters::StandbyCounter;
using counters::WorkerCounter;
using counters::WorkerCounters;

constexpr std::size_t workers_at = 4096;
constexpr std::size_t chunk_at = workers_at + 16 * 1024;
constexpr std::size_t latencies_at = chunk_at + 8 * 1024;
constexpr std::size_t failover_at = latencies_at + 24 * 1024;
constexpr std::size_t file_bytes = latencies_at + 32 * 1024;
constexpr std::size_t seats = 4;

static_assert(sizeof(WorkerCounters) <= chunk_at - workers_at);
static_assert(sizeof(SeatChunk) + seats * sizeof(SessionCounters) <= latencies_at - chunk_at);
static_assert(sizeof(SessionLatencies) <= failover_at - latencies_at);
static_assert(2 * sizeof(FailoverCounters) <= file_bytes - failover_at);

/// A file of one worker and one session, which a test may damage before writing it.
class CounterImage : public testing::Test {
 protected:
  CounterImage() {
    std::memset(bytes_, 0, file_bytes);
    header_ = new (bytes_) CountersHeader;
    header_->process_id = 1;
    header_->started_utc_ns = 77;
    header_->worker_count = 1;
    header_->workers_at = workers_at;
    header_->seats_at.store(chunk_at);
    header_->engine_version.set("9.9");
    header_->magic.store(CountersHeader::magic_value);
    worker_ = new (bytes_ + workers_at) WorkerCounters;
    (*worker_)[WorkerCounter::Turns].add(5);
    counters::WaitCounters& wait =
        worker_->waits.causes[static_cast<std::size_t>(counters::WaitCause::Resend)];
    wait.count.add(2);
    wait.time.add(50);
    wait.longest.set(40);
    worker_->waits.causes[0].longest.set(30);
    worker_->waits.causes[0].recent.set(20);
    worker_->waits.longest_at.set(99);
    worker_->waits.lengths.record(40);
    chunk_ = new (bytes_ + chunk_at) SeatChunk;
    chunk_->seat_count = seats;
    for (std::size_t number = 0; number < seats; ++number) {
      new (bytes_ + chunk_at + sizeof(SeatChunk) + number * sizeof(SessionCounters))
          SessionCounters;
    }
    seat_ = std::launder(reinterpret_cast<SessionCounters*>(bytes_ + chunk_at + sizeof(SeatChunk)));
    seat_->version.store(2);
    seat_->taken.store(1);
    seat_->name.set("S");
    seat_->latencies.set(latencies_at);
    (*seat_)[SessionCounter::MessagesReceived].add(3);
    auto* const latencies = new (bytes_ + latencies_at) SessionLatencies;
    (*latencies)[SessionLatency::Append].record(20);
    group_ = new (bytes_ + failover_at) FailoverCounters;
    group_->name.set("DESKS");
    group_->node.set("A");
    (*group_)[FailoverCounter::Epoch].set(7);
    group_->standbys[0].name.set("B");
    group_->standbys[0][StandbyCounter::LagBytes].set(120);
    FailoverCounters* const other =
        new (bytes_ + failover_at + sizeof(FailoverCounters)) FailoverCounters;
    other->name.set("VENUES");
  }

  /// As an engine that is a node writes it.
  void add_failover(std::uint64_t at = failover_at, std::uint32_t count = 2,
                    std::uint32_t bytes = sizeof(FailoverCounters)) const {
    header_->failover_at = at;
    header_->failover_count = count;
    header_->failover_bytes = bytes;
  }

  /// Writes the first `size` bytes and opens them.
  std::expected<CounterReader, base::Error> open(std::size_t size = file_bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<const char*>(bytes_), static_cast<std::streamsize>(size));
    return CounterReader::open(path_);
  }

  EngineReading read(std::size_t size = file_bytes) const {
    auto reader = open(size);
    EXPECT_TRUE(reader) << reader.error().text();
    return reader ? reader->read() : EngineReading();
  }

  support::TemporaryDirectory directory_;
  std::string path_ = directory_.path() + "/counters";
  alignas(64) std::byte bytes_[file_bytes];
  CountersHeader* header_;
  WorkerCounters* worker_;
  SeatChunk* chunk_;
  SessionCounters* seat_;
  FailoverCounters* group_;
};

TEST_F(CounterImage, ThatIsSoundIsReadWhole) {
  const EngineReading reading = read();
  EXPECT_EQ(reading.started_utc_ns, 77U);
  EXPECT_EQ(reading.engine_version, "9.9");
  ASSERT_EQ(reading.workers.size(), 1U);
  EXPECT_EQ(reading.workers[0][WorkerCounter::Turns], 5U);
  const counters::WorkerReading& worker = reading.workers[0];
  const auto& wait = worker.waits[static_cast<std::size_t>(counters::WaitCause::Resend)];
  EXPECT_EQ(wait.count, 2U);
  EXPECT_EQ(wait.time, 50U);
  EXPECT_EQ(worker.longest_wait().cause, counters::WaitCause::Resend);
  EXPECT_EQ(worker.longest_wait().ns, 40U);
  EXPECT_EQ(worker.recent_wait().cause, counters::WaitCause::Preempted);
  EXPECT_EQ(worker.recent_wait().ns, 20U);
  EXPECT_EQ(worker.longest_wait_utc_ns, 99U);
  EXPECT_EQ(worker.wait_lengths.count(), 1U);
  ASSERT_EQ(reading.sessions.size(), 1U);
  EXPECT_EQ(reading.sessions[0].name, "S");
  EXPECT_EQ(reading.sessions[0][SessionCounter::MessagesReceived], 3U);
  ASSERT_NE(reading.sessions[0].latencies, nullptr);
  EXPECT_EQ((*reading.sessions[0].latencies)[2].count(), 1U);
}

TEST_F(CounterImage, HasTheFailoverGroupsOfANode) {
  EXPECT_TRUE(read().failover.empty());  // An engine that is no node, or of an earlier version.
  add_failover();
  const EngineReading reading = read();
  ASSERT_EQ(reading.failover.size(), 2U);
  const FailoverReading& group = reading.failover[0];
  EXPECT_EQ(group.name, "DESKS");
  EXPECT_EQ(group.node, "A");
  EXPECT_EQ(group[FailoverCounter::Epoch], 7U);
  EXPECT_EQ(group.role(), FailoverRole::Standby);
  ASSERT_EQ(group.standbys.size(), 1U);  // The other place is empty.
  EXPECT_EQ(group.standbys[0].name, "B");
  EXPECT_EQ(group.standbys[0][StandbyCounter::LagBytes], 120U);
  EXPECT_EQ(reading.failover[1].name, "VENUES");
  EXPECT_EQ(reading.sessions.size(), 1U);
}

TEST_F(CounterImage, WhoseFailoverGroupsAreNotInTheFileHasNone) {
  for (const std::uint64_t at : {std::uint64_t{file_bytes}, std::uint64_t{failover_at + 8},
                                 std::numeric_limits<std::uint64_t>::max() - 63}) {
    add_failover(at);
    EXPECT_TRUE(read().failover.empty()) << at;
  }
  add_failover(failover_at, std::numeric_limits<std::uint32_t>::max());
  EXPECT_LE(read().failover.size(), (file_bytes - failover_at) / sizeof(FailoverCounters));
  add_failover(failover_at, 2, sizeof(FailoverCounters) + 8);  // Of a later version.
  EXPECT_TRUE(read().failover.empty());
  group_->version.store(1);  // Being written by a process that died: shown as it is.
  add_failover();
  EXPECT_EQ(read().failover.size(), 2U);
}

TEST_F(CounterImage, ThatIsNoneIsRefused) {
  EXPECT_EQ(CounterReader::open(path_).error().code, base::ErrorCode::NotFound);
  for (const std::string& text : {std::string(), std::string("text"), std::string(8192, '\0')}) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << text;
    const auto opened = CounterReader::open(path_);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, base::ErrorCode::Damaged);
  }
  EXPECT_FALSE(CounterReader::open(directory_.path())) << "a directory";
}

TEST_F(CounterImage, OfAnotherVersionOrByteOrderIsRefusedWithThatReason) {
  const auto refused = [this] {
    const auto opened = open();
    return !opened && opened.error().code == base::ErrorCode::Unsupported;
  };
  header_->version = CountersHeader::version_value - 1;
  EXPECT_TRUE(refused());
  header_->version = CountersHeader::version_value + 1;
  EXPECT_TRUE(refused());
  header_->version = CountersHeader::version_value;
  header_->byte_order = 0x0403'0201;
  EXPECT_TRUE(refused());
  header_->byte_order = CountersHeader::byte_order_value;
  header_->session_bytes += 64;
  EXPECT_TRUE(refused());
}

TEST_F(CounterImage, ThatWasCutAnywhereIsReadAsFarAsItGoes) {
  for (std::size_t size = 1; size <= file_bytes; size += 61) {
    auto reader = open(size);
    if (!reader) {
      EXPECT_LT(size, sizeof(CountersHeader));
      EXPECT_EQ(reader.error().code, base::ErrorCode::Damaged);
      continue;
    }
    const EngineReading reading = reader->read();
    EXPECT_EQ(reading.workers.size(), size >= workers_at + sizeof(WorkerCounters) ? 1U : 0U);
    const bool has_seat = size >= chunk_at + sizeof(SeatChunk) + sizeof(SessionCounters);
    EXPECT_EQ(reading.sessions.size(), has_seat ? 1U : 0U);
    if (has_seat && size < latencies_at + sizeof(SessionLatencies)) {
      EXPECT_EQ(reading.sessions[0].latencies, nullptr);
    }
  }
}

TEST_F(CounterImage, WithSeatsInACircleEndsAtTheFilesMaximum) {
  chunk_->next_at.store(chunk_at);
  EXPECT_GE(read().sessions.size(), 1U);
  EXPECT_LE(read().sessions.size(), file_bytes / sizeof(SessionCounters));
  chunk_->seat_count = 0;
  EXPECT_TRUE(read().sessions.empty());
}

TEST_F(CounterImage, WhoseOffsetsLeadOutsideIsReadWithoutThem) {
  for (const std::uint64_t wrong :
       {std::uint64_t{file_bytes}, std::uint64_t{file_bytes - 8}, std::uint64_t{chunk_at + 1},
        std::numeric_limits<std::uint64_t>::max() - 63, std::uint64_t{1} << 63}) {
    chunk_->next_at.store(wrong);
    EXPECT_EQ(read().sessions.size(), 1U);
    seat_->latencies.set(wrong);
    EXPECT_EQ(read().sessions.at(0).latencies, nullptr);
    header_->workers_at = wrong;
    EXPECT_TRUE(read().workers.empty());
    header_->seats_at.store(wrong);
    EXPECT_TRUE(read().sessions.empty());
    header_->seats_at.store(chunk_at);
  }
  chunk_->next_at.store(0);
  chunk_->seat_count = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(read().sessions.size(), 1U);
  header_->workers_at = workers_at;
  header_->worker_count = std::numeric_limits<std::uint32_t>::max();
  EXPECT_LE(read().workers.size(), file_bytes / sizeof(WorkerCounters));
}

TEST_F(CounterImage, WhoseSeatNeverComesToRestLeavesItOut) {
  seat_->version.store(3);
  EXPECT_TRUE(read().sessions.empty());
  seat_->version.store(4);
  EXPECT_EQ(read().sessions.size(), 1U);
}

TEST_F(CounterImage, HasTheKillSwitches) {
  EXPECT_FALSE(read().sending_stopped);
  EXPECT_TRUE(read().stopped_instances.empty());
  header_->stops.engine.set(1);
  header_->stops.instances.set(3);
  header_->stops.instance_names.set("ONE\nTWO\nand what has no end");
  (*seat_)[SessionCounter::SendingStopped].set(1);
  // Odd: never stable. The reader returns the values anyway.
  for (const std::uint64_t version : {2U, 3U}) {
    header_->stops.version.store(version);
    const EngineReading reading = read();
    EXPECT_TRUE(reading.sending_stopped);
    EXPECT_EQ(reading.instances_stopped, 3U);
    EXPECT_EQ(reading.stopped_instances, (std::vector<std::string>{"ONE", "TWO"}));
    EXPECT_EQ(reading.sessions.at(0)[SessionCounter::SendingStopped], 1U);
  }
}

TEST_F(CounterImage, SaysInWordsHowASessionIsConnectedAndEnded) {
  EXPECT_EQ(read().sessions.at(0).peer, "");
  seat_->remarks.peer.set("192.0.2.1:9876");
  seat_->remarks.last_end.set(std::string(500, 'x'));
  seat_->remarks.disabled_by.set("by ann: maintenance");
  (*seat_)[SessionCounter::DisabledSince].set(5);
  // Odd: never stable. The reader returns the values anyway.
  for (const std::uint64_t version : {2U, 3U}) {
    seat_->remarks.version.store(version);
    const SessionReading session = read().sessions.at(0);
    EXPECT_EQ(session.peer, "192.0.2.1:9876");
    EXPECT_EQ(session.last_end, std::string(191, 'x')) << "what does not fit is cut";
    EXPECT_EQ(session.disabled_by, "by ann: maintenance");
    EXPECT_EQ(session[SessionCounter::DisabledSince], 5U);
  }
}

TEST_F(CounterImage, WhoseStandingIsUnknownSaysSo) {
  (*seat_)[SessionCounter::State].set(200);
  EXPECT_STREQ(to_text(read().sessions.at(0).standing()), "unknown");
}

}  // namespace
}  // namespace affix::counters
