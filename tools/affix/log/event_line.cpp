// SPDX-License-Identifier: MIT
// Parses an event's line from the word that marks it.
#include "log/event_line.hpp"

#include "affix/journal/format.hpp"
#include "affix/journal/record.hpp"

#include "log/line_text.hpp"
#include "log/record_text.hpp"

#include <array>
#include <charconv>
#include <cstdint>

namespace affix::inline v0::tools::log {

namespace {

constexpr std::string_view mark = " EVT ";

std::optional<std::uint64_t> take_number(std::string_view& text, char end) noexcept {
  std::uint64_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc() || stop == last || *stop != end) {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()) + 1);
  return number;
}

std::optional<std::string_view> take_name(std::string_view& text) noexcept {
  using affix::journal::EventType;
  static constexpr std::array types{EventType::NumbersSet, EventType::Reset, EventType::TradingDay,
                                    EventType::Remark, EventType::Epoch};
  for (const EventType type : types) {
    const std::string_view known = affix::journal::to_text(type);
    if (text.starts_with(known) && (text.size() == known.size() || text[known.size()] == ' ')) {
      text.remove_prefix(known.size());
      return known;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Entry> read_event_line(std::string_view line) noexcept {
  const std::size_t at = line.find(mark);
  // A session's name, a space and the time precede it.
  if (at == std::string_view::npos || at < time_width + 2 || line[at - time_width - 1] != ' ') {
    return std::nullopt;
  }
  const TimeRead time = read_time(line.substr(at - time_width, time_width));
  Entry entry;
  entry.kind = EntryKind::Event;
  entry.utc_ns = time.utc_ns;
  entry.session = line.substr(0, at - time_width - 1);
  entry.bytes = line.substr(at + mark.size());
  const auto next_outgoing = take_number(entry.bytes, '/');
  const auto next_expected = take_number(entry.bytes, ' ');
  const auto name = take_name(entry.bytes);
  if (time.size != time_width || !next_outgoing || !next_expected || !name) {
    return std::nullopt;
  }
  entry.sequence = *next_outgoing;
  entry.number_after = *next_expected;
  entry.event = *name;
  entry.bytes.remove_prefix(entry.bytes.empty() ? 0 : 1);
  return entry;
}

}  // namespace affix::inline v0::tools::log
