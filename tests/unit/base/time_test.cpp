// SPDX-License-Identifier: MIT
// Calendar arithmetic against a walk through every day of many centuries.
#include "affix/base/time.hpp"

#include <cstdint>
#include <gtest/gtest.h>

namespace affix::base {
namespace {

TEST(Civil, CountsEveryDayOfTwelveCenturies) {
  CivilDate date{1400, 1, 1};
  std::int64_t days = days_from_civil(date);
  while (date.year < 2600) {
    ASSERT_EQ(days_from_civil(date), days);
    ASSERT_EQ(civil_from_days(days), date);
    ++days;
    if (date.day < days_in_month(date.year, date.month)) {
      ++date.day;
    } else {
      date.day = 1;
      date.month = static_cast<std::uint8_t>(date.month % 12 + 1);
      date.year += date.month == 1 ? 1 : 0;
    }
  }
}

TEST(Civil, BeginsAtTheEpoch) {
  EXPECT_EQ(days_from_civil({1970, 1, 1}), 0);
  EXPECT_EQ(days_from_civil({2000, 3, 1}), 11'017);
  EXPECT_EQ(days_from_civil({1969, 12, 31}), -1);
}

TEST(Civil, KnowsLeapYears) {
  EXPECT_TRUE(is_leap_year(2000));
  EXPECT_FALSE(is_leap_year(1900));
  EXPECT_TRUE(is_leap_year(2024));
  EXPECT_FALSE(is_leap_year(2023));
}

TEST(UtcTime, OrdersByPicosecondsLast) {
  EXPECT_LT((UtcTime{5, 1}), (UtcTime{5, 2}));
  EXPECT_LT((UtcTime{5, 999}), (UtcTime{6, 0}));
}

TEST(UtcTime, AValueOutOfRangeIsNotATime) {
  EXPECT_EQ(UtcTime(1, 999).picoseconds, 999);
  EXPECT_EQ(UtcTime(1, 65'536).picoseconds, no_picoseconds);
  EXPECT_EQ(UtcTime(1, -1).picoseconds, no_picoseconds);
}

TEST(CivilDate, AValueOutOfRangeIsNotADate) {
  EXPECT_EQ(CivilDate(2026, 11, 24), (CivilDate{2026, 11, 24}));
  EXPECT_EQ(CivilDate(2026, 257, 24).month, 0);
  EXPECT_EQ(CivilDate(2026, 11, -232).day, 0);
}

}  // namespace
}  // namespace affix::base
