// SPDX-License-Identifier: MIT
// A fault that was found in a dictionary's file, with its line, and the faults' texts.
#pragma once

#include "affix/base/error.hpp"
#include "affix/base/message_code.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::dictionary {

/// Whether a dictionary is made all the same.
enum class Severity : std::uint8_t {
  Warning,  ///< Incorrect but unambiguous; the text says how it was read.
  Error,    ///< Invalid or ambiguous: no dictionary is made.
};

[[nodiscard]] const char* to_text(Severity severity) noexcept;

/// One fault of a file.
struct Problem {
  Severity severity = Severity::Error;
  std::uint32_t line = 0;       ///< From 1; 0 for the whole file.
  std::string name;             ///< The affected message, component, field or group; may be empty.
  std::string text;             ///< One sentence.
  base::MessageCode code = {};  ///< `affix explain` says what to do.

  bool operator==(const Problem&) const = default;
};

/// "fix.xml:12: error: NewOrderSingle: field 'Foo' is not defined".
[[nodiscard]] std::string to_text(const Problem& problem, std::string_view file);

/// Makes one error text for start-up code: every error of `problems`, one per line.
[[nodiscard]] base::Error make_error(const std::vector<Problem>& problems, std::string_view file);

}  // namespace affix::inline v0::dictionary
