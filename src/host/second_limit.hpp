// SPDX-License-Identifier: MIT
// Limits reports of one kind: the first few in a second, and the number of the others after it.
#pragma once

#include "affix/base/time.hpp"

#include <cstdint>
#include <limits>
#include <utility>

namespace affix::inline v0::host {

/// `ReportedMax` reports a second. Reads no clock: callers pass the steady time. One thread.
template <std::uint32_t ReportedMax>
class SecondLimit {
 public:
  /// True if one more event must be reported now. False: it is counted.
  [[nodiscard]] bool admits(std::int64_t now_ns) noexcept {
    if (now_ns >= second_end_ns_ && omitted_ == 0) {
      second_end_ns_ = now_ns + base::ns_per_second;
      reported_ = 0;
    }
    if (reported_ < ReportedMax) {
      ++reported_;
      return true;
    }
    ++omitted_;
    return false;
  }

  /// The result that admits() would have, so that a text is only made when needed.
  [[nodiscard]] bool has_room(std::int64_t now_ns) const noexcept {
    return reported_ < ReportedMax || (now_ns >= second_end_ns_ && omitted_ == 0);
  }

  /// Time at which take_omitted() has a report; the largest value when it has none.
  [[nodiscard]] std::int64_t due_ns() const noexcept {
    return omitted_ == 0 ? std::numeric_limits<std::int64_t>::max() : second_end_ns_;
  }

  /// When due: the number of omitted events, and sets it to zero. Else 0.
  [[nodiscard]] std::uint64_t take_omitted(std::int64_t now_ns) noexcept {
    return now_ns >= due_ns() ? std::exchange(omitted_, 0) : 0;
  }

 private:
  std::int64_t second_end_ns_ = std::numeric_limits<std::int64_t>::min();
  std::uint64_t omitted_ = 0;
  std::uint32_t reported_ = 0;
};

}  // namespace affix::inline v0::host
