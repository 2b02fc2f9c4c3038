// SPDX-License-Identifier: MIT
// Formats one record as one line.
#include "service/log_lines.hpp"

#include "affix/base/time.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <ctime>

namespace affix::inline v0::service {

namespace {

using Severity = host::Event::Severity;

std::string stamp_of(std::int64_t utc_ns, const char* form, const char* end) {
  const std::time_t seconds = utc_ns / base::ns_per_second;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> day;
  const std::size_t size = std::strftime(day.data(), day.size(), form, &parts);
  std::array<char, 16> rest;
  const int rest_size =
      std::snprintf(rest.data(), rest.size(), ".%06d%s",
                    static_cast<int>(utc_ns % base::ns_per_second / base::ns_per_us), end);
  return std::string(day.data(), size) +
         std::string(rest.data(), static_cast<std::size_t>(rest_size));
}

void append_printable(std::string& line, std::string_view text) {
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (character == '\n' || character == '\t') {
      line += ' ';
    } else {
      line += byte < 0x20 || byte == 0x7f ? '?' : character;
    }
  }
}

}  // namespace

const char* to_text(Severity severity) noexcept {
  switch (severity) {
    case Severity::Debug:
      return "DEBUG";
    case Severity::Info:
      return "INFO";
    case Severity::Warning:
      return "WARNING";
    case Severity::Error:
      return "ERROR";
  }
  return "";
}

Severity severity_of(std::string_view word) noexcept {
  if (word == "ERROR") {
    return Severity::Error;
  }
  if (word == "WARNING") {
    return Severity::Warning;
  }
  return word == "DEBUG" ? Severity::Debug : Severity::Info;
}

Severity severity_of(affix::config::LogLevel level) noexcept {
  switch (level) {
    case affix::config::LogLevel::Error:
      return Severity::Error;
    case affix::config::LogLevel::Warning:
      return Severity::Warning;
    case affix::config::LogLevel::Info:
      return Severity::Info;
    case affix::config::LogLevel::Debug:
      return Severity::Debug;
  }
  return Severity::Info;
}

std::string log_line(const LogRecord& record, LogForm form) {
  if (form == LogForm::Json) {
    nlohmann::ordered_json object;
    object["time"] = stamp_of(record.utc_ns, "%Y-%m-%dT%H:%M:%S", "Z");
    object["level"] = to_text(record.severity);
    if (record.code) {
      object["code"] = record.code.text();
    }
    if (!record.session.empty()) {
      object["session"] = record.session;
    }
    object["text"] = record.text;
    // Invalid UTF-8 is replaced: the line must be valid JSON whatever a counterparty has sent.
    return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  }
  std::string line = stamp_of(record.utc_ns, "%Y-%m-%d %H:%M:%S", " ");
  line += to_text(record.severity);
  constexpr std::size_t level_width = 8;
  const std::size_t begun = std::string_view(to_text(record.severity)).size();
  line.append(level_width - begun, ' ');
  line += record.code ? record.code.text() : "-   ";
  line += ' ';
  if (!record.session.empty()) {
    append_printable(line, record.session);
    line += ": ";
  }
  append_printable(line, record.text);
  line += '\n';
  return line;
}

}  // namespace affix::inline v0::service
