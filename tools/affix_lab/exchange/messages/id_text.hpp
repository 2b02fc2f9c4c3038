// SPDX-License-Identifier: MIT
// Format of the exchange's numbers for orders, executions and trades.
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace affix::inline v0::tools::exchange {

/// Prefix and number, or FIX's value for none.
class IdText {
 public:
  IdText(std::string_view prefix, std::uint64_t number, std::string_view none) noexcept {
    if (number == 0 || prefix.size() > prefix_max) {
      view_ = none;
      return;
    }
    std::memcpy(text_.data(), prefix.data(), prefix.size());
    char* const end =
        std::to_chars(text_.data() + prefix.size(), text_.data() + text_.size(), number).ptr;
    view_ = {text_.data(), static_cast<std::size_t>(end - text_.data())};
  }

  IdText(const IdText&) = delete;
  IdText& operator=(const IdText&) = delete;

  [[nodiscard]] std::string_view view() const noexcept { return view_; }

 private:
  static constexpr std::size_t prefix_max = 32;

  std::array<char, prefix_max + 20> text_;
  std::string_view view_;
};

}  // namespace affix::inline v0::tools::exchange
