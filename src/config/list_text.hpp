// SPDX-License-Identifier: MIT
// Lists in configuration values: pieces between commas, blanks around them ignored; and faults in
// values' texts.
#pragma once

#include "affix/base/error.hpp"
#include "affix/base/text.hpp"

#include <string>
#include <string_view>

namespace affix::inline v0::config {

/// Takes the first piece off a list that is not empty.
[[nodiscard]] constexpr std::string_view take_piece(std::string_view& list) noexcept {
  return base::trimmed(base::take_part(list, ','));
}

/// The fault of a key's text, with the key in its message, at the group "[NAME]".
[[nodiscard]] inline base::Error fault_of_key(std::string_view key, const std::string& group,
                                              const base::Error& fault) {
  return {fault.code, "key '" + std::string(key) + "': " + fault.message, "[" + group + "]",
          fault.message_code};
}

}  // namespace affix::inline v0::config
