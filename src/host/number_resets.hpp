// SPDX-License-Identifier: MIT
// Resets of the sequence numbers that the wall clock requires: daily, and at the start of a
// schedule's period. Reads no clock; the session passes the time.
#pragma once

#include "affix/base/time.hpp"
#include "affix/journal/journal.hpp"
#include "affix/session/session.hpp"

#include <algorithm>
#include <cstdint>

namespace affix::inline v0::host {

/// One thread.
class NumberResets {
 public:
  /// `daily_ns`: time of the daily reset after midnight UTC; negative: there is none.
  NumberResets(std::int64_t daily_ns, std::int64_t utc_ns) noexcept
      : daily_ns_(daily_ns), next_utc_ns_(daily_ns < 0 ? session::no_deadline : next(utc_ns)) {}

  /// A daily reset is configured.
  [[nodiscard]] bool are_daily() const noexcept { return daily_ns_ >= 0; }

  /// The journal of an earlier run lacks its last daily reset before `utc_ns`, as far as it shows:
  /// the reset becomes due. If the record of the last reset is no longer stored, only the newest
  /// record counts: a missing reset is made up for a day later, but an additional one surprises the
  /// peer.
  void recover(const journal::Journal& journal, std::int64_t utc_ns);

  /// Continues where `before` ended, for a session whose settings have changed: `period` says
  /// whether its periods still begin with a reset.
  void go_on_from(const NumberResets& before, bool period) noexcept {
    period_due_ = before.period_due_ && period;
    daily_due_ = before.daily_due_ && are_daily();
    if (daily_ns_ == before.daily_ns_) {
      next_utc_ns_ = before.next_utc_ns_;  // Its time may have come since the making.
    }
  }

  /// The daily reset becomes due if its time has come. After a clock that was ahead by more than an
  /// hour, the next one is that of the corrected clock; a smaller step back repeats no reset.
  void advance(std::int64_t utc_ns) noexcept {
    if (are_daily() && next_utc_ns_ - utc_ns > day_ns + hour_ns) {
      next_utc_ns_ = next(utc_ns);
    }
    if (utc_ns >= next_utc_ns_) {
      next_utc_ns_ = next(utc_ns);
      daily_due_ = true;
    }
  }

  /// Time after `utc_ns` at which to call advance() again, at most `longest_ns`.
  [[nodiscard]] std::int64_t pause_ns(std::int64_t utc_ns, std::int64_t longest_ns) const noexcept {
    return are_daily() ? std::clamp<std::int64_t>(next_utc_ns_ - utc_ns, 0, longest_ns)
                       : longest_ns;
  }

  /// The daily reset's time has come, and it is not done.
  [[nodiscard]] bool daily_due() const noexcept { return daily_due_; }

  /// The numbers have been reset while connected.
  void on_reset() noexcept { daily_due_ = false; }

  /// A period of the schedule has begun, which `resets` the numbers or not.
  void on_period(bool resets) noexcept { period_due_ = resets; }

  /// A period has begun, and its numbers are not reset.
  [[nodiscard]] bool period_due() const noexcept { return period_due_; }

 private:
  static constexpr std::int64_t hour_ns = 3'600 * base::ns_per_second;
  static constexpr std::int64_t day_ns = 24 * hour_ns;

  /// The next time after `utc_ns` at which a UTC clock shows the time of the daily reset.
  [[nodiscard]] std::int64_t next(std::int64_t utc_ns) const noexcept;

  std::int64_t daily_ns_;
  std::int64_t next_utc_ns_;
  bool daily_due_ = false;
  bool period_due_ = false;
};

}  // namespace affix::inline v0::host
