// SPDX-License-Identifier: MIT
// Text of records and messages.
#include "log/record_text.hpp"

#include "affix/base/time.hpp"
#include "affix/wire/index.hpp"

#include <array>
#include <cstdio>

namespace affix::inline v0::tools::log {

namespace {

void append_readable(std::string& line, std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == wire::soh) {
      line += '|';
    } else if (byte < ' ' || byte == 0x7F) {
      line += "\\x";
      line += digits[byte >> 4];
      line += digits[byte & 15];
    } else {
      line += c;
    }
  }
}

}  // namespace

std::string time_text(std::int64_t utc_ns) {
  std::int64_t days = utc_ns / base::ns_per_day;
  std::int64_t rest = utc_ns % base::ns_per_day;
  if (rest < 0) {
    rest += base::ns_per_day;
    --days;
  }
  const base::CivilDate date = base::civil_from_days(days);
  const std::int64_t seconds = rest / base::ns_per_second;
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), "%04d-%02d-%02d %02d:%02d:%02d.%09d", date.year,
                date.month, date.day, static_cast<int>(seconds / 3600),
                static_cast<int>(seconds / 60 % 60), static_cast<int>(seconds % 60),
                static_cast<int>(rest % base::ns_per_second));
  return text.data();
}

std::string_view direction_text(journal::Kind kind) noexcept {
  switch (kind) {
    case journal::Kind::Sent:
      return "OUT";
    case journal::Kind::Received:
      return "IN ";
    case journal::Kind::Held:
      return "HLD";
    case journal::Kind::Resent:
      return "RES";
    case journal::Kind::Event:
      return "EVT";
  }
  return "???";
}

std::string message_line(std::string_view message) {
  std::string line;
  line.reserve(message.size());
  append_readable(line, message);
  return line;
}

std::string record_line(const journal::Record& record) {
  std::string line = time_text(record.utc_ns);
  line += ' ';
  line += direction_text(record.kind);
  line += ' ';
  line += std::to_string(record.sequence);
  if (record.kind == journal::Kind::Resent) {
    line += " to " + std::to_string(record.number_after);
  } else if (record.kind == journal::Kind::Event) {
    line += '/' + std::to_string(record.number_after) + ' ' + journal::to_text(record.event);
  }
  if (record.kind == journal::Kind::Received && !record.processed) {
    line += " unprocessed";
  }
  if (record.message_omitted) {
    line += " (message not kept)";
  } else if (!record.bytes.empty()) {
    line += ' ' + message_line(record.bytes);
  }
  return line;
}

std::string field_lines(const wire::MessageView& message, const MessageNames& names) {
  // Most names fit; a longer one pushes its own line aside, not every line.
  constexpr std::size_t name_width = 20;
  std::string lines;
  for (const wire::Field field : message) {
    std::array<char, 16> tag;
    std::snprintf(tag.data(), tag.size(), "%10u ", field.tag);
    lines += tag.data();
    const std::string_view name = names.field(field.tag);
    lines += name;
    lines.append(name.size() < name_width ? name_width - name.size() : 0, ' ');
    lines += " = ";
    append_readable(lines, field.value);
    if (const std::string_view value_name = names.value(field.tag, field.value);
        !value_name.empty()) {
      lines += "  (";
      lines += value_name;
      lines += ')';
    }
    lines += '\n';
  }
  return lines;
}

}  // namespace affix::inline v0::tools::log
