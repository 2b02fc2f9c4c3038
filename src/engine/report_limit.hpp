// SPDX-License-Identifier: MIT
// Limits the events of one kind that unknown peers can cause: a flood of connections must not
// become a flood of log lines. Omitted events are counted and reported in one line.
#pragma once

#include "affix/base/time.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string_view>
#include <utility>

namespace affix::inline v0::engine {

/// Counts one second. Times are steady. One thread.
class ReportLimit {
 public:
  /// Reports per second.
  static constexpr std::uint32_t told_max = 20;

  /// True if one more event must be reported now. False: it is counted.
  [[nodiscard]] bool admits(std::int64_t now_ns) noexcept {
    if (now_ns >= second_end_ns_ && omitted_ == 0) {
      second_end_ns_ = now_ns + base::ns_per_second;
      told_ = 0;
    }
    if (told_ < told_max) {
      ++told_;
      return true;
    }
    ++omitted_;
    return false;
  }

  /// The result that admits() would have, so that a text is only made when needed.
  [[nodiscard]] bool has_room(std::int64_t now_ns) const noexcept {
    return told_ < told_max || (now_ns >= second_end_ns_ && omitted_ == 0);
  }

  /// Time at which take_omitted() has a report; the largest value when it has none.
  [[nodiscard]] std::int64_t due_ns() const noexcept {
    return omitted_ == 0 ? std::numeric_limits<std::int64_t>::max() : second_end_ns_;
  }

  /// `count` in words, for the line about omitted events.
  class OmittedText {
   public:
    explicit OmittedText(std::uint64_t count) noexcept
        : size_(std::snprintf(
              text_.data(), text_.size(),
              "%llu more connections were refused within a second, not told one by one",
              static_cast<unsigned long long>(count))) {}

    [[nodiscard]] std::string_view view() const noexcept {
      return {text_.data(), static_cast<std::size_t>(size_)};
    }

   private:
    std::array<char, 128> text_;
    int size_;
  };

  /// When due: the number of omitted events, and sets it to zero. Else 0.
  [[nodiscard]] std::uint64_t take_omitted(std::int64_t now_ns) noexcept {
    return now_ns >= due_ns() ? std::exchange(omitted_, 0) : 0;
  }

 private:
  std::int64_t second_end_ns_ = std::numeric_limits<std::int64_t>::min();
  std::uint32_t told_ = 0;
  std::uint64_t omitted_ = 0;
};

}  // namespace affix::inline v0::engine
