// SPDX-License-Identifier: MIT
// Sending and giving commands from threads that drive no worker: order, limits, refusals, Logons
// answered by another thread.
#include "support/raw_peer.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

namespace affix::support {
namespace {

/// Stores its callbacks under a lock: several workers call it.
class Results final : public host::Application {
 public:
  struct Result {
    std::string session;
    std::uint64_t token;
    host::SendResult result;
  };

  host::LogonAnswer on_logon_request(host::SessionHandle session,
                                     const wire::MessageView& logon) noexcept override {
    return when_logon_request ? when_logon_request(session, logon) : host::LogonAnswer{};
  }

  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery&) noexcept override {
    const std::lock_guard guard(mutex);
    received[std::string(session.name())].emplace_back(message.find(11U).value_or(""));
    ++count;
  }

  void on_cross_thread_result(host::SessionHandle session, std::uint64_t token,
                              const host::SendResult& result) noexcept override {
    const std::lock_guard guard(mutex);
    results.push_back({std::string(session.name()), token, result});
  }

  std::mutex mutex;
  std::map<std::string, std::vector<std::string>> received;
  std::vector<Result> results;
  std::atomic<std::uint64_t> count{0};
  std::function<host::LogonAnswer(host::SessionHandle, const wire::MessageView&)>
      when_logon_request;
};

engine::HandOver send_order(engine::CrossThreadSender& sender, host::SessionHandle session,
                            std::string_view id, std::uint64_t token = 0) {
  wire::Encoder order = sender.begin(session, "D");
  order.text(11, id);
  order.text(55, "ACME");
  order.character(54, '1');
  return sender.commit(order, token);
}

class EngineCrossThreadSender : public testing::Test {
 protected:
  void open(std::int64_t workers, int sessions) {
    venue_settings_ = acceptor_configuration();
    venue_settings_.servers.front().worker_thread_count = workers;
    for (int session = 0; session < sessions; ++session) {
      add_session(venue_settings_, "VENUE", "FIRM" + std::to_string(session),
                  directory_.path("venue"));
    }
    venue_ = open_engine(venue_settings_, application_);
    ASSERT_TRUE(venue_);
  }

  [[nodiscard]] engine::CrossThreadSender sender(
      const engine::CrossThreadSenderOptions& options = {}) const {
    auto opened = venue_->open_cross_thread_sender(options);
    EXPECT_TRUE(opened) << opened.error().text();
    return std::move(*opened);
  }

  [[nodiscard]] host::SessionHandle session(int number = 0) const {
    return venue_->sessions()[static_cast<std::size_t>(number)];
  }

  TemporaryDirectory directory_;
  config::Configuration venue_settings_;
  Results application_;
  std::unique_ptr<engine::Engine> venue_;
};

TEST_F(EngineCrossThreadSender, ThreadsSendOnSessionsOfSeveralWorkersInTheirOrder) {
  constexpr int sessions = 4;
  constexpr int threads = 3;
  constexpr int orders = 500;
  open(2, sessions);
  config::Configuration firm_settings = initiator_configuration(port_of(*venue_));
  for (int number = 0; number < sessions; ++number) {
    const std::string name = "FIRM" + std::to_string(number);
    add_session(firm_settings, name, "VENUE", directory_.path("firm")).name = name;
  }
  Results firm_application;
  std::unique_ptr<engine::Engine> firm = open_engine(firm_settings, firm_application);
  std::thread venue_thread([&] { venue_->run(); });
  ASSERT_TRUE(turn_until({firm.get()}, [&] {
    const auto all = firm->sessions();
    return std::all_of(all.begin(), all.end(),
                       [](host::SessionHandle one) { return one.logged_on(); });
  }));

  std::vector<std::thread> senders;
  for (int thread = 0; thread < threads; ++thread) {
    senders.emplace_back([&, thread] {
      engine::CrossThreadSender mine = sender({.ring_bytes = 32 * 1024, .message_bytes = 512});
      for (int order = 0; order < orders; ++order) {
        const std::string id = std::to_string(thread) + "-" + std::to_string(order);
        while (send_order(mine, session(order % sessions), id, 7) != engine::HandOver::Queued) {
          std::this_thread::yield();  // Full: the workers are late.
        }
      }
    });
  }
  constexpr auto all = static_cast<std::uint64_t>(threads * orders);
  EXPECT_TRUE(turn_until({firm.get()}, [&] { return firm_application.count == all; }))
      << firm_application.count;
  for (std::thread& sender : senders) {
    sender.join();
  }
  venue_->request_stop();
  EXPECT_TRUE(turn_until({firm.get()}, [&] {
    const auto firm_sessions = firm->sessions();
    return std::none_of(firm_sessions.begin(), firm_sessions.end(),
                        [](host::SessionHandle one) { return one.logged_on(); });
  }));
  firm.reset();  // Nothing waits for its closing.
  venue_thread.join();

  std::map<std::string, int> next;
  for (const auto& [name, ids] : firm_application.received) {
    next.clear();
    for (const std::string& id : ids) {
      const std::string thread = id.substr(0, 1);
      const int order = std::stoi(id.substr(2));
      EXPECT_GE(order, next[thread]) << name;
      next[thread] = order + 1;
    }
  }
  EXPECT_EQ(application_.results.size(), all);
  for (const Results::Result& result : application_.results) {
    EXPECT_TRUE(result.result.sent()) << result.session << to_text(result.result.status);
    EXPECT_EQ(result.token, 7U);
  }
}

class EngineCrossThreadSenderTurns : public EngineCrossThreadSender {
 protected:
  void SetUp() override {
    open(1, 1);
    peer_.emplace(Engines{venue_.get()}, "FIRM0", "VENUE");
    peer_->connect(port_of(*venue_));
  }

  std::optional<RawPeer> peer_;
};

TEST_F(EngineCrossThreadSenderTurns, AFullQueueSaysSoAndLosesNothing) {
  peer_->log_on();
  engine::CrossThreadSender mine = sender({.ring_bytes = 4096, .message_bytes = 128});
  std::uint64_t queued = 0;
  while (send_order(mine, session(), "order " + std::to_string(queued), queued) ==
         engine::HandOver::Queued) {
    ++queued;
    ASSERT_LT(queued, 1000U);
  }
  EXPECT_GT(queued, 3U);
  EXPECT_EQ(mine.test_peer(session()), engine::HandOver::Queued) << "a smaller record fits";
  for (std::uint64_t order = 0; order < queued; ++order) {
    EXPECT_EQ(peer_->expect("D")[11], "order " + std::to_string(order));
  }
  peer_->expect("1");
  EXPECT_EQ(send_order(mine, session(), "more"), engine::HandOver::Queued);
  EXPECT_EQ(peer_->expect("D")[11], "more");
  ASSERT_EQ(application_.results.size(), queued + 1);
  for (std::uint64_t order = 0; order < queued; ++order) {
    EXPECT_EQ(application_.results[order].token, order);
    EXPECT_EQ(application_.results[order].result.sequence, order + 2);
  }
}

TEST_F(EngineCrossThreadSenderTurns, ManyOfOneTurnLeaveInTurns) {
  peer_->log_on();
  engine::CrossThreadSender mine = sender();
  for (int order = 0; order < 600; ++order) {
    ASSERT_EQ(send_order(mine, session(), std::to_string(order)), engine::HandOver::Queued);
  }
  for (int order = 0; order < 600; ++order) {
    ASSERT_EQ(peer_->expect("D")[11], std::to_string(order));
  }
}

TEST_F(EngineCrossThreadSenderTurns, AbandonedFaultyAndTooLargeMessagesLeaveNoTrace) {
  peer_->log_on();
  engine::CrossThreadSender mine = sender({.ring_bytes = 8192, .message_bytes = 100});
  {
    wire::Encoder abandoned = mine.begin(session(), "D");
    abandoned.text(11, "abandoned");
  }
  wire::Encoder faulty = mine.begin(session(), "D");
  faulty.text(11, "a\x01z");
  EXPECT_EQ(mine.commit(faulty), engine::HandOver::Invalid);
  wire::Encoder large = mine.begin(session(), "D");
  large.text(58, std::string(101, 'x'));
  EXPECT_EQ(mine.commit(large), engine::HandOver::TooLarge);
  wire::Encoder huge = mine.begin(session(), "D");
  huge.text(58, std::string(10'000, 'x'));
  EXPECT_EQ(mine.commit(huge), engine::HandOver::TooLarge);
  wire::Encoder exact = mine.begin(session(), "D");
  exact.text(58, std::string(96, 'x'));
  EXPECT_EQ(mine.commit(exact), engine::HandOver::Queued);
  EXPECT_EQ(mine.commit(exact), engine::HandOver::Full) << "nothing is begun";
  EXPECT_EQ(mine.logout(session(), std::string(101, 'x')), engine::HandOver::TooLarge);
  EXPECT_EQ(peer_->expect("D")[58].size(), 96U);
  EXPECT_EQ(application_.results.size(), 1U);
}

TEST_F(EngineCrossThreadSenderTurns, TypesAndHeaderFieldsGoAlong) {
  peer_->log_on();
  engine::CrossThreadSender mine = sender();
  const session::ExtraHeaderField header[] = {{97, "Y"}, {115, "CLIENT"}};
  wire::Encoder message = mine.begin(session(), "LongType", header);
  message.text(58, "text");
  message.data(95, 96, "a\x01z");
  EXPECT_EQ(mine.commit(message), engine::HandOver::Queued);
  const RawMessage got = peer_->expect("LongType");
  EXPECT_EQ(got[97], "Y");
  EXPECT_EQ(got[115], "CLIENT");
  EXPECT_EQ(got[58], "text");
  EXPECT_NE(got.bytes().find("96=a\x01z\x01"), std::string::npos);
  const std::vector<session::ExtraHeaderField> many(17, {115, "X"});
  wire::Encoder refused = mine.begin(session(), "D", many);
  EXPECT_EQ(mine.commit(refused), engine::HandOver::TooLarge);
}

TEST_F(EngineCrossThreadSenderTurns, RefusalsOfTheSessionAreReported) {
  engine::CrossThreadSender mine = sender();
  EXPECT_EQ(send_order(mine, session(), "early", 1), engine::HandOver::Queued);
  wire::Encoder admin = mine.begin(session(), "0");
  EXPECT_EQ(mine.commit(admin, 2), engine::HandOver::Queued);
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return application_.results.size() == 2; }));
  EXPECT_EQ(application_.results[0].result.status, host::SendStatus::NotLoggedOn);
  EXPECT_EQ(application_.results[1].token, 2U);
  EXPECT_TRUE(application_.results[1].result.refused());
  EXPECT_EQ(session().next_sender_seq(), 1U);
}

TEST_F(EngineCrossThreadSenderTurns, CommandsReachTheSession) {
  peer_->log_on();
  engine::CrossThreadSender mine = sender();
  EXPECT_EQ(mine.test_peer(session()), engine::HandOver::Queued);
  peer_->expect("1");
  EXPECT_EQ(mine.reset(session()), engine::HandOver::Queued);
  EXPECT_EQ(peer_->expect("A")[141], "Y");
  peer_->next_sequence = 1;
  peer_->send_logon("141=Y|");
  std::string called;
  EXPECT_EQ(mine.call(
                session(),
                [](host::SessionHandle session, void* context) {
                  *static_cast<std::string*>(context) = session.name();
                },
                &called),
            engine::HandOver::Queued);
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return !called.empty(); }));
  EXPECT_EQ(called, "FIRM0");
  EXPECT_EQ(mine.logout(session(), "enough"), engine::HandOver::Queued);
  EXPECT_EQ(peer_->expect("5")[58], "enough");
}

TEST_F(EngineCrossThreadSenderTurns, AreBoundedAndUsedAgain) {
  std::vector<engine::CrossThreadSender> all;
  for (int count = 0; count < 64; ++count) {
    all.push_back(sender());
  }
  const auto refused = venue_->open_cross_thread_sender();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::Limit);
  all.pop_back();
  all.push_back(sender());
  // Another size needs new queues, and the limit is reached.
  all.pop_back();
  EXPECT_FALSE(venue_->open_cross_thread_sender({.ring_bytes = 1, .message_bytes = 1}));
  EXPECT_FALSE(venue_->open_cross_thread_sender({.ring_bytes = 1, .message_bytes = 0}));
  peer_->log_on();
  for (engine::CrossThreadSender& one : all) {
    EXPECT_EQ(send_order(one, session(), "x"), engine::HandOver::Queued);
  }
  for (std::size_t count = 0; count < all.size(); ++count) {
    peer_->expect("D");
  }
}

/// A thread that checks credentials slowly, for sessions of two workers.
TEST_F(EngineCrossThreadSender, ASlowCredentialCheckAnswersSeveralWorkers) {
  open(2, 4);

  struct Question {
    host::SessionHandle session;
    std::string password;
  };

  std::mutex mutex;
  std::condition_variable asked;
  std::deque<Question> questions;
  bool over = false;
  application_.when_logon_request = [&](host::SessionHandle session,
                                        const wire::MessageView& logon) {
    const std::lock_guard guard(mutex);
    questions.push_back({session, std::string(logon.find(554U).value_or(""))});
    asked.notify_one();
    return host::LogonAnswer::later();
  };
  std::thread checker([&] {
    engine::CrossThreadSender mine = sender();
    std::unique_lock lock(mutex);
    for (;;) {
      // Only when all have asked, so that every worker has continued without an answer.
      asked.wait(lock, [&] { return over || questions.size() == 4; });
      if (over) {
        return;
      }
      for (const Question& question : questions) {
        EXPECT_EQ(question.password == "right"
                      ? mine.accept_logon(question.session)
                      : mine.refuse_logon(question.session, "wrong password"),
                  engine::HandOver::Queued);
      }
      questions.clear();
    }
  });
  std::thread venue_thread([&] { venue_->run(); });
  std::deque<RawPeer> peers;
  for (int number = 0; number < 4; ++number) {
    RawPeer& peer = peers.emplace_back(Engines{}, "FIRM" + std::to_string(number), "VENUE");
    peer.connect(port_of(*venue_));
    peer.send_logon(number < 2 ? "553=user|554=right|" : "553=user|554=wrong|");
  }
  for (int number = 0; number < 4; ++number) {
    RawPeer& peer = peers[static_cast<std::size_t>(number)];
    if (number < 2) {
      peer.expect("A");
    } else {
      EXPECT_EQ(peer.expect("5")[58], "wrong password");
      EXPECT_TRUE(peer.closed());
    }
  }
  {
    const std::lock_guard guard(mutex);
    over = true;
    asked.notify_one();
  }
  checker.join();
  peers.clear();
  venue_->request_stop();
  venue_thread.join();
}

}  // namespace
}  // namespace affix::support
