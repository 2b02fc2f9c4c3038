// SPDX-License-Identifier: MIT
// Asks the engine first: sessions that were added or changed while it runs are in no file.
#include "monitor/session_facts.hpp"

#include "affix/base/text.hpp"
#include "affix/config/effective_configuration.hpp"

#include "monitor/access.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::tools::monitor {

namespace {

using Json = nlohmann::ordered_json;

struct Setting {
  std::string key;
  std::string value;
  bool said = false;  ///< False: it is the key's default.
};

using Settings = std::vector<Setting>;

std::unexpected<base::Error> not_known(const char* why) {
  return std::unexpected(base::Error{base::ErrorCode::NotFound, why, {}, "M110"});
}

std::expected<Settings, base::Error> settings_by_engine(const AdminPlace& place,
                                                        const Request& request,
                                                        const std::string& session) {
  const Json line{
      {"id", admin_line_id}, {"command", "get_session_config"}, {"arguments", {session}}};
  const auto answer = ask_admin(place, bearer_token(request.authorization),
                                line.dump(-1, ' ', true, Json::error_handler_t::replace));
  if (!answer) {
    return std::unexpected(answer.error());
  }
  if ((*answer)["status"] != "done" || !(*answer)["rows"].is_array()) {
    return not_known("the engine's administration port does not answer that");
  }
  Settings settings;
  const auto text = [](const Json& row, const char* name) {
    return row.contains(name) && row[name].is_string() ? row[name].get<std::string>()
                                                       : std::string();
  };
  for (const Json& row : (*answer)["rows"]) {
    if (row.is_object()) {
      settings.push_back(
          {text(row, "key"), text(row, "value"), row.value("said", Json()) == Json(true)});
    }
  }
  return settings;
}

Settings settings_by_file(const affix::config::SessionSettings& settings) {
  affix::config::Configuration one;
  one.sessions.push_back(settings);
  Settings all;
  for (const affix::config::EffectiveGroup& group : affix::config::describe_configuration(one)) {
    if (group.kind == affix::config::GroupKind::Session) {
      for (const affix::config::EffectiveValue& value : group.values) {
        all.push_back(
            {std::string(value.key), value.value, value.origin != affix::config::Origin::Standard});
      }
    }
  }
  return all;
}

/// Hours from values that the engine returned: uses only keys that concern hours, as others may
/// name files or secrets.
std::expected<affix::config::SessionHours, affix::config::Problems> hours_of(
    const Settings& settings, const Roster& roster) {
  std::string text =
      "[SESSION]\ntype=session\nbegin_string=FIX.4.4\nsender_comp_id=A\n"
      "target_comp_id=B\n";
  for (const Setting& setting : settings) {
    const std::string_view key = setting.key;
    if (setting.said && setting.value.find('\n') == std::string::npos &&
        (key.starts_with("schedule_") || key.ends_with("_hour_utc") ||
         key.ends_with("_minute_utc"))) {
      text += setting.key + '=' +
              (key == "schedule_holidays_file" ? roster.resolve(setting.value) : setting.value) +
              '\n';
    }
  }
  const auto sessions = affix::config::parse_sessions(text, "the engine");
  if (!sessions) {
    return std::unexpected(sessions.error());
  }
  return affix::config::SessionHours::of(sessions->front());
}

std::string value_of(const Settings& settings, std::string_view key) {
  const auto found = std::ranges::find(settings, key, &Setting::key);
  return found == settings.end() ? std::string() : found->value;
}

/// A time of day in the schedule's own zone: without an offset, as the zone is shown beside it.
std::string local_text(const affix::config::SessionHours& hours, std::int64_t utc_ns) {
  constexpr std::size_t to_the_second = 19;  // "2026-01-31T09:30:00"
  std::string text = iso_time(hours.local_ns(utc_ns)).substr(0, to_the_second);
  text[text.find('T')] = ' ';
  return text;
}

Json schedule_json(const std::expected<affix::config::SessionHours, affix::config::Problems>& hours,
                   const Settings& settings, std::int64_t utc_ns) {
  if (!hours) {
    return {{"problem", base::trimmed(affix::config::text_of(hours.error()), "\n")}};
  }
  const affix::config::SessionHours::Outlook outlook = hours->outlook(utc_ns);
  Json schedule;
  schedule["problem"] = "";
  schedule["always"] = hours->always();
  schedule["open"] = outlook.open;
  schedule["zone"] = hours->always() ? "" : value_of(settings, "schedule_time_zone");
  for (const auto& [name, at_ns] :
       {std::pair<std::string, std::int64_t>{"opens", outlook.opens_utc_ns},
        {"closes", outlook.closes_utc_ns}}) {
    schedule[name + "_ns"] = at_ns;
    schedule[name] = at_ns == 0 ? "" : iso_time(at_ns);
    schedule[name + "_local"] = at_ns == 0 ? "" : local_text(*hours, at_ns);
  }
  return schedule;
}

}  // namespace

Answer answer_session(const Request& request, const Fleet& fleet, const ChosenEngines& engines,
                      std::int64_t utc_ns) {
  Parameters parameters(request, {"session", "engine"});
  const std::string name = parameters.text("session");
  if (name.empty()) {
    parameters.set_error("`session` must name a session");
  }
  if (!parameters.error().empty()) {
    return refuse(400, parameters.error(), "M122");
  }
  const auto [engine, session] = fleet.place_of(name);
  if (std::ranges::find(engines, engine) == engines.end() || !engine->knows(session)) {
    return refuse(404, "there is no session '" + name + "'", "M123");
  }
  const auto snapshot = engine->observer->snapshot();
  const WatchedSession* const watched = engine->roster.find(session);
  const affix::config::SessionSettings* const in_file = engine->roster.find_settings(session);
  std::expected<Settings, base::Error> settings =
      snapshot != nullptr && snapshot->status == EngineStatus::Up
          ? settings_by_engine(engine->admin, request, session)
          : not_known("the engine does not run");
  Json all;
  all["session"] = name;
  all["source"] = settings ? "engine" : in_file != nullptr ? "file" : "";
  all["problem"] = settings ? "" : settings.error().text();
  std::expected<affix::config::SessionHours, affix::config::Problems> hours =
      std::unexpected(affix::config::Problems{
          not_known("the monitor's file does not have the session, and the engine cannot be asked")
              .error()});
  if (settings) {
    hours = hours_of(*settings, engine->roster);
  } else if (watched != nullptr) {
    hours = watched->hours;
  }
  if (!settings) {
    settings = in_file != nullptr ? settings_by_file(*in_file) : Settings();
    if (watched == nullptr && in_file != nullptr) {
      hours = hours_of(*settings, engine->roster);
    }
  }
  all["schedule"] = schedule_json(hours, *settings, utc_ns);
  all["configuration"] = Json::array();
  for (const Setting& setting : *settings) {
    all["configuration"].push_back(
        {{"key", setting.key}, {"value", setting.value}, {"said", setting.said}});
  }
  Answer answer;
  answer.body = all.dump(-1, ' ', false, Json::error_handler_t::replace);
  return answer;
}

}  // namespace affix::inline v0::tools::monitor
