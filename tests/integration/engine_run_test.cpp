// SPDX-License-Identifier: MIT
// run(): two engines on their own threads trade; request_stop() from another thread, and from a
// signal handler, logs out all sessions and returns.
#include "support/engine_case.hpp"

#include <atomic>
#include <csignal>
#include <pthread.h>
#include <thread>

namespace affix::support {
namespace {

/// Sends the next order for each report.
class Trader final : public host::Application {
 public:
  void on_logon(host::SessionHandle session) noexcept override {
    int state = 0;
    EXPECT_EQ(::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state), 0);
    EXPECT_EQ(::pthread_setcancelstate(state, nullptr), 0);
    cancellable = state == PTHREAD_CANCEL_ENABLE;
    EXPECT_TRUE(send_order(session, "first").sent());
  }

  void on_message(host::SessionHandle session, const wire::MessageView&,
                  const host::Delivery&) noexcept override {
    trades.fetch_add(1);
    static_cast<void>(send_order(session, "next"));  // Refused once the logout has begun.
  }

  void on_logout(host::SessionHandle, std::string_view) noexcept override { ++logouts; }

  std::atomic<int> trades{0};
  std::atomic<int> logouts{0};
  std::atomic<bool> cancellable{true};  // The thread that logged it on.
};

std::atomic<engine::Engine*> to_stop{nullptr};

class EngineRun : public testing::Test {
 protected:
  void SetUp() override {
    config::Configuration venue_settings = acceptor_configuration();
    add_session(venue_settings, "VENUE", "FIRM", directory_.path("venue"));
    venue_ = open_engine(venue_settings, venue_application_);
    config::Configuration firm_settings = initiator_configuration(port_of(*venue_));
    add_session(firm_settings, "FIRM", "VENUE", directory_.path("firm"));
    firm_ = open_engine(firm_settings, firm_application_);
  }

  void wait_for_trades() {
    const std::int64_t give_up_ns = os::now().steady_ns + patience_ns;
    while (firm_application_.trades < 500 && os::now().steady_ns < give_up_ns) {
      std::this_thread::yield();
    }
    EXPECT_GE(firm_application_.trades, 500);
  }

  TemporaryDirectory directory_;
  Trader venue_application_;
  Trader firm_application_;
  std::unique_ptr<engine::Engine> venue_;
  std::unique_ptr<engine::Engine> firm_;
};

TEST_F(EngineRun, RequestStopFromAnotherThreadEndsInOrder) {
  std::thread venue([&] { venue_->run(); });
  std::thread firm([&] { firm_->run(); });
  wait_for_trades();
  firm_->request_stop();
  firm.join();
  venue_->request_stop();
  venue.join();
  EXPECT_EQ(firm_application_.logouts, 1);
  EXPECT_EQ(venue_application_.logouts, 1);
  EXPECT_FALSE(firm_application_.cancellable);
  EXPECT_FALSE(venue_application_.cancellable);
  EXPECT_EQ(firm_->sessions().front().next_sender_seq(),
            venue_->sessions().front().next_target_seq());
}

TEST_F(EngineRun, RequestStopFromASignalHandlerEndsIt) {
  std::thread venue([&] { venue_->run(); });
  ASSERT_TRUE(turn_until({firm_.get()}, [&] { return firm_application_.trades > 50; }));
  to_stop = venue_.get();
  std::signal(SIGUSR1, [](int) {
    if (engine::Engine* engine = to_stop) {
      engine->request_stop();
    }
  });
  EXPECT_EQ(std::raise(SIGUSR1), 0);
  ASSERT_TRUE(turn_until({firm_.get()}, [&] { return firm_application_.logouts == 1; }));
  venue.join();
  std::signal(SIGUSR1, SIG_DFL);
  to_stop = nullptr;
}

TEST_F(EngineRun, AStopBeforeRunEndsItAtOnce) {
  venue_->request_stop();
  venue_->run();
  EXPECT_EQ(venue_application_.logouts, 0);
}

}  // namespace
}  // namespace affix::support
