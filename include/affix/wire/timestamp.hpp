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
    Tail tail = tail_;
    if (time != time_ || precision != precision_) {
      tail = render_changed(time, precision);
    }
    detail::store_word(out, head_[0]);
    detail::store_word(out + 8, head_[1]);
    detail::store_word_start(out + 16, tail.first, utc_time_size(precision) - 16);
    if (precision > TimePrecision::Micros) {
      detail::store_word_start(out + 24, tail.second, utc_time_size(precision) - 24);
    }
    return utc_time_size(precision);
  }

  /// The sum of the bytes that were written last: what a prepared message corrects its checksum by.
  [[nodiscard]] std::uint32_t sum() const noexcept { return sum_; }

 private:
  /// The text from its 17th character on: the second's last digit, the point, and digits, in stream
  /// order.
  struct Tail {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
  };

  /// Returns the tail besides keeping it: in registers it is at hand, from memory it would have to
  /// be waited for.
  Tail render_changed(base::UtcTime time, TimePrecision precision) noexcept;

  /// Renders the whole second of `ns` and returns the rest.
  [[gnu::noinline]] std::uint32_t render_second(std::int64_t ns) noexcept;

  std::uint64_t head_[2] = {};  ///< The first 16 characters in stream order.
  Tail tail_;
  base::UtcTime time_;
  std::int64_t second_begin_ns_ = 0;  ///< Of the second in `head_`.
  std::uint64_t point_word_ = 0;      ///< The second's last digit and the point.
  std::uint32_t second_sum_ = 0;      ///< Of the characters up to the second's last.
  std::uint32_t sum_ = 0;
  bool second_rendered_ = false;
  TimePrecision precision_{0xFF};  ///< At first equal to none, so that the first stamp is rendered.
};

}  // namespace affix::inline v0::wire
