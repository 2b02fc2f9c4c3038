// SPDX-License-Identifier: MIT
// Formats entries and messages.
#include "log/record_text.hpp"

#include "affix/base/time.hpp"
#include "affix/wire/index.hpp"

#include <array>
#include <cstdio>
#include <utility>

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

std::string duration_text(std::int64_t ns) {
  static constexpr std::array<std::pair<std::int64_t, const char*>, 3> units{
      {{base::ns_per_second, "s"}, {base::ns_per_ms, "ms"}, {base::ns_per_us, "us"}}};
  for (const auto& [unit, name] : units) {
    if (ns >= unit || -ns >= unit) {
      std::array<char, 48> text;
      std::snprintf(text.data(), text.size(), "%.3f %s",
                    static_cast<double>(ns) / static_cast<double>(unit), name);
      return text.data();
    }
  }
  return std::to_string(ns) + " ns";
}

std::string_view direction_text(const Entry& entry) noexcept {
  switch (entry.kind) {
    case EntryKind::Held:
      return "HLD";
    case EntryKind::Resent:
      return "RES";
    case EntryKind::Event:
      return "EVT";
    case EntryKind::Message:
      break;
  }
  return entry.direction == Direction::Out  ? "OUT"
         : entry.direction == Direction::In ? "IN "
                                            : "---";
}

std::string tail_text(const Entry& entry) {
  std::string text;
  if (entry.kind == EntryKind::Resent) {
    text = " to " + std::to_string(entry.number_after);
  } else if (entry.kind == EntryKind::Event) {
    text = '/' + std::to_string(entry.number_after) + ' ' + std::string(entry.event);
  }
  if (entry.queued) {
    text += " queued";
  }
  if (entry.unprocessed) {
    text += " unprocessed";
  }
  return text;
}

std::string readable(std::string_view bytes) {
  std::string line;
  line.reserve(bytes.size());
  append_readable(line, bytes);
  return line;
}

std::string field_lines(const wire::MessageView& message, const MessageNames& names) {
  // Most names fit; a longer one shifts only its own line.
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
