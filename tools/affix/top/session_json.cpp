// SPDX-License-Identifier: MIT
// A reading as JSON, with the names used by all programs.
#include "measure/failover_json.hpp"
#include "measure/waits_json.hpp"
#include "top/session_rows.hpp"

#include <nlohmann/json.hpp>

namespace affix::inline v0::tools::top {

namespace {

using Json = nlohmann::ordered_json;

template <typename Counters>
void put_counters(Json& object, std::span<const counters::CounterName> names,
                  const Counters& counters) {
  for (std::size_t which = 0; which < names.size(); ++which) {
    object[names[which].name] = counters[which];
  }
}

Json distribution(const base::LatencySnapshot& values) {
  return {{"count", values.count()},        {"mean", values.mean()},
          {"p50", values.percentile(0.5)},  {"p90", values.percentile(0.9)},
          {"p99", values.percentile(0.99)}, {"p999", values.percentile(0.999)},
          {"largest", values.largest()}};
}

template <typename Distributions>
Json distributions(std::span<const counters::CounterName> names, const Distributions& values) {
  Json object = Json::object();
  for (std::size_t which = 0; which < names.size(); ++which) {
    object[names[which].name] = distribution(values[which]);
  }
  return object;
}

}  // namespace

std::string json_text(const TimedReading& before, const TimedReading& now) {
  const counters::EngineReading& engine = now.engine;
  Json all;
  all["time"] = now.utc_ns;
  all["engine"] = {{"version", engine.engine_version},
                   {"process_id", engine.process_id},
                   {"running", engine.running},
                   {"started", engine.started_utc_ns},
                   {"stopped", engine.stopped_utc_ns},
                   {"sessions_without_latencies", engine.sessions_without_latencies},
                   {"sending_stopped", engine.sending_stopped},
                   {"instances_stopped", engine.instances_stopped},
                   {"stopped_instances", engine.stopped_instances}};
  all["workers"] = Json::array();
  for (const counters::WorkerReading& worker : engine.workers) {
    Json& one = all["workers"].emplace_back(Json::object());
    put_counters(one, counters::worker_counter_names(), worker.counters);
    one["distributions"] = distributions(counters::worker_latency_names(), worker.distributions);
    one["waits"] = waits_json(worker);
    one["wait_lengths"] = distribution(worker.wait_lengths);
    one["longest_wait_at"] = worker.longest_wait_utc_ns;
  }
  all["failover"] = Json::array();
  for (const counters::FailoverReading& group : engine.failover) {
    all["failover"].push_back(failover_json(group));
  }
  all["sessions"] = Json::array();
  for (const SessionRow& row : make_rows(before, now, {})) {
    const counters::SessionReading& session = row.now;
    Json& one = all["sessions"].emplace_back(Json::object());
    one["name"] = session.name;
    one["instance"] = session.instance;
    one["begin_string"] = session.begin_string;
    one["sender_comp_id"] = session.sender_comp_id;
    one["target_comp_id"] = session.target_comp_id;
    one["journal_directory"] = session.journal_directory;
    one["worker"] = session.worker;
    one["initiator"] = session.initiator;
    one["standing"] = to_text(session.standing());
    one["peer"] = session.peer;
    one["last_end"] = session.last_end;
    one["disabled_by"] = session.disabled_by;
    one["received_rate"] = row.received_rate;
    one["sent_rate"] = row.sent_rate;
    put_counters(one, counters::session_counter_names(), session.counters);
    one["latencies"] = distributions(counters::session_latency_names(), row.measured());
  }
  // Configurations allow any bytes in sessions' names.
  return all.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace affix::inline v0::tools::top
