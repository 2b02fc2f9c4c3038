// SPDX-License-Identifier: MIT
// Words of which a value may be one, written with `|` between them, as tables of keys and of
// arguments have them.
#pragma once

#include <algorithm>
#include <string_view>

namespace affix::inline v0::base {

/// Whether `value` is one of the words of `words` ("ON|OFF"), letter for letter. No allocation.
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
