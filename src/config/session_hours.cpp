// SPDX-License-Identifier: MIT
// A session's schedule and position in it, behind an interface without engine types.
#include "affix/config/session_hours.hpp"

#include "affix/base/time.hpp"

#include "config/identity.hpp"
#include "config/schedule_text.hpp"

#include <utility>

namespace affix::inline v0::config {

struct SessionHours::Windows {
  Schedule schedule;
};

std::expected<SessionHours, Problems> SessionHours::of(const SessionSettings& settings) {
  auto schedule = schedule_of(settings);
  if (!schedule) {
    Problems problems;
    for (const ScheduleFault& fault : schedule.error()) {
      problems.push_back(
          {base::ErrorCode::InvalidArgument, std::string(fault.key) + ": " + fault.message,
           fault.where.empty() ? "[" + settings.name + "]" : fault.where, fault.code});
    }
    return std::unexpected(std::move(problems));
  }
  SessionHours hours;
  if (*schedule) {
    hours.windows_ = std::make_shared<const Windows>(Windows{std::move(**schedule)});
  }
  return hours;
}

bool SessionHours::open(std::int64_t utc_ns) const noexcept {
  return windows_ == nullptr || windows_->schedule.at(utc_ns).open;
}

namespace {

/// End of the window that is open at `utc_ns`: logon windows divide it into moments.
std::int64_t end_of_window(const Schedule& schedule, std::int64_t utc_ns) noexcept {
  constexpr int moments_max = 10'000;
  const ScheduleMoment first = schedule.at(utc_ns);
  std::int64_t end_ns = first.until_utc_ns;
  for (int count = 0; count < moments_max; ++count) {
    const ScheduleMoment next = schedule.at(end_ns);
    if (!next.open || next.started_utc_ns != first.started_utc_ns) {
      return end_ns;
    }
    end_ns = next.until_utc_ns;
  }
  return 0;
}

}  // namespace

SessionHours::Outlook SessionHours::outlook(std::int64_t utc_ns) const noexcept {
  Outlook outlook{.open = open(utc_ns)};
  if (windows_ == nullptr) {
    return outlook;
  }
  const Schedule& schedule = windows_->schedule;
  if (outlook.open) {
    outlook.closes_utc_ns = end_of_window(schedule, utc_ns);
  }
  const std::int64_t from_ns = outlook.open ? outlook.closes_utc_ns : utc_ns;
  const ScheduleMoment next = schedule.at(from_ns);
  const std::int64_t opens_ns = next.open ? from_ns : next.until_utc_ns;
  if (schedule.at(opens_ns).open) {  // Else it is the end of the searched year.
    outlook.opens_utc_ns = opens_ns;
    if (!outlook.open) {
      outlook.closes_utc_ns = end_of_window(schedule, opens_ns);
    }
  }
  return outlook;
}

std::int64_t SessionHours::local_ns(std::int64_t utc_ns) const noexcept {
  if (windows_ == nullptr) {
    return utc_ns;
  }
  const std::int64_t utc_s = utc_ns / base::ns_per_second;
  return windows_->schedule.zone().local_of(utc_s) * base::ns_per_second +
         utc_ns % base::ns_per_second;
}

std::string journal_directory_of(const SessionSettings& settings) {
  return settings.durability == journal::Durability::Memory
             ? std::string()
             : settings.journal_path + "/" + directory_name(settings);
}

}  // namespace affix::inline v0::config
