// SPDX-License-Identifier: MIT
// Decides when a worker asks for the preparation of its journals. Reads no clock.
#pragma once

#include "affix/base/time.hpp"

#include <cstdint>

namespace affix::inline v0::engine {

/// The worker's thread. Times are steady.
class PreparationRequests {
 public:
  /// Interval in which pages that messages need next are made writable again. The system writes
  /// pages to the disk half a minute after they were stored to.
  static constexpr std::int64_t keep_writable_interval_ns = base::ns_per_second;

  /// Between two requests while preparing fails, as on a full disk.
  static constexpr std::int64_t failed_pause_ns = 100 * base::ns_per_ms;

  /// A message was appended whose pages must stay writable.
  void note_append() noexcept { appended_ = true; }

  /// A journal needs preparation, or may.
  void want() noexcept { wanted_ = true; }

  /// True, once in each interval in which messages were appended: their pages must be kept
  /// writable, which is a request.
  [[nodiscard]] bool take_keep_writable(std::int64_t now_ns) noexcept {
    if (!appended_ || now_ns < keep_writable_not_before_ns_) {
      return false;
    }
    appended_ = false;
    keep_writable_not_before_ns_ = now_ns + keep_writable_interval_ns;
    wanted_ = true;
    return true;
  }

  /// True if there were requests since the last time. `failing`: the last preparation failed; then
  /// not more often than each failed_pause_ns, unless it is `urgent`.
  [[nodiscard]] bool take(std::int64_t now_ns, bool urgent, bool failing) noexcept {
    if (!wanted_ || (now_ns < not_before_ns_ && !urgent)) {
      return false;
    }
    wanted_ = false;
    if (failing) {
      not_before_ns_ = now_ns + failed_pause_ns;
    }
    return true;
  }

 private:
  bool wanted_ = true;  // The journals that a worker begins with.
  bool appended_ = false;
  std::int64_t keep_writable_not_before_ns_ = 0;
  std::int64_t not_before_ns_ = 0;
};

}  // namespace affix::inline v0::engine
