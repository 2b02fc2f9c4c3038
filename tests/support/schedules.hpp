// SPDX-License-Identifier: MIT
// Schedules made of a session's keys, and times to ask them about.
#pragma once

#include "affix/base/time.hpp"
#include "affix/config/configuration.hpp"

#include "config/schedule.hpp"
#include "config/schedule_text.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>

namespace affix::support {

/// Nanoseconds since the epoch of a time in UTC.
inline std::int64_t at_utc(base::CivilDate date, int hour, int minute, int second = 0) {
  return (base::days_from_civil(date) * 86'400 + hour * 3'600 + minute * 60 + second) *
         base::ns_per_second;
}

/// The schedule of settings, which must have one.
inline config::Schedule sound_schedule_of(const config::SessionSettings& settings) {
  auto schedule = config::schedule_of(settings);
  EXPECT_TRUE(schedule) << (schedule ? "" : schedule.error().front().message);
  EXPECT_TRUE(schedule && schedule->has_value());
  return schedule.value().value();
}

inline config::Schedule of_windows(const std::string& windows, const std::string& zone = "UTC",
                                   const std::string& logon_windows = "") {
  config::SessionSettings settings;
  settings.schedule_windows = windows;
  settings.schedule_time_zone = zone;
  settings.schedule_logon_windows = logon_windows;
  return sound_schedule_of(settings);
}

}  // namespace affix::support
