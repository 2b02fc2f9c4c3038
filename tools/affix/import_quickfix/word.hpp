// SPDX-License-Identifier: MIT
// Words of a settings file, whose names QuickFIX compares case-insensitively.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::import_quickfix {

/// ASCII only, whatever the locale.
[[nodiscard]] constexpr char lowered(char letter) noexcept {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

[[nodiscard]] inline std::string lowered(std::string_view word) {
  std::string result(word);
  std::ranges::transform(result, result.begin(), [](char letter) { return lowered(letter); });
  return result;
}

[[nodiscard]] constexpr bool is_same_word(std::string_view left, std::string_view right) noexcept {
  return std::ranges::equal(left, right, [](char a, char b) { return lowered(a) == lowered(b); });
}

/// Without spaces at both ends.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) noexcept {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == std::string_view::npos
             ? std::string_view()
             : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace affix::inline v0::tools::import_quickfix
