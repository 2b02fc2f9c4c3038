// SPDX-License-Identifier: MIT
// A session's windows and resets together: what a look at the clock changes, and when the next look
// is due.
#include "host/timetable.hpp"

#include "config/schedule_text.hpp"
#include "support/temporary_directory.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace affix::host {
namespace {

using Change = Timetable::Change;

/// On 2026-03-02, a Monday.
std::int64_t on_monday(int hour, int minute = 0) {
  return (base::days_from_civil({2026, 3, 2}) * 86'400 + hour * 3'600 + minute * 60) *
         base::ns_per_second;
}

Timetable timetable_of(const std::string& windows, const std::string& daily_reset,
                       std::int64_t utc_ns, const std::string& logon_windows = "") {
  config::SessionSettings settings;
  settings.schedule_windows = windows;
  settings.schedule_logon_windows = logon_windows;
  settings.daily_reset_utc = daily_reset;
  auto schedule = config::schedule_of(settings);
  EXPECT_TRUE(schedule);
  return Timetable(settings, *std::move(schedule), utc_ns);
}

std::int64_t pause_ns(const Timetable& timetable, std::int64_t utc_ns) {
  constexpr std::int64_t steady_ns = 77;
  return timetable.deadline_ns({.steady_ns = steady_ns, .utc_ns = utc_ns}) - steady_ns;
}

TEST(Timetable, WithoutAScheduleAndADailyResetNothingDependsOnTheClock) {
  Timetable timetable = timetable_of("", "", on_monday(8));
  EXPECT_FALSE(timetable.follows_clock());
  EXPECT_TRUE(timetable.may_log_on());
  EXPECT_EQ(timetable.follow_schedule(on_monday(23), true), Change::None);
  timetable.advance_daily_reset(on_monday(23));
  EXPECT_FALSE(timetable.daily_reset_due());
  EXPECT_FALSE(timetable.period_reset_due());
}

TEST(Timetable, ASessionEndsWithItsWindow) {
  Timetable timetable = timetable_of("MON-FRI 08:00-17:00", "", on_monday(9));
  EXPECT_TRUE(timetable.follows_clock());
  EXPECT_TRUE(timetable.may_log_on());
  EXPECT_EQ(timetable.follow_schedule(on_monday(16, 59), true), Change::None);
  EXPECT_EQ(timetable.follow_schedule(on_monday(17), true), Change::SessionEnds);
  EXPECT_FALSE(timetable.may_log_on());
  EXPECT_FALSE(timetable.period_reset_due()) << "the next period has not begun";
  EXPECT_EQ(timetable.follow_schedule(on_monday(17, 1), true), Change::None) << "once";
}

TEST(Timetable, AWindowThatBeginsWhereTheLastEndsEndsItsSession) {
  Timetable timetable = timetable_of("MON 08:00-12:00,MON 12:00-17:00", "", on_monday(9));
  EXPECT_EQ(timetable.follow_schedule(on_monday(12), true), Change::SessionEnds);
  EXPECT_TRUE(timetable.may_log_on());
  EXPECT_TRUE(timetable.period_reset_due());
}

TEST(Timetable, TheEndOfALogonWindowEndsNoSession) {
  Timetable timetable =
      timetable_of("MON-FRI 08:00-17:00", "", on_monday(8), "MON-FRI 08:00-09:00");
  EXPECT_TRUE(timetable.may_log_on());
  EXPECT_EQ(timetable.follow_schedule(on_monday(9), true), Change::Logons);
  EXPECT_FALSE(timetable.may_log_on());
}

TEST(Timetable, APeriodsResetIsDueUntilBothNumbersAreFirst) {
  Timetable timetable = timetable_of("MON-FRI 08:00-17:00", "", on_monday(7));
  EXPECT_EQ(timetable.follow_schedule(on_monday(8), true), Change::SessionEnds);
  EXPECT_TRUE(timetable.period_reset_due());
  timetable.on_period_reset(false);
  EXPECT_TRUE(timetable.period_reset_due()) << "the journal refused it";
  timetable.on_period_reset(true);
  EXPECT_FALSE(timetable.period_reset_due());
}

TEST(Timetable, WithoutResetsAtTheStartNoPeriodHasOne) {
  Timetable timetable = timetable_of("MON-FRI 08:00-17:00", "", on_monday(7));
  EXPECT_EQ(timetable.follow_schedule(on_monday(8), false), Change::SessionEnds);
  EXPECT_FALSE(timetable.period_reset_due());
}

TEST(Timetable, TheDailyResetIsDueUntilTheNumbersAreReset) {
  Timetable timetable = timetable_of("", "17:00", on_monday(9));
  EXPECT_TRUE(timetable.follows_clock());
  timetable.advance_daily_reset(on_monday(16, 59));
  EXPECT_FALSE(timetable.daily_reset_due());
  timetable.advance_daily_reset(on_monday(17));
  EXPECT_TRUE(timetable.daily_reset_due());
  timetable.on_numbers_reset();
  EXPECT_FALSE(timetable.daily_reset_due());
}

TEST(Timetable, TheNextLookIsAtTheNearestChangeAndAtMostAMinuteAway) {
  constexpr std::int64_t second = base::ns_per_second;
  Timetable timetable = timetable_of("MON-FRI 08:00-17:00", "16:00", on_monday(9));
  EXPECT_EQ(pause_ns(timetable, on_monday(9)), 60 * second);
  EXPECT_EQ(pause_ns(timetable, on_monday(16) - 5 * second), 5 * second) << "the daily reset";
  timetable.advance_daily_reset(on_monday(16));
  EXPECT_EQ(pause_ns(timetable, on_monday(17) - 7 * second), 7 * second) << "the window's end";
  EXPECT_EQ(pause_ns(timetable_of("", "16:00", on_monday(9)), on_monday(17)), 0)
      << "its time has come and nothing has looked yet";
}

TEST(Timetable, ASuccessorHasTheResetsThatAreDue) {
  Timetable before = timetable_of("MON-FRI 08:00-17:00", "07:30", on_monday(7));
  before.advance_daily_reset(on_monday(8));
  ASSERT_EQ(before.follow_schedule(on_monday(8), true), Change::SessionEnds);
  Timetable same = timetable_of("MON-FRI 08:00-17:00", "07:30", on_monday(8));
  same.go_on_from(before, true);
  EXPECT_TRUE(same.daily_reset_due());
  EXPECT_TRUE(same.period_reset_due());
  Timetable without = timetable_of("MON-FRI 08:00-17:00", "", on_monday(8));
  without.go_on_from(before, false);
  EXPECT_FALSE(without.daily_reset_due());
  EXPECT_FALSE(without.period_reset_due());
}

TEST(Timetable, APeriodThatBeganBetweenASuccessorsMakingAndItsTakingOverDoesNotBeginAgain) {
  constexpr std::int64_t second = base::ns_per_second;
  Timetable before = timetable_of("MON-FRI 08:00-17:00", "", on_monday(7));
  Timetable after = timetable_of("MON-FRI 08:00-17:00", "", on_monday(8) - second);
  ASSERT_EQ(before.follow_schedule(on_monday(8) + second, true), Change::SessionEnds);
  before.on_period_reset(true);
  after.go_on_from(before, true);
  EXPECT_EQ(after.follow_schedule(on_monday(8) + 2 * second, true), Change::Logons);
  EXPECT_TRUE(after.may_log_on());
  EXPECT_FALSE(after.period_reset_due());
  constexpr std::int64_t day = 86'400 * second;
  EXPECT_EQ(after.follow_schedule(on_monday(17), true), Change::SessionEnds);
  EXPECT_EQ(after.follow_schedule(on_monday(8) + day, true), Change::SessionEnds);
  EXPECT_TRUE(after.period_reset_due()) << "the next one begins";
}

TEST(Timetable, ASuccessorMayHaveAScheduleThatItsPredecessorLacked) {
  const Timetable before = timetable_of("", "", on_monday(7));
  Timetable after = timetable_of("MON-FRI 08:00-17:00", "", on_monday(7));
  after.go_on_from(before, true);
  EXPECT_EQ(after.follow_schedule(on_monday(8), true), Change::SessionEnds);
  EXPECT_TRUE(after.period_reset_due());
  Timetable without = timetable_of("", "", on_monday(9));
  without.go_on_from(after, false);
  EXPECT_TRUE(without.may_log_on());
}

TEST(Timetable, ADailyResetThatAnEarlierRunMissedIsDue) {
  const support::TemporaryDirectory directory;
  journal::Options options;
  options.directory = directory.path("journal");
  options.identity = "FIX.4.4:A->B";
  {
    auto journal = journal::Journal::open(options);
    ASSERT_TRUE(journal);
    ASSERT_EQ((*journal)->append_sent(1, on_monday(12), "8=FIX"), journal::AppendResult::Appended);
    ASSERT_TRUE((*journal)->close());
  }
  const auto journal = journal::Journal::open(options);
  ASSERT_TRUE(journal);
  Timetable timetable = timetable_of("", "17:00", on_monday(18));
  EXPECT_FALSE(timetable.daily_reset_due());
  timetable.recover(**journal, on_monday(18));
  EXPECT_TRUE(timetable.daily_reset_due());
}

}  // namespace
}  // namespace affix::host
