// SPDX-License-Identifier: MIT
// Checks that each value of a group's settings is allowed for its key, whatever its source.
#pragma once

#include "affix/base/choice.hpp"

#include "config/findings.hpp"
#include "config/key_tables.hpp"
#include "config/measured_number.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace affix::inline v0::config {

/// True for characters that a text must not contain: they end a line of a file or a message field.
[[nodiscard]] bool is_control(char c) noexcept;

/// "is not a number from 0 to 9, or one with a unit: s, m".
[[nodiscard]] std::string range_text(Measure measure, std::int64_t minimum, std::int64_t maximum);

/// "is not one of A|B".
[[nodiscard]] std::string choice_text(std::string_view words);

/// Finds every value that a file could not express. A value out of range that equals the key's
/// default counts as not given: other checks decide whether the group needs one.
template <typename Settings>
void check_values(const Settings& settings, const Settings& standard, Findings& findings) {
  for_each_table<Settings>([&](const auto& table) {
    for (const auto& key : table) {
      using Base = typename std::decay_t<decltype(key)>::GroupType;
      if (const auto* number = std::get_if<std::int64_t Base::*>(&key.member)) {
        const std::int64_t value = settings.*(*number);
        if ((value < key.minimum || value > key.maximum) && value != standard.*(*number)) {
          findings.wrong(key.name,
                         "'" + std::to_string(value) + "' " +
                             range_text(key.measure, key.minimum, key.maximum),
                         "C207");
        }
      } else if (const auto* choice = std::get_if<ChoiceAccess<Base>>(&key.member)) {
        if (choice->place(settings) == choice->words) {
          findings.wrong(key.name, "its value " + choice_text(key.allowed), "C206");
        }
      } else if (const auto* text = std::get_if<std::string Base::*>(&key.member)) {
        const std::string& value = settings.*(*text);
        bool has_control = false;
        for (const char c : value) {
          has_control = has_control || is_control(c);
        }
        if (has_control) {
          // Not shown: it may be a secret, and would garble the report.
          findings.wrong(key.name, "it holds a control character", "C105");
        } else if (!key.allowed.empty() && !base::is_choice(key.allowed, value) &&
                   value != standard.*(*text)) {
          findings.wrong(key.name, "'" + value + "' " + choice_text(key.allowed), "C206");
        }
      }
    }
  });
}

}  // namespace affix::inline v0::config
