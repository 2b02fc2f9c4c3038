// SPDX-License-Identifier: MIT
// Builds and parses messages, slowly and independently of the codec under test.

#include "affix/testing/message_text.hpp"

#include <cstdio>

namespace affix::inline v0::testing {

namespace {

constexpr char soh = '\x01';

/// Offset of the value of the first field with `tag`, or npos.
std::size_t value_offset(std::string_view message, std::uint32_t tag) {
  const std::string text = std::to_string(tag) + "=";
  if (message.starts_with(text)) {
    return text.size();
  }
  const std::size_t found = message.find(soh + text);
  return found == std::string_view::npos ? found : found + 1 + text.size();
}

}  // namespace

std::string make_message(std::string_view fields) {
  std::string text(fields);
  for (char& character : text) {
    character = character == '|' ? soh : character;
  }
  if (text.back() != soh) {
    text += soh;
  }
  const std::size_t body = text.find(soh) + 1;
  text.insert(body, "9=" + std::to_string(text.size() - body) + soh);
  std::uint32_t sum = 0;
  for (const char character : text) {
    sum += static_cast<unsigned char>(character);
  }
  std::string digits = std::to_string(sum % 256);
  digits.insert(0, 3 - digits.size(), '0');
  return text + "10=" + digits + soh;
}

std::string readable(std::string_view bytes) {
  std::string text(bytes);
  for (char& character : text) {
    character = character == soh ? '|' : character;
  }
  return text;
}

std::string_view field_of(std::string_view message, std::uint32_t tag) {
  const std::size_t begin = value_offset(message, tag);
  return begin == std::string_view::npos ? std::string_view()
                                         : message.substr(begin, message.find(soh, begin) - begin);
}

bool has_field(std::string_view message, std::uint32_t tag) {
  return value_offset(message, tag) != std::string_view::npos;
}

std::string_view first_message(std::string_view bytes) {
  const std::size_t trailer = bytes.find(
      "\x01"
      "10=");
  const std::size_t last =
      trailer == std::string_view::npos ? trailer : bytes.find(soh, trailer + 1);
  return bytes.substr(0, last == std::string_view::npos ? last : last + 1);
}

std::vector<std::string> split_messages(std::string_view bytes) {
  std::vector<std::string> messages;
  while (!bytes.empty()) {
    messages.emplace_back(first_message(bytes));
    bytes.remove_prefix(messages.back().size());
  }
  return messages;
}

std::string time_text(std::int64_t utc_ns) {
  const std::int64_t days = utc_ns / base::ns_per_day;
  const std::int64_t millis = utc_ns % base::ns_per_day / base::ns_per_ms;
  const base::CivilDate date = base::civil_from_days(days);
  char text[64];
  std::snprintf(text, sizeof text, "%04d%02d%02d-%02d:%02d:%02d.%03d", date.year, date.month,
                date.day, static_cast<int>(millis / 3'600'000),
                static_cast<int>(millis / 60'000 % 60), static_cast<int>(millis / 1'000 % 60),
                static_cast<int>(millis % 1'000));
  return text;
}

}  // namespace affix::inline v0::testing
