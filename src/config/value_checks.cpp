// SPDX-License-Identifier: MIT
// Texts about values that are not allowed.
#include "config/value_checks.hpp"

namespace affix::inline v0::config {

bool is_control(char c) noexcept {
  return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '\x7f';
}

std::string range_text(Measure measure, std::int64_t minimum, std::int64_t maximum) {
  const std::string units(units_of(measure));
  return "is not a number from " + std::to_string(minimum) + " to " + std::to_string(maximum) +
         (units.empty() ? "" : ", or one with a unit: " + units);
}

std::string choice_text(std::string_view words) {
  return "is not one of " + std::string(words);
}

}  // namespace affix::inline v0::config
