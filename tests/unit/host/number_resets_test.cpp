// SPDX-License-Identifier: MIT
// Resets that the wall clock requires: at a time of the day, and with a schedule's period.
#include "host/number_resets.hpp"

#include "support/temporary_directory.hpp"

#include <gtest/gtest.h>
#include <random>

namespace affix::host {
namespace {

using base::ns_per_second;

constexpr std::int64_t hour_ns = 3'600 * ns_per_second;
constexpr std::int64_t day_ns = 24 * hour_ns;
constexpr std::int64_t midnight_ns = 20'000 * day_ns;

TEST(NumberResets, WithoutADailyOneNothingIsEverDue) {
  NumberResets resets(-1, midnight_ns);
  EXPECT_FALSE(resets.are_daily());
  resets.advance(midnight_ns + 1'000 * day_ns);
  EXPECT_FALSE(resets.daily_due());
  EXPECT_EQ(resets.pause_ns(midnight_ns, 5), 5);
}

TEST(NumberResets, ADailyOneIsDueFromItsTimeUntilItIsDone) {
  NumberResets resets(17 * hour_ns, midnight_ns);
  EXPECT_EQ(resets.pause_ns(midnight_ns + 16 * hour_ns, 2 * hour_ns), hour_ns);
  EXPECT_EQ(resets.pause_ns(midnight_ns, hour_ns), hour_ns) << "no longer than allowed";
  resets.advance(midnight_ns + 17 * hour_ns - 1);
  EXPECT_FALSE(resets.daily_due());
  resets.advance(midnight_ns + 17 * hour_ns);
  EXPECT_TRUE(resets.daily_due());
  resets.advance(midnight_ns + 18 * hour_ns);
  EXPECT_TRUE(resets.daily_due()) << "it is not done yet";
  resets.on_reset();
  EXPECT_FALSE(resets.daily_due());
  resets.advance(midnight_ns + 41 * hour_ns - 1);
  EXPECT_FALSE(resets.daily_due());
  resets.advance(midnight_ns + 41 * hour_ns);
  EXPECT_TRUE(resets.daily_due());
}

TEST(NumberResets, AClockThatWasAheadSuppressesNone) {
  NumberResets resets(17 * hour_ns, midnight_ns + 18 * hour_ns);
  resets.advance(midnight_ns + 13 * hour_ns);
  EXPECT_FALSE(resets.daily_due());
  EXPECT_EQ(resets.pause_ns(midnight_ns + 13 * hour_ns, day_ns), 4 * hour_ns);
  resets.advance(midnight_ns + 17 * hour_ns);
  EXPECT_TRUE(resets.daily_due());
  resets.on_reset();
  // It jumps while running, and is corrected.
  resets.advance(midnight_ns + 10 * day_ns);
  EXPECT_TRUE(resets.daily_due());
  resets.on_reset();
  resets.advance(midnight_ns + 18 * hour_ns);
  EXPECT_FALSE(resets.daily_due());
  resets.advance(midnight_ns + 41 * hour_ns);
  EXPECT_TRUE(resets.daily_due());
}

TEST(NumberResets, AClockThatIsAdjustedRepeatsNone) {
  NumberResets resets(17 * hour_ns, midnight_ns + 16 * hour_ns);
  resets.advance(midnight_ns + 17 * hour_ns);
  resets.on_reset();
  resets.advance(midnight_ns + 16 * hour_ns);
  resets.advance(midnight_ns + 17 * hour_ns);
  EXPECT_FALSE(resets.daily_due());
}

TEST(NumberResets, AnyClockHasOneADay) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    const std::int64_t daily_ns = static_cast<std::int64_t>(random() % day_ns);
    std::int64_t now_ns = midnight_ns + static_cast<std::int64_t>(random() % day_ns);
    NumberResets resets(daily_ns, now_ns);
    std::int64_t done = (now_ns - daily_ns) / day_ns;
    for (int step = 0; step < 50; ++step) {
      now_ns += static_cast<std::int64_t>(random() % (2 * day_ns));
      resets.advance(now_ns);
      const std::int64_t passed = (now_ns - daily_ns) / day_ns;
      EXPECT_EQ(resets.daily_due(), passed > done) << now_ns;
      EXPECT_GT(resets.pause_ns(now_ns, day_ns), 0);
      resets.on_reset();
      done = passed;
    }
  }
}

TEST(NumberResets, APeriodsResetIsDueUntilTheNumbersAreReset) {
  NumberResets resets(-1, midnight_ns);
  EXPECT_FALSE(resets.period_due());
  resets.on_period(false);
  EXPECT_FALSE(resets.period_due()) << "schedule_reset_at_start is off";
  resets.on_period(true);
  EXPECT_TRUE(resets.period_due());
  resets.on_reset();
  EXPECT_TRUE(resets.period_due()) << "that was the daily one, while connected";
  resets.on_period(false);
  EXPECT_FALSE(resets.period_due());
}

TEST(NumberResets, ASuccessorGoesOnWhereItsSettingsAllowIt) {
  NumberResets before(hour_ns, midnight_ns);
  before.advance(midnight_ns + 2 * hour_ns);
  before.on_period(true);
  NumberResets same(hour_ns, midnight_ns);
  same.go_on_from(before, true);
  EXPECT_TRUE(same.daily_due());
  EXPECT_TRUE(same.period_due());
  EXPECT_EQ(same.pause_ns(midnight_ns + 2 * hour_ns, 2 * day_ns), 23 * hour_ns);
  NumberResets later(3 * hour_ns, midnight_ns + 2 * hour_ns);
  later.go_on_from(before, false);
  EXPECT_TRUE(later.daily_due()) << "the old time's reset is still to be done";
  EXPECT_FALSE(later.period_due());
  EXPECT_EQ(later.pause_ns(midnight_ns + 2 * hour_ns, 2 * day_ns), hour_ns);
  NumberResets never(-1, midnight_ns);
  never.go_on_from(before, true);
  EXPECT_FALSE(never.daily_due());
  EXPECT_EQ(never.pause_ns(midnight_ns, day_ns), day_ns);
}

/// A journal with a message of the session's at each of these times, `reset_ns` a reset.
std::unique_ptr<journal::Journal> journal_of(const std::string& directory,
                                             std::initializer_list<std::int64_t> sent_ns,
                                             std::int64_t reset_ns) {
  journal::Options options;
  options.directory = directory;
  options.identity = "FIX.4.4:A->B";
  {
    auto journal = journal::Journal::open(options);
    EXPECT_TRUE(journal) << journal.error().text();
    if (reset_ns != 0) {
      EXPECT_EQ((*journal)->append_event(journal::EventType::Reset, 1, 1, reset_ns, "reset"),
                journal::AppendResult::Appended);
    }
    std::uint64_t sequence = 0;
    for (const std::int64_t utc_ns : sent_ns) {
      EXPECT_EQ((*journal)->append_sent(++sequence, utc_ns, "8=FIX"),
                journal::AppendResult::Appended);
    }
    EXPECT_TRUE((*journal)->close());
  }
  return std::move(*journal::Journal::open(options));
}

TEST(NumberResets, AnEarlierRunsMissedResetIsDue) {
  const support::TemporaryDirectory directory;
  const auto due = [&](const char* name, std::initializer_list<std::int64_t> sent_ns,
                       std::int64_t reset_ns, std::int64_t now_ns) {
    NumberResets resets(17 * hour_ns, now_ns);
    resets.recover(*journal_of(directory.path(name), sent_ns, reset_ns), now_ns);
    return resets.daily_due();
  };
  const std::int64_t at_noon = midnight_ns + 12 * hour_ns;
  const std::int64_t in_the_evening = midnight_ns + 18 * hour_ns;
  EXPECT_FALSE(due("new", {}, 0, in_the_evening)) << "it has no numbers";
  EXPECT_TRUE(due("missed", {at_noon}, 0, in_the_evening));
  EXPECT_FALSE(due("not_yet", {at_noon}, at_noon - 1, at_noon + hour_ns));
  EXPECT_FALSE(due("done", {in_the_evening + 1}, in_the_evening, in_the_evening + hour_ns));
  EXPECT_TRUE(due("before", {at_noon, in_the_evening}, at_noon, in_the_evening + hour_ns))
      << "the numbers are from before 17:00, though a message came after it";
  EXPECT_FALSE(due("unknown", {in_the_evening}, 0, in_the_evening + hour_ns))
      << "nothing shows when they began: no reset that the peer does not expect";
}

}  // namespace
}  // namespace affix::host
