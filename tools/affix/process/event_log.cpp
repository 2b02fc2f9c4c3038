// SPDX-License-Identifier: MIT
// One line per event, with the time it was written.
#include "process/event_log.hpp"

#include "affix/net/clock.hpp"

#include <array>
#include <cerrno>
#include <ctime>

namespace affix::inline v0::tools {

namespace {

EventLog::Severity severity_of(std::string_view word) noexcept {
  using Severity = EventLog::Severity;
  if (word == "ERROR") {
    return Severity::Error;
  }
  if (word == "WARNING") {
    return Severity::Warning;
  }
  return word == "DEBUG" ? Severity::Debug : Severity::Info;
}

const char* to_text(EventLog::Severity severity) noexcept {
  switch (severity) {
    case EventLog::Severity::Debug:
      return "DEBUG";
    case EventLog::Severity::Info:
      return "INFO";
    case EventLog::Severity::Warning:
      return "WARNING";
    case EventLog::Severity::Error:
      return "ERROR";
  }
  return "";
}

}  // namespace

std::expected<EventLog, base::Error> EventLog::open(const engine::EngineSettings& settings) {
  const Severity least = severity_of(settings.log_level);
  if (settings.log_file.empty()) {
    return EventLog(stderr, least, "standard error");
  }
  std::FILE* const file = std::fopen(settings.log_file.c_str(), "ae");
  if (file == nullptr) {
    return std::unexpected(base::make_system_error("fopen", errno, settings.log_file));
  }
  return EventLog(file, least, settings.log_file);
}

void EventLog::write(Severity severity, std::string_view session, std::string_view text) {
  if (severity < least_) {
    return;
  }
  const std::int64_t now_ns = net::read_clock_ns(CLOCK_REALTIME);
  const std::time_t seconds = now_ns / base::ns_per_second;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> stamp;
  const std::size_t size = std::strftime(stamp.data(), stamp.size(), "%Y-%m-%d %H:%M:%S", &parts);
  std::fprintf(file_.get(), "%.*s.%06d %-7s %.*s%s%.*s\n", static_cast<int>(size), stamp.data(),
               static_cast<int>(now_ns % base::ns_per_second / 1'000), to_text(severity),
               static_cast<int>(session.size()), session.data(), session.empty() ? "" : ": ",
               static_cast<int>(text.size()), text.data());
  std::fflush(file_.get());
}

}  // namespace affix::inline v0::tools
