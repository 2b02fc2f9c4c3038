// SPDX-License-Identifier: MIT
// The text of the last UTC time stamp, kept so that the next one costs only the digits that
// changed. For whoever writes many stamps of one clock: tag 52 of a session, tag 60 of an order
// flow.
#pragma once

#include "affix/base/time.hpp"
#include "affix/wire/convert.hpp"
#include "affix/wire/detail/digits.hpp"

#include <cstddef>
#include <cstdint>

namespace affix::inline v0::wire {

/// About 80 bytes; no allocation. One thread at a time. The same stamp again costs a comparison,
/// another one of the same second its fraction (about 3 ns), another second the whole (about 8 ns).
class TimeStampCache {
 public:
  /// Writes YYYYMMDD-HH:MM:SS and `precision` digits, finer ones cut off, and returns their number:
  /// exactly utc_time_size(precision) bytes are written. `time.picoseconds` is at most 999.
  [[gnu::always_inline]] std::size_t write(base::UtcTime time, TimePrecision precision,
                                           char* out) noexcept {
    if (time != time_ || precision != precision_) {
      render_changed(time, precision);
    }
    // As wide as they were stored: a wider load would wait for the stores to reach the cache.
    detail::store_word(out, words_[0]);
    detail::store_word(out + 8, words_[1]);
    detail::store_word_start(out + 16, words_[2], utc_time_size(precision) - 16);
    if (precision > TimePrecision::Micros) {
      detail::store_word_start(out + 24, words_[3], utc_time_size(precision) - 24);
    }
    return utc_time_size(precision);
  }

  /// The sum of the bytes that were written last: what a prepared message corrects its checksum by.
  [[nodiscard]] std::uint32_t sum() const noexcept { return sum_; }

 private:
  void render_changed(base::UtcTime time, TimePrecision precision) noexcept;

  /// Renders the whole second of `ns` and returns the rest.
  [[gnu::noinline]] std::uint32_t render_second(std::int64_t ns) noexcept;

  std::uint64_t words_[4] = {};  ///< The text in stream order.
  base::UtcTime time_;
  std::int64_t second_begin_ns_ = 0;  ///< Of the second in `words_`.
  std::uint64_t point_word_ = 0;      ///< The second's last digit and the point.
  std::uint32_t second_sum_ = 0;      ///< Of the characters up to the second's last.
  std::uint32_t sum_ = 0;
  bool second_rendered_ = false;
  TimePrecision precision_{0xFF};  ///< At first equal to none, so that the first stamp is rendered.
};

}  // namespace affix::inline v0::wire
