// SPDX-License-Identifier: MIT
// Sessions that run around the clock: numbers start over every day within the session, requested by
// either side, and no message in transit is lost. In virtual time.
#include "support/engine_case.hpp"
#include "support/virtual_engine.hpp"

#include <cstdio>
#include <functional>

namespace affix::support {
namespace {

constexpr std::int64_t day_ns = 86'400 * base::ns_per_second;

/// HH:MM:SS, `ns` after the network's time.
std::string time_of_day(std::int64_t utc_ns) {
  const std::int64_t second = utc_ns % day_ns / base::ns_per_second;
  char text[16];
  std::snprintf(text, sizeof text, "%02d:%02d:%02d", static_cast<int>(second / 3'600),
                static_cast<int>(second / 60 % 60), static_cast<int>(second % 60));
  return text;
}

class EngineDailyReset : public VirtualPairTest {
 protected:
  /// Both sides are 24x7 sessions; `by_venue` and `by_firm` select the sides that reset, half an
  /// hour from now.
  void open(bool by_venue, bool by_firm,
            const std::function<void(config::SessionSettings&)>& adjust = {}) {
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
    open_venue();
    open_firm();
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
  [[nodiscard]] int resets() const { return firm_application.times_heard("S108", ": 1"); }

  void restart_firm() {
    if (firm != nullptr) {
      lose_firm();
    }
    ASSERT_TRUE(network.run(base::ns_per_second));
    open_firm();
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

  int sent_by_firm = 0;
  int sent_by_venue = 0;
};

TEST_F(EngineDailyReset, NothingInFlightIsLostWhicheverSideAsks) {
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
    EXPECT_FALSE(venue_application.heard_code("S108"));
    EXPECT_GT(firm->sessions().front().next_sender_seq(), 179U);
    trade_for(20 * base::ns_per_second, base::ns_per_ms);
    ASSERT_TRUE(network.run(base::ns_per_second));
    EXPECT_TRUE(venue_application.heard_code("S108"));
    expect_all();
  }
}

TEST_F(EngineDailyReset, ComesEveryDayAndAfterTheLogonWhenItWasMissed) {
  open(false, true);
  ASSERT_TRUE(network.run(3 * day_ns));
  const int before = resets();
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
  ASSERT_EQ(resets(), 0);
  firm->sessions().front().connect();
  ASSERT_TRUE(network.run(60 * base::ns_per_second));
  EXPECT_EQ(resets(), 1);
  EXPECT_TRUE(firm->sessions().front().logged_on());
}

TEST_F(EngineDailyReset, OneThatWasMissedIsKnownFromTheJournal) {
  open(false, true);
  trade_for(10 * base::ns_per_second, base::ns_per_second);
  // The hour passes without a process.
  lose_firm();
  ASSERT_TRUE(network.run(3'600 * base::ns_per_second));
  ASSERT_NO_FATAL_FAILURE(restart_firm());
  EXPECT_EQ(resets(), 1);
  // Both a late reset and one in time are done.
  ASSERT_NO_FATAL_FAILURE(restart_firm());
  EXPECT_EQ(resets(), 1);
  ASSERT_TRUE(network.run(day_ns));
  EXPECT_EQ(resets(), 2);
  ASSERT_NO_FATAL_FAILURE(restart_firm());
  EXPECT_EQ(resets(), 2);
  // The hour passes while it is logged out.
  firm->sessions().front().logout("maintenance");
  ASSERT_TRUE(network.run(day_ns));
  ASSERT_TRUE(firm->sessions().front().disconnected());
  ASSERT_NO_FATAL_FAILURE(restart_firm());
  EXPECT_EQ(resets(), 3);
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
  ASSERT_EQ(resets(), 0);
  ASSERT_NO_FATAL_FAILURE(restart_firm());
  EXPECT_EQ(resets(), 1);
  EXPECT_EQ(venue_application.messages.size(), static_cast<std::size_t>(sent_by_firm));
  ASSERT_NO_FATAL_FAILURE(restart_firm());
  EXPECT_EQ(resets(), 1);
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
  EXPECT_EQ(resets(), 1);
  EXPECT_EQ(venue_application.ids(), (std::vector<std::string>{"1", "2", "3"}));
}

}  // namespace
}  // namespace affix::support
