// SPDX-License-Identifier: MIT
// Lists weekly windows week by week, from shortly before the given time.
#include "config/schedule.hpp"

#include "affix/base/assert.hpp"
#include "affix/base/time.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::config {

namespace {

/// 1970-01-01 was a Thursday.
constexpr std::int64_t epoch_in_week_s = 3 * day_s;

/// A window lasts at most a week, and clocks that are set back, by a day at the date line, may show
/// a week that was over.
constexpr std::int64_t weeks_behind = 2;

/// Holidays may follow each other for long, but a year ahead is enough.
constexpr std::int64_t weeks_ahead = 54;

constexpr std::int64_t quotient_down(std::int64_t value, std::int64_t divisor) noexcept {
  return value / divisor - (value % divisor < 0 ? 1 : 0);
}

constexpr std::int64_t to_ns(std::int64_t seconds) noexcept {
  constexpr std::int64_t longest_s = std::numeric_limits<std::int64_t>::max() / base::ns_per_second;
  return seconds > longest_s ? std::numeric_limits<std::int64_t>::max()
                             : seconds * base::ns_per_second;
}

bool is_within(std::span<const DayRange> ranges, std::int64_t day) noexcept {
  return std::any_of(ranges.begin(), ranges.end(), [day](const DayRange& range) {
    return range.first <= day && day <= range.last;
  });
}

}  // namespace

const WeeklyWindow* find_overlap(std::vector<WeeklyWindow>& windows) noexcept {
  std::sort(windows.begin(), windows.end(),
            [](const WeeklyWindow& a, const WeeklyWindow& b) { return a.start_s < b.start_s; });
  for (std::size_t at = 1; at < windows.size(); ++at) {
    if (windows[at - 1].end_s > windows[at].start_s) {
      return &windows[at];
    }
  }
  const bool wraps = !windows.empty() && windows.back().end_s > windows.front().start_s + week_s;
  return wraps ? &windows.front() : nullptr;
}

Schedule::Schedule(ScheduleParts parts) : parts_(std::move(parts)) {
  AFFIX_ASSERT(!parts_.windows.empty());
  AFFIX_ASSERT(find_overlap(parts_.windows) == nullptr);
  AFFIX_ASSERT(find_overlap(parts_.logon_windows) == nullptr);
}

Schedule::Spell Schedule::spell(std::span<const WeeklyWindow> windows,
                                std::span<const DayRange> holidays,
                                std::int64_t utc_s) const noexcept {
  const TimeZone& zone = parts_.zone;
  const std::int64_t this_week = quotient_down(zone.local_of(utc_s) + epoch_in_week_s, week_s);
  const std::int64_t last_week = this_week + weeks_ahead;
  // Local times in order give UTC times in order, so the first window that is not over is the
  // present or the next one.
  for (std::int64_t week = this_week - weeks_behind; week <= last_week; ++week) {
    const std::int64_t monday_s = week * week_s - epoch_in_week_s;
    for (const WeeklyWindow& window : windows) {
      const std::int64_t local_start_s = monday_s + window.start_s;
      if (is_within(holidays, quotient_down(local_start_s, day_s))) {
        continue;
      }
      const std::int64_t start_s = zone.utc_of(local_start_s);
      const std::int64_t end_s = zone.utc_of(monday_s + window.end_s);
      if (end_s <= utc_s || end_s == start_s) {
        continue;  // Over, or within an hour that does not occur.
      }
      return start_s <= utc_s ? Spell{true, start_s, end_s} : Spell{false, 0, start_s};
    }
  }
  return {false, 0, zone.utc_of((last_week + 1) * week_s - epoch_in_week_s)};
}

ScheduleMoment Schedule::at(std::int64_t utc_ns) const noexcept {
  const std::int64_t utc_s = quotient_down(utc_ns, base::ns_per_second);
  const Spell session = spell(parts_.windows, parts_.holidays, utc_s);
  ScheduleMoment moment{session.open, session.open, to_ns(session.started_s),
                        to_ns(session.until_s)};
  if (session.open && !parts_.logon_windows.empty()) {
    const Spell logons = spell(parts_.logon_windows, {}, utc_s);
    moment.logon = logons.open;
    moment.until_utc_ns = std::min(moment.until_utc_ns, to_ns(logons.until_s));
  }
  return moment;
}

}  // namespace affix::inline v0::config
