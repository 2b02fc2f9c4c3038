// SPDX-License-Identifier: MIT
// Sessions with a schedule: a week, nights, a holiday, logon windows and restarts, end to end. In
// virtual time.
#include "affix/host/session_controls.hpp"
#include "affix/journal/reader.hpp"

#include "config/time_zone.hpp"
#include "support/engine_case.hpp"
#include "support/has_message.hpp"
#include "support/virtual_engine.hpp"

#include <algorithm>
#include <fstream>
#include <functional>

namespace affix::support {
namespace {

constexpr std::int64_t second_ns = base::ns_per_second;
constexpr std::int64_t minute_ns = 60 * second_ns;
constexpr std::int64_t hour_ns = 60 * minute_ns;

std::int64_t at(base::CivilDate date, int hour, int minute) {
  return base::days_from_civil(date) * base::ns_per_day + hour * hour_ns + minute * minute_ns;
}

class EngineSchedule : public VirtualPairTest {
 protected:
  /// Both nodes' clocks show `utc_ns`.
  void set_clocks(std::int64_t utc_ns) {
    for (const testing::NodeId node : {venue_node, firm_node}) {
      network.step_utc(node, utc_ns - network.now(node).utc_ns);
    }
  }

  using Adjust = std::function<void(config::SessionSettings&)>;

  void configure(const Adjust& venue_schedule, const Adjust& firm_schedule) {
    firm_settings.clients.front().reconnect_milliseconds = 1'000;
    firm_settings.clients.front().reconnect_milliseconds_max = 30'000;
    venue_schedule(venue_settings.sessions.front());
    firm_schedule(firm_settings.sessions.front());
  }

  void open(const Adjust& both) {
    configure(both, both);
    open_venue();
    open_firm();
  }

  void run_until(std::int64_t utc_ns) {
    ASSERT_TRUE(network.run(utc_ns - network.now(firm_node).utc_ns));
  }

  [[nodiscard]] bool up() const {
    return firm->sessions().front().logged_on() && venue->sessions().front().logged_on();
  }

  void trade(int messages) {
    for (int message = 0; message < messages; ++message) {
      ASSERT_TRUE(send_order(firm->sessions().front(), std::to_string(message)).sent());
      ASSERT_TRUE(network.run(second_ns));
    }
  }
};

// 2026-03-01 is a Sunday.

TEST_F(EngineSchedule, AWeekLongSessionStaysUpAndStartsOverOnSunday) {
  set_clocks(at({2026, 3, 1}, 12, 0));
  open([](config::SessionSettings& settings) {
    settings.schedule_windows = "SUN 17:00-FRI 17:00";
    settings.schedule_reset_at_start = true;
  });
  run_until(at({2026, 3, 1}, 16, 59));
  EXPECT_FALSE(up());
  EXPECT_TRUE(firm_application.events.empty()) << firm_application.events.front();
  EXPECT_EQ(network.links().size(), 0U);
  run_until(at({2026, 3, 1}, 17, 1));
  ASSERT_TRUE(up());
  trade(5);
  run_until(at({2026, 3, 6}, 16, 59));
  EXPECT_TRUE(up());
  EXPECT_EQ(firm_application.logouts.size(), 0U);
  EXPECT_EQ(venue_application.messages.size(), 5U);
  run_until(at({2026, 3, 6}, 17, 1));
  EXPECT_FALSE(up());
  EXPECT_EQ(firm_application.logouts.size(), 1U);
  EXPECT_EQ(venue_application.logouts.size(), 1U);
  EXPECT_TRUE(firm_application.admin_types.ends_with("5") ||
              venue_application.admin_types.ends_with("5"));
  const std::size_t events = firm_application.events.size();
  run_until(at({2026, 3, 8}, 16, 59));
  EXPECT_FALSE(up());
  EXPECT_EQ(firm_application.events.size(), events) << firm_application.events.back();
  EXPECT_GT(firm->sessions().front().next_sender_seq(), 5U);
  run_until(at({2026, 3, 8}, 17, 0) + 20 * second_ns);
  ASSERT_TRUE(up());
  EXPECT_EQ(firm->sessions().front().next_sender_seq(), 2U);  // The Logon was the first.
  EXPECT_EQ(venue->sessions().front().next_sender_seq(), 2U);
  EXPECT_EQ(firm_application.times_heard("S108"), 1);
  EXPECT_EQ(venue_application.times_heard("S108"), 1);
}

TEST_F(EngineSchedule, AnOvernightSessionKeepsItsNumbersUnlessConfiguredOtherwise) {
  set_clocks(at({2026, 3, 2}, 12, 0));
  open([](config::SessionSettings& settings) {
    settings.schedule_week_days = "1-2-3-4-5";
    settings.start_hour_utc = 22;
    settings.start_minute_utc = 0;
    settings.end_hour_utc = 5;
    settings.end_minute_utc = 30;
  });
  for (std::uint8_t day = 2; day <= 6; ++day) {
    SCOPED_TRACE(static_cast<int>(day));
    run_until(at({2026, 3, day}, 21, 59));
    EXPECT_FALSE(up());
    run_until(at({2026, 3, day}, 22, 1));
    EXPECT_TRUE(up());
    run_until(at({2026, 3, day}, 24, 0));
    EXPECT_TRUE(up());
    run_until(at({2026, 3, day}, 24 + 5, 29));
    EXPECT_TRUE(up());
    run_until(at({2026, 3, day}, 24 + 5, 31));
    EXPECT_FALSE(up());
  }
  const std::uint64_t next = firm->sessions().front().next_sender_seq();
  EXPECT_GT(next, 500U);  // A heartbeat every half minute.
  run_until(at({2026, 3, 9}, 21, 59));
  EXPECT_FALSE(up());
  run_until(at({2026, 3, 9}, 22, 1));
  EXPECT_TRUE(up());
  EXPECT_GT(firm->sessions().front().next_sender_seq(), next);
  EXPECT_EQ(firm_application.logouts.size(), 5U);
  EXPECT_EQ(firm_application.times_heard("S108"), 0);
}

TEST_F(EngineSchedule, WhenAZoneChangesItsClocksTheSessionGoesByTheNewOnes) {
  if (const auto zone = config::TimeZone::find("America/New_York");
      !zone && zone.error().message.find("this build") != std::string::npos) {
    GTEST_SKIP() << zone.error().message;
  }
  // In New York 17:00 is 22:00 UTC until Sunday 2026-03-08, and 21:00 from then on.
  set_clocks(at({2026, 3, 6}, 21, 0));
  open([](config::SessionSettings& settings) {
    settings.schedule_windows = "SUN 17:00-FRI 17:00";
    settings.schedule_time_zone = "America/New_York";
    settings.schedule_reset_at_start = true;
  });
  run_until(at({2026, 3, 6}, 21, 59));
  EXPECT_TRUE(up());
  run_until(at({2026, 3, 6}, 22, 1));
  EXPECT_FALSE(up());
  run_until(at({2026, 3, 8}, 20, 59));
  EXPECT_FALSE(up());
  run_until(at({2026, 3, 8}, 21, 1));
  ASSERT_TRUE(up());
  EXPECT_EQ(venue_application.times_heard("S108"), 1);
  // And back on 2026-11-01, also a Sunday: the session that ends at 21:00 on Friday begins at
  // 22:00.
  set_clocks(at({2026, 10, 30}, 20, 30));
  ASSERT_TRUE(network.run(3 * minute_ns));
  run_until(at({2026, 10, 30}, 20, 59));
  EXPECT_TRUE(up());
  run_until(at({2026, 10, 30}, 21, 1));
  EXPECT_FALSE(up());
  run_until(at({2026, 11, 1}, 21, 59));
  EXPECT_FALSE(up());
  run_until(at({2026, 11, 1}, 22, 1));
  EXPECT_TRUE(up());
}

TEST_F(EngineSchedule, NothingBeginsOnAHoliday) {
  const std::string holidays = directory.path("holidays");
  std::ofstream(holidays) << "2026-03-03 # A Tuesday.\n";
  set_clocks(at({2026, 3, 2}, 6, 0));
  open([&](config::SessionSettings& settings) {
    settings.schedule_windows = "MON-FRI 08:00-17:00";
    settings.schedule_holidays_file = holidays;
  });
  run_until(at({2026, 3, 2}, 12, 0));
  EXPECT_TRUE(up());
  for (int hour = 0; hour < 24; ++hour) {
    run_until(at({2026, 3, 3}, hour, 30));
    EXPECT_FALSE(up()) << hour;
  }
  run_until(at({2026, 3, 4}, 8, 1));
  EXPECT_TRUE(up());
}

TEST_F(EngineSchedule, AnAcceptorRefusesLogonsOutsideAndSaysWhy) {
  set_clocks(at({2026, 3, 2}, 7, 0));
  configure(
      [](config::SessionSettings& settings) { settings.schedule_windows = "MON-FRI 08:00-17:00"; },
      [](config::SessionSettings&) {});
  open_venue();
  open_firm();
  run_until(at({2026, 3, 2}, 7, 30));
  EXPECT_FALSE(up());
  EXPECT_TRUE(firm_application.heard_code("S103", "schedule")) << firm_application.all_events();
  EXPECT_EQ(venue_application.logon_requests, 0);
  run_until(at({2026, 3, 2}, 8, 1));
  EXPECT_TRUE(up());
  run_until(at({2026, 3, 2}, 17, 1));
  EXPECT_FALSE(up());
  EXPECT_EQ(firm_application.logouts.size(), 1U);
}

TEST_F(EngineSchedule, AnEndByTheScheduleSaysSo) {
  set_clocks(at({2026, 3, 2}, 16, 0));
  configure(
      [](config::SessionSettings& settings) { settings.schedule_windows = "MON-FRI 08:00-17:00"; },
      [](config::SessionSettings&) {});
  open_venue();
  open_firm();
  std::string reported_peer;
  firm_application.when_admin = [&](host::SessionHandle, const wire::MessageView& message) {
    if (message.find(35U) == "5") {
      reported_peer = message.find(58U).value_or("");
    }
  };
  run_until(at({2026, 3, 2}, 16, 59));
  ASSERT_TRUE(up());
  run_until(at({2026, 3, 2}, 17, 0) + second_ns / 2);  // The firm comes again after a second.
  EXPECT_FALSE(up());
  EXPECT_EQ(reported_peer, "the session's window has ended");
  const host::SessionHandle session = venue->sessions().front();
  const host::SessionSight sight = host::SessionControls(session).sight();
  const std::string why(sight.ended_why.view());
  EXPECT_TRUE(why.starts_with("ended by its schedule: ")) << why;
  EXPECT_EQ(venue_application.times_heard("S201", "VENUE with FIRM at 10.0.0.2:"), 1)
      << venue_application.all_events();
  EXPECT_EQ(venue_application.times_heard("S201", why), 1) << venue_application.all_events();
  auto reader = journal::Reader::open(std::string(session.journal_directory()));
  ASSERT_TRUE(reader);
  bool noted = false;
  while (const auto record = reader->next()) {
    noted = noted || std::string_view(record->bytes).find(why) != std::string_view::npos;
  }
  EXPECT_TRUE(noted);
  EXPECT_EQ(
      firm_application.times_heard("N101", "FIRM with VENUE at 10.0.0.1:5001, ended by the peer: "),
      1)
      << firm_application.all_events();
}

TEST_F(EngineSchedule, ASessionThatIsUpStaysUpWhenLogonsEndAndDoesNotComeBack) {
  set_clocks(at({2026, 3, 2}, 7, 0));
  open([](config::SessionSettings& settings) {
    settings.schedule_windows = "MON-FRI 08:00-17:00";
    settings.schedule_logon_windows = "MON-FRI 08:00-09:00";
  });
  run_until(at({2026, 3, 2}, 12, 0));
  ASSERT_TRUE(up());
  network.cut(network.links().front());
  run_until(at({2026, 3, 2}, 16, 0));
  EXPECT_FALSE(up());
  EXPECT_EQ(venue_application.logon_requests, 1);
  run_until(at({2026, 3, 3}, 8, 1));
  EXPECT_TRUE(up());
}

TEST_F(EngineSchedule, AReloadMovesTheWindowsOfASessionThatIsUp) {
  set_clocks(at({2026, 3, 2}, 9, 0));
  open(
      [](config::SessionSettings& settings) { settings.schedule_windows = "MON-FRI 08:00-17:00"; });
  run_until(at({2026, 3, 2}, 9, 1));
  ASSERT_TRUE(up());
  trade(3);
  const auto reload = [this](const std::string& windows) {
    for (engine::Engine* const engine : {venue.get(), firm.get()}) {
      config::Configuration wanted = engine->configuration();
      wanted.sessions.front().schedule_windows = windows;
      const auto change = engine->reload(wanted);
      ASSERT_TRUE(change) << config::text_of(change.error());
    }
  };
  // The present is outside: the session logs out in order and stays away until the new window.
  ASSERT_NO_FATAL_FAILURE(reload("MON-FRI 10:00-11:00"));
  run_until(at({2026, 3, 2}, 9, 59));
  EXPECT_FALSE(up());
  EXPECT_EQ(firm_application.logouts.size(), 1U);
  const std::uint64_t next = firm->sessions().front().next_sender_seq();
  EXPECT_GT(next, 4U);
  run_until(at({2026, 3, 2}, 10, 1));
  ASSERT_TRUE(up());
  // It continues with its numbers, and ends by the new window.
  EXPECT_GT(firm->sessions().front().next_sender_seq(), next);
  EXPECT_EQ(firm_application.times_heard("S108"), 0);
  run_until(at({2026, 3, 2}, 11, 1));
  EXPECT_FALSE(up());
  // A window that contains the present reconnects it at once, and an invalid window changes
  // nothing.
  ASSERT_NO_FATAL_FAILURE(reload("MON-FRI 08:00-17:00"));
  run_until(at({2026, 3, 2}, 11, 3));
  ASSERT_TRUE(up());
  config::Configuration wrong = firm->configuration();
  wrong.sessions.front().schedule_windows = "MON 8-17";
  EXPECT_FALSE(firm->reload(wrong));
  run_until(at({2026, 3, 2}, 16, 59));
  EXPECT_TRUE(up());
  EXPECT_EQ(firm_application.logouts.size(), 2U);
}

TEST_F(EngineSchedule, WindowsThatTouchAreTwoSessions) {
  set_clocks(at({2026, 3, 2}, 12, 0));
  open([](config::SessionSettings& settings) {
    settings.schedule_windows = "17:00-17:00";
    settings.schedule_reset_at_start = true;
  });
  run_until(at({2026, 3, 2}, 12, 1));
  ASSERT_TRUE(up());
  trade(10);
  run_until(at({2026, 3, 2}, 17, 1));
  EXPECT_TRUE(up());
  EXPECT_EQ(firm_application.logouts.size(), 1U);
  EXPECT_LT(firm->sessions().front().next_sender_seq(), 6U);
  EXPECT_EQ(firm->sessions().front().next_sender_seq(),
            venue->sessions().front().next_target_seq());
  EXPECT_EQ(venue->sessions().front().next_sender_seq(),
            firm->sessions().front().next_target_seq());
  EXPECT_EQ(firm_application.times_heard("S108"), 1);
}

TEST_F(EngineSchedule, APeriodResetsOnceAcrossRestarts) {
  set_clocks(at({2026, 3, 2}, 7, 0));
  open([](config::SessionSettings& settings) {
    settings.schedule_windows = "MON-FRI 08:00-17:00";
    settings.schedule_reset_at_start = true;
  });
  run_until(at({2026, 3, 2}, 8, 1));
  ASSERT_TRUE(up());
  trade(10);
  const std::uint64_t next = firm->sessions().front().next_sender_seq();
  EXPECT_GT(next, 10U);
  // In the same window the numbers continue.
  open_firm();
  run_until(at({2026, 3, 2}, 9, 0));
  ASSERT_TRUE(up());
  EXPECT_GT(firm->sessions().front().next_sender_seq(), next);
  EXPECT_EQ(venue_application.times_heard("S108"), 0);
  // Down from before the end of this one until the middle of the next: one reset, at the opening.
  run_until(at({2026, 3, 2}, 16, 0));
  firm.reset();
  venue.reset();
  set_clocks(at({2026, 3, 3}, 10, 0));
  open_venue();
  open_firm();
  ASSERT_TRUE(network.run(minute_ns));
  ASSERT_TRUE(up());
  EXPECT_LT(firm->sessions().front().next_sender_seq(), 6U);
  trade(10);
  const std::uint64_t later = firm->sessions().front().next_sender_seq();
  open_venue();
  ASSERT_TRUE(network.run(minute_ns));
  ASSERT_TRUE(up());
  EXPECT_GT(firm->sessions().front().next_sender_seq(), later);
}

TEST_F(EngineSchedule, AClockThatIsSetIsFollowedAndResetsNothingTwice) {
  set_clocks(at({2026, 3, 2}, 3, 0));
  open([](config::SessionSettings& settings) {
    settings.schedule_windows = "MON-FRI 08:00-17:00";
    settings.schedule_reset_at_start = true;
  });
  ASSERT_TRUE(network.run(minute_ns));
  EXPECT_FALSE(up());
  set_clocks(at({2026, 3, 2}, 9, 0));
  ASSERT_TRUE(network.run(3 * minute_ns));
  ASSERT_TRUE(up());
  trade(5);
  set_clocks(at({2026, 3, 2}, 7, 0));
  ASSERT_TRUE(network.run(3 * minute_ns));
  EXPECT_FALSE(up());
  const std::uint64_t next = firm->sessions().front().next_sender_seq();
  set_clocks(at({2026, 3, 2}, 9, 30));
  ASSERT_TRUE(network.run(3 * minute_ns));
  EXPECT_TRUE(up());
  EXPECT_GT(firm->sessions().front().next_sender_seq(), next);
}

TEST_F(EngineSchedule, AWrongScheduleRefusesTheStart) {
  configure([](config::SessionSettings& settings) { settings.schedule_windows = "MONDAY"; },
            [](config::SessionSettings&) {});
  const auto opened = engine::Engine::open(
      venue_settings, venue_application,
      network.make_reactor(venue_node, engine::Engine::reactor_options(venue_settings)));
  ASSERT_FALSE(opened);
  EXPECT_TRUE(
      has_message(config::text_of(opened.error()), "C301", {"key 'schedule_windows': 'MONDAY'"}));
}

}  // namespace
}  // namespace affix::support
