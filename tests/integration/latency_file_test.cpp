// SPDX-License-Identifier: MIT
// Records of where messages spent their time, read back from their file.
#include "counters/latency_file.hpp"

#include "affix/counters/latency_reader.hpp"
#include "affix/os/clock.hpp"

#include "counters/latency_recorder.hpp"
#include "support/temporary_directory.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace affix::counters {
namespace {

class Latencies : public testing::Test {
 protected:
  Latencies() : clock_(std::move(*net::make_reactor(net::default_reactor(), {}))) { open(); }

  void open(std::size_t records = 8, std::size_t sessions = 2) {
    recorder_.reset();
    file_.reset();
    auto made =
        LatencyFile::create(path_, {.workers = 2, .records = records, .sessions = sessions}, 1'000);
    EXPECT_TRUE(made) << made.error().text();
    file_ = std::move(*made);
    EXPECT_TRUE(file_->publish());
    recorder_ = std::make_unique<LatencyRecorder>(*file_, 0, *clock_, false);
  }

  [[nodiscard]] LatencyReading read() const {
    auto reading = read_latencies(path_);
    EXPECT_TRUE(reading) << reading.error().text();
    return reading ? std::move(*reading) : LatencyReading();
  }

  static std::int64_t utc() { return os::now().utc_ns; }

  support::TemporaryDirectory directory_;
  std::string path_ = directory_.path() + "/latencies";
  std::unique_ptr<net::Reactor> clock_;
  std::unique_ptr<LatencyFile> file_;
  std::unique_ptr<LatencyRecorder> recorder_;
};

TEST_F(Latencies, OfAMessageAndItsAnswerAreOneRecord) {
  LatencyTrack buy = recorder_->track("BUY");
  LatencyTrack sell = recorder_->track("SELL");
  const std::int64_t read_ns = utc();
  recorder_->begin_read(read_ns - 500, read_ns);
  recorder_->begin_delivery(buy, 7, false);
  recorder_->commit(sell, 9, 100);
  recorder_->end_delivery();
  recorder_->begin_sending();
  recorder_->note_sent(sell, 100, 1'100, LatencyCause::Peer);
  const std::int64_t left_ns = utc();
  recorder_->note_transmitted(sell, 1'100, left_ns);
  recorder_->end_turn();
  const LatencyReading reading = read();
  ASSERT_EQ(reading.messages.size(), 1U);
  const LatencyMessage& message = reading.messages.front();
  EXPECT_EQ(message.number, 1U);
  EXPECT_EQ(reading.name_of(message.in_session), "BUY");
  EXPECT_EQ(message.in_number, 7U);
  EXPECT_EQ(reading.name_of(message.out_session), "SELL");
  EXPECT_EQ(message.out_number, 9U);
  EXPECT_EQ(message.part_ns(LatencyPart::InStack), 500U);
  EXPECT_TRUE(message.part_ns(LatencyPart::InEngine));
  EXPECT_EQ(message[LatencyStep::Transmitted], static_cast<std::uint64_t>(left_ns));
  EXPECT_EQ(message.cause, 0U);
}

TEST_F(Latencies, OneStampStandsForAllThatWasSentBeforeIt) {
  LatencyTrack track = recorder_->track("BUY");
  for (std::uint64_t number = 1; number <= 3; ++number) {
    recorder_->commit(track, number, 50);
    recorder_->begin_sending();
    recorder_->note_sent(track, 50, 50 * number, LatencyCause::Peer);
  }
  recorder_->note_transmitted(track, 100, utc());
  LatencyReading reading = read();
  EXPECT_NE(reading.messages[0][LatencyStep::Transmitted], 0U);
  EXPECT_NE(reading.messages[1][LatencyStep::Transmitted], 0U);
  EXPECT_EQ(reading.messages[2][LatencyStep::Transmitted], 0U);
  recorder_->note_transmitted(track, 150, utc());
  EXPECT_NE(read().messages[2][LatencyStep::Transmitted], 0U);
}

TEST_F(Latencies, APartOfTheOutboxThatLeavesTakesItsMessagesAlong) {
  LatencyTrack track = recorder_->track("BUY");
  recorder_->commit(track, 1, 50);
  recorder_->commit(track, 2, 100);
  recorder_->commit(track, 3, 150);
  recorder_->begin_sending();
  recorder_->note_sent(track, 100, 100, LatencyCause::Peer);
  recorder_->commit(track, 4, 100);  // The third precedes it.
  LatencyReading reading = read();
  EXPECT_NE(reading.messages[1][LatencyStep::Sent], 0U);
  EXPECT_EQ(reading.messages[2][LatencyStep::Sent], 0U);
  recorder_->begin_sending();
  recorder_->note_sent(track, 100, 200, LatencyCause::Peer);
  reading = read();
  EXPECT_NE(reading.messages[2][LatencyStep::Sent], 0U);
  EXPECT_NE(reading.messages[3][LatencyStep::Sent], 0U);
}

TEST_F(Latencies, OverwrittenEntriesOfTheRingAreNotTouched) {
  LatencyTrack slow = recorder_->track("BUY");
  LatencyTrack busy = recorder_->track("SELL");
  recorder_->commit(slow, 1, 10);
  for (std::uint64_t number = 1; number <= 8; ++number) {
    recorder_->commit(busy, number, 10);
    recorder_->begin_sending();
    recorder_->note_sent(busy, 10, 10 * number, LatencyCause::Peer);
  }
  recorder_->begin_sending();
  recorder_->note_sent(slow, 10, 999, LatencyCause::Peer);
  recorder_->note_transmitted(slow, 999, 1);
  LatencyReading reading = read();
  EXPECT_EQ(reading.recorded, 9U);
  ASSERT_EQ(reading.messages.size(), 8U);
  for (const LatencyMessage& message : reading.messages) {
    EXPECT_EQ(reading.name_of(message.out_session), "SELL");
    EXPECT_EQ(message[LatencyStep::Transmitted], 0U);
  }
  // Later messages are tracked normally.
  recorder_->commit(slow, 2, 10);
  recorder_->begin_sending();
  recorder_->note_sent(slow, 10, 1'009, LatencyCause::Peer);
  recorder_->note_transmitted(slow, 1'009, utc());
  reading = read();
  EXPECT_EQ(reading.name_of(reading.messages.back().out_session), "BUY");
  EXPECT_NE(reading.messages.back()[LatencyStep::Transmitted], 0U);
}

TEST_F(Latencies, ANewConnectionHasNothingOfTheFormer) {
  LatencyTrack track = recorder_->track("BUY");
  recorder_->commit(track, 1, 10);
  track.begin_connection();
  recorder_->commit(track, 2, 10);
  recorder_->begin_sending();
  recorder_->note_sent(track, 10, 10, LatencyCause::Peer);
  const LatencyReading reading = read();
  EXPECT_EQ(reading.messages[0][LatencyStep::Sent], 0U);
  EXPECT_NE(reading.messages[1][LatencyStep::Sent], 0U);
}

TEST_F(Latencies, TheWaitThatCoversMostOfAMessagesTimeIsItsCause) {
  const LatencyTrack track = recorder_->track("BUY");
  const std::int64_t now_ns = utc();
  recorder_->note_wait(WaitCause::Timer, 10'000, {.steady_ns = 0, .utc_ns = now_ns - 90'000});
  recorder_->note_wait(WaitCause::PageFault, 40'000, {.steady_ns = 0, .utc_ns = now_ns - 30'000});
  recorder_->note_wait(WaitCause::Log, 5'000, {.steady_ns = 0, .utc_ns = now_ns - 5'000});
  recorder_->begin_read(now_ns - 50'000, now_ns);
  recorder_->begin_delivery(track, 2, false);
  recorder_->end_delivery();
  recorder_->end_turn();
  const LatencyMessage message = read().messages.front();
  EXPECT_EQ(message.cause,
            static_cast<std::uint64_t>(counters::latency_cause_of(WaitCause::PageFault)));
  EXPECT_EQ(message.wait_ns, 20'000U) << "what was over before the message came is not its wait";
}

TEST_F(Latencies, AWaitThatWasOverBeforeIsNoCause) {
  const LatencyTrack track = recorder_->track("BUY");
  const std::int64_t now_ns = utc();
  recorder_->note_wait(WaitCause::Timer, 10'000, {.steady_ns = 0, .utc_ns = now_ns - 2'000});
  recorder_->begin_read(now_ns - 1'000, now_ns);
  recorder_->begin_delivery(track, 2, false);
  recorder_->end_delivery();
  recorder_->end_turn();
  EXPECT_EQ(read().messages.front().cause, 0U);
}

TEST_F(Latencies, AMessageSentInALaterTurnWaitedForTheSessionsHold) {
  LatencyTrack track = recorder_->track("BUY");
  recorder_->commit(track, 1, 10);
  recorder_->end_turn();
  recorder_->begin_sending();
  recorder_->note_sent(track, 10, 10, LatencyCause::Flush);
  const LatencyMessage message = read().messages.front();
  EXPECT_EQ(std::string(counters::latency_cause_name(message.cause).name), "flush");
  EXPECT_EQ(message.wait_ns, message[LatencyStep::Sent] - message[LatencyStep::Committed]);
}

TEST_F(Latencies, MessagesFromTheHoldHaveNoMomentOfTheReadAtHand) {
  const LatencyTrack track = recorder_->track("BUY");
  recorder_->begin_read(utc(), utc());
  recorder_->begin_delivery(track, 3, true);
  recorder_->end_delivery();
  const LatencyMessage message = read().messages.front();
  EXPECT_EQ(message[LatencyStep::Received], 0U);
  EXPECT_EQ(message[LatencyStep::Read], 0U);
  EXPECT_NE(message[LatencyStep::HandedOver], 0U);
}

TEST_F(Latencies, ASessionHasOnePlaceAndMoreThanFitHaveNone) {
  EXPECT_EQ(file_->place_of("BUY"), 1U);
  EXPECT_EQ(file_->place_of("SELL"), 2U);
  EXPECT_EQ(file_->place_of("BUY"), 1U);
  EXPECT_EQ(file_->place_of("THIRD"), 0U);
  EXPECT_EQ(read().sessions, (std::vector<std::string>{"", "BUY", "SELL"}));
}

TEST_F(Latencies, SpreadsAreOfThoseThatHaveThePart) {
  LatencyReading reading;
  for (std::uint64_t number = 1; number <= 1'000; ++number) {
    LatencyMessage message{.number = number, .in_session = 1};
    message.steps = {1'000, 1'000 + number, 1'000 + 2 * number, 0, 0, 0};
    reading.messages.push_back(message);
  }
  reading.messages.push_back({.number = 1'001, .in_session = 1, .steps = {0, 5, 3, 0, 0, 0}});
  const auto spreads = spread_of(reading);
  const LatencySpread& in_stack = spreads[static_cast<std::size_t>(LatencyPart::InStack)];
  EXPECT_EQ(in_stack.count, 1'000U);
  EXPECT_EQ(in_stack.p50, 500U);
  EXPECT_EQ(in_stack.p99, 990U);
  EXPECT_EQ(in_stack.longest, 1'000U);
  EXPECT_EQ(spreads[static_cast<std::size_t>(LatencyPart::OutStack)].count, 0U);
  const auto worst = worst_of(reading, 2);
  ASSERT_EQ(worst.size(), 2U);
  EXPECT_EQ(worst[0]->number, 1'000U);
  EXPECT_EQ(worst[1]->number, 999U);
}

TEST_F(Latencies, AnotherFileIsRefusedInWords) {
  EXPECT_FALSE(read_latencies(directory_.path() + "/none"));
  std::ofstream(directory_.path() + "/text") << std::string(10'000, 'x');
  const auto text = read_latencies(directory_.path() + "/text");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, base::ErrorCode::Damaged);
  std::ofstream(directory_.path() + "/empty");
  EXPECT_FALSE(read_latencies(directory_.path() + "/empty"));
}

TEST_F(Latencies, ASecondWriterIsRefusedAndAFailedStartLeavesTheFormerFile) {
  const LatencyRoom room{.workers = 1, .records = 4, .sessions = 1};
  const auto second = LatencyFile::create(path_, room, 1);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, base::ErrorCode::Locked);
  static_cast<void>(file_->place_of("BUY"));
  recorder_.reset();
  file_.reset();
  {
    const auto unpublished = LatencyFile::create(path_, room, 1);
    ASSERT_TRUE(unpublished);
  }
  EXPECT_EQ(read().sessions.size(), 2U);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory_.path()), {}), 1);
}

}  // namespace
}  // namespace affix::counters
