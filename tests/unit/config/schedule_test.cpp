// SPDX-License-Identifier: MIT
// Configured windows, holidays, logon windows, and changes of clocks.
#include "config/schedule.hpp"

#include "affix/base/time.hpp"

#include "support/schedules.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace affix::config {
namespace {

using support::at_utc;
using support::of_windows;
using support::sound_schedule_of;

bool has_time_zones() {
  const auto zone = TimeZone::find("Europe/Berlin");
  return zone || zone.error().message.find("this build") == std::string::npos;
}

// 2026-03-02 is a Monday.

TEST(Schedule, AWindowIsOpenFromItsStartToBeforeItsEnd) {
  const Schedule schedule = of_windows("MON-FRI 08:00-17:30");
  EXPECT_FALSE(schedule.at(at_utc({2026, 3, 2}, 8, 0) - 1).open);
  const ScheduleMoment start = schedule.at(at_utc({2026, 3, 2}, 8, 0));
  EXPECT_TRUE(start.open);
  EXPECT_TRUE(start.logon);
  EXPECT_EQ(start.started_utc_ns, at_utc({2026, 3, 2}, 8, 0));
  EXPECT_EQ(start.until_utc_ns, at_utc({2026, 3, 2}, 17, 30));
  EXPECT_TRUE(schedule.at(start.until_utc_ns - 1).open);
  const ScheduleMoment end = schedule.at(start.until_utc_ns);
  EXPECT_FALSE(end.open);
  EXPECT_FALSE(end.logon);
  EXPECT_EQ(end.until_utc_ns, at_utc({2026, 3, 3}, 8, 0));
}

TEST(Schedule, TheWeekendIsJumpedOver) {
  const Schedule schedule = of_windows("MON-FRI 08:00-17:30");
  EXPECT_EQ(schedule.at(at_utc({2026, 3, 6}, 17, 30)).until_utc_ns, at_utc({2026, 3, 9}, 8, 0));
  EXPECT_FALSE(schedule.at(at_utc({2026, 3, 7}, 12, 0)).open);
}

TEST(Schedule, AnOvernightWindowBelongsToTheDayItBeginsOn) {
  const Schedule schedule = of_windows("SUN-THU 22:00-05:00");
  const ScheduleMoment monday = schedule.at(at_utc({2026, 3, 2}, 3, 0));
  EXPECT_TRUE(monday.open);
  EXPECT_EQ(monday.started_utc_ns, at_utc({2026, 3, 1}, 22, 0));
  EXPECT_EQ(monday.until_utc_ns, at_utc({2026, 3, 2}, 5, 0));
  EXPECT_TRUE(schedule.at(at_utc({2026, 3, 6}, 4, 59, 59)).open);  // Friday morning.
  EXPECT_FALSE(schedule.at(at_utc({2026, 3, 6}, 22, 0)).open);     // Friday evening.
}

TEST(Schedule, AWeekLongWindowGoesOverTheEndOfTheWeek) {
  const Schedule schedule = of_windows("SUN 17:00-FRI 17:00");
  const ScheduleMoment moment = schedule.at(at_utc({2026, 3, 4}, 12, 0));
  EXPECT_TRUE(moment.open);
  EXPECT_EQ(moment.started_utc_ns, at_utc({2026, 3, 1}, 17, 0));
  EXPECT_EQ(moment.until_utc_ns, at_utc({2026, 3, 6}, 17, 0));
  EXPECT_EQ(schedule.at(moment.until_utc_ns).until_utc_ns, at_utc({2026, 3, 8}, 17, 0));
}

TEST(Schedule, WindowsThatTouchAreTwoPeriods) {
  const Schedule schedule = of_windows("17:00-17:00");
  const ScheduleMoment first = schedule.at(at_utc({2026, 3, 2}, 16, 59));
  EXPECT_EQ(first.started_utc_ns, at_utc({2026, 3, 1}, 17, 0));
  const ScheduleMoment second = schedule.at(first.until_utc_ns);
  EXPECT_TRUE(second.open);
  EXPECT_EQ(second.started_utc_ns, at_utc({2026, 3, 2}, 17, 0));
}

TEST(Schedule, LogonsHaveWindowsOfTheirOwn) {
  const Schedule schedule = of_windows("MON-FRI 08:00-18:00", "UTC", "MON-FRI 07:30-09:00");
  EXPECT_FALSE(
      schedule.at(at_utc({2026, 3, 2}, 7, 45)).logon);  // Never outside the session's window.
  const ScheduleMoment start = schedule.at(at_utc({2026, 3, 2}, 8, 0));
  EXPECT_TRUE(start.logon);
  EXPECT_EQ(start.until_utc_ns, at_utc({2026, 3, 2}, 9, 0));
  const ScheduleMoment later = schedule.at(at_utc({2026, 3, 2}, 9, 0));
  EXPECT_TRUE(later.open);
  EXPECT_FALSE(later.logon);
  EXPECT_EQ(later.started_utc_ns, start.started_utc_ns);
  EXPECT_EQ(later.until_utc_ns, at_utc({2026, 3, 2}, 18, 0));
}

TEST(Schedule, TimesBeforeTheEpochAndAtTheEndOfTimeHaveAnswers) {
  const Schedule schedule = of_windows("MON-FRI 08:00-17:30");
  EXPECT_TRUE(schedule.at(at_utc({1969, 12, 29}, 8, 0)).open);  // A Monday.
  EXPECT_FALSE(schedule.at(at_utc({1969, 12, 29}, 8, 0) - 1).open);
  const std::int64_t last = std::numeric_limits<std::int64_t>::max();
  EXPECT_GT(schedule.at(last - 1).until_utc_ns, last - 8 * base::ns_per_day);
}

TEST(Schedule, AWindowThatWouldBeginOnAHolidayDoesNotTakePlace) {
  ScheduleParts parts;
  parts.windows = parse_windows("SUN-THU 22:00-05:00").value();
  const std::int64_t holiday = base::days_from_civil({2026, 3, 3});  // A Tuesday.
  parts.holidays = {{holiday, holiday}};
  const Schedule schedule(parts);
  EXPECT_TRUE(
      schedule.at(at_utc({2026, 3, 3}, 4, 0)).open);  // Monday's window continues through it.
  const ScheduleMoment closed = schedule.at(at_utc({2026, 3, 3}, 23, 0));
  EXPECT_FALSE(closed.open);
  EXPECT_EQ(closed.until_utc_ns, at_utc({2026, 3, 4}, 22, 0));
}

TEST(Schedule, HolidaysWithoutEndAreLookedAtAgainLater) {
  ScheduleParts parts;
  parts.windows = parse_windows("08:00-17:00").value();
  parts.holidays = {{0, base::days_from_civil({2200, 1, 1})}};
  const Schedule schedule(parts);
  const std::int64_t now = at_utc({2026, 3, 2}, 12, 0);
  EXPECT_FALSE(schedule.at(now).open);
  EXPECT_GT(schedule.at(now).until_utc_ns, now + 365 * base::ns_per_day);
}

TEST(Schedule, WindowsFollowTheZonesClocks) {
  if (!has_time_zones()) {
    GTEST_SKIP() << "this build has no time zones";
  }
  const Schedule schedule = of_windows("SUN 17:00-FRI 17:00", "America/New_York");
  // Clocks are set forward on Sunday 2026-03-08 and back on 2026-11-01.
  EXPECT_EQ(schedule.at(at_utc({2026, 3, 1}, 22, 0)).until_utc_ns, at_utc({2026, 3, 6}, 22, 0));
  EXPECT_EQ(schedule.at(at_utc({2026, 3, 7}, 0, 0)).until_utc_ns, at_utc({2026, 3, 8}, 21, 0));
  EXPECT_EQ(schedule.at(at_utc({2026, 11, 1}, 12, 0)).until_utc_ns, at_utc({2026, 11, 1}, 22, 0));
}

TEST(Schedule, AnHourThatOccursTwiceIsOneWindow) {
  if (!has_time_zones()) {
    GTEST_SKIP() << "this build has no time zones";
  }
  const Schedule schedule = of_windows("SUN 01:30-02:45", "Europe/Berlin");
  const ScheduleMoment twice = schedule.at(at_utc({2026, 10, 24}, 23, 30));
  EXPECT_TRUE(twice.open);
  EXPECT_EQ(twice.until_utc_ns, at_utc({2026, 10, 25}, 0, 45));
  EXPECT_FALSE(schedule.at(at_utc({2026, 10, 25}, 1, 30)).open);  // 02:30 for the second time.
  const Schedule never = of_windows("SUN 02:00-03:00", "Europe/Berlin");
  EXPECT_FALSE(never.at(at_utc({2026, 3, 29}, 1, 0)).open);
  EXPECT_EQ(never.at(at_utc({2026, 3, 29}, 0, 0)).until_utc_ns, at_utc({2026, 4, 5}, 0, 0));
}

}  // namespace
}  // namespace affix::config
