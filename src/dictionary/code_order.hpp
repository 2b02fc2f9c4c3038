// SPDX-License-Identifier: MIT
// The order in which a dictionary has codes and message types, for sorting and searching.
#pragma once

#include <string_view>

namespace affix::inline v0::dictionary {

/// Order of codes and message types: shorter ones first, then byte by byte, so that "9" precedes
/// "10" and "Z" precedes "AA".
[[nodiscard]] inline bool code_precedes(std::string_view left, std::string_view right) noexcept {
  return left.size() != right.size() ? left.size() < right.size() : left < right;
}

}  // namespace affix::inline v0::dictionary
