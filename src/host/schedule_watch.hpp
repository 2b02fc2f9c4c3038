// SPDX-License-Identifier: MIT
// Follows a session's position in its schedule. Reads no clock; the session passes the time, and
// asks when to call again.
#pragma once

#include "affix/base/time.hpp"

#include "config/schedule.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace affix::inline v0::host {

/// One thread.
class ScheduleWatch {
 public:
  /// The period at `utc_ns`, if any, does not count as a beginning.
  ScheduleWatch(config::Schedule schedule, std::int64_t utc_ns)
      : schedule_(std::move(schedule)),
        moment_(schedule_.at(utc_ns)),
        since_utc_ns_(utc_ns),
        period_utc_ns_(utc_ns) {}

  /// True: an answer below has changed. Costs two comparisons when nothing can have changed.
  ///
  /// A clock that is set back a little does not end a window that has just begun; a larger step is
  /// followed. Each period begins only once, however the clock is set.
  bool advance(std::int64_t utc_ns) noexcept {
    if (utc_ns < moment_.until_utc_ns && utc_ns >= since_utc_ns_ - clock_step_ns) {
      return false;
    }
    const config::ScheduleMoment before = std::exchange(moment_, schedule_.at(utc_ns));
    since_utc_ns_ = utc_ns;
    const bool begins = moment_.open && moment_.started_utc_ns > period_utc_ns_;
    if (begins) {
      period_utc_ns_ = moment_.started_utc_ns;
      period_begins_ = true;
    }
    return begins || before.open != moment_.open || before.logon != moment_.logon;
  }

  /// The session may be up.
  [[nodiscard]] bool open() const noexcept { return moment_.open; }

  /// It may log on.
  [[nodiscard]] bool may_log_on() const noexcept { return moment_.logon; }

  /// True, once, after a period has begun.
  [[nodiscard]] bool take_beginning() noexcept { return std::exchange(period_begins_, false); }

  /// Time after `utc_ns` at which to call advance() again; never long, so that a change of the
  /// clock is noticed.
  [[nodiscard]] std::int64_t pause_ns(std::int64_t utc_ns) const noexcept {
    return std::clamp<std::int64_t>(moment_.until_utc_ns - utc_ns, 0, longest_pause_ns);
  }

 private:
  static constexpr std::int64_t longest_pause_ns = 60 * base::ns_per_second;
  static constexpr std::int64_t clock_step_ns = 60 * base::ns_per_second;

  config::Schedule schedule_;
  config::ScheduleMoment moment_;
  std::int64_t since_utc_ns_;   // Time of the last look-up.
  std::int64_t period_utc_ns_;  // Periods that began until then do not begin again.
  bool period_begins_ = false;
};

}  // namespace affix::inline v0::host
