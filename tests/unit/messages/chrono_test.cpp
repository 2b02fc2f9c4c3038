// SPDX-License-Identifier: MIT
// Conversions between <chrono> times and UtcTime: exact, or no result.
#include "affix/messages/chrono.hpp"

#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <ratio>

namespace affix::messages {
namespace {

using base::UtcTime;

using std::chrono::sys_time;

TEST(Chrono, TakesTheSystemClocksTimeExactly) {
  const auto time = std::chrono::sys_days(std::chrono::year(2026) / 11 / 24) +
                    std::chrono::hours(18) + std::chrono::nanoseconds(123'456'789);
  const UtcTime utc = utc_time(sys_time<std::chrono::nanoseconds>(time));
  EXPECT_EQ(utc.ns, 1'795'543'200'123'456'789);
  EXPECT_EQ(to_chrono(utc), time);
  const std::chrono::system_clock::time_point point(std::chrono::nanoseconds(7));
  EXPECT_EQ(utc_time(point), UtcTime(7, 0));
}

TEST(Chrono, CoarserTimesAreExactOrNothing) {
  EXPECT_EQ(utc_time(sys_time<std::chrono::seconds>(std::chrono::seconds(-3))),
            UtcTime(-3'000'000'000, 0));
  EXPECT_EQ(utc_time(std::chrono::sys_days(std::chrono::year(2262) / 4 / 12)), std::nullopt);
  EXPECT_EQ(utc_time(sys_time<std::chrono::seconds>(std::chrono::seconds::max())), std::nullopt);
  using Weeks = std::chrono::duration<std::int64_t, std::ratio<604'800>>;
  EXPECT_EQ(utc_time(sys_time<Weeks>(Weeks::min())), std::nullopt);
}

TEST(Chrono, FinerTimesKeepTheirPicoseconds) {
  using Picoseconds = std::chrono::duration<std::int64_t, std::pico>;
  EXPECT_EQ(utc_time(sys_time<Picoseconds>(Picoseconds(12'345))), UtcTime(12, 345));
  EXPECT_EQ(utc_time(sys_time<Picoseconds>(Picoseconds(-1))), UtcTime(-1, 999));
  EXPECT_EQ(to_chrono(UtcTime(12, 345)).time_since_epoch().count(), 12);
}

TEST(Chrono, NowLiesBetweenTwoReadings) {
  const auto before = std::chrono::system_clock::now();
  const base::UtcTime now = utc_now();
  const auto after = std::chrono::system_clock::now();
  EXPECT_LE(before, to_chrono(now));
  EXPECT_LE(to_chrono(now), after);
}

}  // namespace
}  // namespace affix::messages
