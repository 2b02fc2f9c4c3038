// SPDX-License-Identifier: MIT
// A session's schedule and place behind an interface that needs nothing of the engine.
#include "affix/engine/session_hours.hpp"

#include "engine/identity.hpp"
#include "engine/schedule_text.hpp"

#include <utility>

namespace affix::inline v0::engine {

struct SessionHours::Windows {
  Schedule schedule;
};

std::expected<SessionHours, Problems> SessionHours::of(const SessionSettings& settings) {
  auto schedule = schedule_of(settings);
  if (!schedule) {
    Problems problems;
    for (const ScheduleFault& fault : schedule.error()) {
      problems.push_back({base::ErrorCode::InvalidArgument,
                          std::string(fault.key) + ": " + fault.message,
                          fault.where.empty() ? "[" + settings.name + "]" : fault.where});
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

std::string journal_directory_of(const SessionSettings& settings) {
  return settings.durability == "memory" ? std::string()
                                         : settings.journal_path + "/" + directory_name(settings);
}

}  // namespace affix::inline v0::engine
