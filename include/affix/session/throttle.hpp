// SPDX-License-Identifier: MIT
// How many events may fall into any window of time. The window slides: it begins wherever it is
// laid, so that no two halves of two windows hold more than one whole. Time in, verdict out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace affix::inline v0::session {

/// Remembers when the last events were that counted, as many of them as are allowed. Every function
/// is O(1). An event exactly one window after another is no longer in the same window with it.
///
/// Times are of one steady clock; one that is smaller than an earlier one is taken for that one.
class Throttle {
 public:
  /// No limit: everything is allowed.
  Throttle() noexcept = default;

  /// At most `times.size()` events in any `window_ns`, which is above 0; none of them in `times` is
  /// read before it was written. `times` outlives this. Empty: no limit.
  Throttle(std::span<std::int64_t> times, std::int64_t window_ns) noexcept
      : times_(times), window_ns_(window_ns) {}

  /// There is a limit.
  [[nodiscard]] bool limits() const noexcept { return !times_.empty(); }

  [[nodiscard]] std::size_t limit() const noexcept { return times_.size(); }

  /// The first time at which one more event is allowed; it may be long past.
  [[nodiscard]] std::int64_t free_at_ns() const noexcept {
    return count_ < times_.size() || times_.empty() ? std::numeric_limits<std::int64_t>::min()
                                                    : times_[oldest_] + window_ns_;
  }

  [[nodiscard]] bool allows(std::int64_t now_ns) const noexcept { return free_at_ns() <= now_ns; }

  /// One more event is at `at_ns`, allowed or not; in the future for one that is to wait. Nothing
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

  /// Counts an event that waits until it is allowed, behind those that wait already, and says when
  /// that is: `now_ns` or later.
  [[nodiscard]] std::int64_t take_turn(std::int64_t now_ns) noexcept {
    const std::int64_t at_ns = std::max({now_ns, free_at_ns(), latest_ns_});
    count(at_ns);
    return at_ns;
  }

 private:
  std::span<std::int64_t> times_;
  std::int64_t window_ns_ = 0;
  std::int64_t latest_ns_ = std::numeric_limits<std::int64_t>::min();
  std::size_t count_ = 0;   ///< Times that are known.
  std::size_t oldest_ = 0;  ///< Of them, once all are.
};

}  // namespace affix::inline v0::session
