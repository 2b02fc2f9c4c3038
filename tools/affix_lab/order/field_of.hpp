// SPDX-License-Identifier: MIT
// Finds a field of one of our own messages by searching.
#pragma once

#include <string_view>

namespace affix::inline v0::tools {

/// Value of the first field with this mark, which is its `\x01TAG=`; empty if there is none. For
/// our own messages, which have no SOH within a value.
[[nodiscard]] inline std::string_view field_of(std::string_view message,
                                               std::string_view mark) noexcept {
  const std::size_t at = message.find(mark);
  if (at == std::string_view::npos) {
    return {};
  }
  const std::string_view rest = message.substr(at + mark.size());
  return rest.substr(0, rest.find('\x01'));
}

}  // namespace affix::inline v0::tools
