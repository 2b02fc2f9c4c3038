// SPDX-License-Identifier: MIT
// Reads the schedule from a session group's keys and its holidays file.
#pragma once

#include "affix/config/configuration.hpp"

#include "config/schedule.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::config {

/// A fault, and the key that it concerns; `where` is a place in another file, or empty.
struct ScheduleFault {
  std::string_view key;  ///< Static text.
  std::string message;
  std::string where;
  base::MessageCode code = {};
};

/// Nullopt: the session always runs. Reads the time zone and the holidays file, or nothing when no
/// key asks for them. The error holds every fault found, never empty.
[[nodiscard]] std::expected<std::optional<Schedule>, std::vector<ScheduleFault>> schedule_of(
    const SessionSettings& settings);

/// Faults in the texts of schedule keys, each by itself: used when the hours are wrong as well, so
/// that no schedule can be made.
[[nodiscard]] std::vector<ScheduleFault> schedule_text_faults(const SessionSettings& settings);

/// Windows of a list such as `MON-FRI 08:00-17:30, SUN 17:00-FRI 17:00`. An error names the piece
/// that is no window, or overlaps another.
[[nodiscard]] std::expected<std::vector<WeeklyWindow>, base::Error> parse_windows(
    std::string_view text);

/// The dates of a holidays file; `path` names it in faults.
[[nodiscard]] std::vector<DayRange> parse_holidays(std::string_view text, const std::string& path,
                                                   std::vector<ScheduleFault>& faults);

}  // namespace affix::inline v0::config
