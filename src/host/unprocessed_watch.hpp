// SPDX-License-Identifier: MIT
// Decides when an operator must know that unprocessed messages keep growing in number.
#pragma once

#include <algorithm>
#include <cstdint>

namespace affix::inline v0::host {

/// One thread.
class UnprocessedWatch {
 public:
  /// Number of unprocessed messages up to which no warning is given.
  static constexpr std::uint64_t quiet_max = 10'000;

  /// True if `count` must be reported: it is large, and twice as large as at the last report or
  /// since there were few.
  [[nodiscard]] bool must_report(std::uint64_t count) noexcept {
    if (count <= quiet_max) [[likely]] {
      // Not at once below the limit: a count that goes up and down there is reported once.
      reported_ = count <= quiet_max / 2 ? 0 : reported_;
      return false;
    }
    if (count < 2 * reported_) {
      reported_ = std::min(reported_, count);
      return false;
    }
    reported_ = count;
    return true;
  }

 private:
  std::uint64_t reported_ = 0;
};

}  // namespace affix::inline v0::host
