// SPDX-License-Identifier: MIT
// An engine's counters, read from the file like another program: every counter changes exactly as
// the traffic requires, and a reader costs the engine nothing.
#include "affix/counters/counter_reader.hpp"

#include "support/raw_peer.hpp"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace affix::support {
namespace {

using counters::SessionCounter;
using counters::SessionLatency;
using counters::WorkerCounter;
using counters::WorkerLatency;

class EngineCounters : public testing::Test {
 protected:
  EngineCounters() : configuration_(acceptor_configuration()) {
    configuration_.engine.counters_file = directory_.path() + "/counters";
    session_ = &add_session(configuration_, "VENUE", "FIRM", directory_.path() + "/journal");
  }

  void open() {
    venue_ = open_engine(configuration_, application_);
    ASSERT_TRUE(venue_);
    firm_ = std::make_unique<RawPeer>(Engines{venue_.get()}, "FIRM", "VENUE");
    firm_->connect(port_of(*venue_));
  }

  void log_on() {
    open();
    firm_->log_on();
  }

  [[nodiscard]] counters::EngineReading read_all() const {
    auto reader = counters::CounterReader::open(configuration_.engine.counters_file);
    EXPECT_TRUE(reader) << reader.error().text();
    return reader ? reader->read() : counters::EngineReading();
  }

  [[nodiscard]] counters::SessionReading read() const {
    const counters::EngineReading all = read_all();
    EXPECT_EQ(all.sessions.size(), 1U);
    return all.sessions.empty() ? counters::SessionReading() : all.sessions.front();
  }

  /// Turns until the counter has this value; returns its final value.
  [[nodiscard]] std::uint64_t awaited(SessionCounter which, std::uint64_t value) {
    static_cast<void>(
        turn_until({venue_.get()}, [&] { return read()[which] == value; }, base::ns_per_second));
    return read()[which];
  }

  [[nodiscard]] host::SessionHandle session() const { return venue_->sessions().front(); }

  [[nodiscard]] std::uint64_t latencies(SessionLatency which) const {
    const counters::SessionReading reading = read();
    return reading.latencies == nullptr
               ? 0
               : (*reading.latencies)[static_cast<std::size_t>(which)].count();
  }

  TemporaryDirectory directory_;
  config::Configuration configuration_;
  config::SessionSettings* session_;
  Recorder application_;
  std::unique_ptr<engine::Engine> venue_;
  std::unique_ptr<RawPeer> firm_;
};

TEST_F(EngineCounters, HaveASessionsIdentityAndState) {
  open();
  counters::SessionReading reading = read();
  EXPECT_EQ(reading.name, "FIRM");
  EXPECT_EQ(reading.instance, "SERVER");
  EXPECT_EQ(reading.begin_string, "FIX.4.4");
  EXPECT_EQ(reading.sender_comp_id, "VENUE");
  EXPECT_EQ(reading.target_comp_id, "FIRM");
  EXPECT_EQ(reading.journal_directory.find(directory_.path() + "/journal"), 0U);
  EXPECT_FALSE(reading.initiator);
  EXPECT_EQ(reading.standing(), session::SessionStanding::Disconnected);
  EXPECT_EQ(reading[SessionCounter::NextOutgoing], 1U);
  const std::uint64_t since = reading[SessionCounter::StateSince];
  EXPECT_NE(since, 0U);

  firm_->log_on();
  EXPECT_EQ(awaited(SessionCounter::State, 2), 2U);
  reading = read();
  EXPECT_GT(reading[SessionCounter::StateSince], since);
  EXPECT_EQ(reading[SessionCounter::Logons], 1U);
  EXPECT_EQ(reading[SessionCounter::NextOutgoing], 2U);
  EXPECT_EQ(reading[SessionCounter::NextExpected], 2U);
  EXPECT_EQ(reading[SessionCounter::Disconnections], 0U);

  firm_->send("5");
  EXPECT_EQ(firm_->expect("5").number(), 2U);
  EXPECT_EQ(awaited(SessionCounter::State, 3), 3U);
  firm_->close();
  EXPECT_EQ(awaited(SessionCounter::State, 0), 0U);
  EXPECT_EQ(read()[SessionCounter::Disconnections], 1U);
  EXPECT_EQ(read()[SessionCounter::Logons], 1U);
}

TEST_F(EngineCounters, HaveTheConnectedPeerAndTheSideAndReasonOfTheLastEnd) {
  open();
  EXPECT_EQ(read().peer, "");
  EXPECT_EQ(read().last_end, "");
  EXPECT_EQ(read()[SessionCounter::ConnectedSince], 0U);
  firm_->log_on();
  EXPECT_EQ(awaited(SessionCounter::State, 2), 2U);
  counters::SessionReading reading = read();
  EXPECT_EQ(reading.peer.rfind("127.0.0.1:", 0), 0U) << reading.peer;
  EXPECT_NE(reading[SessionCounter::ConnectedSince], 0U);
  EXPECT_GE(reading[SessionCounter::LastLogon], reading[SessionCounter::ConnectedSince]);
  EXPECT_EQ(reading[SessionCounter::LastDisconnect], 0U);
  firm_->close();
  EXPECT_EQ(awaited(SessionCounter::State, 0), 0U);
  reading = read();
  EXPECT_EQ(reading.peer, "");
  EXPECT_EQ(reading.last_end.rfind("ended by the peer: ", 0), 0U) << reading.last_end;
  EXPECT_EQ(reading[SessionCounter::ConnectedSince], 0U);
  EXPECT_GE(reading[SessionCounter::LastDisconnect], reading[SessionCounter::LastLogon]);
}

TEST_F(EngineCounters, HaveTheOperatorAndTimeOfADisabledSession) {
  log_on();
  EXPECT_EQ(read().disabled_by, "");
  EXPECT_EQ(read()[SessionCounter::DisabledSince], 0U);
  ASSERT_TRUE(venue_->disable_session("FIRM", "maintenance", "operator ann"));
  EXPECT_EQ(firm_->expect("5").number(), 2U);
  firm_->close();
  EXPECT_EQ(awaited(SessionCounter::State, 4), 4U);
  const counters::SessionReading reading = read();
  EXPECT_EQ(reading.disabled_by, "by operator ann: maintenance");
  EXPECT_NE(reading[SessionCounter::DisabledSince], 0U);
  EXPECT_EQ(reading.last_end.rfind("ended by an operator: ", 0), 0U) << reading.last_end;
  ASSERT_TRUE(venue_->enable_session("FIRM"));
  EXPECT_EQ(awaited(SessionCounter::State, 0), 0U);
  EXPECT_EQ(read().disabled_by, "");
  EXPECT_EQ(read()[SessionCounter::DisabledSince], 0U);
}

TEST_F(EngineCounters, HaveEveryMessageAndByteOfBothWays) {
  log_on();
  const counters::SessionReading before = read();
  std::string all;
  for (int order = 0; order < 10; ++order) {
    all += firm_->message("D", firm_->next_sequence++, "11=" + std::to_string(order) + "|");
  }
  const std::string heartbeat = firm_->message("0", firm_->next_sequence++);
  firm_->send_bytes(all + heartbeat);
  EXPECT_EQ(awaited(SessionCounter::MessagesReceived, 12), 12U) << "with the Logon";
  ASSERT_TRUE(send_order(session(), "1").sent());
  ASSERT_TRUE(send_order(session(), "2").sent());
  const std::size_t sent = firm_->expect("D").bytes().size() + firm_->expect("D").bytes().size();
  const counters::SessionReading after = read();
  const auto change = [&](SessionCounter which) { return after[which] - before[which]; };
  EXPECT_EQ(change(SessionCounter::ApplicationReceived), 10U);
  EXPECT_EQ(change(SessionCounter::BytesReceived), all.size() + heartbeat.size());
  EXPECT_EQ(change(SessionCounter::MessagesSent), 2U);
  EXPECT_EQ(change(SessionCounter::ApplicationSent), 2U);
  EXPECT_EQ(change(SessionCounter::BytesSent), sent);
  EXPECT_EQ(after[SessionCounter::NextOutgoing], 4U);
  EXPECT_EQ(after[SessionCounter::NextExpected], 13U);
  const auto now = static_cast<std::uint64_t>(os::now().utc_ns);
  for (const SessionCounter when : {SessionCounter::LastReceived, SessionCounter::LastSent}) {
    EXPECT_GT(after[when], now - 60'000'000'000U);
    EXPECT_LE(after[when], now);
  }
  for (const SessionCounter never :
       {SessionCounter::RejectsReceived, SessionCounter::RejectsSent, SessionCounter::Gaps,
        SessionCounter::ResendRequestsReceived, SessionCounter::ResendRequestsSent,
        SessionCounter::MessagesResent, SessionCounter::MessagesHeld, SessionCounter::Garbled,
        SessionCounter::ReceivesThrottled, SessionCounter::SendsThrottled,
        SessionCounter::SendsRefused, SessionCounter::MessagesQueued,
        SessionCounter::OutputWaiting}) {
    EXPECT_EQ(after[never], 0U) << static_cast<int>(never);
  }
}

TEST_F(EngineCounters, HaveGapsAndResendsOfBothSides) {
  log_on();
  ASSERT_TRUE(send_order(session(), "1").sent());
  ASSERT_TRUE(send_order(session(), "2").sent());
  // 2 is missing; 3 and 4 wait for it.
  firm_->send_bytes(firm_->message("D", 3, "11=3|") + firm_->message("D", 4, "11=4|"));
  EXPECT_EQ(awaited(SessionCounter::MessagesHeld, 2), 2U);
  EXPECT_EQ(read()[SessionCounter::Gaps], 1U);
  EXPECT_EQ(read()[SessionCounter::ResendRequestsSent], 1U);
  firm_->send_bytes(firm_->message("D", 2, "43=Y|122=" + utc_text() + "|11=2|"));
  EXPECT_EQ(awaited(SessionCounter::ApplicationReceived, 3), 3U);
  // The firm misses all of our messages: two orders are resent, Logon and ResendRequest are gap
  // filled.
  firm_->next_sequence = 5;
  firm_->send("2", "7=1|16=0|");
  EXPECT_EQ(awaited(SessionCounter::MessagesResent, 2), 2U);
  EXPECT_EQ(read()[SessionCounter::ResendRequestsReceived], 1U);
  EXPECT_EQ(read()[SessionCounter::MessagesSent], 4U) << "what is sent again is not counted again";
  // Another gap counts separately.
  firm_->send_bytes(firm_->message("D", 8, "11=8|"));
  EXPECT_EQ(awaited(SessionCounter::Gaps, 2), 2U);
}

TEST_F(EngineCounters, HaveRejectsAndGarbledInput) {
  log_on();
  firm_->send("3", "45=1|58=no|");
  EXPECT_EQ(awaited(SessionCounter::RejectsReceived, 1), 1U);
  firm_->send("D", "11=|");  // A tag without a value.
  EXPECT_EQ(firm_->expect("3")[45], std::to_string(firm_->next_sequence - 1));
  EXPECT_EQ(awaited(SessionCounter::RejectsSent, 1), 1U);
  std::string wrong = firm_->message("D", firm_->next_sequence, "11=x|");
  wrong[wrong.size() - 2] = wrong[wrong.size() - 2] == '0' ? '1' : '0';
  firm_->send_bytes(wrong);
  EXPECT_EQ(awaited(SessionCounter::Garbled, 1), 1U);
}

TEST_F(EngineCounters, HaveDecisionsOfThrottles) {
  session_->throttle_limit = 2;
  session_->throttle_window_in_milliseconds = 60'000;
  session_->throttle_action = session::ThrottleAction::Reject;
  session_->send_throttle_limit = 1;
  session_->send_throttle_window_in_milliseconds = 60'000;
  session_->send_throttle_action = config::SendThrottleAction::Refuse;
  log_on();
  for (int order = 0; order < 5; ++order) {
    firm_->send("D", "11=x|");
  }
  EXPECT_EQ(awaited(SessionCounter::ReceivesThrottled, 3), 3U);
  EXPECT_EQ(read()[SessionCounter::ApplicationReceived], 2U);
  EXPECT_TRUE(send_order(session(), "1").sent());
  EXPECT_FALSE(send_order(session(), "2").sent());
  EXPECT_FALSE(send_order(session(), "3").sent());
  EXPECT_EQ(read()[SessionCounter::SendsThrottled], 2U);
  EXPECT_EQ(read()[SessionCounter::SendsRefused], 2U);
  EXPECT_EQ(read()[SessionCounter::ApplicationSent], 1U);
}

TEST_F(EngineCounters, HaveMessagesThatAreQueuedWithoutASession) {
  session_->send_while_disconnected = session::SendWhileDown::Queue;
  open();
  EXPECT_TRUE(send_order(session(), "1").queued());
  EXPECT_TRUE(send_order(session(), "2").queued());
  EXPECT_EQ(awaited(SessionCounter::MessagesQueued, 2), 2U);
  firm_->log_on();
  EXPECT_EQ(awaited(SessionCounter::MessagesQueued, 0), 0U);
  EXPECT_EQ(read()[SessionCounter::QueuedHighWater], 2U);
}

TEST_F(EngineCounters, HaveOutputThatThePeerLeavesUnread) {
  configuration_.servers.front().socket_tx_size = 8'192;
  open();
  firm_->close();
  firm_->connect(port_of(*venue_), 8'192);
  firm_->log_on();
  const std::string text(900, 't');
  while (send_order(session(), "1", text).sent()) {
  }
  turn({venue_.get()});
  const std::uint64_t waiting = read()[SessionCounter::OutputWaiting];
  EXPECT_GT(waiting, 8'192U);
  EXPECT_EQ(read()[SessionCounter::OutputHighWater], waiting);
  EXPECT_EQ(read()[SessionCounter::SendsRefused], 1U);
  ASSERT_TRUE(turn_until({venue_.get()}, [&] {
    firm_->read();
    return read()[SessionCounter::OutputWaiting] == 0;
  }));
  EXPECT_GE(read()[SessionCounter::OutputHighWater], waiting);
}

TEST_F(EngineCounters, HaveTheLatenciesOfOneMessageInSixtyFour) {
  log_on();
  for (int order = 0; order < 129; ++order) {
    firm_->send("D", "11=x|");
    ASSERT_TRUE(send_order(session(), "y").sent());
  }
  EXPECT_EQ(awaited(SessionCounter::ApplicationReceived, 129), 129U);
  EXPECT_EQ(latencies(SessionLatency::SocketToApplication), 3U);
  EXPECT_EQ(latencies(SessionLatency::Callback), 3U);
  EXPECT_EQ(latencies(SessionLatency::ApplicationToSocket), 3U);
  EXPECT_EQ(latencies(SessionLatency::Append), 4U) << "two of each way";
  EXPECT_EQ(latencies(SessionLatency::RoundTrip), 0U);
}

TEST_F(EngineCounters, HaveTheRoundTripOfEachTestRequest) {
  log_on();
  for (std::uint64_t test = 1; test <= 3; ++test) {
    session().test_peer();
    const std::string id = firm_->expect("1")[112];
    firm_->send("0", "112=" + id + "|");
    static_cast<void>(
        turn_until({venue_.get()}, [&] { return latencies(SessionLatency::RoundTrip) == test; }));
    EXPECT_EQ(latencies(SessionLatency::RoundTrip), test);
  }
  firm_->send("0", "112=nobody asked|");
  EXPECT_EQ(awaited(SessionCounter::MessagesReceived, 5), 5U);
  EXPECT_EQ(latencies(SessionLatency::RoundTrip), 3U);
}

TEST_F(EngineCounters, OfWorkersHaveTurnsAndTheirMessages) {
  configuration_.servers.front().worker_thread_count = 1;
  log_on();
  const counters::WorkerReading before = read_all().workers.front();
  firm_->send_bytes(firm_->message("D", 2, "11=1|") + firm_->message("D", 3, "11=2|"));
  ASSERT_EQ(awaited(SessionCounter::ApplicationReceived, 2), 2U);
  const counters::WorkerReading after = read_all().workers.front();
  EXPECT_GT(after[WorkerCounter::Turns], before[WorkerCounter::Turns]);
  EXPECT_GT(after[WorkerCounter::BusyTurns], before[WorkerCounter::BusyTurns]);
  EXPECT_LE(after[WorkerCounter::BusyTurns], after[WorkerCounter::Turns]);
  EXPECT_EQ(after[WorkerCounter::Messages] - before[WorkerCounter::Messages], 2U);
  EXPECT_GT(after[WorkerCounter::Events], before[WorkerCounter::Events]);
  EXPECT_GT(after[WorkerCounter::BusyTime], before[WorkerCounter::BusyTime]);
  EXPECT_GE(after[WorkerCounter::LongestTurn], 1U);
  EXPECT_GT(after[WorkerCounter::LastTurn], before[WorkerCounter::LastTurn]);
  EXPECT_EQ(after[WorkerCounter::Sessions], 1U);
  constexpr auto turns = static_cast<std::size_t>(WorkerLatency::Turn);
  constexpr auto batches = static_cast<std::size_t>(WorkerLatency::Batch);
  EXPECT_EQ(after.distributions[turns].count(), after[WorkerCounter::BusyTurns]);
  EXPECT_EQ(after.distributions[batches].sum(), after[WorkerCounter::Messages]);
}

TEST_F(EngineCounters, GiveTheSeatOfARemovedSessionToTheNext) {
  add_session(configuration_, "VENUE", "OTHER", directory_.path() + "/journal");
  log_on();
  ASSERT_EQ(read_all().sessions.size(), 2U);
  ASSERT_TRUE(venue_->remove_session("OTHER", "", base::ns_per_second));
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return read_all().sessions.size() == 1; }));
  config::SessionSettings third = configuration_.sessions.back();
  third.name = "THIRD";
  third.target_comp_id = "THIRD";
  ASSERT_TRUE(venue_->add_sessions({third}));
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return read_all().sessions.size() == 2; }));
  EXPECT_EQ(read_all().sessions.back().name, "THIRD");
}

TEST_F(EngineCounters, SayWhenTheEngineEnded) {
  log_on();
  EXPECT_TRUE(read_all().running);
  venue_.reset();
  EXPECT_FALSE(read_all().running);
  EXPECT_NE(read_all().stopped_utc_ns, 0U);
}

TEST_F(EngineCounters, OfARunningEngineAreNotTakenByAnother) {
  log_on();
  config::Configuration second = acceptor_configuration();
  second.engine.counters_file = configuration_.engine.counters_file;
  add_session(second, "VENUE", "X", directory_.path() + "/other");
  Recorder nobody;
  const auto opened = engine::Engine::open(second, nobody);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().front().code, base::ErrorCode::Locked);
  EXPECT_EQ(read().name, "FIRM");
}

TEST_F(EngineCounters, OfAKilledEngineStayReadable) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    log_on();
    firm_->send("D", "11=1|");
    static_cast<void>(awaited(SessionCounter::ApplicationReceived, 1));
    static_cast<void>(::raise(SIGKILL));
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  const counters::EngineReading left = read_all();
  EXPECT_FALSE(left.running);
  EXPECT_EQ(left.stopped_utc_ns, 0U);
  ASSERT_EQ(left.sessions.size(), 1U);
  EXPECT_EQ(left.sessions.front()[SessionCounter::ApplicationReceived], 1U);
  EXPECT_EQ(left.sessions.front().standing(), session::SessionStanding::LoggedOn);
  open();
  EXPECT_EQ(read()[SessionCounter::ApplicationReceived], 0U) << "a new engine counts anew";
}

}  // namespace
}  // namespace affix::support
