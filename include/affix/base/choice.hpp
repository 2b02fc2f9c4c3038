// SPDX-License-Identifier: MIT
// Lists of words separated by `|`, as in the tables of configuration keys and command arguments.
#pragma once

#include "affix/base/text.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace affix::inline v0::base {

/// Place of `value` among `words` ("ON|OFF"), from 0, case-sensitively; nullopt: it is none of
/// them. No allocation.
[[nodiscard]] constexpr std::optional<std::size_t> place_of_choice(
    std::string_view words, std::string_view value) noexcept {
  for (std::size_t place = 0; !words.empty(); ++place) {
    if (take_part(words, '|') == value) {
      return place;
    }
  }
  return std::nullopt;
}

/// True if `value` is one of `words`.
[[nodiscard]] constexpr bool is_choice(std::string_view words, std::string_view value) noexcept {
  return place_of_choice(words, value).has_value();
}

/// The word at `place` of `words`; empty beyond the last. A view of `words`.
[[nodiscard]] constexpr std::string_view choice_at(std::string_view words,
                                                   std::size_t place) noexcept {
  for (; place != 0; --place) {
    static_cast<void>(take_part(words, '|'));
  }
  return words.substr(0, words.find('|'));
}

}  // namespace affix::inline v0::base
