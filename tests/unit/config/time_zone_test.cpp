// SPDX-License-Identifier: MIT
// Wall clock times at both changes, and with every sign of offset.
#include "config/time_zone.hpp"

#include "affix/base/time.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>

namespace affix::config {
namespace {

/// Seconds since the epoch of a UTC time.
std::int64_t at(base::CivilDate date, int hour, int minute, int second = 0) {
  return base::days_from_civil(date) * 86'400 + hour * 3'600 + minute * 60 + second;
}

TEST(TimeZone, UtcNeedsNoDatabase) {
  const TimeZone zone = TimeZone::find("UTC").value();
  EXPECT_EQ(zone.local_of(12'345), 12'345);
  EXPECT_EQ(zone.utc_of(-12'345), -12'345);
  EXPECT_EQ(TimeZone().utc_of(7), 7);
}

TEST(TimeZone, TextThatIsNotANameIsReported) {
  for (const std::string name :
       {"", "Europe/Atlantis", "/etc/localtime", "../zoneinfo/Europe/Berlin", "libc:localtime",
        "Fixed/UTC+01:00:00", "Europe/Berlin ", "EUROPE\n"}) {
    const auto zone = TimeZone::find(name);
    ASSERT_FALSE(zone) << name;
    EXPECT_NE(zone.error().message.find("'" + name + "'"), std::string::npos)
        << zone.error().message;
  }
}

class TimeZoneOfTheSystem : public ::testing::Test {
 protected:
  static TimeZone find(const char* name) {
    auto zone = TimeZone::find(name);
    EXPECT_TRUE(zone) << name << ": " << (zone ? "" : zone.error().message);
    return zone ? *zone : TimeZone();
  }

  void SetUp() override {
    if (const auto zone = TimeZone::find("Europe/Berlin");
        !zone && zone.error().message.find("this build") != std::string::npos) {
      GTEST_SKIP() << zone.error().message;
    }
  }
};

TEST_F(TimeZoneOfTheSystem, SummerAndWinterDiffer) {
  const TimeZone york = find("America/New_York");
  EXPECT_EQ(york.local_of(at({2026, 1, 15}, 12, 0)), at({2026, 1, 15}, 7, 0));
  EXPECT_EQ(york.local_of(at({2026, 7, 15}, 12, 0)), at({2026, 7, 15}, 8, 0));
  EXPECT_EQ(york.utc_of(at({2026, 7, 15}, 8, 0)), at({2026, 7, 15}, 12, 0));
  EXPECT_EQ(find("Asia/Kathmandu").local_of(at({2026, 1, 1}, 0, 0)), at({2026, 1, 1}, 5, 45));
}

TEST_F(TimeZoneOfTheSystem, ATimeThatNeverOccursIsTheMomentOfTheChange) {
  const TimeZone berlin = find("Europe/Berlin");  // 2026-03-29, 02:00 to 03:00.
  const std::int64_t change = at({2026, 3, 29}, 1, 0);
  EXPECT_EQ(berlin.utc_of(at({2026, 3, 29}, 1, 59, 59)), change - 1);
  EXPECT_EQ(berlin.utc_of(at({2026, 3, 29}, 2, 0)), change);
  EXPECT_EQ(berlin.utc_of(at({2026, 3, 29}, 2, 30)), change);
  EXPECT_EQ(berlin.utc_of(at({2026, 3, 29}, 3, 0)), change);
  EXPECT_EQ(berlin.utc_of(at({2026, 3, 29}, 3, 0, 1)), change + 1);
}

TEST_F(TimeZoneOfTheSystem, ATimeThatOccursTwiceIsItsFirstOccurrence) {
  const TimeZone berlin = find("Europe/Berlin");  // 2026-10-25, 03:00 to 02:00.
  EXPECT_EQ(berlin.utc_of(at({2026, 10, 25}, 2, 30)), at({2026, 10, 25}, 0, 30));
  EXPECT_EQ(berlin.local_of(at({2026, 10, 25}, 0, 30)), berlin.local_of(at({2026, 10, 25}, 1, 30)));
  EXPECT_EQ(berlin.utc_of(at({2026, 10, 25}, 3, 0)), at({2026, 10, 25}, 2, 0));
}

TEST_F(TimeZoneOfTheSystem, HalfHoursAndTheSouthChangeToo) {
  const TimeZone lord_howe = find("Australia/Lord_Howe");  // 2026-04-05, 02:00 to 01:30.
  EXPECT_EQ(lord_howe.utc_of(at({2026, 4, 5}, 1, 45)), at({2026, 4, 4}, 14, 45));
  EXPECT_EQ(lord_howe.utc_of(at({2026, 4, 5}, 2, 0)), at({2026, 4, 4}, 15, 30));
}

}  // namespace
}  // namespace affix::config
