// SPDX-License-Identifier: MIT
// An engine that ends as by SIGKILL, and its successor in the middle of the same connections.
#include "affix/host/session_controls.hpp"
#include "affix/net/reactor.hpp"

#include "support/engine_case.hpp"
#include "support/memory_keeper.hpp"
#include "support/raw_peer.hpp"

#include <memory>
#include <string>
#include <vector>

namespace affix::support {
namespace {

class EngineContinuation : public testing::Test {
 protected:
  EngineContinuation() {
    venue_settings_ = acceptor_configuration();
    add_session(venue_settings_, "VENUE", "FIRM", directory_.path("venue"));
    for (config::ServerSettings& server : venue_settings_.servers) {
      server.worker_thread_count = tested_workers();
    }
    open_venue();
    venue_settings_.servers.front().accept_port = port_of(*venue_);
    firm_settings_ = initiator_configuration(port_of(*venue_));
    add_session(firm_settings_, "FIRM", "VENUE", directory_.path("firm"));
    open_firm();
    EXPECT_TRUE(turn_until(
        engines(), [&] { return venue_session().logged_on() && firm_session().logged_on(); }));
  }

  static std::unique_ptr<engine::Engine> open(const config::Configuration& configuration,
                                              Recorder& application,
                                              const std::shared_ptr<HeldDescriptors>& store) {
    auto keeper = std::make_unique<MemoryKeeper>(store);
    auto kept = keeper->take();
    EXPECT_TRUE(kept);
    auto opened = engine::Engine::open(configuration, application, nullptr,
                                       {std::move(keeper), std::move(*kept)});
    EXPECT_TRUE(opened) << config::text_of(opened.error());
    return opened ? std::move(*opened) : nullptr;
  }

  void open_venue() { venue_ = open(venue_settings_, venue_application_, venue_store_); }

  void open_firm() { firm_ = open(firm_settings_, firm_application_, firm_store_); }

  static void kill(std::unique_ptr<engine::Engine>& engine) {
    engine->abandon();
    engine.reset();
  }

  [[nodiscard]] Engines engines() const {
    Engines all;
    for (const auto* const engine : {&venue_, &firm_}) {
      if (*engine != nullptr) {
        all.push_back(engine->get());
      }
    }
    return all;
  }

  [[nodiscard]] host::SessionHandle venue_session() const { return venue_->sessions().front(); }

  [[nodiscard]] host::SessionHandle firm_session() const { return firm_->sessions().front(); }

  template <typename Wanted>
  [[nodiscard]] bool turns_until(Wanted wanted) const {
    return turn_until(engines(), wanted);
  }

  void expect_no_disconnect() const {
    EXPECT_TRUE(venue_application_.logouts.empty()) << venue_application_.all_events();
    EXPECT_TRUE(firm_application_.logouts.empty()) << firm_application_.all_events();
    EXPECT_EQ(venue_application_.logon_requests, 1);
  }

  TemporaryDirectory directory_;
  std::shared_ptr<HeldDescriptors> venue_store_ = std::make_shared<HeldDescriptors>();
  std::shared_ptr<HeldDescriptors> firm_store_ = std::make_shared<HeldDescriptors>();
  config::Configuration venue_settings_;
  config::Configuration firm_settings_;
  Recorder venue_application_;
  Recorder firm_application_;
  std::unique_ptr<engine::Engine> venue_;
  std::unique_ptr<engine::Engine> firm_;
};

TEST_F(EngineContinuation, TheConnectionOfAKilledAcceptorGoesOn) {
  ASSERT_EQ(send_order(firm_session(), "before").status, host::SendStatus::Sent);
  ASSERT_EQ(send_order(venue_session(), "answer").status, host::SendStatus::Sent);
  ASSERT_TRUE(turns_until([&] {
    return venue_application_.messages.size() == 1 && firm_application_.messages.size() == 1;
  }));
  kill(venue_);
  ASSERT_EQ(send_order(firm_session(), "while away").status, host::SendStatus::Sent);
  turn_for(engines(), 5 * base::ns_per_ms);
  EXPECT_TRUE(firm_session().logged_on());
  open_venue();
  ASSERT_TRUE(turns_until([&] { return venue_application_.messages.size() == 2; }))
      << venue_application_.all_events();
  ASSERT_EQ(send_order(firm_session(), "after").status, host::SendStatus::Sent);
  ASSERT_EQ(send_order(venue_session(), "after, too").status, host::SendStatus::Sent);
  ASSERT_TRUE(turns_until([&] {
    return venue_application_.messages.size() == 3 && firm_application_.messages.size() == 2;
  }));
  EXPECT_EQ(venue_application_.ids(), (std::vector<std::string>{"before", "while away", "after"}));
  EXPECT_EQ(firm_application_.ids(), (std::vector<std::string>{"answer", "after, too"}));
  expect_no_disconnect();
  EXPECT_TRUE(venue_application_.heard_code("K302")) << venue_application_.all_events();
  EXPECT_EQ(venue_application_.logons.size(), 2U);  // Its application begins anew.
  EXPECT_GT(host::SessionControls(venue_session()).sight().continued_utc_ns, 0);
}

TEST_F(EngineContinuation, TheConnectionOfAKilledInitiatorGoesOn) {
  kill(firm_);
  ASSERT_EQ(send_order(venue_session(), "while away").status, host::SendStatus::Sent);
  turn_for(engines(), 5 * base::ns_per_ms);
  open_firm();
  ASSERT_TRUE(turns_until([&] { return firm_application_.messages.size() == 1; }));
  ASSERT_EQ(send_order(firm_session(), "after").status, host::SendStatus::Sent);
  ASSERT_TRUE(turns_until([&] { return venue_application_.messages.size() == 1; }));
  expect_no_disconnect();
}

TEST_F(EngineContinuation, WhatWasReadAndNotStoredIsAskedFor) {
  // A process that reads and stores nothing, as one that is killed between the two.
  net::Socket duplicate;
  kill(venue_);
  ASSERT_EQ(send_order(firm_session(), "lost").status, host::SendStatus::Sent);
  turn_for(engines(), 2 * base::ns_per_ms);
  {
    const std::lock_guard lock(venue_store_->mutex);
    char bytes[40];
    for (const auto& [name, socket] : venue_store_->held) {
      if (name.starts_with("link.")) {
        ASSERT_EQ(::recv(socket.fd(), bytes, sizeof bytes, 0), 40);
      }
    }
  }
  open_venue();
  ASSERT_TRUE(turns_until([&] { return venue_application_.messages.size() == 1; }))
      << venue_application_.all_events();
  EXPECT_EQ(venue_application_.ids(), (std::vector<std::string>{"lost"}));
  ASSERT_EQ(send_order(firm_session(), "after").status, host::SendStatus::Sent);
  ASSERT_TRUE(turns_until([&] { return venue_application_.messages.size() == 2; }));
  expect_no_disconnect();
}

TEST_F(EngineContinuation, BothMayBeKilledAgainAndAgain) {
  std::size_t sent = 0;
  for (int life = 0; life < 6; ++life) {
    std::unique_ptr<engine::Engine>& victim = life % 2 == 0 ? venue_ : firm_;
    ASSERT_EQ(send_order(firm_session(), std::to_string(++sent)).status, host::SendStatus::Sent);
    kill(victim);
    if (life % 2 == 0) {
      open_venue();
    } else {
      open_firm();
    }
    ASSERT_TRUE(turns_until([&] { return venue_application_.messages.size() == sent; }))
        << "life " << life << "\n"
        << venue_application_.all_events();
  }
  expect_no_disconnect();
}

TEST_F(EngineContinuation, ASessionThatIsGoneLogsNobodyOnAgain) {
  kill(venue_);
  venue_settings_.sessions.front().target_comp_id = "OTHER";
  venue_settings_.sessions.front().journal_path = directory_.path("other");
  open_venue();
  ASSERT_TRUE(turns_until([&] { return !firm_application_.logouts.empty(); }));
  EXPECT_TRUE(venue_application_.heard_code("K301")) << venue_application_.all_events();
  EXPECT_EQ(venue_store_->count("link."), 0U);
}

TEST_F(EngineContinuation, WithoutItsJournalTheConnectionIsClosedAndLogsOnAnew) {
  kill(venue_);
  std::filesystem::remove_all(directory_.path("venue"));
  open_venue();
  ASSERT_TRUE(turns_until([&] { return !firm_application_.logouts.empty(); }));
  EXPECT_TRUE(venue_application_.heard_code("K301")) << venue_application_.all_events();
}

TEST_F(EngineContinuation, AnOrderlyEndLeavesNothing) {
  EXPECT_EQ(venue_store_->count("link."), 1U);
  firm_session().logout("bye");
  ASSERT_TRUE(turns_until([&] { return venue_session().disconnected(); }));
  EXPECT_EQ(venue_store_->count("link."), 0U);
  EXPECT_EQ(firm_store_->count("link."), 0U);
  EXPECT_EQ(venue_store_->count("listen."), 1U);
}

TEST_F(EngineContinuation, ANewKeeperIsGivenEverythingAgain) {
  {
    const std::lock_guard lock(venue_store_->mutex);
    venue_store_->held.clear();
    venue_store_->gone = true;
  }
  ASSERT_TRUE(turns_until([&] { return venue_application_.heard_code("K305"); }));
  {
    const std::lock_guard lock(venue_store_->mutex);
    venue_store_->gone = false;
  }
  ASSERT_TRUE(turns_until([&] { return venue_store_->count("link.") == 1; }));
  EXPECT_EQ(venue_store_->count("listen."), 1U);
  EXPECT_TRUE(venue_application_.heard_code("K307"));
  kill(venue_);
  open_venue();
  ASSERT_EQ(send_order(firm_session(), "after").status, host::SendStatus::Sent);
  ASSERT_TRUE(turns_until([&] { return venue_application_.messages.size() == 1; }));
  expect_no_disconnect();
}

TEST_F(EngineContinuation, AKeeperThatDoesNotReadIsAskedAgain) {
  {
    const std::lock_guard lock(venue_store_->mutex);
    venue_store_->busy = true;
  }
  firm_session().logout("bye");
  ASSERT_TRUE(turns_until([&] { return venue_session().disconnected(); }));
  EXPECT_EQ(venue_store_->count("link.1"), 1U);  // Of the connection that has ended.
  firm_session().connect();
  ASSERT_TRUE(turns_until([&] { return venue_session().logged_on(); }));
  {
    const std::lock_guard lock(venue_store_->mutex);
    venue_store_->busy = false;
    venue_store_->refused.emplace_back("link.99");
  }
  ASSERT_TRUE(turns_until(
      [&] { return venue_store_->count("link.") == 1 && venue_store_->count("link.1") == 0; }));
  EXPECT_TRUE(venue_application_.heard_code("K304", "link.99"));
  kill(venue_);
  open_venue();
  ASSERT_EQ(send_order(firm_session(), "after").status, host::SendStatus::Sent);
  ASSERT_TRUE(turns_until([&] { return venue_application_.messages.size() == 1; }));
  EXPECT_EQ(venue_application_.logon_requests, 2);
}

TEST(EngineWithoutItsKeeper, StartsAndSaysSo) {
  const TemporaryDirectory directory;
  config::Configuration settings = acceptor_configuration();
  add_session(settings, "VENUE", "FIRM", directory.path("venue"));
  settings.engine.keeper = directory.path("no keeper here");
  Recorder application;
  const auto venue = open_engine(settings, application);
  ASSERT_TRUE(venue);
  ASSERT_TRUE(turn_until({venue.get()}, [&] { return application.heard_code("K305"); }));
}

}  // namespace
}  // namespace affix::support
