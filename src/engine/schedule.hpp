// SPDX-License-Identifier: MIT
// When a session runs: windows of a week in a time zone, holidays, and windows in which logons are
// taken. Answers for any time it is given; reads no clock and no file.
#pragma once

#include "engine/time_zone.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace affix::inline v0::engine {

inline constexpr std::int64_t day_s = 86'400;
inline constexpr std::int64_t week_s = 7 * day_s;

/// From `start_s` to before `end_s`, local seconds from Monday 00:00. The start is within the week,
/// the end at most one week behind it.
struct WeeklyWindow {
  std::int64_t start_s = 0;
  std::int64_t end_s = 0;
};

/// Days since 1970-01-01, both included.
struct DayRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// What a schedule is made of.
struct ScheduleParts {
  TimeZone zone{};
  std::vector<WeeklyWindow> windows{};        ///< None overlaps another; any order; never empty.
  std::vector<WeeklyWindow> logon_windows{};  ///< The same; empty: whenever the session runs.
  std::vector<DayRange> holidays{};           ///< Local dates.
};

/// The schedule at one time.
struct ScheduleMoment {
  bool open = false;   ///< Within a window of the session.
  bool logon = false;  ///< The same, and logons are taken.

  /// When the window at hand began, which names the session's period: two windows that touch are
  /// two periods. Without meaning while it is not open.
  std::int64_t started_utc_ns = 0;

  /// All of this holds until then. At the end of what is looked ahead for, a year, it may go on.
  std::int64_t until_utc_ns = std::numeric_limits<std::int64_t>::max();
};

/// Const after construction. Any thread.
///
/// It is read off a clock on the wall that is never set back: when the zone's clocks are, it stands
/// still until they have caught up. So a local time that occurs twice means its first occurrence,
/// and one that never occurs the moment when the clocks are set forward over it. A window that
/// would begin on a holiday does not take place; one that began before goes on through it.
class Schedule {
 public:
  explicit Schedule(ScheduleParts parts);

  /// A look at some weeks, a few hundred calculations: for changes, not for messages.
  [[nodiscard]] ScheduleMoment at(std::int64_t utc_ns) const noexcept;

  [[nodiscard]] const TimeZone& zone() const noexcept { return parts_.zone; }

 private:
  /// The same for one kind of windows, in seconds.
  struct Spell {
    bool open = false;
    std::int64_t started_s = 0;
    std::int64_t until_s = 0;
  };

  [[nodiscard]] Spell spell(std::span<const WeeklyWindow> windows,
                            std::span<const DayRange> holidays, std::int64_t utc_s) const noexcept;

  ScheduleParts parts_;
};

/// Whether any two of these windows share a time, the end of a week and the start of the next taken
/// together; the later of such two, or null. Sorts them by their starts.
[[nodiscard]] const WeeklyWindow* find_overlap(std::vector<WeeklyWindow>& windows) noexcept;

}  // namespace affix::inline v0::engine
