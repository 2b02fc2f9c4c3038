// SPDX-License-Identifier: MIT
// XML text before it is parsed: made UTF-8, and refused when it is hostile. The parser that follows
// is given only what is bounded in depth and number and has no declarations.
#pragma once

#include "affix/dictionary/load.hpp"

#include "dictionary/problems.hpp"

#include <string>
#include <string_view>

namespace affix::inline v0::dictionary {

/// `text` as UTF-8 without byte order mark. Latin-1 is converted, by declaration or, with a
/// warning, because the bytes are no UTF-8. UTF-16 and control characters are errors. Gives
/// `problems` its lines.
[[nodiscard]] std::string to_utf8(std::string_view text, Problems& problems);

/// Only whole UTF-8 characters, and none that controls: what a name may hold. Character references
/// can make others out of the cleanest file.
[[nodiscard]] bool is_plain_text(std::string_view text) noexcept;

/// Counts markup against the limits; DOCTYPE is an error. False when the text must not be parsed.
/// What is no well-formed XML is left to the parser.
[[nodiscard]] bool check_markup(std::string_view text, const LoadLimits& limits,
                                Problems& problems);

/// "<message> is open (line 28)" of the innermost element that is open at the first end tag of
/// another, or at the end; empty when there is none. For texts that check_markup() let pass and the
/// parser did not.
[[nodiscard]] std::string open_element(std::string_view text, const LoadLimits& limits,
                                       const Problems& problems);

}  // namespace affix::inline v0::dictionary
