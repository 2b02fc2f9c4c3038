// SPDX-License-Identifier: MIT
// The text of the last UTC time stamp, kept so that the next one costs only the digits that
// changed. For whoever writes many stamps of one clock: tag 52 of a session, tag 60 of an order
// flow.
#pragma once

#include "affix/base/time.hpp"
#include "affix/wire/convert.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::wire {

/// About 80 bytes; no allocation. One thread at a time. The same stamp again costs a
/// comparison, another one of the same second its fraction (about 3 ns), another second the whole
/// (about 8 ns).
class TimeStampCache {
 public:
  static constexpr std::size_t text_room = 32;

  /// YYYYMMDD-HH:MM:SS and `precision` digits, finer ones cut off. `time.picoseconds` is at most
  /// The view lives until the next call; text_room bytes from its first on may be read.
  [[nodiscard]] std::string_view render(base::UtcTime time, TimePrecision precision) noexcept {
    if (time != time_ || precision != precision_) {
      render_changed(time, precision);
    }
    return {text_, size_};
  }

  /// The sum of the rendered bytes: what a prepared message corrects its checksum by.
  [[nodiscard]] std::uint32_t sum() const noexcept { return sum_; }

 private:
  void render_changed(base::UtcTime time, TimePrecision precision) noexcept;

  /// What the cache holds before its first stamp: equal to no precision, so that one is rendered
  /// whole.
  static constexpr auto unrendered = TimePrecision{0xFF};

  /// 17 characters, a point and whole words of digits behind them.
  alignas(8) char text_[utc_time_room] = {};
  base::UtcTime time_;
  std::int64_t second_begin_ns_ = 0;  ///< Of the second in `text_`.
  std::uint32_t size_ = 0;
  std::uint32_t sum_ = 0;
  std::uint32_t second_sum_ = 0;  ///< Of the bytes up to the seconds.
  TimePrecision precision_ = unrendered;
};

}  // namespace affix::inline v0::wire
