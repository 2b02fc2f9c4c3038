// SPDX-License-Identifier: MIT
// Sessions that run around the clock: numbers start over every day within the session, requested by
// either side, and no message in transit is lost. In virtual time.
#include "affix/testing/virtual_network.hpp"

#include "support/engine_case.hpp"
#include "support/virtual_engine.hpp"

#include <cstdio>
#include <functional>

namespace affix::support {
namespace {

using testing::VirtualNetwork;

constexpr std::int64_t day_ns = 86'400 * base::ns_per_second;

/// HH:MM:SS, `ns` after the network's time.
std::string time_of_day(std::int64_t utc_ns) {
  const std::int64_t second = utc_ns % day_ns / base::ns_per_second;
  char text[16];
  std::snprintf(text, sizeof text, "%02d:%02d:%02d", static_cast<int>(second / 3'600),
                static_cast<int>(second / 60 % 60), static_cast<int>(second % 60));
  return text;
}

class EngineDailyReset : public ::testing::Test {
 protected:
  EngineDailyReset() : venue_node(network.add_node()), firm_node(network.add_node()) {}

  std::unique_ptr<engine::Engine> start(testing::NodeId node, const config::Configuration& settings,
                                        Recorder& application) {
    return support::start_engine(network, node, settings, application);
  }

  /// Both sides are 24x7 sessions; `by_venue` and `by_firm` select the sides that reset, half an
  /// hour from now.
  void open(bool by_venue, bool by_firm,
            const std::function<void(config::SessionSettings&)>& adjust = {}) {
    config::Configuration venue_settings = acceptor_configuration();
    venue_settings.servers.front().nic_address = "10.0.0.1";
    venue_settings.servers.front().accept_port = 5001;
    firm_settings = initiator_configuration(5001);
    firm_settings.clients.front().primary_address = "10.0.0.1";
    add_session(venue_settings, "VENUE", "FIRM", directory.path("venue"));
    add_session(firm_settings, "FIRM", "VENUE", directory.path("firm"));
    for (config::Configuration* one : {&venue_settings, &firm_settings}) {
      config::SessionSettings& settings = one->sessions.front();
      settings.reset_start = session::ResetStart::InSync;
      settings.mid_session_reset = session::MidSessionReset::AcceptInSync;
      settings.logon_include_next_expected_seq_no = true;
      const bool resets = one == &venue_settings ? by_venue : by_firm;
      settings.daily_reset_utc =
          resets ? time_of_day(network.now(venue_node).utc_ns + 1'800 * base::ns_per_second) : "";
      if (adjust) {
        adjust(settings);
      }
    }
    venue = start(venue_node, venue_settings, venue_application);
    firm = start(firm_node, firm_settings, firm_application);
    ASSERT_TRUE(network.run(base::ns_per_second));
    ASSERT_TRUE(firm->sessions().front().logged_on());
  }

  /// Both send orders at intervals; those refused during a reset are sent again.
  void trade_for(std::int64_t ns, std::int64_t pause_ns) {
    for (std::int64_t passed = 0; passed < ns; passed += pause_ns) {
      if (send_order(firm->sessions().front(), std::to_string(sent_by_firm)).sent()) {
        ++sent_by_firm;
      }
      if (send_order(venue->sessions().front(), std::to_string(sent_by_venue)).sent()) {
        ++sent_by_venue;
      }
      ASSERT_TRUE(network.run(pause_ns));
    }
  }

  /// Number of resets that the firm made by itself.
  [[nodiscard]] std::size_t resets() const {
    std::size_t count = 0;
    for (const std::string& event : firm_application.events) {
      count += event.starts_with("sequence numbers reset: 1") ? 1U : 0U;
    }
    return count;
  }

  void stop_firm() {
    network.kill(firm_node);
    network.set_turn(firm_node, [] {});
    firm.reset();
  }

  void restart_firm() {
    if (firm != nullptr) {
      stop_firm();
    }
    ASSERT_TRUE(network.run(base::ns_per_second));
    firm = start(firm_node, firm_settings, firm_application);
    ASSERT_TRUE(network.run(60 * base::ns_per_second));
    ASSERT_TRUE(firm->sessions().front().logged_on());
  }

  void expect_all() const {
    const auto expect_ids = [](const Recorder& application, int count) {
      ASSERT_EQ(application.messages.size(), static_cast<std::size_t>(count));
      for (int at = 0; at < count; ++at) {
        ASSERT_EQ(application.messages[static_cast<std::size_t>(at)].id, std::to_string(at));
      }
    };
    expect_ids(venue_application, sent_by_firm);
    expect_ids(firm_application, sent_by_venue);
    EXPECT_EQ(venue_application.logouts.size(), 0U);
    EXPECT_EQ(venue->sessions().front().next_sender_seq(),
              firm->sessions().front().next_target_seq());
    EXPECT_EQ(firm->sessions().front().next_sender_seq(),
              venue->sessions().front().next_target_seq());
  }

  TemporaryDirectory directory;
  VirtualNetwork network;
  testing::NodeId venue_node;
  testing::NodeId firm_node;
  Recorder venue_application;
  Recorder firm_application;
  config::Configuration firm_settings;
  std::unique_ptr<engine::Engine> venue;
  std::unique_ptr<engine::Engine> firm;
  int sent_by_firm = 0;
  int sent_by_venue = 0;
};

TEST_F(EngineDailyReset, WhoeverAsksNothingInFlightIsLost) {
  for (const auto& [by_venue, by_firm] :
       {std::pair(true, false), std::pair(false, true), std::pair(true, true)}) {
    SCOPED_TRACE(by_venue ? (by_firm ? "both" : "venue") : "firm");
    firm.reset();
    venue.reset();
    venue_application.messages.clear();
    firm_application.messages.clear();
    venue_application.events.clear();
    sent_by_firm = sent_by_venue = 0;
    open(by_venue, by_firm);
    trade_for(1'790 * base::ns_per_second, 10 * base::ns_per_second);
    EXPECT_FALSE(venue_application.heard("sequence numbers reset"));
    EXPECT_GT(firm->sessions().front().next_sender_seq(), 179U);
    trade_for(20 * base::ns_per_second, base::ns_per_ms);
    ASSERT_TRUE(network.run(base::ns_per_second));
    EXPECT_TRUE(venue_application.heard("sequence numbers reset"));
    expect_all();
  }
}

TEST_F(EngineDailyReset, ComesEveryDayAndAfterTheLogonWhenItWasMissed) {
  open(false, true);
  ASSERT_TRUE(network.run(3 * day_ns));
  const std::size_t before = resets();
  EXPECT_GE(before, 3U);
  // At that hour it is down; the reset is made up for at its return.
  firm->sessions().front().logout("maintenance");
  ASSERT_TRUE(network.run(day_ns));
  EXPECT_EQ(resets(), before);
  firm->sessions().front().connect();
  ASSERT_TRUE(network.run(60 * base::ns_per_second));
  EXPECT_GT(resets(), before);
  EXPECT_TRUE(firm->sessions().front().logged_on());
}

TEST_F(EngineDailyReset, OneThatWasMissedOutlivesARestartOfTheSession) {
  open(false, true);
  trade_for(10 * base::ns_per_second, base::ns_per_second);
  firm->sessions().front().logout("maintenance");
  ASSERT_TRUE(network.run(3'600 * base::ns_per_second));
  config::Configuration wanted = firm->configuration();
  wanted.sessions.front().heartbeat_interval_seconds += 1;
  const auto change = firm->reload(wanted);
  ASSERT_TRUE(change) << config::text_of(change.error());
  ASSERT_TRUE(network.run(base::ns_per_second));
  ASSERT_TRUE(change->done());
  ASSERT_EQ(resets(), 0U);
  firm->sessions().front().connect();
  ASSERT_TRUE(network.run(60 * base::ns_per_second));
  EXPECT_EQ(resets(), 1U);
  EXPECT_TRUE(firm->sessions().front().logged_on());
}

TEST_F(EngineDailyReset, OneThatWasMissedIsKnownFromTheJournal) {
  open(false, true);
  trade_for(10 * base::ns_per_second, base::ns_per_second);
  // The hour passes without a process.
  stop_firm();
  ASSERT_TRUE(network.run(3'600 * base::ns_per_second));
  ASSERT_NO_FATAL_FAILURE(restart_firm());
  EXPECT_EQ(resets(), 1U);
  // Both a late reset and one in time are done.
  ASSERT_NO_FATAL_FAILURE(restart_firm());
  EXPECT_EQ(resets(), 1U);
  ASSERT_TRUE(network.run(day_ns));
  EXPECT_EQ(resets(), 2U);
  ASSERT_NO_FATAL_FAILURE(restart_firm());
  EXPECT_EQ(resets(), 2U);
  // The hour passes while it is logged out.
  firm->sessions().front().logout("maintenance");
  ASSERT_TRUE(network.run(day_ns));
  ASSERT_TRUE(firm->sessions().front().disconnected());
  ASSERT_NO_FATAL_FAILURE(restart_firm());
  EXPECT_EQ(resets(), 3U);
  trade_for(10 * base::ns_per_second, base::ns_per_second);
}

// A newest record from after that hour does not mean that the numbers are.
TEST_F(EngineDailyReset, OneThatWasMissedIsKnownFromAJournalThatWasWrittenToSince) {
  open(false, true, [](config::SessionSettings& settings) {
    settings.send_while_disconnected = session::SendWhileDown::Queue;
  });
  trade_for(10 * base::ns_per_second, base::ns_per_second);
  firm->sessions().front().logout("maintenance");
  ASSERT_TRUE(network.run(3'600 * base::ns_per_second));
  ASSERT_TRUE(send_order(firm->sessions().front(), std::to_string(sent_by_firm)).queued());
  ++sent_by_firm;
  ASSERT_EQ(resets(), 0U);
  ASSERT_NO_FATAL_FAILURE(restart_firm());
  EXPECT_EQ(resets(), 1U);
  EXPECT_EQ(venue_application.messages.size(), static_cast<std::size_t>(sent_by_firm));
  ASSERT_NO_FATAL_FAILURE(restart_firm());
  EXPECT_EQ(resets(), 1U);
}

TEST_F(EngineDailyReset, QueuedMessagesOutliveOneThatWaitsForBothSides) {
  open(false, true, [](config::SessionSettings& settings) {
    settings.send_while_disconnected = session::SendWhileDown::Queue;
  });
  firm->sessions().front().logout("maintenance");
  ASSERT_TRUE(network.run(3'600 * base::ns_per_second));
  for (const char* id : {"1", "2", "3"}) {
    ASSERT_TRUE(send_order(firm->sessions().front(), id).queued());
  }
  firm->sessions().front().connect();
  ASSERT_TRUE(network.run(60 * base::ns_per_second));
  EXPECT_EQ(resets(), 1U);
  EXPECT_EQ(venue_application.ids(), (std::vector<std::string>{"1", "2", "3"}));
}

}  // namespace
}  // namespace affix::support
