// SPDX-License-Identifier: MIT
// The words of the reference about each key.
#pragma once

#include <string_view>

namespace affix::inline v0::engine {

struct KeyMeaning {
  std::string_view name;
  std::string_view form;     ///< How a text is written that is not just any; empty: it is.
  std::string_view meaning;  ///< Without a full stop, Markdown in it.
};

/// Null: there is no such key.
[[nodiscard]] const KeyMeaning* meaning_of_key(std::string_view name) noexcept;

}  // namespace affix::inline v0::engine
