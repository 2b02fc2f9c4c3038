// SPDX-License-Identifier: MIT
// Counts a connection's messages that were delivered with a warning, so that each reason is
// reported once when it occurs and once, with the number, when the connection ends.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace affix::inline v0::host {

/// One thread.
class WarningCounts {
 public:
  /// SessionRejectReasons of the validator's warnings are below; any other counts as the last.
  static constexpr std::size_t reasons_max = 20;

  /// Counts a warning. True: the first of its reason in this connection.
  [[nodiscard]] bool is_first(std::uint64_t reason) noexcept {
    return ++counts_[std::min<std::uint64_t>(reason, counts_.size() - 1)] == 1;
  }

  /// The connection has ended: calls `report(reason, count)` for each reason that came more than
  /// once, and begins again.
  template <typename Report>
  void take(Report report) {
    for (std::size_t reason = 0; reason < counts_.size(); ++reason) {
      if (const std::uint64_t count = std::exchange(counts_[reason], 0); count > 1) {
        report(reason, count);
      }
    }
  }

 private:
  std::array<std::uint64_t, reasons_max> counts_{};
};

}  // namespace affix::inline v0::host
