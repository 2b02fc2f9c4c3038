// SPDX-License-Identifier: MIT
// Renders the part of a time stamp that differs from the one before, and keeps the byte sum beside
// it.
#include "affix/wire/timestamp.hpp"

#include "wire/time_text.hpp"

namespace affix::inline v0::wire {

namespace {

/// Values of at most 9 in each byte: the top byte of the product is their sum.
[[nodiscard]] constexpr std::uint32_t sum_of_digits(std::uint64_t digits) noexcept {
  return static_cast<std::uint32_t>(digits * 0x0101'0101'0101'0101 >> 56);
}

/// The lowest `count` (0 to 8) bytes of a word.
[[nodiscard]] constexpr std::uint64_t lowest_bytes(std::uint64_t word,
                                                   std::uint32_t count) noexcept {
  return count >= 8 ? word : word & ((std::uint64_t{1} << (8 * count)) - 1);
}

}  // namespace

void TimeStampCache::render_changed(base::UtcTime time, TimePrecision precision) noexcept {
  auto into_second =
      static_cast<std::uint64_t>(time.ns) - static_cast<std::uint64_t>(second_begin_ns_);
  bool keep = true;
  // Both comparisons: between the ends of time the difference alone wraps round to a small one.
  const bool same_second =
      time.ns >= second_begin_ns_ && into_second < static_cast<std::uint64_t>(base::ns_per_second);
  if (!same_second || precision_ == unrendered) {
    const detail::SplitTime split = detail::split(time.ns);
    detail::store_second(split.seconds, text_);
    into_second = split.ns;
    // The second in which time begins has no beginning in 64 bits, so it is not kept.
    keep = !__builtin_sub_overflow(time.ns, std::int64_t{split.ns}, &second_begin_ns_);
    second_sum_ = 0;
    for (std::size_t at = 0; at < detail::second_text_size; ++at) {
      second_sum_ += static_cast<unsigned char>(text_[at]);
    }
  }
  const detail::FractionDigits digits =
      detail::fraction_digits(static_cast<std::uint32_t>(into_second), time.picoseconds);
  detail::store_fraction(digits, text_ + detail::second_text_size);
  const auto count = static_cast<std::uint32_t>(precision);
  size_ = static_cast<std::uint32_t>(detail::second_text_size + detail::fraction_size(precision));
  sum_ = second_sum_;
  if (count != 0) {
    sum_ += '.' + '0' * count + sum_of_digits(lowest_bytes(digits.high, count)) +
            sum_of_digits(lowest_bytes(digits.low, count > 8 ? count - 8 : 0));
  }
  time_ = time;
  precision_ = keep ? precision : unrendered;
}

}  // namespace affix::inline v0::wire
