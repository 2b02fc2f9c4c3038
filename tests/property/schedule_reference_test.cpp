// SPDX-License-Identifier: MIT
// Any schedule agrees, minute by minute over years, with a walk that only reads a wall clock and
// never looks ahead. That clock is the C library's, which shares nothing with the schedule's.
#include "affix/base/time.hpp"

#include "config/schedule.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>
#include <string>
#include <vector>

namespace {

using namespace affix;
using config::DayRange;
using config::Schedule;
using config::ScheduleMoment;
using config::ScheduleParts;
using config::TimeZone;
using config::WeeklyWindow;

constexpr std::int64_t minute_ns = 60 * base::ns_per_second;
constexpr std::int64_t day_minutes = 24 * 60;
constexpr std::int64_t week_minutes = 7 * day_minutes;

/// Years in which a zone's clocks change in unusual ways.
struct Walk {
  const char* zone;
  std::int32_t first_year;
  std::int32_t last_year;
};

constexpr Walk walks[] = {
    {"UTC", 2025, 2025},
    {"Europe/Berlin", 2025, 2026},
    {"America/New_York", 2006, 2007},     // Other Sundays from 2007.
    {"America/Santiago", 2025, 2026},     // Southern hemisphere, at midnight.
    {"Australia/Sydney", 2025, 2026},     // Southern hemisphere.
    {"Australia/Lord_Howe", 2025, 2026},  // Half an hour.
    {"Asia/Kathmandu", 2025, 2025},       // 5:45 ahead, and never changed.
    {"Africa/Casablanca", 2025, 2026},    // Set back in Ramadan.
    {"Pacific/Apia", 2011, 2012},         // Without 2011-12-30.
};

std::int64_t first_minute(const Walk& walk) {
  return base::days_from_civil({walk.first_year, 1, 1}) * day_minutes;
}

/// For each minute, the latest time that the wall clock has shown, in minutes since 1970.
const std::vector<std::int64_t>& highest_shown(const Walk& walk) {
  static std::map<std::string, std::vector<std::int64_t>> known;
  std::vector<std::int64_t>& shown = known[walk.zone];
  if (!shown.empty()) {
    return shown;
  }
  setenv("TZ", walk.zone, 1);
  tzset();
  const std::int64_t end = base::days_from_civil({walk.last_year + 1, 1, 1}) * day_minutes;
  std::int64_t highest = 0;
  for (std::int64_t minute = first_minute(walk); minute < end; ++minute) {
    const std::time_t seconds = minute * 60;
    std::tm wall{};
    localtime_r(&seconds, &wall);
    const base::CivilDate date{wall.tm_year + 1900, static_cast<std::uint8_t>(wall.tm_mon + 1),
                               static_cast<std::uint8_t>(wall.tm_mday)};
    highest = std::max(highest,
                       base::days_from_civil(date) * day_minutes + wall.tm_hour * 60 + wall.tm_min);
    shown.push_back(highest);
  }
  unsetenv("TZ");
  tzset();
  return shown;
}

/// Local minute at which the window open at `local` began; 0: none is open.
std::int64_t open_since(const std::vector<WeeklyWindow>& windows,
                        const std::vector<DayRange>& holidays, std::int64_t local) {
  // Minute 0 was the first of a Thursday.
  const std::int64_t of_week = (local + 3 * day_minutes) % week_minutes;
  for (const WeeklyWindow& window : windows) {
    for (const std::int64_t position : {of_week, of_week + week_minutes}) {
      if (position < window.start_s / 60 || position >= window.end_s / 60) {
        continue;
      }
      const std::int64_t start = local - (position - window.start_s / 60);
      const std::int64_t date = start / day_minutes;
      if (std::none_of(holidays.begin(), holidays.end(), [date](const DayRange& range) {
            return range.first <= date && date <= range.last;
          })) {
        return start;
      }
    }
  }
  return 0;
}

/// A minute of the week, often near one at which clocks change.
std::int64_t any_minute() {
  return *rc::gen::inRange(0, 2) == 0 ? *rc::gen::inRange<std::int64_t>(0, week_minutes)
                                      : 6 * day_minutes + *rc::gen::inRange<std::int64_t>(0, 240);
}

std::vector<WeeklyWindow> any_windows(int count_max) {
  std::vector<std::int64_t> cuts;
  const int windows = *rc::gen::inRange(1, count_max + 1);
  for (int cut = 0; cut < 2 * windows; ++cut) {
    cuts.push_back(any_minute());
  }
  std::sort(cuts.begin(), cuts.end());
  // Rotates half of them, so that the last window is the one across the end of the week.
  if (*rc::gen::inRange(0, 2) == 0) {
    cuts.push_back(cuts.front() + week_minutes);
    cuts.erase(cuts.begin());
  }
  std::vector<WeeklyWindow> made;
  for (std::size_t cut = 0; cut + 1 < cuts.size(); cut += 2) {
    if (cuts[cut] < cuts[cut + 1] && cuts[cut] < week_minutes) {
      made.push_back({cuts[cut] * 60, cuts[cut + 1] * 60});
    }
  }
  if (made.empty()) {
    const std::int64_t start_s = cuts.front() * 60;
    made.push_back({start_s, start_s + config::week_s});
  }
  return made;
}

std::vector<DayRange> any_holidays(const Walk& walk) {
  std::vector<DayRange> holidays;
  const std::int64_t days = (walk.last_year - walk.first_year + 1) * 365;
  for (int left = *rc::gen::inRange(0, 20); left > 0; --left) {
    const std::int64_t first =
        first_minute(walk) / day_minutes + *rc::gen::inRange<std::int64_t>(0, days);
    holidays.push_back({first, first + *rc::gen::inRange<std::int64_t>(0, 10)});
  }
  return holidays;
}

/// State in which walk and schedule must agree.
struct State {
  std::int64_t since = 0;  ///< Local; 0: closed.
  bool logon = false;
};

/// First disagreement of the two; empty: none.
std::string disagreement(const Walk& walk, const ScheduleParts& parts) {
  const Schedule schedule(parts);
  ScheduleMoment moment;
  moment.until_utc_ns = 0;
  State before;
  std::int64_t began = 0;  // In UTC, of the window that is open in the walk.
  std::int64_t minute = first_minute(walk);
  for (const std::int64_t local : highest_shown(walk)) {
    State state{open_since(parts.windows, parts.holidays, local), false};
    state.logon = state.since != 0 &&
                  (parts.logon_windows.empty() || open_since(parts.logon_windows, {}, local) != 0);
    if (state.since != before.since) {
      began = minute;
    }
    const std::int64_t now_ns = minute * minute_ns;
    if (now_ns >= moment.until_utc_ns) {
      moment = schedule.at(now_ns);
    }
    const bool same_start = state.since == 0 || began == first_minute(walk) ||
                            moment.started_utc_ns == began * minute_ns;
    if (moment.until_utc_ns <= now_ns || moment.open != (state.since != 0) ||
        moment.logon != state.logon || !same_start) {
      return "in minute " + std::to_string(minute) + " of UTC, " + std::to_string(local) + " of " +
             walk.zone + ": open since " + std::to_string(state.since) +
             (state.logon ? " with logons" : " without logons");
    }
    before = state;
    ++minute;
  }
  return {};
}

bool has_time_zones() {
  return TimeZone::find("Europe/Berlin").has_value();
}

RC_GTEST_PROP(ScheduleReference, AgreesWithAClockOnTheWall, ()) {
  const std::size_t chosen =
      has_time_zones() ? *rc::gen::inRange<std::size_t>(0, std::size(walks)) : 0;
  const Walk& walk = walks[chosen];
  ScheduleParts parts;
  parts.zone = TimeZone::find(walk.zone).value();
  parts.windows = any_windows(4);
  if (*rc::gen::inRange(0, 2) == 0) {
    parts.logon_windows = any_windows(2);
  }
  parts.holidays = any_holidays(walk);
  RC_ASSERT(disagreement(walk, parts) == "");
}

TEST(ScheduleReference, EveryZoneAgreesInTheUsualSchedules) {
  constexpr std::int64_t hour_s = 3'600;
  const std::vector<WeeklyWindow> week_long{
      {6 * config::day_s + 17 * hour_s, 6 * config::day_s + 5 * config::day_s + 17 * hour_s}};
  std::vector<WeeklyWindow> overnight;
  std::vector<WeeklyWindow> changing;  // Begins and ends in hours that are skipped and repeated.
  for (std::int64_t day = 0; day < 7; ++day) {
    overnight.push_back({day * config::day_s + 22 * hour_s, day * config::day_s + 29 * hour_s});
    changing.push_back({day * config::day_s + 2 * hour_s + 900, day * config::day_s + 26 * hour_s});
  }
  for (const Walk& walk : walks) {
    SCOPED_TRACE(walk.zone);
    const auto zone = TimeZone::find(walk.zone);
    if (!zone) {
      continue;
    }
    for (const auto& windows : {week_long, overnight, changing}) {
      EXPECT_EQ(disagreement(walk, ScheduleParts{*zone, windows, {}, {}}), "");
    }
  }
}

}  // namespace
