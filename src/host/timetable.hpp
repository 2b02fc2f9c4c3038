// SPDX-License-Identifier: MIT
// A session's duties by the wall clock: the windows of its schedule, and resets of its numbers that
// are due. Reads no clock; the session passes the time, and asks when to call again.
#pragma once

#include "affix/base/time.hpp"
#include "affix/config/configuration.hpp"
#include "affix/journal/journal.hpp"

#include "config/schedule.hpp"
#include "config/session_options.hpp"
#include "host/number_resets.hpp"
#include "host/schedule_watch.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace affix::inline v0::host {

/// One thread. Allocates when it is made and never again.
class Timetable {
 public:
  /// The schedule's change since the last look.
  enum class Change : std::uint8_t {
    None,
    Logons,      ///< may_log_on() may have changed.
    SessionEnds  ///< So may it, and a connection of before is of a window that has ended.
  };

  /// check_session() has found no fault in `settings`; without a `schedule` the session always
  /// runs. The period at `utc_ns` does not count as a beginning.
  Timetable(const config::SessionSettings& settings, std::optional<config::Schedule> schedule,
            std::int64_t utc_ns)
      : schedule_(schedule ? std::make_unique<ScheduleWatch>(std::move(*schedule), utc_ns)
                           : nullptr),
        resets_(config::daily_reset_of(settings).value(), utc_ns) {}

  /// The journal of an earlier run may lack its last daily reset: NumberResets::recover().
  void recover(const journal::Journal& journal, std::int64_t utc_ns) {
    resets_.recover(journal, utc_ns);
  }

  /// Resets that were due before the session's settings changed stay due, as far as the new ones
  /// have such resets. A period that has begun does not begin again: a successor may be made before
  /// and take over after that. `period_resets`: a period begins with a reset.
  void go_on_from(const Timetable& before, bool period_resets) noexcept {
    resets_.go_on_from(before.resets_, period_resets);
    if (schedule_ != nullptr && before.schedule_ != nullptr) {
      schedule_->go_on_from(*before.schedule_);
    }
  }

  // --- The schedule ---

  /// The schedule, if there is one, allows a logon.
  [[nodiscard]] bool may_log_on() const noexcept {
    return schedule_ == nullptr || schedule_->may_log_on();
  }

  /// Follows the schedule to `utc_ns`. If a period has begun, its reset is due or, without
  /// `period_resets`, that of no period is.
  [[nodiscard]] Change follow_schedule(std::int64_t utc_ns, bool period_resets) noexcept {
    if (schedule_ == nullptr || !schedule_->advance(utc_ns)) {
      return Change::None;
    }
    const bool begins = schedule_->take_beginning();
    if (begins) {
      resets_.on_period(period_resets);
    }
    // A window may end where the next begins; its session ends all the same.
    return begins || !schedule_->open() ? Change::SessionEnds : Change::Logons;
  }

  // --- Resets ---

  /// The daily reset becomes due if its time has come.
  void advance_daily_reset(std::int64_t utc_ns) noexcept { resets_.advance(utc_ns); }

  [[nodiscard]] bool daily_reset_due() const noexcept { return resets_.daily_due(); }

  /// The numbers have been reset while connected.
  void on_numbers_reset() noexcept { resets_.on_reset(); }

  /// A period has begun, and its numbers are not reset.
  [[nodiscard]] bool period_reset_due() const noexcept { return resets_.period_due(); }

  /// A reset for the period was tried. `first`: both numbers are 1 since then, so that none is due.
  void on_period_reset(bool first) noexcept { resets_.on_period(!first); }

  // --- The next look ---

  /// Anything here depends on the wall clock.
  [[nodiscard]] bool follows_clock() const noexcept {
    return resets_.are_daily() || schedule_ != nullptr;
  }

  /// Steady time at which to look again, never long after `now`, so that a change of the clock is
  /// noticed.
  [[nodiscard]] std::int64_t deadline_ns(base::Now now) const noexcept {
    const std::int64_t pause_ns = resets_.pause_ns(now.utc_ns, longest_pause_ns);
    return now.steady_ns +
           (schedule_ == nullptr ? pause_ns : std::min(pause_ns, schedule_->pause_ns(now.utc_ns)));
  }

 private:
  static constexpr std::int64_t longest_pause_ns = 60 * base::ns_per_second;

  std::unique_ptr<ScheduleWatch> schedule_;  // Null: the session always runs.
  NumberResets resets_;
};

}  // namespace affix::inline v0::host
