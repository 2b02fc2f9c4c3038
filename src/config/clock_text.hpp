// SPDX-License-Identifier: MIT
// Times of day in configuration values.
#pragma once

#include "affix/wire/convert.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace affix::inline v0::config {

/// Nanoseconds from midnight for HH:MM or HH:MM:SS; nullopt for any other text.
[[nodiscard]] inline std::optional<std::int64_t> ns_of_day(std::string_view text) {
  const bool short_form = text.size() == 5;
  if (!short_form && text.size() != 8) {
    return std::nullopt;
  }
  const auto time = wire::parse_time_of_day(std::string(text) + (short_form ? ":00" : ""));
  return time ? std::optional(time->ns) : std::nullopt;
}

}  // namespace affix::inline v0::config
