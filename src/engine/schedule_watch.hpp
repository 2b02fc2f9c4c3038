// SPDX-License-Identifier: MIT
// Where a session stands in its schedule as time goes on. Reads no clock; the session says what
// time it is, and asks when it is to come again.
#pragma once

#include "affix/base/time.hpp"

#include "engine/schedule.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace affix::inline v0::engine {

/// One thread.
class ScheduleWatch {
 public:
  /// The period that `utc_ns` is in, if any, is no news.
  ScheduleWatch(Schedule schedule, std::int64_t utc_ns)
      : schedule_(std::move(schedule)),
        moment_(schedule_.at(utc_ns)),
        since_utc_ns_(utc_ns),
        period_utc_ns_(utc_ns) {}

  /// True: one of the answers below has changed. Costs two comparisons when nothing can have.
  ///
  /// A clock that is set back a little does not end a window that has just begun, and one that is
  /// set back by more is followed; but a period begins once, whatever the clock does.
  bool advance(std::int64_t utc_ns) noexcept {
    if (utc_ns < moment_.until_utc_ns && utc_ns >= since_utc_ns_ - clock_step_ns) {
      return false;
    }
    const ScheduleMoment before = std::exchange(moment_, schedule_.at(utc_ns));
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

  /// A period has begun since this was asked last.
  [[nodiscard]] bool take_beginning() noexcept { return std::exchange(period_begins_, false); }

  /// How long after `utc_ns` advance() wants to be called again; never long, so that a clock which
  /// is set is noticed.
  [[nodiscard]] std::int64_t pause_ns(std::int64_t utc_ns) const noexcept {
    return std::clamp<std::int64_t>(moment_.until_utc_ns - utc_ns, 0, longest_pause_ns);
  }

 private:
  static constexpr std::int64_t longest_pause_ns = 60 * base::ns_per_second;
  static constexpr std::int64_t clock_step_ns = 60 * base::ns_per_second;

  Schedule schedule_;
  ScheduleMoment moment_;
  std::int64_t since_utc_ns_;   // When the moment was looked up.
  std::int64_t period_utc_ns_;  // No period that began until then begins again.
  bool period_begins_ = false;
};

}  // namespace affix::inline v0::engine
