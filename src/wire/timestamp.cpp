// SPDX-License-Identifier: MIT
// Writes the part of a time stamp that differs from the last one, and keeps the byte sum with
// it.
#include "affix/wire/timestamp.hpp"

#include "wire/time_text.hpp"

#include <algorithm>

namespace affix::inline v0::wire {

namespace {

/// The first `count` of eight digits, 0 for the others.
[[nodiscard]] constexpr std::uint64_t first_digits(std::uint64_t digits,
                                                   std::uint32_t count) noexcept {
  return count >= 8 ? digits : digits & ((std::uint64_t{1} << (8 * count)) - 1);
}

/// The sum of the point and the digits of `precision`.
[[nodiscard]] constexpr std::uint32_t sum_of_fraction(detail::FractionDigits digits,
                                                      TimePrecision precision) noexcept {
  const auto count = static_cast<std::uint32_t>(precision);
  if (count == 0) {
    return 0;
  }
  const std::uint32_t low = count > 8 ? detail::sum_of_digits(digits.low) : 0;
  return '.' + '0' * count + detail::sum_of_digits(first_digits(digits.high, count)) + low;
}

/// The same; most stamps have nine digits.
[[nodiscard]] constexpr std::uint32_t sum_of_tail(detail::FractionDigits digits,
                                                  TimePrecision precision) noexcept {
  return precision == TimePrecision::Nanos ? '.' + 9 * '0' + detail::sum_of_digits(digits.high) +
                                                 static_cast<std::uint32_t>(digits.low)
                                           : sum_of_fraction(digits, precision);
}

}  // namespace

TimeStampCache::Tail TimeStampCache::render_changed(base::UtcTime time,
                                                    TimePrecision precision) noexcept {
  if (time == time_ && std::max(precision, precision_) < TimePrecision::Picos) {
    // Another precision of the present stamp, as often in tags 52 and 60 of one message: the text
    // has all nine digits in any case, and only the sum differs.
    const detail::FractionDigits digits{
        ((tail_.first >> 16) | tail_.second << 48) & ~eight_zero_characters,
        (tail_.second >> 16 & 0xFF) - '0'};
    precision_ = precision;
    sum_ = second_sum_ + sum_of_tail(digits, precision);
    return tail_;
  }
  auto into_second =
      static_cast<std::uint64_t>(time.ns) - static_cast<std::uint64_t>(second_begin_ns_);
  // Both comparisons: near the limits of time the difference alone wraps round to a small one.
  const bool same_second =
      time.ns >= second_begin_ns_ && into_second < static_cast<std::uint64_t>(base::ns_per_second);
  time_ = time;
  precision_ = precision;
  if (!same_second || !second_rendered_) [[unlikely]] {
    into_second = render_second(time.ns);
  }
  detail::FractionDigits digits =
      detail::fraction_digits(static_cast<std::uint32_t>(into_second), time.picoseconds, precision);
  const std::uint64_t high = digits.high | eight_zero_characters;
  const std::uint64_t low = digits.low | eight_zero_characters;
  const Tail tail{point_word_ | high << 16, high >> 48 | low << 16};
  tail_ = tail;
  sum_ = second_sum_ + sum_of_tail(digits, precision);
  return tail;
}

std::uint32_t TimeStampCache::render_second(std::int64_t ns) noexcept {
  detail::SplitTime split = detail::split(ns);
  char second[24];
  detail::store_second(split.seconds, second);
  head_[0] = detail::load_word(second);
  head_[1] = detail::load_word(second + 8);
  const auto last = static_cast<unsigned char>(second[16]);
  point_word_ = last | std::uint64_t{'.'} << 8;
  second_sum_ = detail::sum_of_word(head_[0]) + detail::sum_of_word(head_[1]) + last;
  // The first second of the 64-bit range has no beginning in it, so it is not kept.
  second_rendered_ = !__builtin_sub_overflow(ns, std::int64_t{split.ns}, &second_begin_ns_);
  return split.ns;
}

}  // namespace affix::inline v0::wire
