// SPDX-License-Identifier: MIT
// Time zones by cctz, if available; else UTC only.
#include "config/time_zone.hpp"

#ifdef AFFIX_TIME_ZONES
#include <algorithm>
#include <cctype>
#include <cctz/civil_time.h>
#include <cctz/time_zone.h>
#endif

namespace affix::inline v0::config {

#ifdef AFFIX_TIME_ZONES

namespace {

using Seconds = cctz::time_point<cctz::seconds>;

const cctz::civil_second civil_epoch(1970, 1, 1, 0, 0, 0);

/// cctz would also accept paths and its own notations as names.
bool is_name(const std::string& name) noexcept {
  return !name.empty() && name.front() != '/' && name.find("..") == std::string::npos &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' || c == '_' ||
                  c == '-' || c == '+';
         });
}

}  // namespace

struct TimeZone::Rules {
  cctz::time_zone zone;
};

std::expected<TimeZone, base::Error> TimeZone::find(const std::string& name) {
  TimeZone zone;
  if (name == "UTC") {
    return zone;
  }
  Rules rules;
  if (!is_name(name) || !cctz::load_time_zone(name, &rules.zone)) {
    return base::invalid_argument(
        "'" + name + "' is not a time zone that this system knows (Debian: package tzdata)",
        "C309");
  }
  zone.rules_ = std::make_shared<const Rules>(rules);
  return zone;
}

std::int64_t TimeZone::local_of(std::int64_t utc_s) const noexcept {
  if (rules_ == nullptr) {
    return utc_s;
  }
  return rules_->zone.lookup(Seconds(cctz::seconds(utc_s))).cs - civil_epoch;
}

std::int64_t TimeZone::utc_of(std::int64_t local_s) const noexcept {
  if (rules_ == nullptr) {
    return local_s;
  }
  const cctz::time_zone::civil_lookup found = rules_->zone.lookup(civil_epoch + local_s);
  const Seconds time =
      found.kind == cctz::time_zone::civil_lookup::SKIPPED ? found.trans : found.pre;
  return time.time_since_epoch().count();
}

#else

struct TimeZone::Rules {};

std::expected<TimeZone, base::Error> TimeZone::find(const std::string& name) {
  if (name != "UTC") {
    return base::invalid_argument(
        "'" + name + "': this build knows no time zone but UTC (Debian: libcctz-dev)", "C309");
  }
  return TimeZone();
}

std::int64_t TimeZone::local_of(std::int64_t utc_s) const noexcept {
  return utc_s;
}

std::int64_t TimeZone::utc_of(std::int64_t local_s) const noexcept {
  return local_s;
}

#endif

}  // namespace affix::inline v0::config
