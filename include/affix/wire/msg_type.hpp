// SPDX-License-Identifier: MIT
// MsgType (35) as an integer. Types of up to eight characters, as in all of FIX, are one word;
// longer ones keep the rest as a view, so that every length compares correctly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::wire {

/// Compares as one integer if at most eight characters long. A longer type views its source text
/// and is valid only as long as that.
class MsgType {
 public:
  constexpr MsgType() noexcept = default;

  constexpr MsgType(
      std::string_view text) noexcept {  // NOLINT(google-explicit-constructor): a type is its text.
    const std::size_t size = text.size() < 8 ? text.size() : 8;
    for (std::size_t at = 0; at < size; ++at) {
      word_ |= std::uint64_t{static_cast<unsigned char>(text[at])} << (8 * at);
    }
    if (text.size() > 8) {
      rest_ = text.substr(8);
    }
  }

  constexpr MsgType(const char* text) noexcept
      : MsgType(std::string_view(text)) {}  // NOLINT(google-explicit-constructor)

  /// First character in the lowest byte, unused bytes zero: for switch and tables, if `packed()`.
  [[nodiscard]] constexpr std::uint64_t word() const noexcept { return word_; }

  /// True if the word is the complete type.
  [[nodiscard]] constexpr bool packed() const noexcept { return rest_.empty(); }

  [[nodiscard]] constexpr bool empty() const noexcept { return word_ == 0; }

  friend constexpr bool operator==(const MsgType& left, const MsgType& right) noexcept {
    return left.word_ == right.word_ && left.rest_ == right.rest_;
  }

 private:
  std::uint64_t word_ = 0;
  std::string_view rest_;
};

}  // namespace affix::inline v0::wire
