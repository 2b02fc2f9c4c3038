// SPDX-License-Identifier: MIT
// Caches the text of the last UTC time stamp, so that the next one renders only the digits that
// changed. For writing many stamps of one clock: SendingTime (52) of a session, TransactTime (60)
// of an order flow.
#pragma once

#include "affix/base/time.hpp"
#include "affix/wire/convert.hpp"
#include "affix/wire/detail/digits.hpp"

#include <cstddef>
#include <cstdint>

namespace affix::inline v0::wire {

/// About 80 bytes; no allocation. One thread at a time. The same stamp costs a comparison, another
/// in the same second its fraction (about 3 ns), another second all digits (about 8 ns).
class TimeStampCache {
 public:
  /// Writes YYYYMMDD-HH:MM:SS and `precision` digits, truncated, and returns their number. Writes
  /// exactly utc_time_size(precision) bytes. `time.picoseconds` is at most 999.
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

  /// Sum of the bytes last written; a prepared message corrects its checksum with it.
  [[nodiscard]] std::uint32_t sum() const noexcept { return sum_; }

 private:
  /// The text from its 17th character: the last digit of the second, the point, and the fraction,
  /// in stream order.
  struct Tail {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
  };

  /// Stores the tail and also returns it, so that it stays in registers and need not be loaded
  /// again.
  Tail render_changed(base::UtcTime time, TimePrecision precision) noexcept;

  /// Renders the second of `ns` and returns the remainder.
  [[gnu::noinline]] std::uint32_t render_second(std::int64_t ns) noexcept;

  std::uint64_t head_[2] = {};  ///< The first 16 characters in stream order.
  Tail tail_;
  base::UtcTime time_;
  std::int64_t second_begin_ns_ = 0;  ///< Of the second in `head_`.
  std::uint64_t point_word_ = 0;      ///< The last digit of the second and the point.
  std::uint32_t second_sum_ = 0;      ///< Of characters up to the second's last digit.
  std::uint32_t sum_ = 0;
  bool second_rendered_ = false;
  TimePrecision precision_{0xFF};  ///< Initially invalid, so that the first stamp is rendered.
};

}  // namespace affix::inline v0::wire
