// SPDX-License-Identifier: MIT
// Limits the number of events in any window of time. The window slides: the limit holds for every
// interval of its length. Pure: the caller passes the time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace affix::inline v0::session {

/// Stores the times of the last counted events, up to the limit. Every function is O(1). Events
/// exactly one window apart are not in the same window.
///
/// Times come from one steady clock; a time below an earlier one counts as that one.
class Throttle {
 public:
  /// No limit: allows everything.
  Throttle() noexcept = default;

  /// Allows `times.size()` events in any `window_ns`, which is above 0. Needs no initialised
  /// `times`, which must outlive this. Empty: no limit.
  Throttle(std::span<std::int64_t> times, std::int64_t window_ns) noexcept
      : times_(times), window_ns_(window_ns) {}

  /// True if there is a limit.
  [[nodiscard]] bool limits() const noexcept { return !times_.empty(); }

  [[nodiscard]] std::size_t limit() const noexcept { return times_.size(); }

  /// Earliest time at which one more event is allowed; may be in the past.
  [[nodiscard]] std::int64_t free_at_ns() const noexcept {
    return count_ < times_.size() || times_.empty() ? std::numeric_limits<std::int64_t>::min()
                                                    : times_[oldest_] + window_ns_;
  }

  [[nodiscard]] bool allows(std::int64_t now_ns) const noexcept { return free_at_ns() <= now_ns; }

  /// Counts one event at `at_ns`, allowed or not; in the future for a delayed event. No effect
  /// without a limit.
  void count(std::int64_t at_ns) noexcept {
    if (times_.empty()) {
      return;
    }
    latest_ns_ = std::max(latest_ns_, at_ns);
    if (count_ < times_.size()) {
      times_[count_++] = latest_ns_;
      return;
    }
    times_[oldest_] = latest_ns_;
    oldest_ = oldest_ + 1 == times_.size() ? 0 : oldest_ + 1;
  }

  /// Counts an event that is delayed until it is allowed, after those already delayed, and returns
  /// its time: `now_ns` or later.
  [[nodiscard]] std::int64_t take_turn(std::int64_t now_ns) noexcept {
    const std::int64_t at_ns = std::max({now_ns, free_at_ns(), latest_ns_});
    count(at_ns);
    return at_ns;
  }

 private:
  std::span<std::int64_t> times_;
  std::int64_t window_ns_ = 0;
  std::int64_t latest_ns_ = std::numeric_limits<std::int64_t>::min();
  std::size_t count_ = 0;   ///< Stored times.
  std::size_t oldest_ = 0;  ///< Index of the oldest, once all are stored.
};

}  // namespace affix::inline v0::session
