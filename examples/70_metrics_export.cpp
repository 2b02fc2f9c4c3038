// SPDX-License-Identifier: MIT
// Prints an engine's counters in the text format that monitoring systems scrape. Reads the engine's
// counters file like any other process, without cost to the engine.

#include "affix/admin.hpp"
#include "affix/engine.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace {

using affix::counters::CounterReader;
using affix::counters::SessionCounter;
using affix::counters::SessionReading;
using affix::engine::Engine;
using affix::host::Delivery;
using affix::host::SessionHandle;
using affix::wire::MessageView;

class Venue : public affix::host::Application {
 public:
  void on_message(SessionHandle session, const MessageView& order,
                  const Delivery& /*delivery*/) noexcept override {
    affix::wire::Encoder report = session.begin("8");
    report.text(11, order.text(11).value_or("?"));
    report.character(150, 'F');
    static_cast<void>(session.commit(report));
  }
};

class Trader : public affix::host::Application {
 public:
  int reports = 0;

  void on_logon(SessionHandle session) noexcept override {
    for (int number = 0; number < 3; ++number) {
      affix::wire::Encoder order = session.begin("D");
      order.integer(11, number);
      static_cast<void>(session.commit(order));
    }
  }

  void on_message(SessionHandle /*session*/, const MessageView& /*report*/,
                  const Delivery& /*delivery*/) noexcept override {
    ++reports;
  }
};

std::unique_ptr<Engine> open(const std::string& text, affix::host::Application& application) {
  const auto configuration = affix::config::parse_configuration(
      "[SESSION_DEFAULTS]\nbegin_string=FIX.4.4\ndurability=memory\n" + text, "example");
  if (configuration) {
    auto engine = Engine::open(*configuration, application);
    if (engine) {
      return std::move(*engine);
    }
    std::puts(affix::config::text_of(engine.error()).c_str());
  } else {
    std::puts(affix::config::text_of(configuration.error()).c_str());
  }
  return nullptr;
}

/// Prints one metric, one line per session. Names and help are the engine's own.
void print(const affix::counters::EngineReading& reading, SessionCounter counter) {
  const affix::counters::CounterName& named =
      affix::counters::session_counter_names()[static_cast<std::size_t>(counter)];
  const bool total = named.kind == affix::counters::CounterKind::Total;
  const std::string family = std::string("affix_") + named.name + (total ? "_total" : "");
  std::printf("# TYPE %s %s\n", family.c_str(), total ? "counter" : "gauge");
  for (const SessionReading& session : reading.sessions) {
    std::printf("%s{session=\"%s\",peer=\"%s\"} %llu\n", family.c_str(), session.name.c_str(),
                session.target_comp_id.c_str(), static_cast<unsigned long long>(session[counter]));
  }
}

int export_metrics(const std::string& counters_file) {
  auto reader = CounterReader::open(counters_file);
  if (!reader) {
    std::puts(reader.error().text().c_str());
    return 1;
  }
  const affix::counters::EngineReading reading = reader->read();
  for (const SessionCounter counter :
       {SessionCounter::State, SessionCounter::ApplicationReceived, SessionCounter::ApplicationSent,
        SessionCounter::Gaps, SessionCounter::NextOutgoing}) {
    print(reading, counter);
  }
  return 0;
}

int run(const std::string& counters_file) {
  Venue venue;
  const auto venue_engine = open("[ENGINE]\ncounters_file=" + counters_file +
                                     "\n[SERVER]\nnic_address=127.0.0.1\naccept_port=0\n"
                                     "[DESK]\nsender_comp_id=VENUE\ntarget_comp_id=TRADER\n"
                                     "[NOBODY]\nsender_comp_id=VENUE\ntarget_comp_id=OTHER\n",
                                 venue);
  if (!venue_engine) {
    return 1;
  }
  Trader trader;
  const auto trader_engine =
      open("[CLIENT]\nprimary_address=127.0.0.1\nprimary_port=" +
               std::to_string(venue_engine->listening_addresses().front().port()) +
               "\n[VENUE]\nsender_comp_id=TRADER\ntarget_comp_id=VENUE\n",
           trader);
  for (int turn = 0; trader_engine && turn < 10'000'000 && trader.reports < 3; ++turn) {
    venue_engine->poll();
    trader_engine->poll();
  }
  return trader.reports == 3 ? export_metrics(counters_file) : 1;
}

}  // namespace

int main() {
  std::string directory =
      (std::filesystem::temp_directory_path() / "affix-metrics-XXXXXX").string();
  if (::mkdtemp(directory.data()) == nullptr) {
    return 1;
  }
  const int status = run(directory + "/venue.counters");
  std::filesystem::remove_all(directory);
  return status;
}
