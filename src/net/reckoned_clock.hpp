// SPDX-License-Identifier: MIT
// Both clocks for one reading: computes the steady time from the progress of the UTC clock since
// both were read together. Sending a single order needs the time while a caller waits, and each
// reading takes about as long as encoding the order.
#pragma once

#include "affix/base/time.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace affix::inline v0::net {

/// One thread. Reads no clock; callers pass readings. Its steady times never go back. They are
/// exact to a microsecond; after UTC was set forward by less than span_ns, they are ahead by that
/// much until span_ns have passed.
class ReckonedClock {
 public:
  /// Maximum age of a reading of both clocks: UTC is slewed by nothing that matters meanwhile, and
  /// an unnoticed step is too small to matter for timers.
  static constexpr std::int64_t span_ns = base::ns_per_ms;

  /// Maximum duration of reading both clocks for them to count as one moment.
  static constexpr std::int64_t moment_ns = base::ns_per_us;

  /// Both times from a reading of UTC. Nullopt when the last reading of both is too old, or UTC was
  /// set back: then the caller must read both.
  [[nodiscard]] std::optional<base::Now> at(std::int64_t utc_ns) noexcept {
    // Unsigned, so that a time before the reading becomes a very large distance.
    const std::uint64_t since =
        static_cast<std::uint64_t>(utc_ns) - static_cast<std::uint64_t>(read_.utc_ns);
    if (!usable_ || since >= static_cast<std::uint64_t>(span_ns)) {
      return std::nullopt;
    }
    return given(read_.steady_ns + static_cast<std::int64_t>(since), utc_ns);
  }

  /// Takes a reading of both clocks, begun at `begun_utc_ns`. If the thread lost its processor or
  /// UTC was set in between, they differ in time, and nothing is computed from them.
  [[nodiscard]] base::Now take(std::int64_t begun_utc_ns, base::Now both) noexcept {
    read_ = both;
    usable_ = static_cast<std::uint64_t>(both.utc_ns) - static_cast<std::uint64_t>(begun_utc_ns) <=
              static_cast<std::uint64_t>(moment_ns);
    return given(both.steady_ns, both.utc_ns);
  }

 private:
  [[nodiscard]] base::Now given(std::int64_t steady_ns, std::int64_t utc_ns) noexcept {
    latest_ns_ = std::max(latest_ns_, steady_ns);
    return {.steady_ns = latest_ns_, .utc_ns = utc_ns};
  }

  base::Now read_;
  std::int64_t latest_ns_ = INT64_MIN;
  bool usable_ = false;
};

}  // namespace affix::inline v0::net
