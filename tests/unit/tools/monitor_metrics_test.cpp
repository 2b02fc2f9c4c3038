// SPDX-License-Identifier: MIT
// What the monitor gives to Prometheus: every family is in docs/reference/metrics.md and the other
// way round, histograms add up, and the dashboard asks for nothing that is not there.
#include "monitor/metrics_text.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace affix::tools::monitor {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.is_open()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

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
  view.row.now.counters[static_cast<std::size_t>(engine::SessionCounter::State)] = 2;
  view.row.now.counters[static_cast<std::size_t>(engine::SessionCounter::MessagesReceived)] = 12;
  view.row.now.counters[static_cast<std::size_t>(engine::SessionCounter::LastSent)] = 2'500'000'000;
  base::LatencyHistogram histogram;
  for (const std::int64_t value :
       std::initializer_list<std::int64_t>{500, 900, 3'000, 40'000, 20'000'000'000}) {
    histogram.record(value);
  }
  view.row.latencies[0] = base::LatencySnapshot(histogram);
  made.sessions.push_back(view);
  SessionView absent;
  absent.name = "absent";
  made.sessions.push_back(absent);
  return made;
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
  const std::string text = metrics_text(snapshot(), {});
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

TEST(MonitorMetrics, SayWhatOperatorsHaveStopped) {
  Snapshot made = snapshot();
  made.sessions[0].instance = "VENUE";
  made.sessions[1].instance = "DESKS";
  const auto expect = [&made](const std::string& line) {
    const std::string text = metrics_text(made, {});
    EXPECT_NE(text.find("\n" + line + "\n"), std::string::npos) << line;
  };
  expect("affix_sending_stopped 0");
  expect("affix_instance_sending_stopped{instance=\"VENUE\"} 0");
  made.sending_stopped = true;
  expect("affix_sending_stopped 1");
  // One that has no session yet is stopped all the same.
  made.stopped_instances = {"EMPTY", "VENUE"};
  expect("affix_instance_sending_stopped{instance=\"DESKS\"} 0");
  expect("affix_instance_sending_stopped{instance=\"EMPTY\"} 1");
  expect("affix_instance_sending_stopped{instance=\"VENUE\"} 1");
}

TEST(MonitorMetrics, HistogramsAddUp) {
  const std::string text = metrics_text(snapshot(), {});
  const std::string name = "affix_session_socket_to_application_seconds";
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

TEST(MonitorMetrics, DashboardAsksForWhatIsThere) {
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
