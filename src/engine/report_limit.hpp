// SPDX-License-Identifier: MIT
// How many events of one kind are told when strangers cause them: a flood of connections must not
// become a flood of log lines. What is left out is counted and told in one line.
#pragma once

#include "affix/base/time.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string_view>
#include <utility>

namespace affix::inline v0::engine {

/// One second's worth. Times are steady. One thread.
class ReportLimit {
 public:
  /// So many in one second are told, whatever comes in it.
  static constexpr std::uint32_t told_max = 20;

  /// Whether one more event is to be told now. False: it is counted.
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

  /// Whether admits() would be true: what is told need not be put into words else.
  [[nodiscard]] bool has_room(std::int64_t now_ns) const noexcept {
    return told_ < told_max || (now_ns >= second_end_ns_ && omitted_ == 0);
  }

  /// When take_omitted() has something to say; the largest time there is when it has not.
  [[nodiscard]] std::int64_t due_ns() const noexcept {
    return omitted_ == 0 ? std::numeric_limits<std::int64_t>::max() : second_end_ns_;
  }

  /// `count` of them in words, for the line that tells of them.
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

  /// Once due: how many were left out, which the next second begins without. Else 0.
  [[nodiscard]] std::uint64_t take_omitted(std::int64_t now_ns) noexcept {
    return now_ns >= due_ns() ? std::exchange(omitted_, 0) : 0;
  }

 private:
  std::int64_t second_end_ns_ = std::numeric_limits<std::int64_t>::min();
  std::uint32_t told_ = 0;
  std::uint64_t omitted_ = 0;
};

}  // namespace affix::inline v0::engine
