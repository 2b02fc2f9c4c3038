// SPDX-License-Identifier: MIT
// Texts of errors without their message codes, for tests that are about the wording.
#pragma once

#include "affix/base/message_code.hpp"

#include <string>
#include <string_view>

namespace affix::support {

/// The same lines, each without " [C206]" at its end.
[[nodiscard]] inline std::string without_codes(std::string_view text) {
  constexpr std::size_t suffix = base::MessageCode::size + 3;
  std::string result;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.size() > suffix && line.ends_with(']') &&
        base::MessageCode::parse(
            line.substr(line.size() - 1 - base::MessageCode::size, base::MessageCode::size))) {
      line.remove_suffix(suffix);
    }
    result += line;
    if (end == std::string_view::npos) {
      break;
    }
    result += '\n';
    text.remove_prefix(end + 1);
  }
  return result;
}

}  // namespace affix::support
