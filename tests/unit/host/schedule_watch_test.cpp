// SPDX-License-Identifier: MIT
// Changes of a session's schedule, each reported once.
#include "host/schedule_watch.hpp"

#include "affix/base/time.hpp"

#include "support/schedules.hpp"

#include <gtest/gtest.h>

namespace affix::host {
namespace {

using support::at_utc;
using support::of_windows;

TEST(ScheduleWatch, ReportsEachChangeOnceAndEachPeriodOnce) {
  ScheduleWatch watch(of_windows("MON-FRI 08:00-17:00"), at_utc({2026, 3, 2}, 7, 0));
  EXPECT_FALSE(watch.open());
  EXPECT_FALSE(watch.advance(at_utc({2026, 3, 2}, 7, 59, 59)));
  EXPECT_TRUE(watch.advance(at_utc({2026, 3, 2}, 8, 0)));
  EXPECT_TRUE(watch.open());
  EXPECT_TRUE(watch.take_beginning());
  EXPECT_FALSE(watch.take_beginning());
  EXPECT_FALSE(watch.advance(at_utc({2026, 3, 2}, 12, 0)));
  EXPECT_TRUE(watch.advance(at_utc({2026, 3, 2}, 17, 0)));
  EXPECT_FALSE(watch.open());
  EXPECT_FALSE(watch.take_beginning());
}

TEST(ScheduleWatch, APeriodThatIsThereAtFirstIsNoNewOne) {
  ScheduleWatch watch(of_windows("MON-FRI 08:00-17:00"), at_utc({2026, 3, 2}, 9, 0));
  EXPECT_TRUE(watch.open());
  EXPECT_FALSE(watch.take_beginning());
  EXPECT_TRUE(
      watch.advance(at_utc({2026, 3, 3}, 9, 0)));  // The machine was asleep during the night.
  EXPECT_TRUE(watch.take_beginning());
}

TEST(ScheduleWatch, AClockThatIsSetBackBeginsNothingAgain) {
  ScheduleWatch watch(of_windows("MON-FRI 08:00-17:00"), at_utc({2026, 3, 2}, 7, 0));
  EXPECT_TRUE(watch.advance(at_utc({2026, 3, 2}, 8, 0)));
  EXPECT_TRUE(watch.take_beginning());
  EXPECT_FALSE(watch.advance(at_utc({2026, 3, 2}, 7, 59, 30)));  // A little.
  EXPECT_TRUE(watch.open());
  EXPECT_TRUE(watch.advance(at_utc({2026, 3, 2}, 7, 0)));  // An hour.
  EXPECT_FALSE(watch.open());
  EXPECT_TRUE(watch.advance(at_utc({2026, 3, 2}, 8, 0)));
  EXPECT_TRUE(watch.open());
  EXPECT_FALSE(watch.take_beginning());
}

TEST(ScheduleWatch, ThePeriodThatBeganLastDoesNotBeginAgainAfterALargeStep) {
  ScheduleWatch watch(of_windows("MON-FRI 08:00-17:00"), at_utc({2026, 3, 2}, 7, 0));
  EXPECT_TRUE(watch.advance(at_utc({2026, 3, 2}, 8, 0)));
  EXPECT_TRUE(watch.take_beginning());
  EXPECT_TRUE(watch.advance(at_utc({2026, 3, 2}, 5, 0)));
  EXPECT_FALSE(watch.open());
  EXPECT_TRUE(watch.advance(at_utc({2026, 3, 2}, 11, 0)));
  EXPECT_TRUE(watch.open());
  EXPECT_FALSE(watch.take_beginning());
  EXPECT_TRUE(watch.advance(at_utc({2026, 3, 3}, 8, 0)));
  EXPECT_TRUE(watch.take_beginning());
}

TEST(ScheduleWatch, ThePeriodAtFirstDoesNotBeginAgainAfterALargeStep) {
  ScheduleWatch watch(of_windows("MON-FRI 08:00-17:00"), at_utc({2026, 3, 2}, 11, 0));
  EXPECT_TRUE(watch.advance(at_utc({2026, 3, 2}, 5, 0)));
  EXPECT_TRUE(watch.advance(at_utc({2026, 3, 2}, 11, 0)));
  EXPECT_TRUE(watch.open());
  EXPECT_FALSE(watch.take_beginning());
}

TEST(ScheduleWatch, AfterAClockThatWasDaysAheadTheNextPeriodBegins) {
  const std::int64_t wrong_ns = at_utc({2026, 3, 6}, 9, 0);
  ScheduleWatch at_first(of_windows("MON-FRI 08:00-17:00"), wrong_ns);
  ScheduleWatch meanwhile(of_windows("MON-FRI 08:00-17:00"), at_utc({2026, 3, 2}, 7, 0));
  EXPECT_TRUE(meanwhile.advance(wrong_ns));
  EXPECT_TRUE(meanwhile.take_beginning());
  for (ScheduleWatch* const watch : {&at_first, &meanwhile}) {
    EXPECT_FALSE(watch->advance(at_utc({2026, 3, 2}, 9, 0)));
    EXPECT_FALSE(watch->take_beginning()) << "when this one began is not known";
    EXPECT_TRUE(watch->advance(at_utc({2026, 3, 2}, 17, 0)));
    EXPECT_TRUE(watch->advance(at_utc({2026, 3, 3}, 8, 0)));
    EXPECT_TRUE(watch->take_beginning());
  }
}

TEST(ScheduleWatch, AfterAClockThatWasAWeekAheadTheSamePeriodBeginsWhenItComes) {
  ScheduleWatch watch(of_windows("MON 08:00-17:00"), at_utc({2026, 3, 9}, 9, 0));
  EXPECT_TRUE(watch.advance(at_utc({2026, 3, 3}, 9, 0)));
  EXPECT_FALSE(watch.open());
  EXPECT_TRUE(watch.advance(at_utc({2026, 3, 9}, 8, 0)));
  EXPECT_TRUE(watch.take_beginning());
}

TEST(ScheduleWatch, ASuccessorDoesNotTakeOverATimeThatWasAhead) {
  const ScheduleWatch before(of_windows("MON-FRI 08:00-17:00"), at_utc({2026, 3, 6}, 9, 0));
  ScheduleWatch watch(of_windows("MON-FRI 08:00-17:00"), at_utc({2026, 3, 2}, 7, 0));
  watch.go_on_from(before);
  EXPECT_TRUE(watch.advance(at_utc({2026, 3, 2}, 8, 0)));
  EXPECT_TRUE(watch.take_beginning());
}

TEST(ScheduleWatch, ComesAgainWithinAMinute) {
  const ScheduleWatch watch(of_windows("MON-FRI 08:00-17:00"), at_utc({2026, 3, 2}, 7, 0));
  EXPECT_EQ(watch.pause_ns(at_utc({2026, 3, 2}, 7, 0)), 60 * base::ns_per_second);
  EXPECT_EQ(watch.pause_ns(at_utc({2026, 3, 2}, 7, 59, 59)), base::ns_per_second);
  EXPECT_EQ(watch.pause_ns(at_utc({2026, 3, 2}, 8, 1)), 0);
}

}  // namespace
}  // namespace affix::host
