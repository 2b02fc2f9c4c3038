// SPDX-License-Identifier: MIT
// Caches the second of the last converted SendingTime. Messages of a busy session share it, and
// comparing its text takes a third of the time of a conversion.
#pragma once

#include "affix/base/time.hpp"
#include "affix/base/words.hpp"
#include "affix/wire/digit_words.hpp"

#include <cstdint>
#include <string_view>

namespace affix::inline v0::session {

/// Part of a session; 32 bytes.
class RecentSecond {
 public:
  /// True if `text` is a time stamp within the cached second: equal up to the seconds, then
  /// nothing, or a point and three, six or nine digits. False for other forms.
  [[nodiscard, gnu::always_inline]] bool holds(std::string_view text) const noexcept {
    using base::load_word;
    const char* const at = text.data();
    if (text.size() == seconds_size + 4) [[likely]] {  // Milliseconds: the most common form.
      const std::uint64_t end = load_word(at + end_from);
      return ((load_word(at) ^ date_) | (load_word(at + 8) ^ time_) | (end ^ end_) << 24) == 0 &&
             three_digits(end >> (8 * 5));
    }
    return holds_other(text);
  }

  /// Start of the cached second, in nanoseconds since the epoch.
  [[nodiscard]] std::int64_t begin_ns() const noexcept { return begin_ns_; }

  /// Caches the second of `text`, whose conversion gave `time`.
  void remember(std::string_view text, base::UtcTime time) noexcept {
    using base::load_word;
    date_ = load_word(text.data());
    time_ = load_word(text.data() + 8);
    const char end[8] = {text[13], text[14], text[15], text[16], '.'};
    end_ = load_word(end);
    std::int64_t within = time.ns % base::ns_per_second;
    within += within < 0 ? base::ns_per_second : 0;
    begin_ns_ = time.ns - within;
  }

 private:
  static constexpr std::size_t seconds_size = 17;  ///< YYYYMMDD-HH:MM:SS.
  static constexpr std::size_t end_from = 13;

  [[nodiscard]] bool holds_other(std::string_view text) const noexcept {
    using base::load_word;
    const char* const at = text.data();
    if (text.size() < seconds_size || load_word(at) != date_ || load_word(at + 8) != time_ ||
        ((base::load_half_word(at + end_from) ^ end_) & 0xFFFF'FFFF) != 0) {
      return false;
    }
    // Load words that end with the text: all their bytes are digits except the first few, which are
    // checked already.
    switch (text.size()) {
      case seconds_size:
        return true;
      case seconds_size + 7:
        return at[17] == '.' && digits_from<2>(load_word(at + 16));
      case seconds_size + 10:
        return at[17] == '.' && digits_from<7>(load_word(at + 11)) &&
               digits_from<0>(load_word(at + 19));
      default:
        return false;
    }
  }

  /// True if three characters are digits.
  [[nodiscard]] static bool three_digits(std::uint64_t characters) noexcept {
    return wire::all_digit_values(characters ^ 0x30'3030);
  }

  /// True if the bytes of a word from `First` on are digits.
  template <unsigned First>
  [[nodiscard]] static bool digits_from(std::uint64_t word) noexcept {
    constexpr std::uint64_t others = (std::uint64_t{1} << (8 * First)) - 1;
    return wire::all_digits((word & ~others) | (wire::eight_zero_characters & others));
  }

  std::uint64_t date_ = 0;
  std::uint64_t time_ = 0;
  /// From `end_from` on, with the point. Initially matches no text: it contradicts `time_`, which
  /// has three of the same bytes.
  std::uint64_t end_ = 1;
  std::int64_t begin_ns_ = 0;
};

}  // namespace affix::inline v0::session
