// SPDX-License-Identifier: MIT
// A session's messages in the latency file, and none of them without a recorder.
#include "host/message_latencies.hpp"

#include "affix/counters/latency_reader.hpp"
#include "affix/os/clock.hpp"

#include "counters/latency_file.hpp"
#include "support/temporary_directory.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>

namespace affix::host {
namespace {

using counters::LatencyCause;
using counters::LatencyStep;

class RecordedMessages : public ::testing::Test {
 protected:
  RecordedMessages()
      : clock_(std::move(*net::make_reactor(net::default_reactor(), {}))),
        file_(std::move(*counters::LatencyFile::create(
            path_, {.workers = 1, .records = 8, .sessions = 2}, 1'000))),
        recorder_(*file_, 0, *clock_, false) {
    EXPECT_TRUE(file_->publish());
  }

  [[nodiscard]] counters::LatencyReading read() const {
    auto reading = counters::read_latencies(path_);
    EXPECT_TRUE(reading);
    return reading ? std::move(*reading) : counters::LatencyReading();
  }

  support::TemporaryDirectory directory_;
  std::string path_ = directory_.path("latencies");
  std::unique_ptr<net::Reactor> clock_;
  std::unique_ptr<counters::LatencyFile> file_;
  counters::LatencyRecorder recorder_;
};

TEST_F(RecordedMessages, AMessageAndItsAnswerAreRecordedUnderTheSessionsName) {
  MessageLatencies latencies(&recorder_, "BUY");
  EXPECT_TRUE(latencies.recorded());
  const std::int64_t read_ns = os::now().utc_ns;
  latencies.begin_connection();
  latencies.begin_read(read_ns - 500, read_ns);
  latencies.begin_delivery(7, false);
  latencies.commit(9, 100);
  latencies.end_delivery();
  latencies.begin_sending();
  latencies.note_sent(100, 1'100, LatencyCause::Peer);
  latencies.note_transmitted(1'100, read_ns + 1);
  const counters::LatencyReading reading = read();
  ASSERT_EQ(reading.messages.size(), 1U);
  const counters::LatencyMessage& message = reading.messages.front();
  EXPECT_EQ(reading.name_of(message.in_session), "BUY");
  EXPECT_EQ(reading.name_of(message.out_session), "BUY");
  EXPECT_EQ(message.in_number, 7U);
  EXPECT_EQ(message.out_number, 9U);
  EXPECT_EQ(message[LatencyStep::Received], static_cast<std::uint64_t>(read_ns - 500));
  EXPECT_EQ(message[LatencyStep::Read], static_cast<std::uint64_t>(read_ns));
  EXPECT_NE(message[LatencyStep::Sent], 0U);
  EXPECT_EQ(message[LatencyStep::Transmitted], static_cast<std::uint64_t>(read_ns + 1));
}

TEST_F(RecordedMessages, ANewConnectionExpectsNothingOfTheLast) {
  MessageLatencies latencies(&recorder_, "BUY");
  latencies.begin_connection();
  latencies.commit(1, 100);
  latencies.begin_connection();
  latencies.commit(2, 50);
  latencies.begin_sending();
  latencies.note_sent(50, 50, LatencyCause::Peer);
  const counters::LatencyReading reading = read();
  ASSERT_EQ(reading.messages.size(), 2U);
  EXPECT_EQ(reading.messages[0][LatencyStep::Sent], 0U);
  EXPECT_NE(reading.messages[1][LatencyStep::Sent], 0U);
}

TEST_F(RecordedMessages, WithoutARecorderNothingIsRecorded) {
  MessageLatencies latencies(nullptr, "BUY");
  EXPECT_FALSE(latencies.recorded());
  latencies.begin_connection();
  latencies.begin_read(1, 2);
  latencies.begin_delivery(7, false);
  latencies.commit(9, 100);
  latencies.end_delivery();
  latencies.begin_sending();
  latencies.note_sent(100, 100, LatencyCause::Peer);
  latencies.note_transmitted(100, 3);
  EXPECT_EQ(read().recorded, 0U);
}

}  // namespace
}  // namespace affix::host
