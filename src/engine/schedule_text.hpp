// SPDX-License-Identifier: MIT
// The schedule that a session group's keys and its holidays file describe.
#pragma once

#include "affix/engine/configuration.hpp"

#include "engine/schedule.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::engine {

/// One thing that is wrong, and the key it is about; `where` is a place in another file, or empty.
struct ScheduleFault {
  std::string_view key;  ///< Static text.
  std::string message;
  std::string where;
};

/// Nothing: the session always runs. Reads the time zone and the holidays file, and nothing when no
/// key asks for it. The error is every fault found, never empty.
[[nodiscard]] std::expected<std::optional<Schedule>, std::vector<ScheduleFault>> schedule_of(
    const SessionSettings& settings);

/// What is wrong with the texts of schedule keys, each by itself: for when the hours beside them
/// are wrong, so that there is no schedule to be made.
[[nodiscard]] std::vector<ScheduleFault> schedule_text_faults(const SessionSettings& settings);

/// The windows of a list such as `MON-FRI 08:00-17:30, SUN 17:00-FRI 17:00`. An error says which
/// piece is none, or overlaps another.
[[nodiscard]] std::expected<std::vector<WeeklyWindow>, std::string> parse_windows(
    std::string_view text);

/// The dates of a holidays file; `path` names it in faults.
[[nodiscard]] std::vector<DayRange> parse_holidays(std::string_view text, const std::string& path,
                                                   std::vector<ScheduleFault>& faults);

}  // namespace affix::inline v0::engine
