// SPDX-License-Identifier: MIT
// Tests membership in a list of words separated by `|`, as in the tables of configuration keys and
// command arguments.
#pragma once

#include <algorithm>
#include <string_view>

namespace affix::inline v0::base {

/// True if `value` is one of `words` ("ON|OFF"), case-sensitively. No allocation.
[[nodiscard]] constexpr bool is_choice(std::string_view words, std::string_view value) noexcept {
  while (!words.empty()) {
    const std::size_t bar = std::min(words.find('|'), words.size());
    if (words.substr(0, bar) == value) {
      return true;
    }
    words.remove_prefix(std::min(bar + 1, words.size()));
  }
  return false;
}

}  // namespace affix::inline v0::base
