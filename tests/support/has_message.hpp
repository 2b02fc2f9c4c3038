// SPDX-License-Identifier: MIT
// Looks for a message by its code and its values, in the text of an error, a report or a log.
#pragma once

#include "affix/base/message_code.hpp"

#include <gtest/gtest.h>
#include <initializer_list>
#include <string>
#include <string_view>

namespace affix::support {

/// True if a line has the code, as "[C206]" or as the log's column, and these values in this order:
/// places, keys, numbers.
[[nodiscard]] inline ::testing::AssertionResult has_message(
    std::string_view text, base::MessageCode code,
    std::initializer_list<std::string_view> values = {}) {
  const std::string bracketed = '[' + std::string(code.text()) + ']';
  const std::string column = ' ' + std::string(code.text()) + ' ';
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    bool has = line.find(bracketed) != std::string_view::npos ||
               line.find(column) != std::string_view::npos;
    std::size_t at = 0;
    for (const std::string_view value : values) {
      at = has ? line.find(value, at) : std::string_view::npos;
      has = at != std::string_view::npos;
      at += value.size();
    }
    if (has) {
      return ::testing::AssertionSuccess();
    }
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  ::testing::AssertionResult failed = ::testing::AssertionFailure();
  failed << "no line with " << code.text();
  for (const std::string_view value : values) {
    failed << ", \"" << value << '"';
  }
  return failed << " in:\n" << text;
}

}  // namespace affix::support
