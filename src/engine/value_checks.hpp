// SPDX-License-Identifier: MIT
// Whether each value of a group's settings is one that its key allows, whoever wrote it there.
#pragma once

#include "affix/base/choice.hpp"

#include "engine/findings.hpp"
#include "engine/key_tables.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace affix::inline v0::engine {

/// What a text must not hold: it ends a line of a file or a field of a message.
[[nodiscard]] bool is_control(char c) noexcept;

/// "is not a number from 0 to 9, or one with a unit: s, m".
[[nodiscard]] std::string range_text(std::string_view key, std::int64_t minimum,
                                     std::int64_t maximum);

/// "is not one of A|B".
[[nodiscard]] std::string choice_text(std::string_view words);

/// Finds every value that no file could say. A value out of its range that is the key's own default
/// counts as not given: whether the group needs one is for other checks.
template <typename Settings>
void check_values(const Settings& settings, const Settings& standard, Findings& findings) {
  for_each_table<Settings>([&](const auto& table) {
    for (const auto& key : table) {
      using Base = typename std::decay_t<decltype(key)>::GroupType;
      if (const auto* number = std::get_if<std::int64_t Base::*>(&key.member)) {
        const std::int64_t value = settings.*(*number);
        if ((value < key.minimum || value > key.maximum) && value != standard.*(*number)) {
          findings.wrong(key.name, "'" + std::to_string(value) + "' " +
                                       range_text(key.name, key.minimum, key.maximum));
        }
      } else if (const auto* text = std::get_if<std::string Base::*>(&key.member)) {
        const std::string& value = settings.*(*text);
        bool has_control = false;
        for (const char c : value) {
          has_control = has_control || is_control(c);
        }
        if (has_control) {
          // Not shown: it may be a secret, and would garble the report.
          findings.wrong(key.name, "it holds a control character");
        } else if (!key.allowed.empty() && !base::is_choice(key.allowed, value) &&
                   value != standard.*(*text)) {
          findings.wrong(key.name, "'" + value + "' " + choice_text(key.allowed));
        }
      }
    }
  });
}

}  // namespace affix::inline v0::engine
