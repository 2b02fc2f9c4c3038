// SPDX-License-Identifier: MIT
// MsgType (35) as an integer. Types of up to eight characters, all that FIX defines, are one word;
// longer ones keep the rest as a view, so that every legal length compares correctly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::wire {

/// Compares as one integer when at most eight characters long. A longer type views the text it was
/// made from and lives no longer than that.
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

  /// First character in the lowest byte, unused bytes zero: for switch and tables, when `packed()`.
  [[nodiscard]] constexpr std::uint64_t word() const noexcept { return word_; }

  /// The word is the whole type.
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
