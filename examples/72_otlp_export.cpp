// SPDX-License-Identifier: MIT
// Pushes an engine's counters to an OpenTelemetry collector as OTLP over HTTP in JSON. Reads the
// engine's counters file like any other process. The collector here is a few lines that print the
// request; a real one listens on port 4318.

#include "affix/admin.hpp"
#include "affix/engine.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <httplib.h>
#include <memory>
#include <string>
#include <thread>

namespace {

using affix::counters::CounterKind;
using affix::counters::CounterReader;
using affix::counters::EngineReading;
using affix::counters::SessionCounter;
using affix::counters::SessionReading;
using Json = nlohmann::ordered_json;

/// OTLP encodes 64-bit numbers as text.
std::string number(std::uint64_t value) {
  return std::to_string(value);
}

Json attribute(const char* key, const std::string& value) {
  return {{"key", key}, {"value", {{"stringValue", value}}}};
}

/// Writes one point per session.
Json points(const EngineReading& reading, SessionCounter counter, std::uint64_t now_ns) {
  Json all = Json::array();
  for (const SessionReading& session : reading.sessions) {
    all.push_back({{"attributes", {attribute("session", session.name)}},
                   {"startTimeUnixNano", number(reading.started_utc_ns)},
                   {"timeUnixNano", number(now_ns)},
                   {"asInt", number(session[counter])}});
  }
  return all;
}

/// Writes every counter of every session, with the engine's names and descriptions.
Json export_request(const EngineReading& reading, std::uint64_t now_ns) {
  Json metrics = Json::array();
  const auto names = affix::counters::session_counter_names();
  for (std::size_t which = 0; which < names.size(); ++which) {
    Json metric{{"name", std::string("affix.session.") + names[which].name},
                {"description", names[which].help}};
    const Json values = points(reading, static_cast<SessionCounter>(which), now_ns);
    if (names[which].kind == CounterKind::Total) {
      // 2 is cumulative: since the start of the engine.
      metric["sum"] = {
          {"dataPoints", values}, {"aggregationTemporality", 2}, {"isMonotonic", true}};
    } else {
      metric["gauge"] = {{"dataPoints", values}};
    }
    metrics.push_back(metric);
  }
  const Json resource{
      {"attributes",
       {attribute("service.name", "affix"), attribute("service.version", reading.engine_version)}}};
  return {{"resourceMetrics",
           {{{"resource", resource},
             {"scopeMetrics", {{{"scope", {{"name", "affix"}}}, {"metrics", metrics}}}}}}}};
}

/// False: the collector did not accept it.
bool push(const std::string& host, int port, const Json& request) {
  httplib::Client client(host, port);
  client.set_connection_timeout(5);
  const auto answer = client.Post("/v1/metrics", request.dump(), "application/json");
  return answer && answer->status == 200;
}

/// A minimal collector, sufficient for this example.
void print(const Json& request) {
  for (const Json& resource : request.at("resourceMetrics")) {
    for (const Json& metric : resource.at("scopeMetrics").at(0).at("metrics")) {
      const bool total = metric.contains("sum");
      for (const Json& point : metric.at(total ? "sum" : "gauge").at("dataPoints")) {
        const std::string name = metric.at("name");
        if (name == "affix.session.state" || name == "affix.session.next_outgoing" ||
            name == "affix.session.logons") {
          std::printf(
              "%s %s{session=%s} %s\n", total ? "sum" : "gauge", name.c_str(),
              point.at("attributes").at(0).at("value").at("stringValue").get<std::string>().c_str(),
              point.at("asInt").get<std::string>().c_str());
        }
      }
    }
  }
}

class Nothing : public affix::host::Application {
 public:
  void on_message(affix::host::SessionHandle /*session*/,
                  const affix::wire::MessageView& /*message*/,
                  const affix::host::Delivery& /*delivery*/) noexcept override {}
};

int run(const std::string& counters_file) {
  const auto configuration = affix::config::parse_configuration(
      "[ENGINE]\ncounters_file=" + counters_file +
          "\n[SERVER]\nnic_address=127.0.0.1\naccept_port=0\n"
          "[DESK]\nbegin_string=FIX.4.4\ndurability=memory\nsender_comp_id=VENUE\n"
          "target_comp_id=DESK\n",
      "example");
  Nothing application;
  const auto engine = affix::engine::Engine::open(configuration.value(), application);
  if (!engine) {
    std::puts(affix::config::text_of(engine.error()).c_str());
    return 1;
  }
  auto reader = CounterReader::open(counters_file);
  if (!reader) {
    std::puts(reader.error().text().c_str());
    return 1;
  }
  const EngineReading reading = reader->read();

  httplib::Server collector;
  collector.Post("/v1/metrics", [](const httplib::Request& request, httplib::Response& answer) {
    print(Json::parse(request.body));
    answer.set_content("{}", "application/json");
  });
  const int port = collector.bind_to_any_port("127.0.0.1");
  std::thread listening([&collector] { collector.listen_after_bind(); });
  const bool taken = push("127.0.0.1", port, export_request(reading, reading.started_utc_ns));
  collector.stop();
  listening.join();
  std::puts(taken ? "taken" : "not taken");
  return taken ? 0 : 1;
}

}  // namespace

int main() {
  std::string directory = (std::filesystem::temp_directory_path() / "affix-otlp-XXXXXX").string();
  if (::mkdtemp(directory.data()) == nullptr) {
    return 1;
  }
  const int status = run(directory + "/venue.counters");
  std::filesystem::remove_all(directory);
  return status;
}
