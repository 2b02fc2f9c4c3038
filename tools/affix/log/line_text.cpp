// SPDX-License-Identifier: MIT
// Heuristics for log lines; each examines only the line.
#include "log/line_text.hpp"

#include "affix/base/text.hpp"
#include "affix/base/time.hpp"
#include "affix/wire/index.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace affix::inline v0::tools::log {

namespace {

constexpr std::size_t delimiter_bytes_max = 8;
constexpr std::size_t version_bytes_max = 24;
constexpr std::string_view begin_text = "8=FIX";

// True at digits followed by `=`: a tag begins here.
bool tag_begins(std::string_view text) noexcept {
  std::size_t at = 0;
  while (at < text.size() && at < 10 && base::is_digit(text[at])) {
    ++at;
  }
  return at > 0 && at < text.size() && text[at] == '=';
}

/// Reads exactly `digits` digits at `at`; -1 for other characters.
int number_at(std::string_view text, std::size_t at, std::size_t digits) noexcept {
  if (at + digits > text.size()) {
    return -1;
  }
  int value = 0;
  for (std::size_t digit = 0; digit < digits; ++digit) {
    if (!base::is_digit(text[at + digit])) {
      return -1;
    }
    value = value * 10 + (text[at + digit] - '0');
  }
  return value;
}

char char_at(std::string_view text, std::size_t at) noexcept {
  return at < text.size() ? text[at] : '\0';
}

struct DateRead {
  std::int64_t days = 0;
  std::size_t size = 0;
};

DateRead read_date(std::string_view text) noexcept {
  const char separator = char_at(text, 4);
  const bool separated = separator == '-' || separator == '/';
  const std::size_t month_at = separated ? 5 : 4;
  const std::size_t day_at = separated ? 8 : 6;
  const int year = number_at(text, 0, 4);
  const int month = number_at(text, month_at, 2);
  const int day = number_at(text, day_at, 2);
  if (year < 1970 || year > 2261 || month < 1 || month > 12 || day < 1 || day > 31 ||
      (separated && char_at(text, 7) != separator)) {
    return {};
  }
  return {base::days_from_civil(
              {year, static_cast<std::uint8_t>(month), static_cast<std::uint8_t>(day)}),
          day_at + 2};
}

/// Fraction of a second after a point or comma.
struct FractionRead {
  std::int64_t ns = 0;
  std::size_t size = 0;
};

FractionRead read_fraction(std::string_view text) noexcept {
  if (text.size() < 2 || (text[0] != '.' && text[0] != ',') || !base::is_digit(text[1])) {
    return {};
  }
  FractionRead read{0, 1};
  std::int64_t unit = base::ns_per_second / 10;
  while (read.size < text.size() && base::is_digit(text[read.size])) {
    read.ns += unit * (text[read.size] - '0');
    unit /= 10;
    ++read.size;
  }
  return read;
}

/// Offset to subtract for "+02:00", "-0500" or "Z" at the beginning of `text`.
TimeRead read_zone(std::string_view text) noexcept {
  const char sign = char_at(text, 0);
  if (sign == 'Z') {
    return {0, 1};
  }
  const std::size_t minutes_at = char_at(text, 3) == ':' ? 4 : 3;
  const int hours = number_at(text, 1, 2);
  const int minutes = number_at(text, minutes_at, 2);
  if ((sign != '+' && sign != '-') || hours < 0 || hours > 14 || minutes < 0 || minutes > 59) {
    return {};
  }
  const std::int64_t seconds = hours * 3600 + minutes * 60;
  return {(sign == '+' ? seconds : -seconds) * base::ns_per_second, minutes_at + 2};
}

Direction direction_of(std::string_view word) noexcept {
  if (word.size() > 10) {
    return Direction::Unknown;
  }
  const std::string text = base::lowered(word);
  static constexpr std::array<std::string_view, 11> in{
      "in", "incoming", "inbound", "received", "recv", "rcvd", "rx", "<-", "<--", "<<", "hld"};
  static constexpr std::array<std::string_view, 10> out{
      "out", "outgoing", "outbound", "sent", "send", "sending", "tx", "->", "-->", ">>"};
  if (std::find(in.begin(), in.end(), text) != in.end()) {
    return Direction::In;
  }
  return std::find(out.begin(), out.end(), text) != out.end() ? Direction::Out : Direction::Unknown;
}

bool part_of_word(char c) noexcept {
  return base::is_letter(c) || c == '-' || c == '<' || c == '>';
}

Direction read_direction(std::string_view prefix) noexcept {
  for (std::size_t at = 0; at < prefix.size();) {
    if (!part_of_word(prefix[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < prefix.size() && part_of_word(prefix[at])) {
      ++at;
    }
    // A name such as "IN-DEALER1", or a part of one, is not a direction.
    const bool stands_alone =
        (begin == 0 || std::strchr(" \t,;:[(|", prefix[begin - 1]) != nullptr) &&
        (at == prefix.size() || std::strchr(" \t,;:])|=", prefix[at]) != nullptr);
    std::string_view word = prefix.substr(begin, at - begin);
    if (word.size() > 3 && word.back() == '>' && base::is_letter(word[word.size() - 2])) {
      word.remove_suffix(1);  // QuickFIX: "<time, session, incoming>".
    }
    const Direction direction = stands_alone ? direction_of(word) : Direction::Unknown;
    if (direction != Direction::Unknown) {
      return direction;
    }
  }
  return Direction::Unknown;
}

}  // namespace

std::optional<MessageStart> find_message(std::string_view text) noexcept {
  std::size_t from = 0;
  while (from < text.size()) {
    const void* const found =
        memmem(text.data() + from, text.size() - from, begin_text.data(), begin_text.size());
    if (found == nullptr) {
      return std::nullopt;
    }
    const auto begin = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    from = begin + begin_text.size();
    if (begin > 0 && (base::is_digit(text[begin - 1]) || base::is_letter(text[begin - 1]))) {
      continue;  // For example 58=FIX.
    }
    std::size_t at = from;
    const std::size_t version_end = std::min(text.size(), begin + version_bytes_max);
    while (at < version_end &&
           (base::is_digit(text[at]) || base::is_letter(text[at]) || text[at] == '.')) {
      ++at;
    }
    const std::string_view behind = text.substr(at, delimiter_bytes_max + 2);
    const std::size_t length_field = behind.find("9=");
    // A delimiter that contains `=` could match within a field's beginning.
    if (length_field != std::string_view::npos && length_field > 0 &&
        behind.substr(0, length_field).find('=') == std::string_view::npos) {
      return MessageStart{begin, behind.substr(0, length_field)};
    }
  }
  return std::nullopt;
}

std::size_t message_length(std::string_view text, std::string_view delimiter) noexcept {
  constexpr std::string_view checksum = "10=";
  constexpr std::size_t digits = 3;
  for (std::size_t at = text.size(); at > delimiter.size();) {
    // The last one counts, as a text field may quote a message.
    const std::size_t found = text.rfind(checksum, at - 1);
    if (found == std::string_view::npos || found < delimiter.size()) {
      return text.size();
    }
    const std::size_t end = found + checksum.size() + digits;
    const bool is_field = text.substr(found - delimiter.size(), delimiter.size()) == delimiter &&
                          number_at(text, found + checksum.size(), digits) >= 0;
    if (is_field) {
      return text.substr(end, delimiter.size()) == delimiter ? end + delimiter.size() : end;
    }
    at = found;
  }
  return text.size();
}

void append_with_soh(std::string& to, std::string_view message, std::string_view delimiter) {
  while (!message.empty()) {
    const std::size_t found = message.find(delimiter);
    to += message.substr(0, found);
    if (found == std::string_view::npos) {
      break;
    }
    message.remove_prefix(found + delimiter.size());
    if (message.empty() || tag_begins(message)) {
      to += wire::soh;
    } else {
      to += delimiter;
    }
  }
  if (!to.empty() && to.back() != wire::soh) {
    to += wire::soh;
  }
}

TimeRead read_time(std::string_view text) noexcept {
  const DateRead date = read_date(text);
  const char between = char_at(text, date.size);
  if (date.size == 0 || (between != '-' && between != ' ' && between != 'T')) {
    return {};
  }
  std::size_t at = date.size + 1;
  const int hour = number_at(text, at, 2);
  const int minute = number_at(text, at + 3, 2);
  const int second = number_at(text, at + 6, 2);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60 ||
      char_at(text, at + 2) != ':' || char_at(text, at + 5) != ':') {
    return {};
  }
  at += 8;
  const FractionRead fraction = read_fraction(text.substr(at));
  at += fraction.size;
  const TimeRead zone = read_zone(text.substr(at));
  const std::int64_t seconds = hour * 3600 + minute * 60 + second;
  return {date.days * base::ns_per_day + seconds * base::ns_per_second + fraction.ns - zone.utc_ns,
          at + zone.size};
}

std::int64_t read_prefix_time(std::string_view prefix) noexcept {
  for (std::size_t at = 0; at < prefix.size(); ++at) {
    if (base::is_digit(prefix[at]) && (at == 0 || !base::is_digit(prefix[at - 1]))) {
      if (const TimeRead time = read_time(prefix.substr(at)); time.size != 0) {
        return time.utc_ns;
      }
    }
  }
  return 0;
}

LinePrefix read_prefix(std::string_view prefix) noexcept {
  return {read_prefix_time(prefix), read_direction(prefix)};
}

}  // namespace affix::inline v0::tools::log
