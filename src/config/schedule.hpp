// SPDX-License-Identifier: MIT
// When a session runs: weekly windows in a time zone, holidays, and windows in which logons are
// accepted. Answers for any given time; reads no clock and no file.
#pragma once

#include "config/time_zone.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace affix::inline v0::config {

inline constexpr std::int64_t day_s = 86'400;
inline constexpr std::int64_t week_s = 7 * day_s;

/// From `start_s` up to, but not including, `end_s`, in local seconds from Monday 00:00. The start
/// is within the week, the end at most one week later.
struct WeeklyWindow {
  std::int64_t start_s = 0;
  std::int64_t end_s = 0;
};

/// Days since 1970-01-01, both included.
struct DayRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

struct ScheduleParts {
  TimeZone zone{};
  std::vector<WeeklyWindow> windows{};        ///< Without overlaps, in any order; never empty.
  std::vector<WeeklyWindow> logon_windows{};  ///< The same; empty: whenever the session runs.
  std::vector<DayRange> holidays{};           ///< Local dates.
};

/// The schedule at one time.
struct ScheduleMoment {
  bool open = false;   ///< Within a session window.
  bool logon = false;  ///< Also within a logon window.

  /// Start of the present window, which identifies the session's period: two adjacent windows are
  /// two periods. Undefined while it is not open.
  std::int64_t started_utc_ns = 0;

  /// The other members are valid until then, or longer if this is the end of the searched year.
  std::int64_t until_utc_ns = std::numeric_limits<std::int64_t>::max();
};

/// Const after construction. Any thread.
///
/// A schedule follows a wall clock that is never set back: when the zone's clocks are, it stands
/// still until they have caught up. So a local time that occurs twice means its first occurrence,
/// and one that never occurs means the moment when the clocks are set forward over it. A window
/// that would begin on a holiday is skipped; one that began before continues through the holiday.
class Schedule {
 public:
  explicit Schedule(ScheduleParts parts);

  /// Searches some weeks in a few hundred steps: for changes, not for messages.
  [[nodiscard]] ScheduleMoment at(std::int64_t utc_ns) const noexcept;

  [[nodiscard]] const TimeZone& zone() const noexcept { return parts_.zone; }

 private:
  /// A window of either kind, in seconds.
  struct Spell {
    bool open = false;
    std::int64_t started_s = 0;
    std::int64_t until_s = 0;
  };

  [[nodiscard]] Spell spell(std::span<const WeeklyWindow> windows,
                            std::span<const DayRange> holidays, std::int64_t utc_s) const noexcept;

  ScheduleParts parts_;
};

/// Returns the later one of two windows that share a time, or null; the end of a week is adjacent
/// to the start of the next. Sorts the windows by their starts.
[[nodiscard]] const WeeklyWindow* find_overlap(std::vector<WeeklyWindow>& windows) noexcept;

}  // namespace affix::inline v0::config
