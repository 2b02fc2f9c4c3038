// SPDX-License-Identifier: MIT
// Classes of characters in logs; independent of the locale.
#pragma once

namespace affix::inline v0::tools::log {

[[nodiscard]] constexpr bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

[[nodiscard]] constexpr bool is_letter(char c) noexcept {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

}  // namespace affix::inline v0::tools::log
