// SPDX-License-Identifier: MIT
// Turns keys, lists of windows and holidays files into a schedule; collects every fault.
#include "config/schedule_text.hpp"

#include "affix/base/time.hpp"
#include "affix/wire/convert.hpp"

#include "config/clock_text.hpp"
#include "config/list_text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

namespace affix::inline v0::config {

namespace {

constexpr std::array<std::string_view, 7> day_names{"MON", "TUE", "WED", "THU",
                                                    "FRI", "SAT", "SUN"};

constexpr std::size_t holidays_bytes_max = std::size_t{1} << 20;

std::optional<std::int64_t> day_of(std::string_view name) noexcept {
  const auto found = std::find(day_names.begin(), day_names.end(), name);
  return found == day_names.end() ? std::nullopt
                                  : std::optional<std::int64_t>(found - day_names.begin());
}

/// `midnight_ends`: 24:00 is a time.
std::optional<std::int64_t> seconds_of(std::string_view text, bool midnight_ends) {
  if (midnight_ends && (text == "24:00" || text == "24:00:00")) {
    return day_s;
  }
  const auto ns = ns_of_day(text);
  return ns && *ns < base::ns_per_day ? std::optional(*ns / base::ns_per_second) : std::nullopt;
}

/// From one time of the week to the next occurrence of the other.
WeeklyWindow window_between(std::int64_t start_s, std::int64_t end_s, std::int64_t cycle_s) {
  return {start_s, end_s > start_s ? end_s : end_s + cycle_s};
}

/// Words separated by one blank, and none around a dash.
std::string tidied(std::string_view piece) {
  std::string tidy;
  for (const char c : piece) {
    const bool blank = c == ' ' || c == '\t';
    if (blank && (tidy.empty() || tidy.back() == ' ' || tidy.back() == '-')) {
      continue;
    }
    if (c == '-' && !tidy.empty() && tidy.back() == ' ') {
      tidy.pop_back();
    }
    tidy += blank ? ' ' : c;
  }
  return tidy;
}

/// Both sides of the only `mark`, or nullopt.
std::optional<std::pair<std::string_view, std::string_view>> halves(std::string_view text,
                                                                    std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos || text.find(mark, at + mark.size()) != std::string_view::npos) {
    return std::nullopt;
  }
  return std::pair(text.substr(0, at), text.substr(at + mark.size()));
}

/// `SUN 17:00-FRI 17:00`: one window over several days.
std::optional<WeeklyWindow> long_window(std::string_view text) {
  const auto sides = halves(text, "-");
  if (!sides) {
    return std::nullopt;
  }
  const auto start = halves(sides->first, " ");
  const auto end = halves(sides->second, " ");
  if (!start || !end) {
    return std::nullopt;
  }
  const auto start_day = day_of(start->first);
  const auto end_day = day_of(end->first);
  const auto start_s = seconds_of(start->second, false);
  const auto end_s = seconds_of(end->second, true);
  if (!start_day || !end_day || !start_s || !end_s) {
    return std::nullopt;
  }
  return window_between(*start_day * day_s + *start_s, *end_day * day_s + *end_s, week_s);
}

/// `MON`, `MON-FRI` or empty, which means every day: the first day and the number of days.
std::optional<std::pair<std::int64_t, std::int64_t>> days_of(std::string_view text) {
  if (text.empty()) {
    return std::pair<std::int64_t, std::int64_t>(0, 7);
  }
  const auto sides = halves(text, "-");
  const auto first = day_of(sides ? sides->first : text);
  const auto last = day_of(sides ? sides->second : text);
  if (!first || !last) {
    return std::nullopt;
  }
  return std::pair(*first, (*last - *first + 7) % 7 + 1);
}

/// `MON-FRI 08:00-17:30`: one window on each of the days, into the next day when it ends earlier
/// than it starts.
bool add_daily_windows(std::string_view text, std::vector<WeeklyWindow>& windows) {
  const std::size_t blank = text.find(' ');
  const auto days = days_of(text.substr(0, blank == std::string_view::npos ? 0 : blank));
  const auto times = halves(blank == std::string_view::npos ? text : text.substr(blank + 1), "-");
  if (!days || !times) {
    return false;
  }
  const auto start_s = seconds_of(times->first, false);
  const auto end_s = seconds_of(times->second, true);
  if (!start_s || !end_s) {
    return false;
  }
  const WeeklyWindow first = window_between(*start_s, *end_s, day_s);
  for (std::int64_t number = 0; number < days->second; ++number) {
    const std::int64_t day = (days->first + number) % 7;
    windows.push_back({day * day_s + first.start_s, day * day_s + first.end_s});
  }
  return true;
}

/// `MON 08:00`.
std::string start_text(const WeeklyWindow& window) {
  const std::int64_t minute = window.start_s % day_s / 60;
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), "%s %02d:%02d",
                std::string(day_names[static_cast<std::size_t>(window.start_s / day_s)]).c_str(),
                static_cast<int>(minute / 60), static_cast<int>(minute % 60));
  return text.data();
}

std::string overlap_text(const WeeklyWindow& window) {
  return "the window that begins " + start_text(window) + " overlaps another";
}

/// True if `window` shares a moment with one of `windows`, across the end of the week too.
bool meets_any(const WeeklyWindow& window, const std::vector<WeeklyWindow>& windows) noexcept {
  return std::any_of(windows.begin(), windows.end(), [&window](const WeeklyWindow& other) {
    for (const std::int64_t shift_s : {-week_s, std::int64_t{0}, week_s}) {
      if (window.start_s < other.end_s + shift_s && other.start_s + shift_s < window.end_s) {
        return true;
      }
    }
    return false;
  });
}

// --- Days and hours, each in a key of its own ---

/// `1-2-3`, Monday is 1; empty: every day.
std::expected<std::vector<std::int64_t>, base::Error> week_days_of(std::string_view text) {
  std::vector<std::int64_t> days;
  if (text.empty()) {
    return std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6};
  }
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_day = at % 2 == 0;
    const bool last_dash = !is_day && at + 1 == text.size();
    if (last_dash || (is_day ? text[at] < '1' || text[at] > '7' : text[at] != '-')) {
      return base::invalid_argument(
          "'" + std::string(text) +
              "' is not digits from 1 (Monday) to 7 (Sunday) with dashes between",
          "C305");
    }
    if (is_day) {
      if (std::find(days.begin(), days.end(), text[at] - '1') != days.end()) {
        return base::invalid_argument(std::string("day ") + text[at] + " is given twice", "C305");
      }
      days.push_back(text[at] - '1');
    }
  }
  std::sort(days.begin(), days.end());
  return days;
}

/// Whole days without hours: adjacent days form one window, so that nothing ends at midnight. All
/// seven are no schedule at all.
std::vector<WeeklyWindow> whole_days(const std::vector<std::int64_t>& days) {
  std::vector<WeeklyWindow> windows;
  if (days.size() == 7) {
    return windows;
  }
  for (const std::int64_t day : days) {
    if (!windows.empty() && windows.back().end_s == day * day_s) {
      windows.back().end_s += day_s;
    } else {
      windows.push_back({day * day_s, (day + 1) * day_s});
    }
  }
  if (windows.size() > 1 && windows.front().start_s == 0 && windows.back().end_s == week_s) {
    windows.back().end_s += windows.front().end_s;  // Across the end of the week.
    windows.erase(windows.begin());
  }
  return windows;
}

ScheduleFault fault_of(std::string_view key, const base::Error& error) {
  return {key, error.message, {}, error.message_code};
}

/// Windows of the keys with UTC hours; none: these keys are not set.
std::vector<WeeklyWindow> windows_of_hours(const SessionSettings& settings,
                                           std::vector<ScheduleFault>& faults) {
  const auto days = week_days_of(settings.schedule_week_days);
  if (!days) {
    faults.push_back(fault_of("schedule_week_days", days.error()));
    return {};
  }
  const std::array parts{settings.start_hour_utc, settings.start_minute_utc, settings.end_hour_utc,
                         settings.end_minute_utc};
  const auto given = std::count_if(parts.begin(), parts.end(), [](auto part) { return part >= 0; });
  if (given == 0) {
    return whole_days(*days);
  }
  if (given != 4) {
    faults.push_back({"start_hour_utc",
                      "start_hour_utc, start_minute_utc, end_hour_utc and end_minute_utc need each "
                      "other: all of them, or none",
                      {},
                      "C306"});
    return {};
  }
  const WeeklyWindow first =
      window_between(parts[0] * 3'600 + parts[1] * 60, parts[2] * 3'600 + parts[3] * 60, day_s);
  std::vector<WeeklyWindow> windows;
  for (const std::int64_t day : *days) {
    windows.push_back({day * day_s + first.start_s, day * day_s + first.end_s});
  }
  return windows;
}

bool sets_hours(const SessionSettings& settings) noexcept {
  return !settings.schedule_week_days.empty() || settings.start_hour_utc >= 0 ||
         settings.start_minute_utc >= 0 || settings.end_hour_utc >= 0 ||
         settings.end_minute_utc >= 0;
}

// --- Holidays ---

/// YYYY-MM-DD, as days since the epoch.
std::optional<std::int64_t> date_of(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') {
    return std::nullopt;
  }
  std::string digits(text.substr(0, 4));
  digits += text.substr(5, 2);
  digits += text.substr(8, 2);
  const auto date = wire::parse_date(digits);
  return date ? std::optional(base::days_from_civil(*date)) : std::nullopt;
}

std::vector<DayRange> read_holidays(const std::string& path, std::vector<ScheduleFault>& faults) {
  // Reported at the key, since a file that cannot be read has no line.
  const auto fault = [&](const char* message) {
    faults.push_back({"schedule_holidays_file", "'" + path + "' " + message, {}, "C310"});
    return std::vector<DayRange>();
  };
  // Checked first: opening a pipe would wait for its other end.
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    return fault("does not exist, or is not a file");
  }
  if (std::filesystem::file_size(path, ignored) > holidays_bytes_max) {
    return fault("cannot be read, or is larger than 1 MiB");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return fault("cannot be opened");
  }
  std::ostringstream text;
  text << file.rdbuf();
  if (!file || text.view().size() > holidays_bytes_max) {
    return fault("cannot be read, or is larger than 1 MiB");
  }
  return parse_holidays(text.view(), path, faults);
}

}  // namespace

std::expected<std::vector<WeeklyWindow>, base::Error> parse_windows(std::string_view text) {
  std::vector<WeeklyWindow> windows;
  while (!text.empty()) {
    const std::string_view piece = take_piece(text);
    const std::string tidy = tidied(piece);
    if (const auto window = long_window(tidy)) {
      windows.push_back(*window);
    } else if (!add_daily_windows(tidy, windows)) {
      return base::invalid_argument(
          "'" + std::string(piece) +
              "' has none of the forms HH:MM-HH:MM, DAY HH:MM-HH:MM, DAY-DAY HH:MM-HH:MM and "
              "DAY HH:MM-DAY HH:MM, days MON to SUN, times from 00:00 to 23:59:59, "
              "ends to 24:00",
          "C301");
    }
  }
  if (const WeeklyWindow* overlap = find_overlap(windows)) {
    return base::invalid_argument(overlap_text(*overlap), "C301");
  }
  return windows;
}

std::vector<DayRange> parse_holidays(std::string_view text, const std::string& path,
                                     std::vector<ScheduleFault>& faults) {
  std::vector<DayRange> holidays;
  for (std::size_t number = 1; !text.empty(); ++number) {
    std::string_view line = base::take_part(text, '\n');
    line = base::trimmed(line.substr(0, line.find('#')));
    if (line.empty()) {
      continue;
    }
    const auto range = halves(line, "..");
    const auto first = date_of(range ? base::trimmed(range->first) : line);
    const auto last = date_of(range ? base::trimmed(range->second) : line);
    if (!first || !last || *last < *first) {
      faults.push_back({"schedule_holidays_file",
                        "'" + std::string(line) +
                            "' is neither a date YYYY-MM-DD nor two with .. between, the earlier "
                            "one first",
                        path + ":" + std::to_string(number), "C310"});
      continue;
    }
    holidays.push_back({*first, *last});
  }
  return holidays;
}

std::vector<ScheduleFault> schedule_text_faults(const SessionSettings& settings) {
  std::vector<ScheduleFault> faults;
  const auto check = [&faults](std::string_view key, const auto& read) {
    if (!read) {
      faults.push_back(fault_of(key, read.error()));
    }
  };
  check("schedule_week_days", week_days_of(settings.schedule_week_days));
  check("schedule_windows", parse_windows(settings.schedule_windows));
  check("schedule_logon_windows", parse_windows(settings.schedule_logon_windows));
  check("schedule_time_zone", TimeZone::find(settings.schedule_time_zone));
  if (!settings.schedule_holidays_file.empty()) {
    static_cast<void>(read_holidays(settings.schedule_holidays_file, faults));
  }
  return faults;
}

std::expected<std::optional<Schedule>, std::vector<ScheduleFault>> schedule_of(
    const SessionSettings& settings) {
  std::vector<ScheduleFault> faults;
  ScheduleParts parts;
  const auto take = [&faults](std::string_view key, auto read, auto& part) {
    if (read) {
      part = std::move(*read);
    } else {
      faults.push_back(fault_of(key, read.error()));
    }
  };
  const bool by_hours = sets_hours(settings);
  if (by_hours && !settings.schedule_windows.empty()) {
    faults.push_back({"schedule_windows",
                      "contradicts keys schedule_week_days, start_hour_utc and so on: "
                      "set one or the other",
                      {},
                      "C307"});
  } else if (by_hours) {
    parts.windows = windows_of_hours(settings, faults);
  } else {
    take("schedule_windows", parse_windows(settings.schedule_windows), parts.windows);
  }
  take("schedule_logon_windows", parse_windows(settings.schedule_logon_windows),
       parts.logon_windows);
  take("schedule_time_zone", TimeZone::find(settings.schedule_time_zone), parts.zone);
  if (by_hours && settings.schedule_time_zone != "UTC") {
    faults.push_back({"schedule_time_zone",
                      "start_hour_utc and so on are UTC; use schedule_windows",
                      {},
                      "C307"});
  }
  if (!settings.schedule_holidays_file.empty()) {
    parts.holidays = read_holidays(settings.schedule_holidays_file, faults);
  }
  if (faults.empty() && !parts.windows.empty()) {
    for (const WeeklyWindow& logons : parts.logon_windows) {
      if (!meets_any(logons, parts.windows)) {
        faults.push_back({"schedule_logon_windows",
                          "the window that begins " + start_text(logons) +
                              " lies in none of the session's windows, so that no logon would "
                              "ever be made or taken in it",
                          {},
                          "C303"});
      }
    }
  }
  if (faults.empty() && parts.windows.empty()) {
    const auto needs_windows = [&faults](std::string_view key, bool given) {
      if (given) {
        faults.push_back({key, "it needs key 'schedule_windows' too", {}, "C307"});
      }
    };
    needs_windows("schedule_time_zone", settings.schedule_time_zone != "UTC");
    needs_windows("schedule_logon_windows", !settings.schedule_logon_windows.empty());
    needs_windows("schedule_holidays_file", !settings.schedule_holidays_file.empty());
    needs_windows("schedule_reset_at_start", settings.schedule_reset_at_start);
  }
  if (settings.schedule_reset_at_start &&
      settings.send_while_disconnected == session::SendWhileDown::Queue) {
    faults.push_back({"schedule_reset_at_start",
                      "it would discard the messages that send_while_disconnected=QUEUE keeps",
                      {},
                      "C308"});
  }
  if (!faults.empty()) {
    return std::unexpected(std::move(faults));
  }
  return parts.windows.empty() ? std::optional<Schedule>() : Schedule(std::move(parts));
}

}  // namespace affix::inline v0::config
