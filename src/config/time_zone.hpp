// SPDX-License-Identifier: MIT
// A named time zone: converts between UTC and a local wall clock, daylight saving included. The
// rules are the system's (tzdata); they are read once, when the zone is found.
#pragma once

#include "affix/base/error.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <string>

namespace affix::inline v0::config {

/// A value; copies share the rules, which never change. Any thread.
///
/// A local time is the seconds that a clock on the wall shows, counted from 1970-01-01 00:00 as if
/// it showed UTC.
class TimeZone {
 public:
  /// UTC.
  TimeZone() noexcept = default;

  /// Finds a zone by its name in the tz database, `America/New_York`; `UTC` needs no database.
  /// Reads files. An error gives the reason.
  [[nodiscard]] static std::expected<TimeZone, base::Error> find(const std::string& name);

  /// Local time at `utc_s`, seconds since the epoch.
  [[nodiscard]] std::int64_t local_of(std::int64_t utc_s) const noexcept;

  /// The first UTC time at which the clock shows `local_s` or a later time: of a time that occurs
  /// twice the first, of one that never occurs the moment when the clock is set forward over it. A
  /// later local time never maps to an earlier UTC time.
  [[nodiscard]] std::int64_t utc_of(std::int64_t local_s) const noexcept;

 private:
  struct Rules;

  std::shared_ptr<const Rules> rules_;  // Null: UTC.
};

}  // namespace affix::inline v0::config
