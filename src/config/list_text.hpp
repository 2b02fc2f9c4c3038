// SPDX-License-Identifier: MIT
// Words in configuration values, case ignored, and lists of them: comma-separated pieces, blanks
// around them ignored.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace affix::inline v0::config {

/// In lower case, for comparing words.
[[nodiscard]] inline std::string lowered(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  return result;
}

/// Without the blanks at both ends.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) noexcept {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

/// Takes the first piece off a list that is not empty.
[[nodiscard]] constexpr std::string_view take_piece(std::string_view& list) noexcept {
  const std::size_t comma = std::min(list.find(','), list.size());
  const std::string_view piece = trimmed(list.substr(0, comma));
  list.remove_prefix(std::min(comma + 1, list.size()));
  return piece;
}

}  // namespace affix::inline v0::config
