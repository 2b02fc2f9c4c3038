// SPDX-License-Identifier: MIT
// Writes one object after the other.
#include "monitor/state_json.hpp"

#include "measure/failover_json.hpp"
#include "measure/waits_json.hpp"
#include "monitor/json_answer.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace affix::inline v0::tools::monitor {

namespace {

using Json = nlohmann::ordered_json;

constexpr long long history_seconds_max = 21'600;
constexpr long long sessions_max = 1'000'000;

/// Four decimals are enough for readers.
double rounded(double value) noexcept {
  return std::round(value * 10'000) / 10'000;
}

Json distribution(const base::LatencySnapshot& values) {
  return {{"count", values.count()},          {"p50", values.percentile(0.5)},
          {"p90", values.percentile(0.9)},    {"p99", values.percentile(0.99)},
          {"p999", values.percentile(0.999)}, {"max", values.largest()}};
}

template <typename Names, typename Values>
Json counters_of(Names names, const Values& values) {
  Json object = Json::object();
  for (std::size_t which = 0; which < names.size(); ++which) {
    object[names[which].name] = values[which];
  }
  return object;
}

template <typename Names, typename Values>
Json distributions_of(Names names, const Values& values) {
  Json object = Json::object();
  for (std::size_t which = 0; which < names.size(); ++which) {
    object[names[which].name] = distribution(values[which]);
  }
  return object;
}

/// Only the values, in the order of the names.
template <typename Values>
Json list_of(const Values& values) {
  Json list = Json::array();
  for (const std::uint64_t value : values) {
    list.push_back(value);
  }
  return list;
}

Json distribution_list(const base::LatencySnapshot& values) {
  return values.count() == 0
             ? Json(nullptr)
             : Json{values.count(),          values.percentile(0.5),   values.percentile(0.9),
                    values.percentile(0.99), values.percentile(0.999), values.largest()};
}

template <typename Names>
Json names_of(Names names) {
  Json list = Json::array();
  for (const auto& name : names) {
    list.push_back(name.name);
  }
  return list;
}

/// Place of the names of a session's counters.
enum class Naming : std::uint8_t {
  WithEachValue,
  Once,  ///< Once in the answer; each session has lists of values.
};

Json mark_json(const std::optional<AlertMark>& mark) {
  if (!mark) {
    return nullptr;
  }
  Json one{{"by", mark->by}, {"comment", mark->comment}, {"at_ns", mark->at_ns}};
  if (mark->id != 0) {
    one["id"] = mark->id;
    one["until_ns"] = mark->until_ns;
  }
  return one;
}

Json alert_json(const Alert& alert, const Fleet& fleet, const WatchedEngine& engine) {
  return {{"id", alert.id},
          {"engine", engine.name},
          {"kind", to_text(alert.kind)},
          {"severity", severity_of(alert.kind)},
          {"session", alert.session.empty() ? "" : fleet.name_of(engine, alert.session)},
          {"subject", alert.subject},
          {"text", alert.text},
          {"since_ns", alert.since_ns},
          {"cleared_ns", alert.cleared_ns},
          {"acknowledged", mark_json(alert.acknowledged)},
          {"silenced", mark_json(alert.silenced)}};
}

using OwnedAlert = std::pair<const WatchedEngine*, const Alert*>;

void add_alerts(std::vector<OwnedAlert>& to, const WatchedEngine& engine,
                const std::vector<Alert>& alerts) {
  for (const Alert& alert : alerts) {
    to.emplace_back(&engine, &alert);
  }
}

Json alerts_json(const Fleet& fleet, const std::vector<OwnedAlert>& alerts) {
  Json all = Json::array();
  for (const auto& [engine, alert] : alerts) {
    all.push_back(alert_json(*alert, fleet, *engine));
  }
  return all;
}

/// Sorts alerts of several engines like those of one: newest first.
void sort_by_id(std::vector<OwnedAlert>& alerts) {
  std::ranges::sort(alerts, std::greater(), [](const OwnedAlert& one) { return one.second->id; });
}

void add_silences(Json& all, const WatchedEngine& engine, const std::vector<Silence>& silences) {
  for (const Silence& silence : silences) {
    all.push_back({{"id", silence.mark.id},
                   {"engine", engine.name},
                   {"kind", silence.kind ? to_text(*silence.kind) : "*"},
                   {"session", silence.pattern},
                   {"by", silence.mark.by},
                   {"comment", silence.mark.comment},
                   {"at_ns", silence.mark.at_ns},
                   {"until_ns", silence.mark.until_ns}});
  }
}

void add_measured(Json& one, const SessionView& view, Naming naming) {
  const bool named = naming == Naming::WithEachValue;
  if (!view.present) {
    one["counters"] = named ? Json::object() : Json::array();
    one["latencies"] = named ? Json::object() : Json::array();
  } else if (named) {
    one["counters"] = counters_of(counters::session_counter_names(), view.row.now.counters);
    one["latencies"] = distributions_of(counters::session_latency_names(), view.row.measured());
  } else {
    one["counters"] = list_of(view.row.now.counters);
    Json latencies = Json::array();
    for (const base::LatencySnapshot& values : view.row.measured()) {
      latencies.push_back(distribution_list(values));
    }
    one["latencies"] = std::move(latencies);
  }
}

Json session_json(const SessionView& view, const Fleet& fleet, const WatchedEngine& engine,
                  Naming naming) {
  Json one;
  one["name"] = fleet.name_of(engine, view.name);
  one["engine"] = engine.name;
  one["instance"] = view.instance;
  one["role"] = view.initiator ? "initiator" : "acceptor";
  one["begin_string"] = view.begin_string;
  one["sender"] = view.sender;
  one["target"] = view.target;
  one["worker"] = view.row.now.worker;
  one["journal"] = view.journal;
  const counters::SessionReading& now = view.row.now;
  one["state"] = view.present ? session::to_text(now.standing()) : "absent";
  one["state_since_ns"] = now[counters::SessionCounter::StateSince];
  one["schedule"] = view.schedule;
  one["peer"] = now.peer;
  one["last_end"] = now.last_end;
  one["disabled_by"] = now.disabled_by;
  one["sending_stopped"] = view.sending_stopped();
  one["next_outgoing"] = now[counters::SessionCounter::NextOutgoing];
  one["next_expected"] = now[counters::SessionCounter::NextExpected];
  one["rates"] = {{"received_per_s", rounded(view.row.received_rate)},
                  {"sent_per_s", rounded(view.row.sent_rate)},
                  {"received_bytes_per_s", rounded(view.row.received_byte_rate)},
                  {"sent_bytes_per_s", rounded(view.row.sent_byte_rate)}};
  add_measured(one, view, naming);
  one["alerts"] = view.alerts;
  one["alerts_open"] = view.alerts_open;
  return one;
}

Json worker_json(std::size_t number, const WorkerView& view, const WatchedEngine& engine) {
  Json one;
  one["engine"] = engine.name;
  one["number"] = number;
  one["duty"] = rounded(view.duty);
  one["messages_per_s"] = rounded(view.messages_per_s);
  one["turns_per_s"] = rounded(view.turns_per_s);
  one["counters"] = counters_of(counters::worker_counter_names(), view.reading.counters);
  one["latencies"] = distributions_of(counters::worker_latency_names(), view.reading.distributions);
  one["waits"] = waits_json(view.reading);
  return one;
}

Json group_json(const counters::FailoverReading& group, const WatchedEngine& engine) {
  Json one = {{"engine", engine.name}};
  one.update(failover_json(group));
  return one;
}

template <typename Names>
std::size_t index_of(Names names, const std::string& name) {
  std::size_t which = 0;
  while (which < names.size() && names[which].name != name) {
    ++which;
  }
  return which;
}

Json latency_history(const HistorySeries& series, std::size_t which) {
  Json counts = Json::array();
  Json p50 = Json::array();
  Json p99 = Json::array();
  Json p999 = Json::array();
  Json largest = Json::array();
  for (std::size_t at = 0; at < series.steps.size(); ++at) {
    const LatencyStep& step = series.steps[at].latencies[which];
    counts.push_back(series.known[at] ? Json(step.count) : Json(nullptr));
    const auto put = [&](Json& column, std::uint64_t value) {
      column.push_back(step.count != 0 ? Json(value) : Json(nullptr));
    };
    put(p50, step.p50);
    put(p99, step.p99);
    put(p999, step.p999);
    put(largest, step.largest);
  }
  return {{"count", std::move(counts)},
          {"p50", std::move(p50)},
          {"p99", std::move(p99)},
          {"p999", std::move(p999)},
          {"max", std::move(largest)}};
}

Json counter_history(const HistorySeries& series, std::size_t which) {
  const bool level = counters::session_counter_names()[which].kind == counters::CounterKind::Level;
  Json column = Json::array();
  for (std::size_t at = 0; at < series.steps.size(); ++at) {
    const double value = series.steps[at].counters[which];
    column.push_back(!series.known[at] ? Json(nullptr)
                     : level           ? Json(series.steps[at].counters[which])
                                       : Json(rounded(value / series.interval_seconds)));
  }
  return {{level ? "value" : "per_s", std::move(column)}};
}

}  // namespace

namespace {

Json engine_json(const EngineState& state) {
  const Snapshot& snapshot = *state.snapshot;
  const auto up = std::ranges::count_if(snapshot.sessions, [&](const SessionView& view) {
    return view.present && snapshot.status == EngineStatus::Up &&
           view.row.now.standing() == session::SessionStanding::LoggedOn;
  });
  return {{"name", state.engine->name},
          {"configuration", state.engine->configuration},
          {"counters_file", state.engine->counters_file},
          {"status", to_text(snapshot.status)},
          {"status_since_ns", snapshot.status_since_ns},
          {"looked_ns", snapshot.utc_ns},
          {"version", snapshot.version},
          {"pid", snapshot.process_id},
          {"started_ns", snapshot.started_ns},
          {"stopped_ns", snapshot.stopped_ns},
          {"sending_stopped", snapshot.sending_stopped},
          {"instances_stopped", snapshot.instances_stopped},
          {"stopped_instances", snapshot.stopped_instances},
          {"sessions", snapshot.sessions.size()},
          {"sessions_up", up},
          {"alerts", snapshot.alerts.size()},
          {"alerts_open", std::ranges::count_if(snapshot.alerts, &Alert::open)},
          {"problem", snapshot.problem}};
}

/// An engine that is looked at late does not delay the others: the next request asks for changes
/// since the oldest of these snapshots.
std::int64_t time_of(const EngineStates& states) noexcept {
  std::int64_t oldest_ns = INT64_MAX;
  for (const EngineState& state : states) {
    oldest_ns = std::min(oldest_ns, state.snapshot->utc_ns);
  }
  return states.empty() ? 0 : oldest_ns;
}

std::int64_t newest_of(const EngineStates& states) noexcept {
  std::int64_t newest_ns = 0;
  for (const EngineState& state : states) {
    newest_ns = std::max(newest_ns, state.snapshot->utc_ns);
  }
  return newest_ns;
}

/// The sessions of all engines as one list.
struct SessionPage {
  std::size_t from = 0;
  std::size_t count = 0;
  std::int64_t since_ns = 0;  ///< Only those changed since then; 0: all.
  Naming naming = Naming::WithEachValue;
};

Json sessions_json(const SessionPage& page, const Fleet& fleet, const EngineStates& states) {
  Json all = Json::array();
  std::size_t at = 0;
  for (const EngineState& state : states) {
    for (const SessionView& view : state.snapshot->sessions) {
      const bool within = at >= page.from && at - page.from < page.count;
      ++at;
      if (within && (page.since_ns == 0 || view.changed_ns > page.since_ns)) {
        all.push_back(session_json(view, fleet, *state.engine, page.naming));
      }
    }
  }
  return all;
}

}  // namespace

Answer answer_state(const Request& request, const Fleet& fleet, const EngineStates& states,
                    const MonitorFacts& facts) {
  Parameters parameters(
      request, {"from", "count", "changed_since_ns", "alerts_changed_since_ns", "names", "engine"});
  SessionPage page;
  page.from = static_cast<std::size_t>(parameters.number("from", 0, 0, sessions_max));
  page.count = static_cast<std::size_t>(parameters.number("count", sessions_max, 0, sessions_max));
  const std::int64_t since_ns = parameters.number("changed_since_ns", 0, 0, INT64_MAX);
  const std::int64_t alerts_since_ns =
      parameters.number("alerts_changed_since_ns", 0, 0, INT64_MAX);
  if (const std::string names = parameters.text("names"); names == "once") {
    page.naming = Naming::Once;
  } else if (!names.empty()) {
    parameters.set_error("names is 'once', or is not given");
  }
  if (!parameters.error().empty()) {
    return refuse(400, parameters.error(), "M122");
  }
  const bool alerts_only_changed =
      alerts_since_ns != 0 && std::ranges::all_of(states, [&](const EngineState& state) {
        return alerts_since_ns >= state.snapshot->alerts_since_ns;
      });
  const bool only_changed =
      since_ns != 0 && std::ranges::all_of(states, [since_ns](const EngineState& state) {
        return since_ns >= state.snapshot->sessions_since_ns;
      });
  page.since_ns = only_changed ? since_ns : 0;
  Json all;
  all["time_ns"] = time_of(states);
  all["now_ns"] = newest_of(states);
  all["engine"] = states.size() == 1 ? engine_json(states.front()) : Json(nullptr);
  all["engines"] = Json::array();
  all["workers"] = Json::array();
  all["failover"] = Json::array();
  all["disks"] = Json::array();
  Json problems = Json::array();
  std::vector<OwnedAlert> alerts;
  Json gone = Json::array();
  std::size_t total = 0;
  for (const auto& [engine, snapshot] : states) {
    all["engines"].push_back(engine_json({engine, snapshot}));
    for (std::size_t number = 0; number < snapshot->workers.size(); ++number) {
      all["workers"].push_back(worker_json(number, snapshot->workers[number], *engine));
    }
    for (const counters::FailoverReading& group : snapshot->failover) {
      all["failover"].push_back(group_json(group, *engine));
    }
    for (const DiskView& disk : snapshot->disks) {
      all["disks"].push_back({{"engine", engine->name},
                              {"path", disk.path},
                              {"free_bytes", disk.free_bytes},
                              {"total_bytes", disk.total_bytes},
                              {"used", disk.used}});
    }
    for (const std::string& problem : snapshot->problems) {
      problems.push_back(fleet.name_of(*engine, problem));
    }
    for (const Alert& alert : snapshot->alerts) {
      if (!alerts_only_changed || alert.changed_ns > alerts_since_ns) {
        alerts.emplace_back(engine, &alert);
      }
    }
    for (const GoneAlert& alert : snapshot->gone_alerts) {
      if (alerts_only_changed && alert.gone_ns > alerts_since_ns) {
        gone.push_back(alert.id);
      }
    }
    total += snapshot->sessions.size();
  }
  sort_by_id(alerts);
  all["monitor"] = {{"version", facts.version},
                    {"started_ns", facts.started_ns},
                    {"interval_ms", facts.interval_ms},
                    {"operate", facts.operate},
                    {"problems", std::move(problems)}};
  all["sessions_total"] = total;
  all["only_changed"] = only_changed;
  if (page.naming == Naming::Once) {
    all["counter_names"] = names_of(counters::session_counter_names());
    all["latency_names"] = names_of(counters::session_latency_names());
  }
  all["sessions"] = sessions_json(page, fleet, states);
  all["alerts_only_changed"] = alerts_only_changed;
  all["alerts"] = alerts_json(fleet, alerts);
  all["alerts_gone"] = std::move(gone);
  return answer_of(all);
}

Answer answer_alerts(const Request& request, const Fleet& fleet, const EngineStates& states) {
  const Parameters parameters(request, {"engine"});
  if (!parameters.error().empty()) {
    return refuse(400, parameters.error(), "M122");
  }
  std::vector<std::vector<Alert>> marked;  // Owner of the alerts that `current` points to.
  marked.reserve(states.size());
  std::vector<OwnedAlert> current;
  std::vector<OwnedAlert> recent;
  Json silences = Json::array();
  for (const auto& [engine, snapshot] : states) {
    marked.push_back(engine->observer->current_alerts());
    add_alerts(current, *engine, marked.back());
    add_alerts(recent, *engine, snapshot->recent_alerts);
    add_silences(silences, *engine, engine->observer->book().silences());
  }
  sort_by_id(current);
  std::ranges::sort(recent, std::greater(), [](const OwnedAlert& one) {
    return std::pair(one.second->cleared_ns, one.second->id);
  });
  return answer_of({{"time_ns", time_of(states)},
                    {"current", alerts_json(fleet, current)},
                    {"silences", std::move(silences)},
                    {"recent", alerts_json(fleet, recent)}});
}

Answer answer_history(const Request& request, const Fleet& fleet, const EngineStates& states) {
  Parameters parameters(request, {"session", "latency", "counter", "seconds", "engine"});
  const std::string session = parameters.text("session").empty() ? "*" : parameters.text("session");
  const std::string latency = parameters.text("latency");
  const std::string counter = parameters.text("counter");
  const long long seconds = parameters.number("seconds", 600, 1, history_seconds_max);
  if (latency.empty() == counter.empty()) {
    parameters.set_error("`latency` or `counter` must name a history");
  }
  const std::size_t which_latency = index_of(counters::session_latency_names(), latency);
  const std::size_t which_counter = index_of(counters::session_counter_names(), counter);
  if (counter.empty() ? which_latency == counters::session_latency_count
                      : which_counter == counters::session_counter_count ||
                            !has_history(static_cast<counters::SessionCounter>(which_counter))) {
    parameters.set_error("there is no history of '" + latency + counter + "'");
  }
  if (!parameters.error().empty()) {
    return refuse(400, parameters.error(), "M122");
  }
  const bool everybody = session == "*";
  if (everybody && states.size() != 1) {
    return refuse(400, "`engine` must name the engine of the sessions", "M128");
  }
  const Fleet::Place place = everybody
                                 ? Fleet::Place{fleet.find(states.front().engine->name), session}
                                 : fleet.place_of(session);
  const bool chosen = std::ranges::find(states, place.engine, &EngineState::engine) != states.end();
  const auto series =
      chosen ? place.engine->observer->series(place.session, seconds) : std::nullopt;
  if (!series) {
    return refuse(404, "nothing is kept of a session '" + session + "'", "M123");
  }
  Json all;
  all["session"] = session;
  all[latency.empty() ? "counter" : "latency"] = latency + counter;
  all["interval_s"] = static_cast<std::int64_t>(series->interval_seconds);
  all["times_ns"] = series->ends_ns;
  all.update(latency.empty() ? counter_history(*series, which_counter)
                             : latency_history(*series, which_latency));
  return answer_of(all);
}

}  // namespace affix::inline v0::tools::monitor
