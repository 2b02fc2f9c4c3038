// SPDX-License-Identifier: MIT
// The monitor's facts about one session if the engine cannot be queried: its file's settings, and
// when its schedule opens and closes.
#include "affix/base/time.hpp"

#include "monitor/session_facts.hpp"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace affix::tools::monitor {
namespace {

/// Wednesday, 2026-01-07 12:00 UTC.
constexpr std::int64_t wednesday_noon_ns =
    20'460 * base::ns_per_day + 12 * 3'600 * base::ns_per_second;

constexpr const char* configuration = R"([VENUE]
type=server
nic_address=127.0.0.1
accept_port=0
[SESSION_DEFAULTS]
begin_string=FIX.4.4
sender_comp_id=VENUE
journal_path=/nowhere
[DESK]
target_comp_id=DESK
heartbeat_interval_seconds=7
schedule_windows=MON-FRI 08:00-17:00
schedule_time_zone=America/New_York
logon_username=desk
logon_password=env:HOME
[ALWAYS]
target_comp_id=ALWAYS
[CLIENTS]
target_comp_id=C*
acceptor_template=true
schedule_windows=MON-FRI 06:00-10:00
)";

class MonitorSessionFacts : public ::testing::Test {
 protected:
  MonitorSessionFacts() {
    const auto parsed = affix::config::parse_configuration(configuration, "test.ini");
    EXPECT_TRUE(parsed) << affix::config::text_of(parsed.error());
    std::vector<std::unique_ptr<WatchedEngine>> engines;
    engines.push_back(std::make_unique<WatchedEngine>());
    engine_ = engines.back().get();
    engine_->name = "test";
    engine_->roster = Roster::of(parsed.value()).value();
    engine_->observer = std::make_unique<Observer>(engine_->roster, AlertLimits{}, 0);
    fleet_ = Fleet(std::move(engines));
  }

  [[nodiscard]] Answer answer(const std::string& query) const {
    auto request = request_of_target("/api/session" + query);
    return answer_session(*request, fleet_, {engine_}, wednesday_noon_ns);
  }

  [[nodiscard]] nlohmann::json facts(const std::string& session) const {
    const Answer made = answer("?session=" + session);
    EXPECT_EQ(made.status, 200) << made.body;
    return nlohmann::json::parse(made.body);
  }

  [[nodiscard]] static nlohmann::json setting(const nlohmann::json& facts, const std::string& key) {
    for (const auto& one : facts["configuration"]) {
      if (one["key"] == key) {
        return one;
      }
    }
    return nullptr;
  }

  void add(const std::string& name) {
    EngineLook look;
    look.reading.sessions.emplace_back().name = name;
    engine_->observer->look(wednesday_noon_ns, std::move(look), {});
  }

  Fleet fleet_;
  WatchedEngine* engine_ = nullptr;
};

TEST_F(MonitorSessionFacts, AreTheFilesWhereTheEngineDoesNotRun) {
  const auto desk = facts("DESK");
  EXPECT_EQ(desk["source"], "file");
  EXPECT_EQ(desk["problem"], "the engine does not run [M110]");
  EXPECT_EQ(
      setting(desk, "heartbeat_interval_seconds"),
      (nlohmann::json{{"key", "heartbeat_interval_seconds"}, {"value", "7"}, {"said", true}}));
  EXPECT_EQ(setting(desk, "send_queue_max")["said"], false);
}

TEST_F(MonitorSessionFacts, HoldNoSecret) {
  const auto desk = facts("DESK");
  EXPECT_EQ(setting(desk, "logon_password")["value"], "...");
  EXPECT_EQ(setting(desk, "logon_username")["value"], "desk");
  EXPECT_EQ(desk.dump().find("env:HOME"), std::string::npos);
}

TEST_F(MonitorSessionFacts, HaveTheNextOpeningInUtcAndInTheZone) {
  const auto schedule = facts("DESK")["schedule"];
  EXPECT_EQ(schedule["open"], false) << "07:00 in New York";
  EXPECT_EQ(schedule["zone"], "America/New_York");
  EXPECT_EQ(schedule["opens"], "2026-01-07T13:00:00.000000000Z");
  EXPECT_EQ(schedule["opens_local"], "2026-01-07 08:00:00");
  EXPECT_EQ(schedule["opens_ns"], wednesday_noon_ns + 3'600 * base::ns_per_second);
  EXPECT_EQ(schedule["closes_local"], "2026-01-07 17:00:00");
  const auto always = facts("ALWAYS")["schedule"];
  EXPECT_EQ(always["always"], true);
  EXPECT_EQ(always["open"], true);
  EXPECT_EQ(always["opens_ns"], 0);
  EXPECT_EQ(always["closes"], "");
}

TEST_F(MonitorSessionFacts, OfASessionOfATemplateAreTheTemplates) {
  add("CLIENTS/C17");
  const auto made = facts("CLIENTS/C17");
  EXPECT_EQ(made["source"], "file");
  EXPECT_EQ(made["schedule"]["open"], false);
  EXPECT_EQ(made["schedule"]["opens"], "2026-01-08T06:00:00.000000000Z");
}

TEST_F(MonitorSessionFacts, OfASessionThatTheFileDoesNotHaveAreNotGuessed) {
  add("LATER");
  const auto later = facts("LATER");
  EXPECT_EQ(later["source"], "");
  EXPECT_EQ(later["configuration"], nlohmann::json::array());
  EXPECT_NE(later["schedule"]["problem"], "");
}

TEST_F(MonitorSessionFacts, AreRefusedWithoutASession) {
  EXPECT_EQ(answer("").status, 400);
  EXPECT_EQ(answer("?session=").status, 400);
  EXPECT_EQ(answer("?session=NOBODY").status, 404);
  EXPECT_EQ(answer("?session=DESK&more=1").status, 400);
}

}  // namespace
}  // namespace affix::tools::monitor
