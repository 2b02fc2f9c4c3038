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
        past_utc_ns_(utc_ns) {
    if (moment_.open) {
      period_utc_ns_ = moment_.started_utc_ns;
    }
  }

  /// Periods that `before` has begun do not begin again. `before` watched the session's schedule
  /// until now, and since its making this one has not looked at the clock.
  void go_on_from(const ScheduleWatch& before) noexcept {
    if (before.past_utc_ns_ - since_utc_ns_ <= wrong_clock_ns) {
      past_utc_ns_ = std::max(past_utc_ns_, before.past_utc_ns_);
    }
    period_utc_ns_ = std::max(period_utc_ns_, before.period_utc_ns_);
  }

  /// True: an answer below has changed. Costs two comparisons when nothing can have changed.
  ///
  /// A clock that is set back a little does not end a window that has just begun; a larger step is
  /// followed. The last period does not begin again, unless the clock is set back to more than a
  /// day before it. Others begin even if their time had passed by a clock that was ahead.
  bool advance(std::int64_t utc_ns) noexcept {
    if (utc_ns < moment_.until_utc_ns && utc_ns >= since_utc_ns_ - clock_step_ns) {
      return false;
    }
    const config::ScheduleMoment before = std::exchange(moment_, schedule_.at(utc_ns));
    since_utc_ns_ = utc_ns;
    if (past_utc_ns_ - utc_ns > wrong_clock_ns) {
      past_utc_ns_ = utc_ns;
    }
    if (period_utc_ns_ - utc_ns > wrong_day_ns) {
      period_utc_ns_ = no_period;
    }
    const bool begins = moment_.open && moment_.started_utc_ns > past_utc_ns_ &&
                        moment_.started_utc_ns != period_utc_ns_;
    if (begins) {
      past_utc_ns_ = moment_.started_utc_ns;
      period_utc_ns_ = moment_.started_utc_ns;
      period_begins_ = true;
    }
    return begins || before.open != moment_.open || before.logon != moment_.logon;
  }

  /// The session may be up.
  [[nodiscard]] bool open() const noexcept { return moment_.open; }

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
  // A clock that is set back further was wrong, and the times that it showed have not passed.
  static constexpr std::int64_t wrong_clock_ns = 3'600 * base::ns_per_second;
  // By then the last period has become one that is to begin.
  static constexpr std::int64_t wrong_day_ns = 24 * wrong_clock_ns;
  static constexpr std::int64_t no_period = 0;

  config::Schedule schedule_;
  config::ScheduleMoment moment_;
  std::int64_t since_utc_ns_;               // Time of the last look-up.
  std::int64_t past_utc_ns_;                // Periods that began until then do not begin again.
  std::int64_t period_utc_ns_ = no_period;  // Nor does this one.
  bool period_begins_ = false;
};

}  // namespace affix::inline v0::host
