// SPDX-License-Identifier: MIT
// A session's counters as a reader of the file sees them, and which of its messages are measured.
#include "host/session_meter.hpp"

#include "affix/counters/counter_reader.hpp"
#include "affix/host/session_handle.hpp"
#include "affix/wire/index.hpp"

#include "support/temporary_directory.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace affix::host {
namespace {

using counters::SessionCounter;
using counters::SessionLatency;
using session::Phase;
using session::SessionStanding;

base::Now utc(std::int64_t utc_ns) {
  return {.steady_ns = utc_ns / 2, .utc_ns = utc_ns};
}

class SessionMeterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = counters::CounterFile::create(directory_.path("counters"), 1, 1);
    ASSERT_TRUE(made) << made.error().text();
    file_ = std::move(*made);
    ASSERT_TRUE(file_->publish());
    worker_.emplace(file_->worker(0));
    slot_.generation = 1;
    auto opened = SessionMeter::open(*file_, *worker_, {.name = "SESSION"}, utc(5), &slot_);
    ASSERT_TRUE(opened) << opened.error().text();
    meter_.emplace(std::move(*opened));
  }

  counters::SessionReading reading() {
    auto reader = counters::CounterReader::open(directory_.path("counters"));
    EXPECT_TRUE(reader) << reader.error().text();
    const counters::EngineReading engine = reader->read();
    EXPECT_EQ(engine.sessions.size(), 1U);
    return engine.sessions.empty() ? counters::SessionReading() : engine.sessions.front();
  }

  std::uint64_t count(SessionCounter which) { return reading()[which]; }

  base::LatencySnapshot latency(SessionLatency which) {
    const counters::SessionReading now = reading();
    return now.latencies == nullptr ? base::LatencySnapshot()
                                    : (*now.latencies)[static_cast<std::size_t>(which)];
  }

  void receive(std::string_view type) {
    std::string text =
        "8=FIX.4.4\x01"
        "9=5\x01"
        "35=";
    text += type;
    text += '\x01';
    wire::FieldIndexOf<16> index;
    wire::index_message(std::string_view(text), index);
    meter_->note_message(wire::MessageView(text, index));
  }

  void phase(Phase phase, std::int64_t utc_ns) {
    state_.phase = phase;
    meter_->note_phase(state_, utc(utc_ns));
  }

  support::TemporaryDirectory directory_;
  std::unique_ptr<counters::CounterFile> file_;
  std::optional<counters::WorkerMeter> worker_;
  SessionSlot slot_{SeatNames{}};
  session::SessionState state_;
  std::optional<SessionMeter> meter_;
};

TEST_F(SessionMeterTest, TheSeatIsTheSessionsUntilTheMeterIsGone) {
  EXPECT_EQ(reading().name, "SESSION");
  EXPECT_EQ(count(SessionCounter::StateSince), 5U);
  meter_->add(SessionCounter::Garbled, 3);
  EXPECT_EQ(count(SessionCounter::Garbled), 3U);
  meter_.reset();
  auto reader = counters::CounterReader::open(directory_.path("counters"));
  ASSERT_TRUE(reader);
  EXPECT_TRUE(reader->read().sessions.empty());
}

TEST_F(SessionMeterTest, CountsInputAndTheMessagesInIt) {
  meter_->note_input(0, 0, utc(7));
  EXPECT_EQ(count(SessionCounter::LastReceived), 0U) << "no whole message";
  meter_->note_input(2, 300, utc(8));
  meter_->note_input(1, 100, utc(9));
  EXPECT_EQ(count(SessionCounter::MessagesReceived), 3U);
  EXPECT_EQ(count(SessionCounter::BytesReceived), 400U);
  EXPECT_EQ(count(SessionCounter::LastReceived), 9U);
  for (const std::string_view type : {"2", "3", "3", "D", "22"}) {
    receive(type);
  }
  EXPECT_EQ(count(SessionCounter::ResendRequestsReceived), 1U);
  EXPECT_EQ(count(SessionCounter::RejectsReceived), 2U);
}

TEST_F(SessionMeterTest, CountsWhatIsSent) {
  meter_->note_sending(11);
  meter_->note_application_sent(41);
  EXPECT_EQ(count(SessionCounter::LastSent), 11U);
  EXPECT_EQ(count(SessionCounter::ApplicationSent), 1U);
  EXPECT_EQ(count(SessionCounter::NextOutgoing), 42U);
  meter_->note_sending_stopped(true);
  EXPECT_EQ(count(SessionCounter::SendingStopped), 1U);
  meter_->note_sending_stopped(false);
  EXPECT_EQ(count(SessionCounter::SendingStopped), 0U);
}

TEST_F(SessionMeterTest, ShowsTheStateToReadersAndHandles) {
  const auto expect = [this](SessionStanding standing, std::uint64_t since) {
    EXPECT_EQ(reading().standing(), standing);
    EXPECT_EQ(count(SessionCounter::StateSince), since);
    EXPECT_EQ(slot_.handle().standing(), standing);
  };
  phase(Phase::LogonAwaited, 10);
  expect(SessionStanding::Connected, 10);
  phase(Phase::LogonPending, 11);
  expect(SessionStanding::Connected, 10);
  phase(Phase::Active, 12);
  expect(SessionStanding::LoggedOn, 12);
  phase(Phase::LogoutSent, 13);
  expect(SessionStanding::LoggingOut, 13);
  phase(Phase::Disconnected, 14);
  expect(SessionStanding::Disconnected, 14);
}

TEST_F(SessionMeterTest, ADisabledSessionIsShownAsSuchWhenItIsDown) {
  phase(Phase::Active, 10);
  meter_->note_disabled("by an operator", state_, utc(11));
  EXPECT_EQ(reading().standing(), SessionStanding::LoggedOn);
  EXPECT_EQ(reading().disabled_by, "by an operator");
  EXPECT_EQ(count(SessionCounter::DisabledSince), 11U);
  phase(Phase::Disconnected, 12);
  EXPECT_EQ(reading().standing(), SessionStanding::Disabled);
  meter_->note_disabled({}, state_, utc(13));
  EXPECT_EQ(reading().standing(), SessionStanding::Disconnected);
  EXPECT_EQ(reading().disabled_by, "");
  EXPECT_EQ(count(SessionCounter::DisabledSince), 0U);
}

TEST_F(SessionMeterTest, ShowsTheConnectionAndHowItEnded) {
  meter_->note_connected("1.2.3.4:5", utc(10));
  EXPECT_EQ(reading().peer, "1.2.3.4:5");
  EXPECT_EQ(count(SessionCounter::ConnectedSince), 10U);
  meter_->note_end("the peer closed it", utc(12));
  EXPECT_EQ(reading().peer, "");
  EXPECT_EQ(reading().last_end, "the peer closed it");
  EXPECT_EQ(count(SessionCounter::ConnectedSince), 0U);
  EXPECT_EQ(count(SessionCounter::LastDisconnect), 12U);
  meter_->note_closed();
  EXPECT_EQ(count(SessionCounter::Disconnections), 1U);
}

TEST_F(SessionMeterTest, AGapIsCountedOnceUntilItCloses) {
  using session::Event;
  for (const Event event : {Event::SequenceTooHigh, Event::ResendRequested, Event::SequenceTooHigh,
                            Event::GapClosed, Event::SequenceTooHigh}) {
    meter_->note_event(event, utc(1));
  }
  EXPECT_EQ(count(SessionCounter::Gaps), 2U);
  meter_->note_closed();
  meter_->note_event(Event::SequenceTooHigh, utc(1));
  EXPECT_EQ(count(SessionCounter::Gaps), 3U) << "another connection's";
  EXPECT_EQ(count(SessionCounter::ResendRequestsSent), 1U);
  meter_->note_event(Event::LoggedOn, utc(30));
  meter_->note_event(Event::Rejected, utc(31));
  meter_->note_event(Event::Garbled, utc(31));
  EXPECT_EQ(count(SessionCounter::Logons), 1U);
  EXPECT_EQ(count(SessionCounter::LastLogon), 30U);
  EXPECT_EQ(count(SessionCounter::RejectsSent), 1U);
  EXPECT_EQ(count(SessionCounter::Garbled), 1U);
}

TEST_F(SessionMeterTest, KeepsTheHighWaterOfWhatWaits) {
  state_.next_outgoing = 4;
  state_.next_expected = 6;
  state_.queued.count = 3;
  meter_->note_state(state_, 500, utc(1));
  state_.queued.count = 1;
  meter_->note_state(state_, 200, utc(2));
  EXPECT_EQ(count(SessionCounter::NextOutgoing), 4U);
  EXPECT_EQ(count(SessionCounter::NextExpected), 6U);
  EXPECT_EQ(count(SessionCounter::OutputWaiting), 200U);
  EXPECT_EQ(count(SessionCounter::OutputHighWater), 500U);
  EXPECT_EQ(count(SessionCounter::MessagesQueued), 1U);
  EXPECT_EQ(count(SessionCounter::QueuedHighWater), 3U);
}

TEST_F(SessionMeterTest, CountsMessagesOverTheLimitAsTheProtocolDoes) {
  state_.throttle.over_limit = 5;
  meter_->note_state(state_, 0, utc(1));
  meter_->note_state(state_, 0, utc(2));
  state_.throttle.over_limit = 7;
  meter_->note_state(state_, 0, utc(3));
  EXPECT_EQ(count(SessionCounter::ReceivesThrottled), 7U);
  state_.throttle.over_limit = 2;  // A successor's, which begins at 0.
  meter_->note_state(state_, 0, utc(4));
  state_.throttle.over_limit = 3;
  meter_->note_state(state_, 0, utc(5));
  EXPECT_EQ(count(SessionCounter::ReceivesThrottled), 8U);
}

TEST_F(SessionMeterTest, OneReceivedMessageInASampleIsMeasuredForEachQuestion) {
  int deliveries = 0;
  int appends = 0;
  for (std::uint32_t message = 0; message < 2 * counters::latency_sample; ++message) {
    const bool append = meter_->measures_received_append();
    const bool delivery = meter_->measures_delivery();
    EXPECT_FALSE(append && delivery) << "of one message";
    appends += append ? 1 : 0;
    deliveries += delivery ? 1 : 0;
  }
  EXPECT_EQ(deliveries, 2);
  EXPECT_EQ(appends, 2);
}

TEST_F(SessionMeterTest, OneSentMessageInASampleIsMeasuredForEachQuestion) {
  int sends = 0;
  int appends = 0;
  for (std::uint32_t message = 0; message < 2 * counters::latency_sample; ++message) {
    const bool send = meter_->measures_send();
    meter_->begin_store();
    const bool append = meter_->measures_sent_append();
    EXPECT_FALSE(append && send) << "of one message";
    sends += send ? 1 : 0;
    appends += append ? 1 : 0;
    if (message % 2 == 0) {
      meter_->end_send(100);
    } else {
      meter_->abandon_send();
    }
    EXPECT_FALSE(meter_->measures_sent_append());
  }
  EXPECT_EQ(sends, 2);
  EXPECT_EQ(appends, 2);
}

TEST_F(SessionMeterTest, ASentMessageIsTimedUntilTheTransportHasAllOfIt) {
  EXPECT_FALSE(meter_->ends_watch(1'000)) << "nothing is watched";
  meter_->begin_send(50);
  meter_->end_send(300);
  EXPECT_FALSE(meter_->ends_watch(200));
  EXPECT_TRUE(meter_->ends_watch(100)) << "its last byte";
  meter_->end_watch(90);
  EXPECT_EQ(latency(SessionLatency::ApplicationToSocket).count(), 1U);
  EXPECT_EQ(latency(SessionLatency::ApplicationToSocket).largest(), 40U);
  EXPECT_FALSE(meter_->ends_watch(1'000));
}

TEST_F(SessionMeterTest, ARefusedMessageAndOneOfAnEndedConnectionAreNotTimed) {
  meter_->begin_send(50);
  meter_->abandon_send();
  EXPECT_FALSE(meter_->ends_watch(1'000));
  meter_->begin_send(60);
  meter_->end_send(10);
  meter_->note_closed();
  EXPECT_FALSE(meter_->ends_watch(1'000));
}

TEST_F(SessionMeterTest, EachTestRequestIsTimedOnce) {
  meter_->note_round_trip(1, 100, 130);
  meter_->note_round_trip(1, 100, 190);
  meter_->note_round_trip(2, 200, 220);
  EXPECT_EQ(latency(SessionLatency::RoundTrip).count(), 2U);
  EXPECT_EQ(latency(SessionLatency::RoundTrip).largest(), 30U);
}

}  // namespace
}  // namespace affix::host
