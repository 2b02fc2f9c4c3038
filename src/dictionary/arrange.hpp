// SPDX-License-Identifier: MIT
// The one order of a dictionary's parts, whatever their order in the file.
#pragma once

#include "affix/dictionary/model.hpp"

#include <string_view>

namespace affix::inline v0::dictionary {

/// Order of codes and message types: shorter ones first, then byte by byte, so that "9" precedes
/// "10" and "Z" precedes "AA".
[[nodiscard]] inline bool code_precedes(std::string_view left, std::string_view right) noexcept {
  return left.size() != right.size() ? left.size() < right.size() : left < right;
}

/// Type of `type` in this version: char was text of any length before 4.2.
[[nodiscard]] inline FieldType type_in(const Version& version, FieldType type) noexcept {
  const bool is_old = !version.is_transport && version.major == 4 && version.minor < 2;
  return is_old && type == FieldType::Char ? FieldType::String : type;
}

/// Sorts `parts` and adapts the indices of members; Dictionary's constructor documents the
/// assertions.
[[nodiscard]] Parts arrange(Parts parts);

}  // namespace affix::inline v0::dictionary
