// SPDX-License-Identifier: MIT
// One line per event, with the time it was written.
#include "process/event_log.hpp"

#include "affix/net/clock.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

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

std::expected<void, base::Error> EventLog::reopen() {
  if (!is_file()) {
    return {};
  }
  const int fresh = ::open(place_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (fresh < 0) {
    return std::unexpected(base::make_system_error("open", errno, place_));
  }
  // The descriptor changes under the stream in one step, so no other thread sees it closed.
  const bool changed = ::dup3(fresh, ::fileno(file_.get()), O_CLOEXEC) >= 0;
  const int error = errno;
  ::close(fresh);
  if (!changed) {
    return std::unexpected(base::make_system_error("dup3", error, place_));
  }
  return {};
}

void EventLog::set_level(std::string_view level) noexcept {
  // An object that can be moved has no atomic members; its writers are there only after its moves.
  std::atomic_ref(least_).store(severity_of(level), std::memory_order_relaxed);
}

std::string_view EventLog::level() const noexcept {
  return to_text(std::atomic_ref(least_).load(std::memory_order_relaxed));
}

std::expected<void, base::Error> EventLog::change(const engine::EngineSettings& settings) {
  set_level(settings.log_level);
  if (!is_file() || settings.log_file == place_) {
    return {};
  }
  const auto exchange_place = [this](std::string place) {
    const std::lock_guard guard(*place_mutex_);
    return std::exchange(place_, std::move(place));
  };
  std::string before = exchange_place(settings.log_file);
  auto opened = reopen();
  if (!opened) {
    exchange_place(std::move(before));
  }
  return opened;
}

void EventLog::write(Severity severity, std::string_view session, std::string_view text) {
  if (severity < std::atomic_ref(least_).load(std::memory_order_relaxed)) {
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
