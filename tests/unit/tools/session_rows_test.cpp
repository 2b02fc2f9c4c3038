// SPDX-License-Identifier: MIT
// The contents of `affix top` from two readings: rates, order, selection, lines; and its keys.
#include "top/session_rows.hpp"

#include "top/screen.hpp"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace affix::tools::top {
namespace {

using counters::SessionCounter;

constexpr std::int64_t second_ns = 1'000'000'000;

counters::SessionReading session(std::size_t seat, const std::string& name,
                                 std::uint64_t received) {
  counters::SessionReading reading;
  reading.seat = seat;
  reading.version = 2;
  reading.name = name;
  reading.counters[static_cast<std::size_t>(SessionCounter::MessagesReceived)] = received;
  return reading;
}

TimedReading reading(std::int64_t utc_ns, std::vector<counters::SessionReading> sessions) {
  TimedReading made;
  made.utc_ns = utc_ns;
  made.engine.process_id = 7;
  made.engine.started_utc_ns = 1;
  made.engine.sessions = std::move(sessions);
  return made;
}

std::vector<std::string> names(const std::vector<SessionRow>& rows) {
  std::vector<std::string> all;
  for (const SessionRow& row : rows) {
    all.push_back(row.now.name);
  }
  return all;
}

TEST(SessionRows, HaveRatesBetweenTwoReadings) {
  const auto rows = make_rows(reading(0, {session(0, "A", 100)}),
                              reading(2 * second_ns, {session(0, "A", 150)}), {});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].received_rate, 25.0);
  EXPECT_EQ(rows[0].sent_rate, 0.0);
}

TEST(SessionRows, ShowEveryDigitOfASequenceNumber) {
  TimedReading now = reading(0, {session(0, "A", 1)});
  auto& counters = now.engine.sessions[0].counters;
  counters[static_cast<std::size_t>(SessionCounter::NextExpected)] = 100'001;
  counters[static_cast<std::size_t>(SessionCounter::NextOutgoing)] = 12'345'678'901;
  counters[static_cast<std::size_t>(SessionCounter::MessagesReceived)] = 100'001;
  const auto rows = make_rows(now, now, {});
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
           {"next_in", "100001"}, {"next_out", "12345678901"}}) {
    const Column* const column = find_column(name);
    ASSERT_NE(column, nullptr);
    EXPECT_EQ(column->text(rows[0], 0), text);
    EXPECT_LE(text.size(), column->width);
  }
  EXPECT_NE(find_column("received")->text(rows[0], 0), "100001") << "a count is scaled";
}

TEST(SessionRows, ShowTheKillSwitches) {
  TimedReading now = reading(0, {session(0, "A", 1), session(1, "B", 1)});
  EXPECT_EQ(engine_lines(now, now).size(), 1U);
  auto& state = now.engine.sessions[1].counters;
  state[static_cast<std::size_t>(SessionCounter::SendingStopped)] = 1;
  const Column* const column = find_column("state");
  for (std::uint64_t standing = 0; standing < 5; ++standing) {
    state[static_cast<std::size_t>(SessionCounter::State)] = standing;
    const auto rows = make_rows(now, now, {});
    EXPECT_EQ(column->text(rows[0], 0), "disconnected");
    EXPECT_NE(column->text(rows[1], 0).find("STOPPED"), std::string::npos);
    EXPECT_LE(column->text(rows[1], 0).size(), column->width);
  }
  auto rows = make_rows(now, now, {});
  filter_rows(rows, "stopped");
  EXPECT_EQ(names(rows), std::vector<std::string>{"B"});
  const std::string sending = "SENDING STOPPED by an operator: ";
  EXPECT_EQ(engine_lines(now, now)[1], sending + "1 of 2 sessions");
  now.engine.instances_stopped = 5;
  EXPECT_EQ(engine_lines(now, now)[1], sending + "of 5 instances, 1 of 2 sessions");
  now.engine.stopped_instances = {"X", "Y"};
  EXPECT_EQ(engine_lines(now, now)[1], sending + "of X, Y and 3 more instances, 1 of 2 sessions");
  now.engine.sending_stopped = true;
  EXPECT_EQ(engine_lines(now, now)[1], sending + "of the whole engine, 1 of 2 sessions");
  const auto json = nlohmann::json::parse(json_text(now, now));
  EXPECT_EQ(json["engine"]["sending_stopped"], true);
  EXPECT_EQ(json["engine"]["instances_stopped"], 5);
  EXPECT_EQ(json["engine"]["stopped_instances"], nlohmann::json({"X", "Y"}));
  EXPECT_EQ(json["sessions"][1]["sending_stopped"], 1);
}

TEST(SessionRows, ShowTheConnectedPeerAndTheSideAndReasonOfTheLastEnd) {
  constexpr std::int64_t now_ns = 100 * second_ns;
  TimedReading now = reading(now_ns, {session(0, "A", 1), session(1, "B", 1), session(2, "C", 1)});
  const auto set = [&](std::size_t which, SessionCounter counter, std::uint64_t value) {
    now.engine.sessions[which].counters[static_cast<std::size_t>(counter)] = value;
  };
  now.engine.sessions[0].sender_comp_id = "DESK";
  now.engine.sessions[0].target_comp_id = "VENUE";
  now.engine.sessions[0].peer = "192.0.2.1:9876";
  now.engine.sessions[1].last_end = "ended by the peer: Logout";
  set(1, SessionCounter::LastDisconnect, 90 * second_ns);
  now.engine.sessions[2].last_end = "ended by an operator: by ann: maintenance";
  now.engine.sessions[2].disabled_by = "by ann: maintenance";
  set(2, SessionCounter::DisabledSince, 70 * second_ns);
  set(2, SessionCounter::State, 4);
  const auto rows = make_rows(now, now, {});
  const auto text = [&](std::size_t which, std::string_view column) {
    return find_column(column)->text(rows[which], now_ns);
  };
  EXPECT_EQ(text(0, "peer"), "192.0.2.1:9876");
  EXPECT_EQ(text(0, "ids"), "DESK > VENUE");
  EXPECT_EQ(text(0, "ended"), "-");
  EXPECT_EQ(text(1, "peer"), "");
  EXPECT_EQ(text(1, "ended"), "10s");
  EXPECT_EQ(text(1, "why"), "ended by the peer: Logout");
  EXPECT_EQ(text(2, "state"), "disabled");
  EXPECT_EQ(text(2, "why"), "disabled for 30s, by ann: maintenance");
  auto wanted = rows;
  filter_rows(wanted, "192.0.2.1");
  EXPECT_EQ(names(wanted), std::vector<std::string>{"A"});
  const auto json = nlohmann::json::parse(json_text(now, now))["sessions"];
  EXPECT_EQ(json[0]["peer"], "192.0.2.1:9876");
  EXPECT_EQ(json[1]["last_end"], "ended by the peer: Logout");
  EXPECT_EQ(json[1]["last_disconnect"], 90 * second_ns);
  EXPECT_EQ(json[2]["disabled_by"], "by ann: maintenance");
  EXPECT_EQ(json[2]["disabled_since"], 70 * second_ns);
}

TEST(SessionRows, CompareASessionWithItselfOnly) {
  const TimedReading before = reading(0, {session(0, "A", 100)});
  auto other = session(0, "B", 1'000);
  other.version = 6;  // Another session has had the seat since.
  EXPECT_EQ(make_rows(before, reading(second_ns, {other}), {})[0].received_rate, 0.0);
  TimedReading restarted = reading(second_ns, {session(0, "A", 1'000)});
  restarted.engine.started_utc_ns = 2;
  EXPECT_EQ(make_rows(before, restarted, {})[0].received_rate, 0.0);
  // No time has passed, or the clock was set back.
  EXPECT_EQ(make_rows(before, reading(0, {session(0, "A", 200)}), {})[0].received_rate, 0.0);
  EXPECT_EQ(make_rows(before, reading(-1, {session(0, "A", 200)}), {})[0].received_rate, 0.0);
}

TEST(SessionRows, AreSortedAsTheColumnSays) {
  const TimedReading now = reading(0, {session(0, "B", 5), session(1, "A", 7), session(2, "C", 6)});
  auto rows = make_rows(now, now, {});
  sort_rows(rows, *find_column("session"), false);
  EXPECT_EQ(names(rows), (std::vector<std::string>{"A", "B", "C"}));
  sort_rows(rows, *find_column("received"), false);
  EXPECT_EQ(names(rows), (std::vector<std::string>{"A", "C", "B"}));
  sort_rows(rows, *find_column("received"), true);
  EXPECT_EQ(names(rows), (std::vector<std::string>{"B", "C", "A"}));
  EXPECT_EQ(find_column("colour"), nullptr);
  for (const Column& column : columns()) {
    EXPECT_EQ(find_column(column.name), &column) << column.name;
    sort_rows(rows, column, true);
  }
}

TEST(SessionRows, AreFilteredByTheirVisibleText) {
  const TimedReading now = reading(0, {session(0, "Alpha", 0), session(1, "Beta", 0)});
  auto rows = make_rows(now, now, {});
  filter_rows(rows, "");
  EXPECT_EQ(rows.size(), 2U);
  filter_rows(rows, "DISCON");
  EXPECT_EQ(rows.size(), 2U) << "the state";
  filter_rows(rows, "alp");
  EXPECT_EQ(names(rows), std::vector<std::string>{"Alpha"});
}

TEST(SessionRows, AreLinesOfAsManyColumnsAsFit) {
  const TimedReading now = reading(0, {session(0, std::string(40, 'n') + "\x1b[2J", 1'234'567)});
  const auto rows = make_rows(now, now, {});
  for (const std::size_t width : {0U, 10U, 16U, 50U, 80U, 1'000U}) {
    EXPECT_LE(row_line(rows[0], 0, width).size(), width);
    EXPECT_LE(head_line(width).size(), width);
  }
  const std::string line = row_line(rows[0], 0, 1'000);
  EXPECT_EQ(line.find('\x1b'), std::string::npos);
  EXPECT_NE(line.find(" 1235k"), std::string::npos) << line;
}

TEST(SessionRows, AsJsonHaveEveryCounterByItsName) {
  const TimedReading now = reading(0, {session(0, "A\xff", 5)});
  const auto all = nlohmann::json::parse(json_text(now, now));
  for (const counters::CounterName& name : counters::session_counter_names()) {
    EXPECT_TRUE(all["sessions"][0].contains(name.name)) << name.name;
  }
  EXPECT_EQ(all["sessions"][0]["messages_received"], 5);
  EXPECT_EQ(all["engine"]["process_id"], 7);
}

TEST(TopKeys, SortFilterScrollAndQuit) {
  View view{.sort = columns().data()};
  press('<', view);
  EXPECT_EQ(view.sort, &columns().back());
  press('>', view);
  EXPECT_EQ(view.sort, columns().data());
  press('r', view);
  EXPECT_TRUE(view.reversed);
  press('/', view);
  for (const char letter : {'q', 'r', 'x'}) {
    press(letter, view);
  }
  press(127, view);
  EXPECT_EQ(view.filter, "qr");
  EXPECT_FALSE(view.quit) << "letters of a filter are no commands";
  press('\n', view);
  EXPECT_FALSE(view.typing_filter);
  press(27, view);
  EXPECT_EQ(view.filter, "");
  press('z', view);
  EXPECT_TRUE(view.zero);
  press('q', view);
  EXPECT_TRUE(view.quit);
}

}  // namespace
}  // namespace affix::tools::top
