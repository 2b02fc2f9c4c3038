// SPDX-License-Identifier: MIT
// The one order of a dictionary's parts, whatever their order in the file.
#pragma once

#include "affix/dictionary/field_type.hpp"
#include "affix/dictionary/parts.hpp"

namespace affix::inline v0::dictionary {

/// Type of `type` in this version: char was text of any length before 4.2.
[[nodiscard]] inline FieldType type_in(const Version& version, FieldType type) noexcept {
  const bool is_old = !version.is_transport && version.major == 4 && version.minor < 2;
  return is_old && type == FieldType::Char ? FieldType::String : type;
}

/// Sorts `parts` and adapts the indices of members; Dictionary's constructor documents the
/// assertions.
[[nodiscard]] Parts arrange(Parts parts);

}  // namespace affix::inline v0::dictionary
