// SPDX-License-Identifier: MIT
// Converts times and days to windows. QuickFIX resets numbers with every window.
#include "affix/base/text.hpp"

#include "import_quickfix/subjects.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace affix::inline v0::tools::import_quickfix {

namespace {

struct Day {
  std::string_view name;  // In lower case.
  std::string_view ours;
};

constexpr std::array days{Day{"monday", "MON"},   Day{"tuesday", "TUE"}, Day{"wednesday", "WED"},
                          Day{"thursday", "THU"}, Day{"friday", "FRI"},  Day{"saturday", "SAT"},
                          Day{"sunday", "SUN"}};

/// Two letters of the English name suffice.
std::string_view day_of(std::string_view text) {
  const std::string word = base::lowered(base::trimmed(text));
  for (const Day& day : days) {
    if (word.size() >= 2 && day.name.starts_with(word)) {
      return day.ours;
    }
  }
  return {};
}

struct TimeText {
  std::string time;  // HH:MM:SS.
  std::string zone;  // Empty: none is given.
};

/// `HH:MM:SS`, and with QuickFIX/J a zone after it.
std::optional<TimeText> time_of(std::string_view text) {
  constexpr std::string_view form = "00:00:00";
  if (text.size() < form.size()) {
    return std::nullopt;
  }
  const std::string_view time = text.substr(0, form.size());
  for (std::size_t at = 0; at < form.size(); ++at) {
    if (form[at] == ':' ? time[at] != ':' : !base::is_digit(time[at])) {
      return std::nullopt;
    }
  }
  if (time.substr(0, 2) > "23" || time.substr(3, 2) > "59" || time.substr(6, 2) > "59") {
    return std::nullopt;
  }
  const std::string_view zone = base::trimmed(text.substr(form.size()));
  if (!zone.empty() &&
      (base::is_digit(zone.front()) || zone.front() == ':' || zone.front() == '.')) {
    return std::nullopt;
  }
  return TimeText{std::string(time), std::string(zone)};
}

/// One end of the window; reports problems.
struct End {
  const Setting* time_setting = nullptr;
  const Setting* day_setting = nullptr;
  TimeText time;
  std::string_view day;
};

std::optional<End> end_of(const SessionSource& source, const Setting* time, const Setting* day) {
  End end{time, day, {}, {}};
  const auto text = time_of(time->value);
  if (!text) {
    source.ledger().problem(*time, "not a time HH:MM:SS", "Q108");
    return std::nullopt;
  }
  end.time = *text;
  if (day != nullptr) {
    end.day = day_of(day->value);
    if (end.day.empty()) {
      source.ledger().problem(*day, "not the English name of a day", "Q108");
      return std::nullopt;
    }
  }
  return end;
}

std::string windows_of(const End& start, const End& end) {
  if (start.day.empty()) {
    return start.time.time + "-" + end.time.time;
  }
  return std::string(start.day) + " " + start.time.time + "-" + std::string(end.day) + " " +
         end.time.time;
}

/// One window for each of the days of a list; empty after a problem.
std::string weekday_windows(const SessionSource& source, const Setting& list, const End& start,
                            const End& end) {
  std::string windows;
  std::string_view rest = list.value;
  while (!rest.empty()) {
    const std::string_view day = day_of(base::take_part(rest, ','));
    if (day.empty() || windows.find(day) != std::string::npos) {
      source.ledger().problem(list, "not a list of English names of different days", "Q108");
      return {};
    }
    windows += windows.empty() ? "" : ",";
    windows += std::string(day) + " " + start.time.time + "-" + end.time.time;
  }
  return windows;
}

/// Empty after a problem.
std::string zone_of(const SessionSource& source, const TranslationOptions& options,
                    const End& start, const End& end) {
  const Setting* const named = source.find("TimeZone");
  const bool local = source.is_set("UseLocalTime");
  std::string zone = "UTC";
  if (named != nullptr) {
    zone = named->value;
  } else if (local) {
    const Setting& setting = *source.find("UseLocalTime");
    if (options.local_zone.empty()) {
      source.ledger().problem(setting, "say which zone that is: --time-zone NAME", "Q108");
      return {};
    }
    source.differs(setting);
    zone = options.local_zone;
  }
  std::string start_zone = start.time.zone.empty() ? zone : start.time.zone;
  const std::string end_zone = end.time.zone.empty() ? zone : end.time.zone;
  if (start_zone != end_zone) {
    source.ledger().problem(*end.time_setting,
                            "it is in another time zone than the start, and a schedule has one",
                            "Q108");
    return {};
  }
  return start_zone;
}

/// The first of two that exists: without LogonTime, StartTime applies.
const Setting* either(const Setting* first, const Setting* second) noexcept {
  return first != nullptr ? first : second;
}

/// QuickFIX's engines interpret this differently, so the note gives the interpretation used here.
void note_odd_windows(const SessionSource& source, const End& start, const End& end) {
  if (!start.day.empty() && start.day == end.day && start.time.time < end.time.time) {
    source.ledger().note(NoteKind::Differs, *start.day_setting,
                         "start and end are on one day: the window is that part of the day, as "
                         "with QuickFIX/J; QuickFIX takes the whole week but the rest of that day",
                         "Q106");
  } else if (start.day.empty() && start.time.time == end.time.time &&
             start.time.time != "00:00:00") {
    source.ledger().note(NoteKind::Differs, *start.time_setting,
                         "start and end are the same: numbers start over at that time, as with "
                         "QuickFIX/J; with QuickFIX at midnight",
                         "Q106");
  }
}

}  // namespace

void add_schedule(const SessionSource& source, const TranslationOptions& options,
                  OutputGroup& group) {
  const Setting* const start_time = source.find("StartTime");
  const Setting* const end_time = source.find("EndTime");
  const Setting* const start_day = source.find("StartDay");
  const Setting* const end_day = source.find("EndDay");
  const Setting* const weekdays = source.find("Weekdays");
  const Setting* const logon_time = source.find("LogonTime");
  const Setting* const logout_time = source.find("LogoutTime");
  const Setting* const logon_day = source.find("LogonDay");
  const Setting* const logout_day = source.find("LogoutDay");
  if (source.is_set("NonStopSession")) {
    return;
  }
  if (start_time == nullptr && end_time == nullptr) {
    source.ledger().warn(source.line(),
                         "StartTime and EndTime are missing: the session always runs", "Q106");
    return;
  }
  if (start_time == nullptr || end_time == nullptr) {
    source.ledger().problem(source.line(), "StartTime and EndTime go together", "Q108");
    return;
  }
  if ((start_day == nullptr) != (end_day == nullptr)) {
    source.ledger().problem(*either(start_day, end_day), "StartDay and EndDay go together", "Q108");
    return;
  }
  if (start_day != nullptr && weekdays != nullptr) {
    source.ledger().problem(*weekdays, "it does not go together with StartDay and EndDay", "Q108");
    return;
  }
  for (const Setting* const logon : {logon_time, logout_time, logon_day, logout_day}) {
    if (logon != nullptr) {
      source.differs(*logon);
    }
  }
  const Setting* const first_day = either(logon_day, start_day);
  const Setting* const last_day = either(logout_day, end_day);
  if ((first_day == nullptr) != (last_day == nullptr)) {
    source.ledger().problem(*either(first_day, last_day), "LogonDay and LogoutDay go together",
                            "Q108");
    return;
  }
  const auto start = end_of(source, either(logon_time, start_time), first_day);
  const auto end = end_of(source, either(logout_time, end_time), last_day);
  if (!start || !end) {
    return;
  }
  const std::string windows = weekdays != nullptr ? weekday_windows(source, *weekdays, *start, *end)
                                                  : windows_of(*start, *end);
  const std::string zone = zone_of(source, options, *start, *end);
  if (windows.empty() || zone.empty()) {
    return;
  }
  note_odd_windows(source, *start, *end);
  group.set("schedule_windows", windows);
  if (zone != "UTC") {
    group.set("schedule_time_zone", zone);
  }
  group.set("schedule_reset_at_start", true);
}

}  // namespace affix::inline v0::tools::import_quickfix
