// SPDX-License-Identifier: MIT
// Prepares XML text for the parser: converts it to UTF-8, and refuses hostile text. The parser only
// gets text with bounded depth and counts and without declarations.
#pragma once

#include "affix/dictionary/load_limits.hpp"

#include "dictionary/problems.hpp"

#include <string>
#include <string_view>

namespace affix::inline v0::dictionary {

/// `text` as UTF-8 without byte order mark. Converts Latin-1 if declared or, with a warning, if
/// the bytes are no UTF-8. UTF-16 and control characters are errors. Sets the lines of
/// `problems`.
[[nodiscard]] std::string to_utf8(std::string_view text, Problems& problems);

/// True for complete UTF-8 characters without control characters: the requirement for names.
/// Character references can produce others from any file.
[[nodiscard]] bool is_plain_text(std::string_view text) noexcept;

/// Counts markup against the limits. A DOCTYPE and more than a limit allows are errors, with which
/// the text must not be parsed. The parser reports ill-formed XML.
void check_markup(std::string_view text, const LoadLimits& limits, Problems& problems);

/// "<message> is open (line 28)" for the innermost element that is open at the first end tag of
/// another, or at the end; empty when there is none. For texts that check_markup() accepted and the
/// parser did not.
[[nodiscard]] std::string open_element(std::string_view text, const LoadLimits& limits,
                                       const Problems& problems);

}  // namespace affix::inline v0::dictionary
