// SPDX-License-Identifier: MIT
// A session's standing, queried by threads that drive no worker.
#include "support/engine_case.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <thread>

namespace affix::support {
namespace {

using session::SessionStanding;

/// A thread that queries a session continuously.
class Watcher {
 public:
  explicit Watcher(host::SessionHandle session)
      : session_(session), thread_([this] {
          while (!ended_.load(std::memory_order_relaxed)) {
            look();
          }
        }) {}

  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  ~Watcher() {
    ended_ = true;
    thread_.join();
  }

  /// The standing in a query that began after this call.
  [[nodiscard]] SessionStanding sees() {
    const std::uint64_t begun = looks_.load(std::memory_order_acquire);
    while (looks_.load(std::memory_order_acquire) < begun + 2) {
      std::this_thread::yield();
    }
    return seen_.load(std::memory_order_relaxed);
  }

  /// All standings seen, as bits.
  [[nodiscard]] unsigned seen() const { return all_.load(std::memory_order_relaxed); }

 private:
  void look() {
    const SessionStanding now = session_.standing();
    seen_.store(now, std::memory_order_relaxed);
    all_.fetch_or(1U << static_cast<unsigned>(now), std::memory_order_relaxed);
    looks_.fetch_add(1, std::memory_order_release);
  }

  const host::SessionHandle session_;
  std::atomic<bool> ended_{false};
  std::atomic<SessionStanding> seen_{SessionStanding::Disconnected};
  std::atomic<unsigned> all_{0};
  std::atomic<std::uint64_t> looks_{0};
  std::thread thread_;  // Last member: it uses the others.
};

/// Queries a watcher in its callbacks, while the worker waits in them.
class Asker final : public host::Application {
 public:
  void on_message(host::SessionHandle, const wire::MessageView&,
                  const host::Delivery&) noexcept override {}

  void on_logon(host::SessionHandle) noexcept override {
    if (watcher != nullptr) {
      at_logon = watcher->sees();
    }
  }

  void on_logout(host::SessionHandle, std::string_view) noexcept override {
    if (watcher != nullptr) {
      at_logout = watcher->sees();
    }
  }

  Watcher* watcher = nullptr;
  std::optional<SessionStanding> at_logon;
  std::optional<SessionStanding> at_logout;
};

class Standing : public ::testing::Test {
 protected:
  void SetUp() override {
    config::Configuration venue_settings = acceptor_configuration();
    add_session(venue_settings, "VENUE", "FIRM", directory_.path("venue"));
    venue_ = open_engine(venue_settings, asker_);
    ASSERT_TRUE(venue_);
    config::Configuration firm_settings = initiator_configuration(port_of(*venue_));
    add_session(firm_settings, "FIRM", "VENUE", directory_.path("firm"));
    firm_ = open_engine(firm_settings, firm_application_);
    ASSERT_TRUE(firm_);
  }

  [[nodiscard]] host::SessionHandle session() const { return venue_->sessions().front(); }

  template <typename Wanted>
  [[nodiscard]] bool until(Wanted wanted) {
    return turn_until({venue_.get(), firm_.get()}, wanted);
  }

  [[nodiscard]] bool done(const std::expected<engine::Change, config::Problems>& change) {
    EXPECT_TRUE(change) << (change ? "" : config::text_of(change.error()));
    return change && until([&] { return change->done(); });
  }

  TemporaryDirectory directory_;
  Asker asker_;
  Recorder firm_application_;
  std::unique_ptr<engine::Engine> venue_;
  std::unique_ptr<engine::Engine> firm_;
};

TEST_F(Standing, AnotherThreadSeesALogonBeforeItIsReportedAndALogoutToo) {
  Watcher watcher(session());
  asker_.watcher = &watcher;
  EXPECT_EQ(watcher.sees(), SessionStanding::Disconnected);
  ASSERT_TRUE(until([&] { return asker_.at_logon.has_value(); }));
  EXPECT_EQ(asker_.at_logon, SessionStanding::LoggedOn);
  EXPECT_EQ(watcher.sees(), SessionStanding::LoggedOn);
  firm_->sessions().front().logout("done");
  ASSERT_TRUE(until([&] { return asker_.at_logout.has_value(); }));
  EXPECT_EQ(asker_.at_logout, SessionStanding::Disconnected);
  const unsigned up = 1U << static_cast<unsigned>(SessionStanding::LoggedOn);
  EXPECT_NE(watcher.seen() & up, 0U);
  asker_.watcher = nullptr;
}

TEST_F(Standing, AnotherThreadSeesOperatorsActions) {
  const host::SessionHandle before = session();
  Watcher watcher(before);
  ASSERT_TRUE(until([&] { return watcher.sees() == SessionStanding::LoggedOn; }));
  const std::string name(before.name());
  ASSERT_TRUE(done(venue_->disable_session(name, "lunch")));
  EXPECT_EQ(watcher.sees(), SessionStanding::Disabled);
  ASSERT_TRUE(done(venue_->enable_session(name)));
  ASSERT_TRUE(until([&] { return watcher.sees() == SessionStanding::LoggedOn; }));

  const config::SessionSettings settings = venue_->configuration().sessions.front();
  ASSERT_TRUE(done(venue_->remove_session(name, "gone")));
  EXPECT_FALSE(before.exists());
  EXPECT_EQ(watcher.sees(), SessionStanding::Disconnected);
  ASSERT_TRUE(done(venue_->add_sessions({settings})));
  const host::SessionHandle after = venue_->session(name);
  Watcher next(after);
  ASSERT_TRUE(until([&] { return next.sees() == SessionStanding::LoggedOn; }));
  // A handle belongs to one session, whichever session has its name now.
  EXPECT_EQ(watcher.sees(), SessionStanding::Disconnected);
}

// A reload restarts it: the handle stays the same, and the standing continues with the successor.
TEST_F(Standing, ARestartByReloadKeepsTheHandle) {
  const host::SessionHandle handle = session();
  Watcher watcher(handle);
  ASSERT_TRUE(until([&] { return watcher.sees() == SessionStanding::LoggedOn; }));
  config::Configuration wanted = venue_->configuration();
  wanted.sessions.front().max_message_bytes /= 2;
  ASSERT_TRUE(done(venue_->reload(wanted)));
  EXPECT_TRUE(handle.exists());
  ASSERT_TRUE(until([&] { return watcher.sees() == SessionStanding::LoggedOn; }));
  ASSERT_TRUE(done(venue_->disable_session(handle.name(), "end")));
  EXPECT_EQ(watcher.sees(), SessionStanding::Disabled);
}

}  // namespace
}  // namespace affix::support
