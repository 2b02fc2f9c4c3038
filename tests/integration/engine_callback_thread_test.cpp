// SPDX-License-Identifier: MIT
// Callbacks on an application thread: order, a blocked application, marks of processed messages,
// Logons answered there, real threads.
#include "support/raw_peer.hpp"

#include <atomic>
#include <deque>
#include <thread>

namespace affix::support {
namespace {

class EngineCallbackThread : public testing::Test {
 protected:
  void open(const std::function<void(config::Configuration&)>& adjust = {}) {
    config::Configuration configuration = acceptor_configuration();
    configuration.engine.callback_queue_bytes = 4'096;
    for (const char* them : {"RELAYED", "DIRECT"}) {
      config::SessionSettings& session =
          add_session(configuration, "VENUE", them, directory_.path("venue"));
      session.callback_thread = them == std::string_view("RELAYED") ? 0 : -1;
      session.max_message_bytes = 2'048;
    }
    if (adjust) {
      adjust(configuration);
    }
    venue_ = open_engine(configuration, application_);
    ASSERT_TRUE(venue_);
    EXPECT_EQ(venue_->callback_thread_count(), 1U);
  }

  /// Runs only the worker's turns: the application's thread is blocked.
  template <typename Wanted>
  [[nodiscard]] bool turn_worker_until(Wanted wanted, std::int64_t patience = patience_ns) const {
    const std::int64_t give_up_ns = os::now().steady_ns + patience;
    while (!wanted()) {
      if (os::now().steady_ns > give_up_ns) {
        return false;
      }
      venue_->worker(0).poll(os::now().steady_ns + base::ns_per_ms);
      venue_->prepare_journals();
    }
    return true;
  }

  void turn_worker(std::int64_t ns) const {
    static_cast<void>(turn_worker_until([] { return false; }, ns));
  }

  RawPeer& connect(const std::string& us) {
    RawPeer& peer = peers_.emplace_back(Engines{venue_.get()}, us, "VENUE");
    peer.connect(port_of(*venue_));
    return peer;
  }

  /// `count` orders with the ids from 0 on, more than the queue holds, so that reading stops.
  [[nodiscard]] static std::string orders_of(RawPeer& peer, int count,
                                             const std::string& fields = {}) {
    std::string orders;
    for (int order = 0; order < count; ++order) {
      orders += peer.message(
          "D", peer.next_sequence++,
          fields + "11=" + std::to_string(order) + "|58=" + std::string(500, 'x') + "|");
    }
    return orders;
  }

  TemporaryDirectory directory_;
  Recorder application_;
  std::unique_ptr<engine::Engine> venue_;
  std::deque<RawPeer> peers_;
};

TEST_F(EngineCallbackThread, CallbacksComeInOrderWithTheirViews) {
  open();
  RawPeer& peer = connect("RELAYED");
  peer.log_on();
  for (int order = 0; order < 50; ++order) {
    peer.send("D", "11=" + std::to_string(order) + "|55=ACME|54=1|");
  }
  peer.send("1", "112=test|");
  peer.expect("0");
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return application_.admin_types == "1"; }));
  ASSERT_EQ(application_.messages.size(), 50U);
  for (std::size_t order = 0; order < 50; ++order) {
    EXPECT_EQ(application_.messages[order].id, std::to_string(order));
    EXPECT_EQ(application_.messages[order].type, "D");
    EXPECT_EQ(application_.messages[order].delivery.sequence, order + 2);
  }
  EXPECT_GT(application_.turn_ends, 0);
  peer.send("5");
  peer.expect("5");
  peer.close();
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return application_.logouts.size() == 1; }));
  EXPECT_EQ(application_.logons, std::vector<std::string>{"RELAYED"});
  EXPECT_FALSE(application_.nested);
}

TEST_F(EngineCallbackThread, ALateAnswerIsNotForTheNextLogon) {
  open();
  application_.when_logon_request = [](host::SessionHandle, const wire::MessageView& logon) {
    return logon.find(554U) == "right" ? host::LogonAnswer::accept()
                                       : host::LogonAnswer::refuse("wrong");
  };
  const host::SessionHandle session = venue_->session("RELAYED");
  // The application's thread is blocked, so its answer to the first comes after the second.
  RawPeer& first = connect("RELAYED");
  first.send("A", "98=0|108=30|554=right|");
  ASSERT_TRUE(turn_worker_until([&] { return !session.disconnected(); }));
  first.close();
  ASSERT_TRUE(turn_worker_until([&] { return session.disconnected(); }));
  RawPeer& second = connect("RELAYED");
  second.send("A", "98=0|108=30|554=wrong|");
  ASSERT_TRUE(turn_worker_until([&] { return !session.disconnected(); }));
  EXPECT_EQ(second.expect("5")[58], "wrong");
  EXPECT_TRUE(application_.logons.empty());
  EXPECT_EQ(application_.logon_requests, 2);
}

TEST_F(EngineCallbackThread, AnApplicationThatStandsStillMeetsPatienceAndHeartbeatsGoOn) {
  open();
  RawPeer& slow = connect("RELAYED");
  slow.send("A", "98=0|108=1|");
  slow.expect("A");
  RawPeer& direct = connect("DIRECT");
  direct.log_on();
  // More than the queue holds, so that reading stops.
  std::string orders;
  constexpr int count = 100;
  for (int order = 0; order < count; ++order) {
    orders += slow.message("D", slow.next_sequence++,
                           "11=" + std::to_string(order) + "|58=" + std::string(500, 'x') + "|");
  }
  slow.send_bytes(orders);
  // Longer than the limit for a silent peer, which does not count while reading is paused.
  turn_worker(4 * base::ns_per_second);
  EXPECT_TRUE(application_.messages.empty());
  EXPECT_LT(venue_->session("RELAYED").next_target_seq(), static_cast<std::uint64_t>(count))
      << "not all was read";
  EXPECT_TRUE(venue_->session("RELAYED").logged_on());
  slow.read();
  EXPECT_FALSE(slow.ended());
  EXPECT_TRUE(
      slow.holds("\x01"
                 "35=0\x01"))
      << "our heartbeats go on";
  EXPECT_FALSE(
      slow.holds("\x01"
                 "35=1\x01"))
      << "the peer is not thought silent";
  // The other session of the same worker is not affected.
  direct.send("1", "112=meanwhile|");
  EXPECT_TRUE(turn_worker_until([&] {
    direct.read();
    return direct.holds("112=meanwhile");
  }));
  // The application continues.
  ASSERT_TRUE(turn_until({venue_.get()}, [&] {
    return application_.messages.size() == static_cast<std::size_t>(count);
  }));
  for (std::size_t order = 0; order < application_.messages.size(); ++order) {
    ASSERT_EQ(application_.messages[order].id, std::to_string(order));
  }
}

TEST_F(EngineCallbackThread, MessagesThatLieUnreadDoNotBecomeTooOld) {
  open([](config::Configuration& configuration) {
    configuration.sessions.front().max_allowed_message_age_seconds = 2;
  });
  RawPeer& peer = connect("RELAYED");
  peer.log_on();
  constexpr std::size_t count = 100;
  peer.send_bytes(orders_of(peer, count));
  turn_worker(4 * base::ns_per_second);
  EXPECT_LT(venue_->session("RELAYED").next_target_seq(), count) << "not all was read";
  ASSERT_TRUE(turn_until({venue_.get()}, [&] {
    peer.read();
    return application_.messages.size() == count || peer.ended();
  }));
  EXPECT_EQ(application_.messages.size(), count);
  for (const char* type : {"3", "5"}) {
    EXPECT_FALSE(peer.holds("\x01" + ("35=" + std::string(type)) + "\x01")) << type;
  }
}

TEST_F(EngineCallbackThread, MessagesThatARedeliveryKeepsUnreadDoNotBecomeTooOld) {
  const auto adjust = [](config::Configuration& configuration) {
    configuration.sessions.front().max_allowed_message_age_seconds = 2;
  };
  open(adjust);
  RawPeer& peer = connect("RELAYED");
  peer.log_on();
  peer.send_bytes(orders_of(peer, 12));
  ASSERT_TRUE(turn_worker_until([&] { return venue_->session("RELAYED").next_target_seq() > 6; }));
  const std::uint64_t expected = venue_->session("RELAYED").next_target_seq();
  venue_->abandon();
  venue_.reset();
  application_.messages.clear();
  open(adjust);
  RawPeer& again = connect("RELAYED");
  again.next_sequence = expected;
  again.send_logon();
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return application_.logon_requests == 2; }));
  // The queue has no room for all that is delivered again, and this comes after it.
  ASSERT_TRUE(turn_worker_until([&] { return venue_->session("RELAYED").logged_on(); }));
  again.send("D", "11=new|");
  turn_worker(4 * base::ns_per_second);
  EXPECT_EQ(venue_->session("RELAYED").next_target_seq(), expected + 1) << "it was read";
  ASSERT_TRUE(turn_until({venue_.get()}, [&] {
    again.read();
    return application_.messages.size() == expected - 1 || again.ended();
  }));
  ASSERT_EQ(application_.messages.size(), expected - 1);
  EXPECT_EQ(application_.ids().back(), "new");
}

TEST_F(EngineCallbackThread, AResendThatLiesUnreadIsNotRequestedAgain) {
  open([](config::Configuration& configuration) {
    configuration.sessions.front().outgoing_resend_request_expire_in_secs = 1;
    configuration.sessions.front().resend_attempts_max = 1;
  });
  RawPeer& peer = connect("RELAYED");
  peer.log_on();
  constexpr int missing = 60;
  peer.send_bytes(peer.message("D", peer.next_sequence + missing, "11=ahead|"));
  peer.expect("2");
  peer.send_bytes(orders_of(peer, missing, "43=Y|122=" + utc_text() + "|"));
  turn_worker(4 * base::ns_per_second);
  EXPECT_LT(venue_->session("RELAYED").next_target_seq(), static_cast<std::uint64_t>(missing))
      << "not all was read";
  ASSERT_TRUE(turn_until({venue_.get()}, [&] {
    peer.read();
    return application_.messages.size() == missing + 1 || peer.ended();
  }));
  ASSERT_EQ(application_.messages.size(), static_cast<std::size_t>(missing) + 1);
  EXPECT_EQ(application_.ids().back(), "ahead");
  for (const char* type : {"2", "5"}) {
    EXPECT_FALSE(peer.holds("\x01" + ("35=" + std::string(type)) + "\x01")) << type;
  }
}

TEST_F(EngineCallbackThread, AResetWhoseAnswerLiesUnreadGoesOn) {
  open([](config::Configuration& configuration) {
    configuration.sessions.front().logon_timeout_seconds = 1;
  });
  const host::SessionHandle session = venue_->session("RELAYED");
  RawPeer& peer = connect("RELAYED");
  peer.log_on();
  constexpr std::size_t count = 100;
  peer.send_bytes(orders_of(peer, count));
  ASSERT_TRUE(turn_worker_until([&] { return session.next_target_seq() > 2; }));
  turn_worker(10 * base::ns_per_ms);
  session.reset();
  ASSERT_TRUE(turn_worker_until([&] {
    peer.read();
    return peer.holds(
        "\x01"
        "141=Y\x01");
  }));
  peer.next_sequence = 1;
  peer.send_logon("141=Y|");
  turn_worker(3 * base::ns_per_second);
  EXPECT_LT(session.next_target_seq(), count) << "not all was read";
  ASSERT_TRUE(turn_until({venue_.get()}, [&] {
    peer.read();
    return (application_.messages.size() == count && session.logged_on()) || peer.ended();
  }));
  EXPECT_EQ(session.next_target_seq(), 2U);
  EXPECT_EQ(application_.logons.size(), 1U);
  EXPECT_TRUE(application_.logouts.empty());
}

TEST_F(EngineCallbackThread, ASecondLogonDoesNotReplaceAFirstOneThatWaitsForTheApplication) {
  open([](config::Configuration& configuration) {
    configuration.sessions.front().second_logon = config::SecondLogon::Probe;
    configuration.sessions.front().second_logon_probe_milliseconds = 50;
  });
  const host::SessionHandle session = venue_->session("RELAYED");
  RawPeer& first = connect("RELAYED");
  first.log_on();
  // More than the queue holds, so that reading stops.
  std::string orders;
  constexpr std::uint64_t count = 100;
  for (std::uint64_t order = 0; order < count; ++order) {
    orders += first.message("D", first.next_sequence++,
                            "11=" + std::to_string(order) + "|58=" + std::string(500, 'x') + "|");
  }
  first.send_bytes(orders);
  ASSERT_TRUE(turn_worker_until([&] { return session.next_target_seq() > 2; }));
  RawPeer& second = connect("RELAYED");
  second.next_sequence = first.next_sequence;
  second.send_logon();
  ASSERT_TRUE(turn_worker_until([&] {
    first.read();
    return first.holds(
        "\x01"
        "35=1\x01");
  }));
  // The answer lies behind the orders, unread. This is many times the patience of the probe.
  first.send("0", "112=" + first.expect("1")[112] + "|");
  turn_worker(base::ns_per_second / 2);
  EXPECT_LT(session.next_target_seq(), count) << "not all was read";
  EXPECT_TRUE(session.logged_on());
  first.read();
  EXPECT_FALSE(first.ended());
  second.read();
  EXPECT_FALSE(
      second.holds("\x01"
                   "35=A\x01"));
  // The application continues.
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return application_.messages.size() == count; }));
  EXPECT_TRUE(second.closed());
  EXPECT_TRUE(application_.heard_code("N208", "lives")) << application_.all_events();
  EXPECT_TRUE(application_.logouts.empty());
  EXPECT_EQ(application_.logons.size(), 1U);
  first.send("1", "112=still here|");
  EXPECT_EQ(first.expect("0")[112], "still here");
}

TEST_F(EngineCallbackThread, UnprocessedMessagesComeAgainAfterACrash) {
  open();
  RawPeer& peer = connect("RELAYED");
  peer.log_on();
  peer.send("D", "11=processed|55=ACME|54=1|");
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return application_.messages.size() == 1; }));
  venue_->worker(0).poll(0);  // This sets the mark.
  // More than the queue holds when they are redelivered.
  constexpr int count = 12;
  for (int order = 0; order < count; ++order) {
    peer.send("D", "11=" + std::to_string(order) + "|58=" + std::string(900, 'x') + "|");
  }
  ASSERT_TRUE(turn_worker_until([&] { return venue_->session("RELAYED").next_target_seq() > 6; }));
  EXPECT_EQ(application_.messages.size(), 1U);
  const std::uint64_t expected = venue_->session("RELAYED").next_target_seq();
  venue_->abandon();
  venue_.reset();
  application_.messages.clear();
  open();
  venue_->worker(0).poll(0);
  EXPECT_TRUE(application_.messages.empty());
  RawPeer& again = connect("RELAYED");
  again.next_sequence = expected;
  again.log_on();
  ASSERT_TRUE(turn_until({venue_.get()}, [&] {
    return application_.messages.size() == expected - 3;
  })) << application_.messages.size();
  for (std::size_t order = 0; order < application_.messages.size(); ++order) {
    EXPECT_EQ(application_.messages[order].id, std::to_string(order));
    EXPECT_TRUE(application_.messages[order].delivery.redelivered);
  }
  venue_->worker(0).poll(0);
  venue_.reset();
  application_.messages.clear();
  open();
  for (int count_of_turns = 0; count_of_turns < 5; ++count_of_turns) {
    venue_->poll(0);
  }
  RawPeer& third = connect("RELAYED");
  third.next_sequence = again.next_sequence;
  third.log_on();
  EXPECT_TRUE(application_.messages.empty()) << "their marks were set";
}

TEST_F(EngineCallbackThread, LogonsAreAnsweredThere) {
  open();
  application_.when_logon_request = [&](host::SessionHandle, const wire::MessageView& logon) {
    return logon.find(554U) == "right" ? host::LogonAnswer::accept()
                                       : host::LogonAnswer::refuse("wrong password");
  };
  RawPeer& wrong = connect("RELAYED");
  wrong.send_logon("554=wrong|");
  EXPECT_EQ(wrong.expect("5")[58], "wrong password");
  EXPECT_TRUE(wrong.closed());
  wrong.close();
  RawPeer& right = connect("RELAYED");
  right.next_sequence = 1;
  right.send_logon("554=right|");
  right.expect("A");
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return application_.logons.size() == 1; }));
}

TEST_F(EngineCallbackThread, MessagesFinishedInTheLastCallbackAreMarkedHoweverMany) {
  // Room is kept for the callbacks of each session that may come, and so for their reports.
  const auto few_sessions = [](config::Configuration& configuration) {
    configuration.engine.added_sessions_max = 0;
  };
  open(few_sessions);
  std::vector<host::Receipt> kept;
  application_.when_message = [&](host::SessionHandle session, const wire::MessageView&,
                                  const host::Delivery& delivery) {
    EXPECT_TRUE(session.keep_message());
    kept.push_back(delivery.receipt);
  };
  application_.when_logout = [&](host::SessionHandle session) {
    for (const host::Receipt receipt : kept) {
      EXPECT_TRUE(session.finish_message(receipt));
    }
  };
  RawPeer& peer = connect("RELAYED");
  peer.log_on();
  // Many times what the queue of reports holds.
  constexpr std::size_t count = 2'000;
  for (std::size_t order = 0; order < count; ++order) {
    peer.send("D", "11=" + std::to_string(order) + "|");
    turn(Engines{venue_.get()});
  }
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return kept.size() == count; }));
  // The logout is called after the worker's last turn.
  peer.close();
  ASSERT_TRUE(turn_worker_until([&] { return venue_->session("RELAYED").disconnected(); }));
  EXPECT_TRUE(venue_->finish("", os::now().steady_ns + patience_ns));
  ASSERT_EQ(application_.logouts.size(), 1U);
  venue_.reset();
  application_.messages.clear();
  application_.redelivers = host::Redelivery::AtStart;
  open(few_sessions);
  turn(Engines{venue_.get()});
  EXPECT_EQ(application_.messages.size(), 0U) << "their marks were set";
}

TEST_F(EngineCallbackThread, ARestartWhileMessagesAreRedeliveredLosesAndRepeatsNone) {
  open();
  application_.when_message = [](host::SessionHandle session, const wire::MessageView&,
                                 const host::Delivery&) { EXPECT_TRUE(session.keep_message()); };
  RawPeer& peer = connect("RELAYED");
  peer.log_on();
  // Many times what the queue of callbacks holds.
  constexpr std::size_t count = 1'000;
  std::vector<std::string> sent;
  for (std::size_t order = 0; order < count; ++order) {
    sent.push_back(std::to_string(order));
    peer.send("D", "11=" + sent.back() + "|");
    turn(Engines{venue_.get()});
  }
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return application_.messages.size() == count; }));
  venue_.reset();
  application_.messages.clear();
  application_.when_message = nullptr;
  application_.redelivers = host::Redelivery::AtStart;
  open();
  venue_->worker(0).poll(0);  // The queue is full from here on.
  config::Configuration wanted = venue_->configuration();
  wanted.sessions.front().timestamp_subseconds_precision = wire::TimePrecision::Millis;
  const auto change = venue_->reload(wanted);
  ASSERT_TRUE(change) << config::text_of(change.error());
  ASSERT_EQ(change->sessions().size(), 1U);
  EXPECT_EQ(change->sessions().front().kind, engine::ChangeKind::Restart);
  ASSERT_TRUE(turn_until({venue_.get()}, [&] {
    return change->done() && application_.messages.size() >= count;
  })) << application_.messages.size();
  turn(Engines{venue_.get()});  // This sets the last marks.
  EXPECT_EQ(application_.ids(), sent);
  venue_.reset();
  application_.messages.clear();
  open();
  turn(Engines{venue_.get()});
  EXPECT_EQ(application_.messages.size(), 0U) << "their marks were set";
}

/// Answers on its own thread, through a cross-thread sender.
class Answering final : public host::Application {
 public:
  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery&) noexcept override {
    if (thread == std::thread::id()) {
      thread = std::this_thread::get_id();
    }
    moved = moved || thread != std::this_thread::get_id();
    wire::Encoder report = sender->begin(session, "8");
    report.text(11, message.find(11U).value_or("?"));
    EXPECT_EQ(sender->commit(report), engine::HandOver::Queued);
    ++answered;
  }

  void on_logout(host::SessionHandle, std::string_view) noexcept override { ++logouts; }

  engine::CrossThreadSender* sender = nullptr;
  std::thread::id thread;
  bool moved = false;
  std::atomic<int> answered{0};
  std::atomic<int> logouts{0};
};

TEST(EngineCallbackThreads, TwoWorkersFeedOneThreadWhichAnswersThroughACourier) {
  const TemporaryDirectory directory;
  config::Configuration configuration = acceptor_configuration();
  configuration.servers.front().worker_thread_count = 2;
  constexpr int sessions = 4;
  for (int number = 0; number < sessions; ++number) {
    add_session(configuration, "VENUE", "FIRM" + std::to_string(number), directory.path())
        .callback_thread = 0;
  }
  Answering application;
  const auto venue = open_engine(configuration, application);
  ASSERT_TRUE(venue);
  engine::CrossThreadSender sender = std::move(*venue->open_cross_thread_sender());
  application.sender = &sender;
  std::thread thread([&] { venue->run(); });
  std::deque<RawPeer> peers;
  for (int number = 0; number < sessions; ++number) {
    peers.emplace_back(Engines{}, "FIRM" + std::to_string(number), "VENUE")
        .connect(port_of(*venue));
    peers.back().log_on();
  }
  constexpr int orders = 200;
  for (int order = 0; order < orders; ++order) {
    for (RawPeer& peer : peers) {
      peer.send("D", "11=" + std::to_string(order) + "|");
    }
  }
  for (RawPeer& peer : peers) {
    for (int order = 0; order < orders; ++order) {
      ASSERT_EQ(peer.expect("8")[11], std::to_string(order));
    }
  }
  EXPECT_EQ(application.answered, sessions * orders);
  peers.clear();
  venue->request_stop();
  thread.join();
  EXPECT_EQ(application.logouts, sessions) << "told before run() returns";
  EXPECT_FALSE(application.moved);
}

/// Answers on its own thread once it may, and waits for room in the sender's queue.
class Late final : public host::Application {
 public:
  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery&) noexcept override {
    may_answer.wait(false);
    engine::HandOver result = engine::HandOver::Full;
    while (result == engine::HandOver::Full) {
      wire::Encoder report = sender->begin(session, "8");
      report.text(11, message.find(11U).value_or("?"));
      result = sender->commit(report);
      if (result == engine::HandOver::Full) {
        std::this_thread::yield();
      }
    }
  }

  void on_cross_thread_result(host::SessionHandle, std::uint64_t,
                              const host::SendResult& result) noexcept override {
    stored += result.queued() ? 1U : 0U;
  }

  engine::CrossThreadSender* sender = nullptr;
  std::atomic<bool> may_answer{false};
  std::size_t stored = 0;  ///< The worker's.
};

TEST(EngineCallbackThreads, AnswersToABacklogAreStoredAfterTheWorkersHaveEnded) {
  const TemporaryDirectory directory;
  config::Configuration configuration = acceptor_configuration();
  config::SessionSettings& session = add_session(configuration, "VENUE", "FIRM", directory.path());
  session.callback_thread = 0;
  session.send_while_disconnected = session::SendWhileDown::Queue;
  Late application;
  const auto venue = open_engine(configuration, application);
  ASSERT_TRUE(venue);
  // Its queue has room for a small part of the answers.
  engine::CrossThreadSender sender =
      std::move(*venue->open_cross_thread_sender({.ring_bytes = 4'096, .message_bytes = 128}));
  application.sender = &sender;
  std::thread thread([&] { venue->run(); });
  RawPeer peer(Engines{}, "FIRM", "VENUE");
  peer.connect(port_of(*venue));
  peer.log_on();
  constexpr std::size_t count = 5'000;
  for (std::size_t order = 0; order < count; ++order) {
    peer.send("D", "11=" + std::to_string(order) + "|");
  }
  peer.send("1", "112=all are read|");
  peer.expect("0");
  venue->request_stop();
  peer.expect("5");
  peer.send("5");
  EXPECT_TRUE(peer.closed());
  peer.close();
  // That is the worker's last turn.
  EXPECT_TRUE(turn_until({}, [&] {
    return venue->session("FIRM").standing() == session::SessionStanding::Disconnected;
  }));
  application.may_answer = true;
  application.may_answer.notify_all();
  thread.join();
  EXPECT_EQ(application.stored, count);
}

}  // namespace
}  // namespace affix::support
