// SPDX-License-Identifier: MIT
// Limits the events of one kind that unknown peers can cause: a flood of connections must not
// become a flood of log lines. Omitted events are counted and reported in one line.
#pragma once

#include "host/second_limit.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <string_view>

namespace affix::inline v0::engine {

inline constexpr std::uint32_t refusals_reported_max = 20;

class ReportLimit : public host::SecondLimit<refusals_reported_max> {
 public:
  /// `count` in words, for the line about omitted events.
  class OmittedText {
   public:
    explicit OmittedText(std::uint64_t count) noexcept
        : size_(std::snprintf(
              text_.data(), text_.size(),
              "%llu more connections were refused within a second, not logged one by one",
              static_cast<unsigned long long>(count))) {}

    [[nodiscard]] std::string_view view() const noexcept {
      return {text_.data(), static_cast<std::size_t>(size_)};
    }

   private:
    std::array<char, 128> text_;
    int size_;
  };
};

}  // namespace affix::inline v0::engine
