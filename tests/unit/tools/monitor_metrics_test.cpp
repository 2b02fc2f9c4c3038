// SPDX-License-Identifier: MIT
// The monitor's metrics for Prometheus: the same families as in docs/reference/metrics.md,
// histograms that add up, and a dashboard that only uses existing ones.
#include "affix/base/time.hpp"

#include "monitor/metrics_text.hpp"
#include "support/whole_file.hpp"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace affix::tools::monitor {
namespace {

using support::read_file;

Snapshot snapshot() {
  Snapshot made;
  made.status = EngineStatus::Up;
  made.version = "1.2";
  made.started_ns = 1'500'000'000;
  made.workers.resize(1);
  SessionView view;
  view.name = "a \"quoted\"\\\n\xFFname";
  view.present = true;
  view.row.now.name = view.name;
  view.row.now.counters[static_cast<std::size_t>(counters::SessionCounter::State)] = 2;
  view.row.now.counters[static_cast<std::size_t>(counters::SessionCounter::MessagesReceived)] = 12;
  view.row.now.counters[static_cast<std::size_t>(counters::SessionCounter::LastSent)] =
      2'500'000'000;
  base::LatencyHistogram histogram;
  for (const std::int64_t value :
       std::initializer_list<std::int64_t>{500, 900, 3'000, 40'000, 20'000'000'000}) {
    histogram.record(value);
  }
  auto latencies = std::make_shared<top::SessionRow::Latencies>();
  (*latencies)[0] = base::LatencySnapshot(histogram);
  view.row.latencies = latencies;
  view.instance = "VENUE";
  made.sessions.push_back(view);
  SessionView absent;
  absent.name = "absent";
  made.sessions.push_back(absent);
  return made;
}

const Fleet& fleet() {
  static const Fleet one = [] {
    std::vector<std::unique_ptr<WatchedEngine>> engines;
    engines.push_back(std::make_unique<WatchedEngine>());
    engines.back()->name = "venue";
    return Fleet(std::move(engines));
  }();
  return one;
}

const Fleet& two_engines() {
  static const Fleet two = [] {
    std::vector<std::unique_ptr<WatchedEngine>> engines;
    for (const char* const name : {"venue", "gateway"}) {
      engines.push_back(std::make_unique<WatchedEngine>());
      engines.back()->name = name;
    }
    return Fleet(std::move(engines));
  }();
  return two;
}

EngineStates states(const Snapshot& made) {
  return {{&fleet()[0], std::make_shared<const Snapshot>(made)}};
}

TEST(MonitorMetrics, PageListsThemAll) {
  std::string rows;
  for (const MetricFamily& family : metric_families()) {
    rows += "| `" + family.name + "` | " + family.type + " | " + family.labels + " | " +
            family.help + " |\n";
  }
  std::string listed;
  std::istringstream page(read_file(AFFIX_DOCS "/reference/metrics.md"));
  for (std::string line; std::getline(page, line);) {
    listed += line.starts_with("| `affix_") ? line + "\n" : std::string();
  }
  EXPECT_EQ(listed, rows) << "the table is to be:\n" << rows;
}

TEST(MonitorMetrics, HaveTheirValues) {
  const std::string text = metrics_text(states(snapshot()), {});
  const std::string label = "{session=\"a \\\"quoted\\\"\\\\\\n\xEF\xBF\xBDname\"}";
  EXPECT_NE(text.find("\naffix_up 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\naffix_engine_start_time_seconds 1.5\n"), std::string::npos);
  EXPECT_NE(text.find("affix_session_messages_received_total" + label + " 12\n"),
            std::string::npos);
  EXPECT_NE(text.find("affix_session_last_sent_timestamp_seconds" + label + " 2.5\n"),
            std::string::npos);
  EXPECT_NE(text.find("affix_session_up" + label + " 1\n"), std::string::npos);
  EXPECT_NE(text.find("affix_session_up{session=\"absent\"} 0\n"), std::string::npos);
  EXPECT_EQ(text.find("affix_session_messages_received_total{session=\"absent\"}"),
            std::string::npos)
      << "what nobody counts is not 0";
}

TEST(MonitorMetrics, HaveTheKillSwitches) {
  Snapshot made = snapshot();
  made.sessions[0].instance = "VENUE";
  made.sessions[1].instance = "DESKS";
  const auto expect = [&made](const std::string& line) {
    const std::string text = metrics_text(states(made), {});
    EXPECT_NE(text.find("\n" + line + "\n"), std::string::npos) << line;
  };
  expect("affix_sending_stopped 0");
  expect("affix_instance_sending_stopped{instance=\"VENUE\"} 0");
  made.sending_stopped = true;
  expect("affix_sending_stopped 1");
  // An instance without sessions is shown as stopped, too.
  made.stopped_instances = {"EMPTY", "VENUE"};
  expect("affix_instance_sending_stopped{instance=\"DESKS\"} 0");
  expect("affix_instance_sending_stopped{instance=\"EMPTY\"} 1");
  expect("affix_instance_sending_stopped{instance=\"VENUE\"} 1");
}

TEST(MonitorMetrics, LatenciesAreSumsOfInstancesUnlessASessionIsAskedFor) {
  Snapshot made = snapshot();
  for (int number = 0; number < 50; ++number) {
    made.sessions.push_back(made.sessions[0]);
    made.sessions.back().name = "S" + std::to_string(number);
  }
  const std::string sums = metrics_text(states(made), {});
  EXPECT_NE(sums.find("\naffix_socket_to_application_seconds_count{instance=\"VENUE\"} 255\n"),
            std::string::npos);
  EXPECT_EQ(sums.find("affix_session_socket_to_application_seconds"), std::string::npos);
  const std::string one =
      metrics_text(states(made), {}, {.all = false, .sessions = {"S7", "none"}});
  EXPECT_NE(one.find("\naffix_session_socket_to_application_seconds_count{session=\"S7\"} 5\n"),
            std::string::npos);
  EXPECT_EQ(one.find("affix_session_socket_to_application_seconds_count{session=\"S8\"}"),
            std::string::npos);
  const std::string all = metrics_text(states(made), {}, {.all = true});
  EXPECT_NE(all.find("affix_session_socket_to_application_seconds_count{session=\"S8\"}"),
            std::string::npos);
  // A session's part of a scrape: no histogram of its own.
  made.sessions.push_back(made.sessions.back());
  made.sessions.back().name = "S50";
  EXPECT_LT(metrics_text(states(made), {}).size() - sums.size(), 4'000U);
}

TEST(MonitorState, GivesPagesAndChanges) {
  Snapshot made = snapshot();
  made.utc_ns = 3'000;
  made.sessions_since_ns = 1'000;
  made.sessions.clear();
  for (int number = 0; number < 10; ++number) {
    SessionView& view = made.sessions.emplace_back();
    view.name = "S" + std::to_string(number);
    view.changed_ns = number % 2 == 0 ? 1'000 : 3'000;
  }
  const auto names = [&](const std::string& query) {
    const auto request = request_of_target("/api/state" + query);
    EXPECT_TRUE(request);
    const Answer answer = answer_state(*request, fleet(), states(made), {});
    std::string all = std::to_string(answer.status);
    if (answer.status == 200) {
      const auto json = nlohmann::json::parse(answer.body);
      EXPECT_EQ(json["sessions_total"], 10);
      all += json["only_changed"] ? " changed" : "";
      for (const auto& session : json["sessions"]) {
        all += " " + std::string(session["name"]);
      }
    }
    return all;
  };
  EXPECT_EQ(names(""), "200 S0 S1 S2 S3 S4 S5 S6 S7 S8 S9");
  EXPECT_EQ(names("?from=8&count=5"), "200 S8 S9");
  EXPECT_EQ(names("?from=2&count=2"), "200 S2 S3");
  EXPECT_EQ(names("?changed_since_ns=2000"), "200 changed S1 S3 S5 S7 S9");
  EXPECT_EQ(names("?changed_since_ns=3000"), "200 changed");
  EXPECT_EQ(names("?changed_since_ns=999"), "200 S0 S1 S2 S3 S4 S5 S6 S7 S8 S9")
      << "a session has come or gone since";
  EXPECT_EQ(names("?changed_since_ns=x"), "400");
  EXPECT_EQ(names("?unknown=1"), "400");
}

TEST(MonitorState, GivesTheAlertsThatHaveChangedAndThoseThatAreGone) {
  Snapshot made = snapshot();
  made.utc_ns = 5'000;
  made.alerts_since_ns = 1'000;
  for (const auto& [id, changed_ns] : {std::pair(9U, 5'000), std::pair(7U, 2'000)}) {
    Alert& alert = made.alerts.emplace_back();
    alert.id = id;
    alert.changed_ns = changed_ns;
  }
  made.gone_alerts = {{3, 2'000}, {4, 4'000}, {5, 5'000}};
  const auto alerts = [&](const std::string& query) {
    const auto request = request_of_target("/api/state" + query);
    EXPECT_TRUE(request);
    const auto json = nlohmann::json::parse(answer_state(*request, fleet(), states(made), {}).body);
    EXPECT_EQ(json["engine"]["alerts"], 2) << "however many are sent";
    std::string all = json["alerts_only_changed"] ? "changed" : "all";
    for (const auto& alert : json["alerts"]) {
      all += " " + std::to_string(alert["id"].get<int>());
    }
    return all + " gone " + json["alerts_gone"].dump();
  };
  EXPECT_EQ(alerts(""), "all 9 7 gone []");
  EXPECT_EQ(alerts("?changed_since_ns=4000"), "all 9 7 gone []") << "which is about sessions";
  EXPECT_EQ(alerts("?alerts_changed_since_ns=1000"), "changed 9 7 gone [3,4,5]");
  EXPECT_EQ(alerts("?alerts_changed_since_ns=3000"), "changed 9 gone [4,5]");
  EXPECT_EQ(alerts("?alerts_changed_since_ns=5000"), "changed gone []");
  EXPECT_EQ(alerts("?alerts_changed_since_ns=999"), "all 9 7 gone []") << "more may be gone";
}

TEST(MonitorState, HasTheNamesOfCountersOnceOnRequest) {
  Snapshot made = snapshot();
  const auto state = [&](const std::string& query) {
    const auto request = request_of_target("/api/state" + query);
    const Answer answer = answer_state(*request, fleet(), states(made), {});
    EXPECT_EQ(answer.status, 200) << answer.body;
    return nlohmann::json::parse(answer.body);
  };
  const auto named = state("");
  const auto listed = state("?names=once");
  EXPECT_FALSE(named.contains("counter_names"));
  for (std::size_t at = 0; at < listed["counter_names"].size(); ++at) {
    const std::string name = listed["counter_names"][at];
    EXPECT_EQ(listed["sessions"][0]["counters"][at], named["sessions"][0]["counters"][name]);
  }
  EXPECT_EQ(listed["counter_names"].size(), named["sessions"][0]["counters"].size());
  const auto& wanted = named["sessions"][0]["latencies"];
  ASSERT_EQ(listed["latency_names"].size(), wanted.size());
  for (std::size_t at = 0; at < wanted.size(); ++at) {
    const auto& one = wanted[std::string(listed["latency_names"][at])];
    const auto& list = listed["sessions"][0]["latencies"][at];
    if (one["count"] == 0) {
      EXPECT_TRUE(list.is_null());
      continue;
    }
    const nlohmann::json values{one["count"], one["p50"],  one["p90"],
                                one["p99"],   one["p999"], one["max"]};
    EXPECT_EQ(list, values);
  }
  EXPECT_EQ(listed["sessions"][0]["latencies"][0][0], 5);
  EXPECT_TRUE(listed["sessions"][1]["counters"].empty()) << "the engine does not have it";
  EXPECT_EQ(
      answer_state(*request_of_target("/api/state?names=twice"), fleet(), states(made), {}).status,
      400);
  // Most sessions of a large engine have counted nothing.
  made.sessions.resize(1);
  made.sessions[0].row.latencies = nullptr;
  EXPECT_LT(state("?names=once")["sessions"].dump().size(),
            state("")["sessions"].dump().size() / 2);
}

TEST(MonitorState, OfSeveralEnginesNamesEachAndWaitsForNone) {
  Snapshot up = snapshot();
  up.utc_ns = 5'000;
  up.sessions_since_ns = 1'000;
  up.sessions.resize(1);
  up.sessions[0].name = "A";
  up.sessions[0].changed_ns = 4'000;
  Snapshot down;
  down.utc_ns = 2'000;  // It was not looked at for a long time.
  down.status = EngineStatus::Killed;
  down.status_since_ns = 1'500;
  down.sessions.resize(1);
  down.sessions[0].name = "A";
  down.sessions[0].changed_ns = 1'000;
  Alert alert;
  alert.id = 9;
  alert.session = "A";
  down.alerts.push_back(alert);
  const Fleet& two = two_engines();
  const EngineStates both{{&two[0], std::make_shared<const Snapshot>(up)},
                          {&two[1], std::make_shared<const Snapshot>(down)}};
  const auto state = [&](const std::string& query) {
    const Answer answer = answer_state(*request_of_target("/api/state" + query), two, both, {});
    EXPECT_EQ(answer.status, 200) << answer.body;
    return nlohmann::json::parse(answer.body);
  };
  const auto all = state("");
  EXPECT_EQ(all["engine"], nullptr);
  ASSERT_EQ(all["engines"].size(), 2U);
  EXPECT_EQ(all["engines"][1]["name"], "gateway");
  EXPECT_EQ(all["engines"][1]["status"], "killed");
  EXPECT_EQ(all["engines"][1]["status_since_ns"], 1'500);
  EXPECT_EQ(all["engines"][1]["alerts_open"], 1);
  EXPECT_EQ(all["engines"][0]["sessions_up"], 1);
  EXPECT_EQ(all["sessions_total"], 2);
  EXPECT_EQ(all["sessions"][0]["name"], "venue:A");
  EXPECT_EQ(all["sessions"][1]["name"], "gateway:A");
  EXPECT_EQ(all["sessions"][1]["engine"], "gateway");
  EXPECT_EQ(all["alerts"][0]["session"], "gateway:A");
  EXPECT_EQ(all["alerts"][0]["engine"], "gateway");
  EXPECT_EQ(all["workers"][0]["engine"], "venue");
  EXPECT_EQ(all["time_ns"], 2'000) << "nothing that came since is missed";
  EXPECT_EQ(all["now_ns"], 5'000);
  EXPECT_EQ(state("?from=1&count=1")["sessions"][0]["name"], "gateway:A");
  const auto changed = state("?changed_since_ns=2000");
  EXPECT_EQ(changed["only_changed"], true);
  ASSERT_EQ(changed["sessions"].size(), 1U);
  EXPECT_EQ(changed["sessions"][0]["name"], "venue:A");
}

TEST(MonitorMetrics, OfSeveralEnginesHaveTheirNames) {
  Snapshot down;
  const Fleet& two = two_engines();
  const std::string text = metrics_text({{&two[0], std::make_shared<const Snapshot>(snapshot())},
                                         {&two[1], std::make_shared<const Snapshot>(down)}},
                                        {.version = "7"});
  const auto expect = [&](const std::string& lines) {
    EXPECT_NE(text.find("\n" + lines + "\n"), std::string::npos) << lines << " in " << text;
  };
  expect("# TYPE affix_up gauge\naffix_up{engine=\"venue\"} 1\naffix_up{engine=\"gateway\"} 0");
  expect("affix_engine_info{engine=\"venue\",version=\"1.2\"} 1");
  expect("affix_session_up{engine=\"venue\",session=\"absent\"} 0");
  expect("affix_alerts{engine=\"gateway\",kind=\"gap\"} 0");
  expect("affix_monitor_info{version=\"7\"} 1");
  std::set<std::string> heads;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# TYPE ")) {
      EXPECT_TRUE(heads.insert(line).second) << line << " twice";
    }
  }
}

TEST(MonitorState, KnowsSinceWhenASessionIsAsItIs) {
  const auto roster = Roster::of(affix::config::Configuration());
  ASSERT_TRUE(roster);
  Observer observer(*roster, {}, 10);
  counters::EngineReading reading;
  reading.running = true;
  reading.started_utc_ns = 1;
  for (std::size_t seat = 0; seat < 3; ++seat) {
    counters::SessionReading& session = reading.sessions.emplace_back();
    session.seat = seat;
    session.name = "S" + std::to_string(seat);
  }
  const auto look = [&](std::int64_t second) {
    observer.look(second * base::ns_per_second, {EngineStatus::Up, {}, reading}, {});
    std::string changed;
    for (const SessionView& view : observer.snapshot()->sessions) {
      changed += std::to_string(view.changed_ns / base::ns_per_second) + " ";
    }
    return changed + std::to_string(observer.snapshot()->sessions_since_ns / base::ns_per_second);
  };
  constexpr auto received = static_cast<std::size_t>(counters::SessionCounter::MessagesReceived);
  EXPECT_EQ(look(1), "1 1 1 1");
  EXPECT_EQ(look(2), "1 1 1 1");
  reading.sessions[1].counters[received] = 5;
  EXPECT_EQ(look(3), "1 3 1 1");
  EXPECT_EQ(look(4), "1 4 1 1") << "its rate is 0 again";
  EXPECT_EQ(look(5), "1 4 1 1");
  reading.sessions.pop_back();
  EXPECT_EQ(look(6), "6 6 6");
}

TEST(MonitorState, KnowsSinceWhenAnAlertIsAsItIsAndWhichAreGone) {
  affix::config::Configuration configuration;
  affix::config::SessionSettings settings;
  settings.sender_comp_id = "V";
  settings.durability = journal::Durability::Memory;
  for (const char* const name : {"S0", "S1"}) {
    settings.name = name;
    settings.target_comp_id = name;
    configuration.sessions.push_back(settings);
  }
  const auto roster = Roster::of(configuration);
  ASSERT_TRUE(roster);
  Observer observer(*roster, {.session_down_seconds = 2}, 10);
  counters::EngineReading reading;
  reading.running = true;
  reading.started_utc_ns = 1;
  for (std::size_t seat = 0; seat < 2; ++seat) {
    counters::SessionReading& session = reading.sessions.emplace_back();
    session.seat = seat;
    session.name = "S" + std::to_string(seat);
  }
  const auto look = [&](std::int64_t second) {
    observer.look(second * base::ns_per_second, {EngineStatus::Up, {}, reading}, {});
    const auto made = observer.snapshot();
    std::string text;
    for (const Alert& alert : made->alerts) {
      text += alert.session + " " + std::to_string(alert.changed_ns / base::ns_per_second) + ", ";
    }
    for (const GoneAlert& gone : made->gone_alerts) {
      text += "gone " + std::to_string(gone.gone_ns / base::ns_per_second) + ", ";
    }
    return text + std::to_string(made->alerts_since_ns / base::ns_per_second);
  };
  constexpr auto state = static_cast<std::size_t>(counters::SessionCounter::State);
  EXPECT_EQ(look(1), "1");
  EXPECT_EQ(look(3), "S1 3, S0 3, 1");
  EXPECT_EQ(look(4), "S1 3, S0 3, 1") << "that they hold a second longer is no change";
  AlertBook book;
  const auto acknowledged = observer.snapshot()->alerts[1];
  ASSERT_TRUE(book.acknowledge(acknowledged, {.by = "ops", .comment = {}, .at_ns = 5}));
  observer.set_book(std::move(book));
  EXPECT_EQ(look(5), "S1 3, S0 5, 1");
  reading.sessions[1].counters[state] =
      static_cast<std::uint64_t>(session::SessionStanding::LoggedOn);
  EXPECT_EQ(look(6), "S0 5, gone 6, 1");
  EXPECT_EQ(look(7), "S0 5, gone 6, 1");
  EXPECT_EQ(look(2), "S0 2, 2") << "of a clock that was set back nothing is known";
}

TEST(MonitorState, ForgetsWhichAlertsAreGoneInTime) {
  const auto roster = Roster::of(affix::config::Configuration());
  ASSERT_TRUE(roster);
  Observer observer(*roster, {}, 10);
  for (std::int64_t second = 1; second <= 2'100; ++second) {
    observer.set_damage(second, "S", second % 2 == 0 ? "bad" : "");
    observer.look(second * base::ns_per_second, {}, {});
  }
  const auto made = observer.snapshot();
  EXPECT_LE(made->gone_alerts.size(), 1'000U);
  EXPECT_EQ(made->alerts_since_ns + 2 * base::ns_per_second, made->gone_alerts.front().gone_ns)
      << "one is gone every two seconds, and the one before it is forgotten";
}

TEST(MonitorMetrics, HistogramsAddUp) {
  const std::string text = metrics_text(states(snapshot()), {});
  const std::string name = "affix_socket_to_application_seconds";
  const auto value = [&](const std::string& ending) {
    const std::regex line(name + "_" + ending + " ([0-9.e+-]+)\n");
    std::smatch match;
    EXPECT_TRUE(std::regex_search(text, match, line)) << ending;
    return match.empty() ? -1.0 : std::stod(match[1]);
  };
  EXPECT_EQ(value("bucket\\{[^}]*le=\"1e-06\"\\}"), 2);
  EXPECT_EQ(value("bucket\\{[^}]*le=\"5e-06\"\\}"), 3);
  EXPECT_EQ(value("bucket\\{[^}]*le=\"5e-05\"\\}"), 4);
  EXPECT_EQ(value("bucket\\{[^}]*le=\"10\"\\}"), 4);
  EXPECT_EQ(value("bucket\\{[^}]*le=\"\\+Inf\"\\}"), 5);
  EXPECT_EQ(value("count\\{[^}]*\\}"), 5);
  EXPECT_NEAR(value("sum\\{[^}]*\\}"), 20.0000444, 1e-6);
}

TEST(MonitorMetrics, DashboardAsksForExistingMetrics) {
  std::set<std::string> known;
  for (const MetricFamily& family : metric_families()) {
    known.insert(family.name);
    if (family.type == "histogram") {
      for (const char* const ending : {"_bucket", "_sum", "_count"}) {
        known.insert(family.name + ending);
      }
    }
  }
  const auto dashboard =
      nlohmann::json::parse(read_file(AFFIX_DOCS "/../packaging/grafana/affix.json"));
  std::size_t queries = 0;
  const std::regex metric("affix_[a-z0-9_]+");
  const auto check = [&](const std::string& query) {
    for (std::sregex_iterator found(query.begin(), query.end(), metric), end; found != end;
         ++found) {
      EXPECT_TRUE(known.contains(found->str())) << found->str();
      ++queries;
    }
  };
  for (const auto& panel : dashboard.at("panels")) {
    for (const auto& target : panel.value("targets", nlohmann::json::array())) {
      check(target.at("expr").get<std::string>());
    }
  }
  for (const auto& variable : dashboard.at("templating").at("list")) {
    if (variable.contains("query") && variable.at("query").is_string()) {
      check(variable.at("query").get<std::string>());
    }
  }
  EXPECT_GT(queries, 10U);
}

}  // namespace
}  // namespace affix::tools::monitor
