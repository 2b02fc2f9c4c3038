// SPDX-License-Identifier: MIT
// Next opening and closing of a session, for a program that does not run it.
#include "affix/config/session_hours.hpp"

#include "affix/base/time.hpp"

#include <gtest/gtest.h>

namespace affix::config {
namespace {

constexpr std::int64_t hour_ns = 3'600 * base::ns_per_second;

/// Wednesday, 2026-01-07 00:00 UTC.
constexpr std::int64_t wednesday_ns = 20'460 * base::ns_per_day;

SessionSettings settings_of(const std::string& windows, const std::string& zone = "UTC") {
  SessionSettings settings;
  settings.name = "A";
  settings.schedule_windows = windows;
  settings.schedule_time_zone = zone;
  return settings;
}

SessionHours hours_of(const SessionSettings& settings) {
  auto hours = SessionHours::of(settings);
  EXPECT_TRUE(hours) << text_of(hours.error());
  return hours ? *hours : SessionHours();
}

TEST(SessionHoursOutlook, OfASessionWithoutAScheduleIsNone) {
  const SessionHours hours = hours_of(settings_of({}));
  const auto outlook = hours.outlook(wednesday_ns);
  EXPECT_TRUE(outlook.open);
  EXPECT_EQ(outlook.opens_utc_ns, 0);
  EXPECT_EQ(outlook.closes_utc_ns, 0);
  EXPECT_EQ(hours.local_ns(wednesday_ns), wednesday_ns);
}

TEST(SessionHoursOutlook, HasTheNextOpeningAndClosing) {
  const SessionHours hours = hours_of(settings_of("MON-FRI 08:00-17:00"));
  auto outlook = hours.outlook(wednesday_ns + 9 * hour_ns);
  EXPECT_TRUE(outlook.open);
  EXPECT_EQ(outlook.closes_utc_ns, wednesday_ns + 17 * hour_ns);
  EXPECT_EQ(outlook.opens_utc_ns, wednesday_ns + 32 * hour_ns);
  outlook = hours.outlook(wednesday_ns + (2 * 24 + 20) * hour_ns);  // Friday, in the evening.
  EXPECT_FALSE(outlook.open);
  EXPECT_EQ(outlook.opens_utc_ns, wednesday_ns + (5 * 24 + 8) * hour_ns);
  EXPECT_EQ(outlook.closes_utc_ns, wednesday_ns + (5 * 24 + 17) * hour_ns);
}

TEST(SessionHoursOutlook, PassesOverLogonWindowsWithin) {
  SessionSettings settings = settings_of("MON-FRI 08:00-17:00");
  settings.schedule_logon_windows = "MON-FRI 08:00-09:00, MON-FRI 12:00-13:00";
  const auto outlook = hours_of(settings).outlook(wednesday_ns + 8 * hour_ns);
  EXPECT_TRUE(outlook.open);
  EXPECT_EQ(outlook.closes_utc_ns, wednesday_ns + 17 * hour_ns);
}

TEST(SessionHoursOutlook, KnowsTheClockOnTheWallOfItsZone) {
  const SessionHours hours = hours_of(settings_of("MON-FRI 08:00-17:00", "America/New_York"));
  const auto outlook = hours.outlook(wednesday_ns);
  EXPECT_FALSE(outlook.open);
  EXPECT_EQ(outlook.opens_utc_ns, wednesday_ns + 13 * hour_ns);
  EXPECT_EQ(hours.local_ns(outlook.opens_utc_ns), wednesday_ns + 8 * hour_ns);
  EXPECT_EQ(hours.local_ns(outlook.closes_utc_ns), wednesday_ns + 17 * hour_ns);
}

TEST(SessionHoursOutlook, OfTwoWindowsThatTouchEndsWhereTheNextBegins) {
  const SessionHours hours = hours_of(settings_of("MON-SUN 00:00-24:00"));
  const auto outlook = hours.outlook(wednesday_ns + hour_ns);
  EXPECT_TRUE(outlook.open);
  EXPECT_EQ(outlook.closes_utc_ns, wednesday_ns + 24 * hour_ns);
  EXPECT_EQ(outlook.opens_utc_ns, outlook.closes_utc_ns);
}

}  // namespace
}  // namespace affix::config
