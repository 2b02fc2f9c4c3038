// SPDX-License-Identifier: MIT
// Both clocks for one reading: a steady time is reckoned from how far the UTC clock has come since
// both were read together. A send of one order alone reads the clocks while somebody waits, and
// each reading takes about as long as encoding the order.
#pragma once

#include "affix/base/time.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace affix::inline v0::net {

/// Of one thread. Reads no clock, it is given readings. Its steady times never go back. They are
/// right to a microsecond; when UTC was set forward by less than span_ns, they are ahead by as much
/// until span_ns have passed.
class ReckonedClock {
 public:
  /// How long a reading of both clocks is reckoned from: what UTC is slewed by meanwhile is
  /// nothing, and what it can be set by without being noticed is no timer's concern.
  static constexpr std::int64_t span_ns = base::ns_per_ms;

  /// Longest time that a reading of both clocks may take for them to be one moment's.
  static constexpr std::int64_t moment_ns = base::ns_per_us;

  /// Both times from a reading of UTC. Nothing when the last reading of both is too old, or UTC has
  /// been set back: then both clocks are to be read.
  [[nodiscard]] std::optional<base::Now> at(std::int64_t utc_ns) noexcept {
    // Unsigned, so that a time before the reading is far behind it.
    const std::uint64_t since =
        static_cast<std::uint64_t>(utc_ns) - static_cast<std::uint64_t>(read_.utc_ns);
    if (!usable_ || since >= static_cast<std::uint64_t>(span_ns)) {
      return std::nullopt;
    }
    return given(read_.steady_ns + static_cast<std::int64_t>(since), utc_ns);
  }

  /// A reading of both clocks, begun at `begun_utc_ns`. When the thread lost its processor or UTC
  /// was set in between, they are no one moment's, and nothing is reckoned from them.
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
