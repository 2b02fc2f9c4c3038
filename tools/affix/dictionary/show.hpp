// SPDX-License-Identifier: MIT
// `affix dictionary show`: formats a dictionary for people.
#pragma once

#include "affix/dictionary/model.hpp"

#include <string>
#include <string_view>

namespace affix::inline v0::tools::dictionary {

/// Version, counts and the list of messages.
[[nodiscard]] std::string summary_text(const affix::dictionary::Dictionary& dictionary);

/// Everything named `what`: messages by name or type, components, fields by name or tag, "header",
/// "trailer". Each as an indented tree with required (Y or N), tag, name, type and values; all
/// values with `all_values` and for a field named directly. Empty if nothing has that name.
[[nodiscard]] std::string part_text(const affix::dictionary::Dictionary& dictionary,
                                    std::string_view what, bool all_values);

}  // namespace affix::inline v0::tools::dictionary
