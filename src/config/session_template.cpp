// SPDX-License-Identifier: MIT
// Patterns of ids.
#include "config/session_template.hpp"

#include "config/identity.hpp"

#include <algorithm>
#include <cstdint>

namespace affix::inline v0::config {

namespace {

/// The members that SessionIds::ids stands for, and their tags in the peer's messages: its target
/// is our sender.
constexpr std::array<std::string SessionSettings::*, SessionIds::count> members{
    &SessionSettings::sender_comp_id,     &SessionSettings::target_comp_id,
    &SessionSettings::sender_sub_id,      &SessionSettings::target_sub_id,
    &SessionSettings::sender_location_id, &SessionSettings::target_location_id};
constexpr std::array<std::uint32_t, SessionIds::count> tags{56, 49, 57, 50, 143, 142};

bool is_open(std::string_view pattern) noexcept {
  return pattern.find('*') != std::string_view::npos;
}

bool is_plain(std::string_view id) noexcept {
  return id.size() <= SessionIds::bytes_max &&
         std::all_of(id.begin(), id.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace

SessionIds ids_of(const SessionSettings& settings) {
  SessionIds result{.begin_string = settings.begin_string, .ids = {}};
  for (std::size_t number = 0; number < SessionIds::count; ++number) {
    result.ids[number] = settings.*members[number];
  }
  return result;
}

bool matches_pattern(std::string_view pattern, std::string_view text) noexcept {
  // Position to resume at when the text after the last `*` does not match: `*` takes one more.
  std::size_t star = std::string_view::npos;
  std::size_t star_text = 0;
  std::size_t at = 0;
  std::size_t in = 0;
  while (at < text.size()) {
    if (in < pattern.size() && pattern[in] == '*') {
      star = in++;
      star_text = ++at;
    } else if (in < pattern.size() && pattern[in] == text[at]) {
      ++in;
      ++at;
    } else if (star != std::string_view::npos) {
      in = star + 1;
      at = ++star_text;
    } else {
      return false;
    }
  }
  return in == pattern.size();
}

std::optional<SessionIds> ids_for(const SessionIds& patterns, const wire::MessageView& logon) {
  if (logon.find(8U) != patterns.begin_string) {
    return std::nullopt;
  }
  SessionIds result{.begin_string = patterns.begin_string, .ids = {}};
  for (std::size_t number = 0; number < SessionIds::count; ++number) {
    const std::string& pattern = patterns.ids[number];
    if (pattern.empty()) {
      continue;
    }
    const std::string_view id = logon.find(tags[number]).value_or(std::string_view());
    if (!is_plain(id) || !matches_pattern(pattern, id)) {
      return std::nullopt;
    }
    result.ids[number] = id;
  }
  return result;
}

SessionSettings settings_for(const SessionSettings& made_from, const SessionIds& ids) {
  SessionSettings settings = made_from;
  settings.acceptor_template = false;
  for (std::size_t number = 0; number < SessionIds::count; ++number) {
    if (is_open(made_from.*members[number])) {
      settings.name += '/';
      append_plain(settings.name, ids.ids[number]);
    }
    settings.*members[number] = ids.ids[number];
  }
  return settings;
}

std::expected<void, base::Error> check_template(const SessionSettings& settings) {
  if (std::none_of(members.begin(), members.end(),
                   [&](const auto member) { return is_open(settings.*member); })) {
    return base::invalid_argument(
        "a template needs '*' in one of its ids at least, or it is a session", "C229");
  }
  if (settings.callback_thread >= 0) {
    return base::invalid_argument(
        "a template's sessions have their callbacks on their worker's thread: key "
        "'callback_thread' is for others",
        "C229");
  }
  return {};
}

}  // namespace affix::inline v0::config
