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

/// Owns 32 bytes of text; no allocation. One thread at a time. The same stamp again costs a
/// comparison, another one of the same second its fraction (about 3 ns), another second the whole
/// (about 8 ns).
class TimeStampCache {
 public:
  /// YYYYMMDD-HH:MM:SS and `precision` digits, finer ones cut off. `time.picoseconds` is at most
  /// 999. The view lives until the next call; utc_time_room bytes behind its first may be read.
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

  alignas(32) char text_[utc_time_room] = {};
  base::UtcTime time_;
  std::int64_t second_begin_ns_ =
      1;  ///< No multiple of a second: the first stamp never finds its second here.
  std::uint32_t size_ = 0;
  std::uint32_t sum_ = 0;
  std::uint32_t second_sum_ = 0;                   ///< Of the bytes up to the seconds.
  TimePrecision precision_ = TimePrecision{0xFF};  ///< No precision: the first stamp is rendered.
};

}  // namespace affix::inline v0::wire
