// SPDX-License-Identifier: MIT
// Maps paths to handlers.
#include "monitor/monitor.hpp"

#include "affix/os/clock.hpp"

#include "monitor/alert_service.hpp"
#include "monitor/metrics_text.hpp"
#include "monitor/page_files.hpp"
#include "monitor/session_facts.hpp"

#include <memory>
#include <utility>

namespace affix::inline v0::tools::monitor {

namespace {

constexpr std::string_view action_path = "/api/action";
constexpr std::string_view alert_path = "/api/alert";

bool changes(const Request& request) noexcept {
  return request.path == action_path || request.path == alert_path;
}

bool wants_token(const Request& request) noexcept {
  return request.path.starts_with("/api/") || request.path == "/metrics";
}

}  // namespace

namespace {

/// Omits engines that were not looked at yet.
EngineStates states_of(const ChosenEngines& engines) {
  static const auto nothing = [] {
    auto made = std::make_shared<Snapshot>();
    made->problem = "it was not looked at yet";
    return std::shared_ptr<const Snapshot>(std::move(made));
  }();
  EngineStates states;
  for (const WatchedEngine* const engine : engines) {
    const auto snapshot = engine->observer->snapshot();
    states.push_back({engine, snapshot != nullptr ? snapshot : nothing});
  }
  return states;
}

}  // namespace

Monitor::Monitor(const Fleet& fleet, Parts parts)
    : fleet_(fleet), parts_(std::move(parts)), access_(parts_.rules), journals_(fleet) {}

std::size_t Monitor::number_of(const WatchedEngine& engine) const noexcept {
  std::size_t number = 0;
  while (&fleet_[number] != &engine) {
    ++number;
  }
  return number;
}

ChosenEngines Monitor::readable(const Request& request) const {
  ChosenEngines engines;
  for (std::size_t number = 0; number < fleet_.size(); ++number) {
    if (access_.may_read(request, number)) {
      engines.push_back(&fleet_[number]);
    }
  }
  return engines;
}

std::expected<ChosenEngines, Answer> Monitor::chosen(const Request& request) const {
  ChosenEngines engines = readable(request);
  for (const auto& [name, value] : request.query) {
    if (name == "engine" && !value.empty()) {
      std::erase_if(engines, [&value](const WatchedEngine* one) { return one->name != value; });
      if (engines.empty()) {
        return std::unexpected(refuse(404, "there is no engine '" + value + "'", "M128"));
      }
    }
  }
  return engines;
}

std::optional<Answer> Monitor::refuse_early(const Request& request, std::int64_t steady_ns) {
  if (auto refused = access_.refuse_host(request)) {
    return refused;
  }
  if (changes(request)) {
    if (request.method != "POST") {
      return refuse(405, "actions are POST", "M121");
    }
    if (auto refused = access_.refuse_change(request, steady_ns)) {
      return refused;
    }
    if (!request.content_type.starts_with("application/json")) {
      return refuse(400, "the Content-Type of an action is application/json", "M121");
    }
    return std::nullopt;
  }
  if (request.method != "GET" && request.method != "HEAD") {
    return refuse(405, "this path is only read: GET", "M122");
  }
  return wants_token(request) ? access_.refuse_read(request, steady_ns) : std::nullopt;
}

Answer Monitor::answer_health(const Request& request) const {
  std::string text = "ok\n";
  for (const EngineState& state : states_of(readable(request))) {
    const Snapshot& snapshot = *state.snapshot;
    text += state.engine->name + ' ' + to_text(snapshot.status);
    if (snapshot.status_since_ns != 0) {
      text += " since " + iso_time(snapshot.status_since_ns);
    }
    text += '\n';
  }
  return {200, "text/plain; charset=utf-8", std::move(text), {}};
}

Answer Monitor::act(const Request& request) const {
  const auto command = command_line_of(request.body, fleet_);
  if (!command) {
    return refuse(400, command.error());
  }
  if (!access_.may_change(request, number_of(*command->engine))) {
    return refuse(403, "this token does not change engine '" + command->engine->name + "'", "M129");
  }
  return answer_action(request, *command);
}

Answer Monitor::act_on_alerts(const Request& request) const {
  const auto place = fleet_.chosen_place(engine_of_act(request.body), {});
  if (!place) {
    return refuse(400, place.error());
  }
  const std::size_t number = number_of(*place->engine);
  if (!access_.may_change(request, number)) {
    return refuse(403, "this token does not change engine '" + place->engine->name + "'", "M129");
  }
  return place->engine->alert_service->act(
      request, {access_.name_of(request, number), request.peer}, os::now().utc_ns);
}

Answer Monitor::answer_metrics(const Request& request, const EngineStates& states) const {
  // Scrapers may add parameters of their own.
  HistogramSelection arguments;
  for (const auto& [name, value] : request.query) {
    if (name == "session") {
      arguments.sessions.push_back(value);
      arguments.all = arguments.all || value == "*";
    }
  }
  return {200,
          "text/plain; version=0.0.4; charset=utf-8",
          metrics_text(states, parts_.facts, arguments),
          {}};
}

Answer Monitor::answer(const Request& request) {
  if (request.path == "/healthz") {
    return answer_health(request);
  }
  if (!wants_token(request)) {
    return answer_page(request, parts_.page_directory);
  }
  if (request.path == action_path) {
    return act(request);
  }
  if (request.path == alert_path) {
    return act_on_alerts(request);
  }
  const auto engines = chosen(request);
  if (!engines) {
    return engines.error();
  }
  if (request.path == "/api/messages") {
    return journals_.messages(request, *engines);
  }
  if (request.path == "/api/message") {
    return journals_.message(request, *engines);
  }
  if (request.path == "/api/order") {
    return journals_.order(request, *engines);
  }
  if (request.path == "/api/session") {
    return answer_session(request, fleet_, *engines, os::now().utc_ns);
  }
  const EngineStates states = states_of(*engines);
  if (request.path == "/api/history") {
    return answer_history(request, fleet_, states);
  }
  if (request.path == "/api/state") {
    return answer_state(request, fleet_, states, parts_.facts);
  }
  if (request.path == "/api/alerts") {
    return answer_alerts(request, fleet_, states);
  }
  if (request.path == "/metrics") {
    return answer_metrics(request, states);
  }
  return refuse(404, "there is nothing at this path", "M122");
}

}  // namespace affix::inline v0::tools::monitor
