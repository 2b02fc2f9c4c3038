// SPDX-License-Identifier: MIT
// Keys, lists of windows and holiday files, valid and invalid.
#include "config/schedule_text.hpp"

#include "affix/base/time.hpp"

#include "support/has_message.hpp"
#include "support/temporary_directory.hpp"

#include <cstdint>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace affix::config {
namespace {

using support::has_message;

constexpr std::int64_t hour_s = 3'600;

std::vector<std::pair<std::int64_t, std::int64_t>> hours_of(const std::string& text) {
  const auto windows = parse_windows(text);
  EXPECT_TRUE(windows) << text << ": " << (windows ? "" : windows.error().message);
  std::vector<std::pair<std::int64_t, std::int64_t>> hours;
  for (const WeeklyWindow& window : windows ? *windows : std::vector<WeeklyWindow>()) {
    hours.emplace_back(window.start_s / hour_s, window.end_s / hour_s);
  }
  return hours;
}

using Hours = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// The messages of all faults, one a line.
std::string faults_of(const SessionSettings& settings) {
  const auto schedule = schedule_of(settings);
  std::string text;
  for (const ScheduleFault& fault : schedule ? std::vector<ScheduleFault>() : schedule.error()) {
    text += std::string(fault.key) + "|" + fault.where + "|" + fault.message + "\n";
  }
  return text;
}

bool has_schedule(const SessionSettings& settings) {
  const auto schedule = schedule_of(settings);
  EXPECT_TRUE(schedule) << faults_of(settings);
  return schedule && schedule->has_value();
}

TEST(ScheduleText, WindowsOfEveryForm) {
  EXPECT_EQ(hours_of(""), Hours{});
  EXPECT_EQ(hours_of("08:00-17:00").size(), 7U);
  EXPECT_EQ(hours_of("TUE 08:00-17:00"), (Hours{{32, 41}}));
  EXPECT_EQ(hours_of("MON-TUE 08:00 - 17:00"), (Hours{{8, 17}, {32, 41}}));
  EXPECT_EQ(hours_of("SUN-MON 22:00-05:00"), (Hours{{22, 29}, {166, 173}}));
  EXPECT_EQ(hours_of("SUN 17:00 - FRI 17:00"), (Hours{{161, 281}}));
  EXPECT_EQ(hours_of("MON 00:00-FRI 24:00"), (Hours{{0, 120}}));
  EXPECT_EQ(hours_of("WED 17:00-WED 17:00"), (Hours{{65, 233}}));
  EXPECT_EQ(hours_of(" MON  13:00-17:00 ,MON 08:00-12:00"), (Hours{{8, 12}, {13, 17}}));
  EXPECT_EQ(hours_of("MON 00:00:00-24:00:00"), (Hours{{0, 24}}));
  EXPECT_EQ(hours_of("MON 08:00-12:00, MON 12:00-17:00"), (Hours{{8, 12}, {12, 17}}));
}

TEST(ScheduleText, TextThatIsNotAWindowIsNamed) {
  for (const std::string text : {"MON",
                                 "08:00",
                                 "08:00-",
                                 "-17:00",
                                 "8:00-17:00",
                                 "MON 08:00",
                                 "MON 25:00-26:00",
                                 "MON 08:60-09:00",
                                 "MON 24:00-25:00",
                                 "24:00-08:00",
                                 "mon 08:00-17:00",
                                 "MON-FRY 08:00-17:00",
                                 "MON-TUE-WED 08:00-17:00",
                                 "MON 08:00-17:00-18:00",
                                 "MON 08:00-17:00 UTC",
                                 "SUN 17:00-FRI",
                                 "MON 08:00-23:59:60",
                                 "08:00-17:00;MON",
                                 "-",
                                 "--",
                                 "MON -"}) {
    const auto windows = parse_windows("TUE 08:00-09:00, " + text);
    ASSERT_FALSE(windows) << text;
    EXPECT_TRUE(has_message(windows.error().text(), "C301", {"'" + text + "'"}));
  }
  EXPECT_FALSE(parse_windows("MON 08:00-09:00,,TUE 08:00-09:00"));
}

TEST(ScheduleText, WindowsThatOverlapAreNamed) {
  const auto fault = [](const std::string& text) {
    const auto windows = parse_windows(text);
    return windows ? std::string("none") : windows.error().text();
  };
  EXPECT_TRUE(
      has_message(fault("MON 08:00-12:00, MON 11:30-17:00"), "C301", {"MON 11:30", "overlaps"}));
  EXPECT_TRUE(
      has_message(fault("SUN 22:00-05:00, MON 04:00-06:00"), "C301", {"MON 04:00", "overlaps"}));
  EXPECT_TRUE(
      has_message(fault("MON 08:00-09:00, MON 08:00-09:00"), "C301", {"MON 08:00", "overlaps"}));
}

TEST(ScheduleText, WithoutAnyKeyThereIsNoSchedule) {
  EXPECT_FALSE(has_schedule(SessionSettings()));
}

TEST(ScheduleText, HoursOfTheirOwnKeys) {
  SessionSettings settings;
  settings.schedule_week_days = "1-2-3-4-5";
  settings.start_hour_utc = 22;
  settings.start_minute_utc = 15;
  settings.end_hour_utc = 5;
  settings.end_minute_utc = 0;
  const Schedule schedule = schedule_of(settings).value().value();
  const std::int64_t monday = base::days_from_civil({2026, 3, 2}) * base::ns_per_day;
  const std::int64_t start = monday + (22 * 60 + 15) * 60 * base::ns_per_second;
  EXPECT_FALSE(schedule.at(start - 1).open);
  EXPECT_TRUE(schedule.at(start).open);
  EXPECT_EQ(schedule.at(start).until_utc_ns,
            monday + base::ns_per_day + 5 * hour_s * base::ns_per_second);
  EXPECT_FALSE(schedule.at(monday).open);  // Nothing begins on Sundays.
}

TEST(ScheduleText, DaysWithoutHoursAreWholeAndHaveNoEndAtMidnight) {
  SessionSettings settings;
  settings.schedule_week_days = "7-1-2";
  const Schedule schedule = schedule_of(settings).value().value();
  const std::int64_t sunday = base::days_from_civil({2026, 3, 1}) * base::ns_per_day;
  const ScheduleMoment moment = schedule.at(sunday + base::ns_per_day);
  EXPECT_TRUE(moment.open);
  EXPECT_EQ(moment.started_utc_ns, sunday);
  EXPECT_EQ(moment.until_utc_ns, sunday + 3 * base::ns_per_day);
  settings.schedule_week_days = "1-2-3-4-5-6-7";
  EXPECT_FALSE(has_schedule(settings));
}

TEST(ScheduleText, WeekDaysThatAreNoneAreNamed) {
  for (const std::string days : {"0", "8", "1-", "-1", "12", "1--2", "1,2", "MON", "1-1"}) {
    SessionSettings settings;
    settings.schedule_week_days = days;
    EXPECT_TRUE(faults_of(settings).starts_with("schedule_week_days||")) << days;
  }
}

TEST(ScheduleText, KeysThatNeedOrContradictEachOther) {
  SessionSettings settings;
  settings.start_hour_utc = 8;
  EXPECT_TRUE(faults_of(settings).starts_with("start_hour_utc||")) << faults_of(settings);
  settings.start_minute_utc = settings.end_minute_utc = 0;
  settings.end_hour_utc = 17;
  EXPECT_EQ(faults_of(settings), "");
  settings.schedule_windows = "MON 08:00-17:00";
  EXPECT_TRUE(faults_of(settings).starts_with("schedule_windows||")) << faults_of(settings);
  settings.schedule_windows.clear();
  settings.schedule_time_zone = "Europe/Berlin";
  EXPECT_NE(faults_of(settings).find("schedule_time_zone||"), std::string::npos);

  SessionSettings bare;
  bare.schedule_logon_windows = "MON 08:00-09:00";
  bare.schedule_reset_at_start = true;
  EXPECT_EQ(faults_of(bare),
            "schedule_logon_windows||it needs key 'schedule_windows' too\n"
            "schedule_reset_at_start||it needs key 'schedule_windows' too\n");
  bare.schedule_windows = "MON 08:00-17:00";
  EXPECT_EQ(faults_of(bare), "");
  bare.send_while_disconnected = session::SendWhileDown::Queue;
  EXPECT_TRUE(faults_of(bare).starts_with("schedule_reset_at_start||"));
}

TEST(ScheduleText, LogonWindowsThatNoWindowMeetsAreFaults) {
  SessionSettings settings;
  settings.schedule_windows = "SUN 17:00-FRI 17:00";
  settings.schedule_logon_windows = "MON 06:00-08:00, FRI 17:00-18:00";
  EXPECT_EQ(
      faults_of(settings),
      "schedule_logon_windows||the window that begins FRI 17:00 lies in none of the session's "
      "windows, so that no logon would ever be made or taken in it\n");
  // A partial overlap suffices, also across the end of the week, from either side.
  settings.schedule_logon_windows = "FRI 16:59-18:00, SUN 16:00-17:01, MON 00:00-00:01";
  EXPECT_EQ(faults_of(settings), "");
  settings.schedule_windows = "MON 01:00-02:00";
  settings.schedule_logon_windows = "SUN 23:00-MON 01:30";
  EXPECT_EQ(faults_of(settings), "");
  settings.schedule_windows.clear();
  settings.schedule_week_days = "1";
  settings.schedule_logon_windows = "TUE 08:00-09:00";
  EXPECT_TRUE(faults_of(settings).starts_with("schedule_logon_windows||"));
}

TEST(ScheduleText, EveryFaultIsReported) {
  const support::TemporaryDirectory directory;
  SessionSettings settings;
  settings.schedule_windows = "MON";
  settings.schedule_logon_windows = "TUE";
  settings.schedule_time_zone = "Europe/Atlantis";
  settings.schedule_holidays_file = directory.path("absent");
  const std::string faults = faults_of(settings);
  for (const char* const key : {"schedule_windows||", "schedule_logon_windows||",
                                "schedule_time_zone||", "schedule_holidays_file|"}) {
    EXPECT_NE(faults.find(key), std::string::npos) << faults;
  }
}

TEST(ScheduleText, HolidaysAreDatesAndRangesWithComments) {
  std::vector<ScheduleFault> faults;
  const std::vector<DayRange> holidays = parse_holidays(
      "# 2026\n\n2026-01-01\r\n 2026-12-24 .. 2026-12-26  # Christmas\n2028-02-29", "file", faults);
  EXPECT_TRUE(faults.empty());
  ASSERT_EQ(holidays.size(), 3U);
  EXPECT_EQ(holidays[0].first, base::days_from_civil({2026, 1, 1}));
  EXPECT_EQ(holidays[0].last, holidays[0].first);
  EXPECT_EQ(holidays[1].first, base::days_from_civil({2026, 12, 24}));
  EXPECT_EQ(holidays[1].last, base::days_from_civil({2026, 12, 26}));
  EXPECT_EQ(holidays[2].first, base::days_from_civil({2028, 2, 29}));
}

TEST(ScheduleText, EveryWrongHolidayIsReportedWithItsLine) {
  std::vector<ScheduleFault> faults;
  const auto holidays = parse_holidays(
      "2026-02-29\n2026-01-01\n20260101\n2026-12-26..2026-12-24\n2026-01-01..\ntoday\n"
      "2026-01-01 2026-01-02\n2026-13-01\n",
      "days.txt", faults);
  EXPECT_EQ(holidays.size(), 1U);
  std::string places;
  for (const ScheduleFault& fault : faults) {
    EXPECT_EQ(fault.key, "schedule_holidays_file");
    places += fault.where + " ";
  }
  EXPECT_EQ(places,
            "days.txt:1 days.txt:3 days.txt:4 days.txt:5 days.txt:6 days.txt:7 days.txt:8 ");
}

TEST(ScheduleText, HolidaysComeFromTheFile) {
  const support::TemporaryDirectory directory;
  const std::string path = directory.path("holidays");
  SessionSettings settings;
  settings.schedule_windows = "08:00-17:00";
  settings.schedule_holidays_file = path;
  std::ofstream(path) << "";
  EXPECT_TRUE(has_schedule(settings));
  std::ofstream(path) << "2026-03-02\n";
  const Schedule schedule = schedule_of(settings).value().value();
  const std::int64_t noon =
      base::days_from_civil({2026, 3, 2}) * base::ns_per_day + base::ns_per_day / 2;
  EXPECT_FALSE(schedule.at(noon).open);
  EXPECT_TRUE(schedule.at(noon + base::ns_per_day).open);
  settings.schedule_holidays_file = directory.path();
  EXPECT_NE(faults_of(settings).find("schedule_holidays_file||'" + directory.path()),
            std::string::npos);
}

}  // namespace
}  // namespace affix::config
