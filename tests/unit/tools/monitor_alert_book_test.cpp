// SPDX-License-Identifier: MIT
// Acknowledged and silenced alerts: their duration, reports meanwhile, and persistence across
// restarts of the monitor.
#include "affix/base/time.hpp"

#include "monitor/alert_book.hpp"
#include "monitor/alert_file.hpp"
#include "monitor/alert_service.hpp"
#include "support/temporary_directory.hpp"
#include "support/whole_file.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace affix::tools::monitor {
namespace {

using base::ns_per_second;
using support::read_file;

constexpr std::int64_t alert_ns = 1'000'000 * ns_per_second;

Alert alert(std::uint64_t id, AlertKind kind, const std::string& session,
            std::uint64_t origin = 7) {
  return {.id = id,
          .kind = kind,
          .session = session,
          .text = "text",
          .since_ns = alert_ns,
          .subject = session,
          .origin = origin};
}

AlertMark mark(const std::string& by, const std::string& comment = "") {
  return {.by = by, .comment = comment, .at_ns = alert_ns};
}

Silence silence(std::optional<AlertKind> kind, const std::string& pattern,
                std::int64_t until_ns = alert_ns + 60 * ns_per_second) {
  Silence made{kind, pattern, mark("ann", "lunch")};
  made.mark.until_ns = until_ns;
  return made;
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

TEST(MonitorAlertBook, AnAcknowledgementIsOverWithItsAlert) {
  AlertBook book;
  std::vector<Alert> current{alert(1, AlertKind::SessionDown, "A"),
                             alert(2, AlertKind::SessionDown, "B")};
  ASSERT_TRUE(book.acknowledge(current[0], mark("ann", "called them")));
  book.mark(current);
  ASSERT_TRUE(current[0].acknowledged);
  EXPECT_EQ(current[0].acknowledged->by, "ann");
  EXPECT_EQ(current[0].acknowledged->comment, "called them");
  EXPECT_FALSE(current[0].open());
  EXPECT_TRUE(current[1].open());
  EXPECT_FALSE(book.tidy(alert_ns, alert_ns, current));
  // It ends, and begins again: another alert of the same session.
  EXPECT_TRUE(book.tidy(alert_ns + ns_per_second, alert_ns, {current[1]}));
  std::vector<Alert> anew{alert(3, AlertKind::SessionDown, "A")};
  book.mark(anew);
  EXPECT_TRUE(anew[0].open());
}

TEST(MonitorAlertBook, AnAcknowledgementIsWithdrawn) {
  AlertBook book;
  std::vector<Alert> current{alert(1, AlertKind::Gap, "A")};
  EXPECT_FALSE(book.withdraw(current[0]));
  ASSERT_TRUE(book.acknowledge(current[0], mark("ann")));
  ASSERT_TRUE(book.acknowledge(current[0], mark("bob", "mine")));
  EXPECT_EQ(book.acknowledgements().size(), 1U);
  book.mark(current);
  EXPECT_EQ(current[0].acknowledged->by, "bob") << "the last one holds";
  ASSERT_TRUE(book.withdraw(current[0]));
  book.mark(current);
  EXPECT_TRUE(current[0].open());
}

TEST(MonitorAlertBook, ASilenceCoversKindsAndPatterns) {
  const auto covers = [](std::optional<AlertKind> kind, const std::string& pattern,
                         const std::string& session) {
    return silence(kind, pattern).covers(alert(1, AlertKind::SessionDown, session));
  };
  EXPECT_TRUE(covers(AlertKind::SessionDown, "DESK", "DESK"));
  EXPECT_FALSE(covers(AlertKind::SessionDown, "DESK", "DESK2"));
  EXPECT_FALSE(covers(AlertKind::Gap, "DESK", "DESK"));
  EXPECT_TRUE(covers({}, "*", "DESK"));
  EXPECT_TRUE(covers({}, "D*K", "DESK"));
  EXPECT_TRUE(covers({}, "D??K*", "DESK"));
  EXPECT_FALSE(covers({}, "D?K", "DESK"));
  EXPECT_FALSE(covers({}, "", "DESK"));
  EXPECT_TRUE(covers({}, "", "")) << "the engine itself";
  EXPECT_FALSE(covers({}, std::string(200, '*') + "x", std::string(200, 'a')));
}

TEST(MonitorAlertBook, ASilenceIsOverWithItsTime) {
  AlertBook book;
  ASSERT_TRUE(book.silence(silence(AlertKind::SessionDown, "A*", alert_ns + 60 * ns_per_second)));
  const auto longer = book.silence(silence({}, "A1", alert_ns + 90 * ns_per_second));
  ASSERT_TRUE(longer);
  std::vector<Alert> current{alert(1, AlertKind::SessionDown, "A1")};
  book.mark(current);
  ASSERT_TRUE(current[0].silenced);
  EXPECT_EQ(current[0].silenced->until_ns, alert_ns + 90 * ns_per_second)
      << "the one that lasts longest";
  EXPECT_EQ(current[0].silenced->comment, "lunch");
  EXPECT_FALSE(book.tidy(alert_ns + 59 * ns_per_second, alert_ns, current));
  EXPECT_TRUE(book.tidy(alert_ns + 60 * ns_per_second, alert_ns, current));
  ASSERT_TRUE(book.end_silence(*longer));
  EXPECT_FALSE(book.end_silence(*longer));
  book.mark(current);
  EXPECT_TRUE(current[0].open());
}

TEST(MonitorAlertBook, HasALimit) {
  AlertBook book;
  for (std::size_t count = 0; count < AlertBook::silences_max; ++count) {
    ASSERT_TRUE(book.silence(silence({}, "A")));
  }
  EXPECT_FALSE(book.silence(silence({}, "A")));
}

TEST(MonitorAlertBook, IsTheSameFromItsText) {
  AlertBook book;
  Alert down = alert(1, AlertKind::SessionDown, "A \"quoted\"", 42);
  ASSERT_TRUE(book.acknowledge(down, mark("ann", "\xC3\xA4 comment")));
  ASSERT_TRUE(book.silence(silence({}, "B*")));
  const auto read = AlertBook::of_text(book.text());
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->text(), book.text());
  ASSERT_EQ(read->silences().size(), 1U);
  EXPECT_EQ(read->silences()[0].mark.until_ns, alert_ns + 60 * ns_per_second);
  AlertBook more = *read;
  EXPECT_EQ(more.silence(silence({}, "C")).value(), 2U) << "numbers are not used again";
}

TEST(MonitorAlertBook, FindsTheAlertAgainThatHeldBefore) {
  AlertBook before;
  ASSERT_TRUE(before.acknowledge(alert(1, AlertKind::SessionDown, "A", 42), mark("ann")));
  ASSERT_TRUE(before.acknowledge(alert(2, AlertKind::SessionDown, "B", 42), mark("ann")));
  AlertBook book = AlertBook::of_text(before.text()).value();
  // Another process: other ids, and seen later.
  std::vector<Alert> current{alert(901, AlertKind::SessionDown, "A", 42),
                             alert(902, AlertKind::SessionDown, "B", 43)};
  current[0].since_ns = alert_ns + 100 * ns_per_second;
  book.tidy(alert_ns + 100 * ns_per_second, alert_ns + 100 * ns_per_second, current);
  book.mark(current);
  EXPECT_FALSE(current[0].open());
  EXPECT_EQ(current[0].since_ns, alert_ns) << "when it began";
  EXPECT_TRUE(current[1].open()) << "it has been up meanwhile";
  // Entries whose alert is not found again expire.
  const std::int64_t later = alert_ns + 100 * ns_per_second + AlertBook::waiting_ns_max;
  EXPECT_FALSE(book.tidy(later, alert_ns + 100 * ns_per_second, current));
  EXPECT_EQ(book.acknowledgements().size(), 2U);
  EXPECT_TRUE(book.tidy(later + 1, alert_ns + 100 * ns_per_second, current));
  EXPECT_EQ(book.acknowledgements().size(), 1U);
}

TEST(MonitorAlertBook, TextThatIsNoneIsRefusedWhole) {
  AlertBook book;
  ASSERT_TRUE(book.acknowledge(alert(1, AlertKind::SessionDown, "A"), mark("ann")));
  ASSERT_TRUE(book.silence(silence({}, "B*")));
  const std::string whole = book.text();
  for (std::size_t size = 0; size + 2 < whole.size(); ++size) {
    EXPECT_FALSE(AlertBook::of_text(whole.substr(0, size))) << size;
  }
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = whole;
    text.replace(text.find(from), from.size(), to);
    return AlertBook::of_text(text);
  };
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"version\": 1", "\"version\": 2"},
           {"affix-alerts", "other-alerts"},
           {"session_down", "no_such_kind"},
           {"\"by\": \"ann\"", "\"by\": 7"},
           {"\"by\": \"ann\"", "\"by\": \"a\\nb\""},
           {"\"origin\": 7", "\"origin\": -7"},
           {"\"origin\": 7", "\"origin\": 18446744073709551615"},
           {"\"origin\": 7", "\"origin\": 7.5"},
           {"\"until_ns\": 1000060000000000", "\"until_ns\": 9000000000000000000"},
           {"\"last_id\": 1", "\"last_id\": 0"},
           {"\"silences\": [", "\"silences\": [3,"},
           {"\"acknowledged\": [", "\"acknowledged\": {\"a\":["}}) {
    ASSERT_NE(whole.find(from), std::string::npos) << from;
    EXPECT_FALSE(with(from, to)) << to;
  }
}

class MonitorAlertFile : public ::testing::Test {
 protected:
  support::TemporaryDirectory directory_;
  std::string path_ = directory_.path() + "/venue.alerts";
};

TEST_F(MonitorAlertFile, KeepsABookAndIsReplacedAsAWhole) {
  AlertBook book;
  ASSERT_TRUE(book.silence(silence({}, "B*")));
  {
    auto file = AlertFile::open(path_);
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_TRUE(file->book().empty());
    ASSERT_TRUE(file->store(book));
    EXPECT_FALSE(AlertFile::open(path_)) << "another monitor";
  }
  const auto again = AlertFile::open(path_);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->book().text(), book.text());
  for (const auto& entry : std::filesystem::directory_iterator(directory_.path())) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(name == "venue.alerts" || name == "venue.alerts.lock") << name;
  }
}

TEST_F(MonitorAlertFile, ThatIsNoneIsRefusedAndLeftAsItIs) {
  AlertBook book;
  ASSERT_TRUE(book.silence(silence({}, "B*")));
  const std::string whole = book.text();
  for (const std::string& text : {std::string(), std::string("x"), whole.substr(0, 30),
                                  std::string(1'000, '\0'), std::string(9 << 20, '[')}) {
    write_file(path_, text);
    const auto file = AlertFile::open(path_);
    ASSERT_FALSE(file) << text.substr(0, 20);
    EXPECT_NE(file.error().text().find(path_), std::string::npos);
    EXPECT_EQ(read_file(path_), text);
  }
  std::filesystem::remove(path_);
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_FALSE(AlertFile::open(path_)) << "a pipe holds nobody up";
  EXPECT_FALSE(AlertFile::open(directory_.path() + "/none/venue.alerts"));
}

/// An observer of one session that is down or up, and its reports.
class MonitorAlertService : public ::testing::Test {
 protected:
  MonitorAlertService() {
    const auto parsed = affix::config::parse_configuration(
        "[VENUE]\ntype=server\nnic_address=127.0.0.1\naccept_port=0\n[A]\ntype=session\n"
        "begin_string=FIX.4.4\nsender_comp_id=VENUE\ntarget_comp_id=A\njournal_path=/nowhere\n",
        "test.ini");
    EXPECT_TRUE(parsed) << affix::config::text_of(parsed.error());
    roster_ = Roster::of(parsed.value()).value();
    begin();
  }

  /// Like a monitor's start.
  void begin() {
    desk_.reset();
    observer_.reset();
    observer_.emplace(roster_, AlertLimits{.session_down_seconds = 0}, 0);
    auto file = AlertFile::open(path_);
    ASSERT_TRUE(file) << file.error().text();
    desk_.emplace(*observer_, std::move(*file), AuditTrail(trail_));
  }

  /// Looks after `at_s` seconds; returns the reports.
  std::vector<std::string> look(std::int64_t at_s) {
    EngineLook seen;
    seen.status = EngineStatus::Up;
    seen.reading.started_utc_ns = 5;
    counters::SessionReading& session = seen.reading.sessions.emplace_back();
    session.name = "A";
    session.version = 2;
    session.counters[static_cast<std::size_t>(counters::SessionCounter::State)] = up_ ? 2 : 0;
    session.counters[static_cast<std::size_t>(counters::SessionCounter::StateSince)] =
        static_cast<std::uint64_t>(state_since_ns_);
    observer_->look(alert_ns + at_s * ns_per_second, std::move(seen), {});
    std::vector<std::string> reported;
    for (const Alert& one : observer_->take_news()) {
      reported.push_back(std::string(one.cleared_ns == 0 ? "raised " : "cleared ") +
                         to_text(one.kind));
    }
    return reported;
  }

  void turn(bool up, std::int64_t at_s) {
    up_ = up;
    state_since_ns_ = alert_ns + at_s * ns_per_second;
  }

  Answer act(const nlohmann::json& body, std::int64_t at_s = 0) {
    return desk_->act({.method = "POST", .path = "/api/alert", .body = body.dump()},
                      {"ann", "127.0.0.1:5"}, alert_ns + at_s * ns_per_second);
  }

  [[nodiscard]] Alert current() const {
    const auto alerts = observer_->current_alerts();
    EXPECT_EQ(alerts.size(), 1U);
    return alerts.empty() ? Alert() : alerts.front();
  }

  using Reported = std::vector<std::string>;

  support::TemporaryDirectory directory_;
  std::string path_ = directory_.path() + "/venue.alerts";
  std::string trail_ = directory_.path() + "/audit";
  Roster roster_;
  std::optional<Observer> observer_;
  std::optional<AlertService> desk_;
  bool up_ = false;
  std::int64_t state_since_ns_ = alert_ns;
};

TEST_F(MonitorAlertService, AnAcknowledgedAlertIsMarkedUntilItIsOverAndComesBackAnew) {
  EXPECT_EQ(look(1), Reported{"raised session_down"});
  ASSERT_EQ(act({{"act", "acknowledge"}, {"id", current().id}, {"comment", "on it"}}, 2).status,
            200);
  EXPECT_EQ(current().acknowledged->by, "ann");
  EXPECT_EQ(look(3), Reported{});
  EXPECT_EQ(observer_->snapshot()->find("A")->alerts, 1U);
  EXPECT_EQ(observer_->snapshot()->find("A")->alerts_open, 0U);
  turn(true, 4);
  EXPECT_EQ(look(4), Reported{"cleared session_down"}) << "who was told that it began";
  turn(false, 5);
  EXPECT_EQ(look(6), Reported{"raised session_down"});
  EXPECT_TRUE(current().open());
  EXPECT_EQ(observer_->snapshot()->find("A")->alerts_open, 1U);
  EXPECT_EQ(read_file(trail_).find("A: operator ann at 127.0.0.1:5: acknowledge session_down of A "
                                   "(on it): done: ") != std::string::npos,
            true)
      << read_file(trail_);
}

TEST_F(MonitorAlertService, OfASilencedAlertNobodyIsReportedUntilTheTimeIsOver) {
  ASSERT_EQ(act({{"act", "silence"}, {"kind", "session_down"}, {"session", "A*"}, {"seconds", 60}})
                .status,
            200);
  EXPECT_EQ(look(1), Reported{});
  EXPECT_EQ(current().silenced->until_ns, alert_ns + 60 * ns_per_second);
  turn(true, 2);
  EXPECT_EQ(look(2), Reported{}) << "nor that it is over";
  turn(false, 3);
  EXPECT_EQ(look(3), Reported{});
  EXPECT_EQ(look(59), Reported{});
  EXPECT_EQ(look(60), Reported{"raised session_down"});
  EXPECT_TRUE(current().open());
  EXPECT_EQ(look(61), Reported{});
}

TEST_F(MonitorAlertService, ASilenceThatIsEndedLetsTheAlertBeReported) {
  act({{"act", "silence"}, {"session", "*"}, {"seconds", 60}});
  EXPECT_EQ(look(1), Reported{});
  EXPECT_EQ(act({{"act", "end_silence"}, {"id", current().silenced->id}}).status, 200);
  EXPECT_EQ(look(2), Reported{"raised session_down"});
}

TEST_F(MonitorAlertService, ActionsOutliveTheMonitor) {
  look(1);
  act({{"act", "acknowledge"}, {"id", current().id}, {"comment", "on it"}}, 2);
  act({{"act", "silence"}, {"kind", "gap"}, {"session", "*"}, {"seconds", 3'600}}, 2);
  begin();
  EXPECT_EQ(look(100), Reported{}) << "the monitor before has told it";
  EXPECT_EQ(current().acknowledged->comment, "on it");
  ASSERT_EQ(observer_->snapshot()->silences.size(), 1U);
  begin();
  turn(false, 150);  // It was up meanwhile.
  EXPECT_EQ(look(200), Reported{"raised session_down"});
  EXPECT_TRUE(current().open());
}

TEST_F(MonitorAlertService, PastEntriesAreRemovedFromTheFile) {
  look(1);
  act({{"act", "acknowledge"}, {"id", current().id}}, 2);
  EXPECT_NE(read_file(path_).find("session_down"), std::string::npos);
  turn(true, 3);
  look(4);
  ASSERT_TRUE(desk_->tidy());
  EXPECT_EQ(read_file(path_).find("session_down"), std::string::npos);
}

TEST_F(MonitorAlertService, AnActionThatCannotBeStoredIsNotDone) {
  look(1);
  // A directory at the path of the temporary file.
  std::filesystem::remove(path_);
  std::filesystem::create_directory(path_);
  const Answer answer = act({{"act", "acknowledge"}, {"id", current().id}}, 2);
  EXPECT_EQ(answer.status, 503);
  EXPECT_NE(answer.body.find("\"M115\""), std::string::npos) << answer.body;
  EXPECT_TRUE(current().open());
  EXPECT_NE(read_file(trail_).find(": refused: "), std::string::npos);
}

TEST_F(MonitorAlertService, AnAuditTrailThatCannotBeWrittenIsSaid) {
  trail_ = directory_.path() + "/none/audit";
  begin();
  look(1);
  const Answer answer = act({{"act", "acknowledge"}, {"id", current().id}}, 2);
  EXPECT_EQ(answer.status, 200);
  EXPECT_NE(answer.body.find(trail_), std::string::npos) << answer.body;
}

TEST_F(MonitorAlertService, ARequestThatMakesNoSenseIsRefusedInWords) {
  look(1);
  const std::uint64_t id = current().id;
  for (const nlohmann::json& body : std::vector<nlohmann::json>{
           nlohmann::json::array(),
           {{"act", 7}},
           {{"act", "forget"}},
           {{"act", "acknowledge"}},
           {{"act", "acknowledge"}, {"id", "x"}},
           {{"act", "acknowledge"}, {"id", id}, {"comment", 7}},
           {{"act", "acknowledge"}, {"id", id}, {"comment", "a\nb"}},
           {{"act", "acknowledge"}, {"id", id}, {"comment", std::string(501, 'x')}},
           {{"act", "acknowledge"}, {"id", id}, {"more", 1}},
           {{"act", "silence"}, {"session", "*"}},
           {{"act", "silence"}, {"session", "*"}, {"seconds", 59}},
           {{"act", "silence"}, {"session", "*"}, {"seconds", 604'801}},
           {{"act", "silence"}, {"session", "*"}, {"seconds", -60}},
           {{"act", "silence"}, {"session", "*"}, {"seconds", 1e300}},
           {{"act", "silence"}, {"seconds", 60}},
           {{"act", "silence"}, {"session", 7}, {"seconds", 60}},
           {{"act", "silence"}, {"kind", "none"}, {"session", "*"}, {"seconds", 60}},
           {{"act", "silence"}, {"session", std::string(257, '*')}, {"seconds", 60}}}) {
    EXPECT_EQ(act(body).status, 400) << body.dump();
  }
  EXPECT_EQ(act({{"act", "acknowledge"}, {"id", id + 1}}).status, 404);
  EXPECT_EQ(act({{"act", "withdraw"}, {"id", id}}).status, 409);
  EXPECT_EQ(act({{"act", "end_silence"}, {"id", 9}}).status, 404);
  EXPECT_TRUE(current().open());
}

}  // namespace
}  // namespace affix::tools::monitor
