// SPDX-License-Identifier: MIT
// `affix dictionary show`: a dictionary for people to read.
#pragma once

#include "affix/dictionary/model.hpp"

#include <string>
#include <string_view>

namespace affix::inline v0::tools::dictionary {

/// Version, counts and the list of messages.
[[nodiscard]] std::string summary_text(const affix::dictionary::Dictionary& dictionary);

/// Everything that `what` names: messages by name or type, components, fields by name or tag,
/// "header", "trailer". Each as an indented tree with required (Y or N), tag, name, type and
/// values, all values when `all_values` and those of a field that was asked for. Empty when nothing
/// is named so.
[[nodiscard]] std::string part_text(const affix::dictionary::Dictionary& dictionary,
                                    std::string_view what, bool all_values);

}  // namespace affix::inline v0::tools::dictionary
