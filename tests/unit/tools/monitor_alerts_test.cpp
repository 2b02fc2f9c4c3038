// SPDX-License-Identifier: MIT
// Raising and clearing of alerts, in the test's own time; and the history of counters.
#include "affix/base/time.hpp"

#include "monitor/alerts.hpp"
#include "monitor/history.hpp"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace affix::tools::monitor {
namespace {

using base::ns_per_second;
using counters::SessionCounter;
using session::SessionStanding;

constexpr std::int64_t first_look_ns = 1'000'000 * ns_per_second;

class MonitorAlerts : public ::testing::Test {
 protected:
  MonitorAlerts() {
    session_.name = "A";
    session_.present = true;
    session_.expected = true;
    session_.standing = SessionStanding::LoggedOn;
    session_.state_since_ns = first_look_ns;
    session_.next_outgoing = 10;
    session_.next_expected = 10;
  }

  void look(std::int64_t at_s, bool up = true) {
    alerts_.look(first_look_ns + at_s * ns_per_second, up, "the engine was killed", engine_,
                 {session_}, disks_);
  }

  [[nodiscard]] std::vector<std::string> kinds() const {
    std::vector<std::string> all;
    for (const Alert& alert : alerts_.current()) {
      all.emplace_back(to_text(alert.kind));
    }
    return all;
  }

  using Kinds = std::vector<std::string>;

  Alerts alerts_{AlertLimits{}};
  SessionCondition session_;
  std::vector<DiskCondition> disks_;
  std::uint64_t engine_ = 1;
};

TEST_F(MonitorAlerts, ReportASessionThatIsDownInItsSchedule) {
  look(0);
  session_.standing = SessionStanding::Disconnected;
  session_.state_since_ns = first_look_ns + 10 * ns_per_second;
  look(39);
  EXPECT_EQ(kinds(), Kinds{});
  look(40);
  ASSERT_EQ(kinds(), Kinds{"session_down"});
  EXPECT_EQ(alerts_.current()[0].session, "A");
  EXPECT_EQ(alerts_.current()[0].text, "disconnected within its schedule");
  EXPECT_EQ(alerts_.current()[0].since_ns, first_look_ns + 10 * ns_per_second);
  EXPECT_EQ(alerts_.count("A"), 1U);
  session_.expected = false;
  look(50);
  EXPECT_EQ(kinds(), Kinds{});
  ASSERT_EQ(alerts_.recent().size(), 1U);
  EXPECT_EQ(alerts_.recent()[0].cleared_ns, first_look_ns + 50 * ns_per_second);
}

TEST_F(MonitorAlerts, ReportAnEngineThatIsDownAndNotItsSessions) {
  look(0);
  session_.standing = SessionStanding::Disconnected;
  look(60);
  EXPECT_EQ(kinds(), Kinds{"session_down"});
  look(61, false);
  EXPECT_EQ(kinds(), Kinds{});
  look(66, false);
  EXPECT_EQ(kinds(), Kinds{"engine_down"});
  EXPECT_EQ(alerts_.current()[0].since_ns, first_look_ns + 61 * ns_per_second);
  session_.standing = SessionStanding::LoggedOn;
  look(70);
  EXPECT_EQ(kinds(), Kinds{});
}

TEST_F(MonitorAlerts, ReportGrownCountersAndForgetThemInTime) {
  session_.gaps = 5;
  session_.rejects = 7;
  look(0);
  EXPECT_EQ(kinds(), Kinds{}) << "what was before the first look is nobody's news";
  session_.gaps = 6;
  look(1);
  EXPECT_EQ(kinds(), Kinds{"gap"});
  session_.rejects = 9;
  look(2);
  EXPECT_EQ(kinds(), (Kinds{"rejects", "gap"}));
  EXPECT_EQ(alerts_.current()[0].text, "2 Rejects in a minute");
  session_.resend_requests = 4;
  look(3);
  EXPECT_EQ(kinds(), (Kinds{"rejects", "gap"}));
  session_.resend_requests = 5;
  look(30);
  EXPECT_EQ(kinds(), (Kinds{"resend_storm", "rejects", "gap"}));
  look(62);
  EXPECT_EQ(kinds(), Kinds{"resend_storm"});
  look(63);
  EXPECT_EQ(kinds(), Kinds{}) << "four of the five are older than a minute";
  EXPECT_EQ(alerts_.take_news().size(), 6U);
  EXPECT_TRUE(alerts_.take_news().empty());
}

TEST_F(MonitorAlerts, AnEngineStartedAgainCountsFromNothing) {
  session_.gaps = 5;
  look(0);
  engine_ = 2;
  session_.gaps = 1;
  look(10);
  EXPECT_EQ(kinds(), Kinds{"gap"});
}

TEST_F(MonitorAlerts, ReportSequenceNumbersThatWentBack) {
  look(0);
  session_.next_outgoing = 11;
  look(1);
  EXPECT_EQ(kinds(), Kinds{});
  session_.next_outgoing = 1;
  engine_ = 2;
  look(2);
  ASSERT_EQ(kinds(), Kinds{"sequence_reset"});
  EXPECT_EQ(alerts_.current()[0].text,
            "sequence numbers went back: outgoing 11 -> 1, expected 10 -> 10");
  look(61);
  EXPECT_EQ(kinds(), Kinds{"sequence_reset"});
  look(62);
  EXPECT_EQ(kinds(), Kinds{});
}

TEST_F(MonitorAlerts, ReportDisksAndDamageUntilTheyAreOver) {
  disks_ = {{"/journals", 4.9}, {"/log", 50}};
  look(0);
  alerts_.set_damage(first_look_ns, "A", "bad record at byte 4096");
  ASSERT_EQ(kinds(), (Kinds{"journal_damaged", "disk_low"}));
  EXPECT_EQ(alerts_.current()[1].text, "4.9 % free at /journals");
  EXPECT_EQ(alerts_.current()[1].session, "");
  disks_[0].free_percent = 5;
  look(1);
  alerts_.set_damage(first_look_ns + ns_per_second, "A", "");
  EXPECT_EQ(kinds(), Kinds{});
}

TEST_F(MonitorAlerts, OfASessionThatWasRemovedAreOver) {
  session_.standing = SessionStanding::Disconnected;
  look(60);
  EXPECT_EQ(kinds(), Kinds{"session_down"});
  session_.name = "B";
  session_.standing = SessionStanding::LoggedOn;
  look(61);
  EXPECT_EQ(kinds(), Kinds{});
}

TEST_F(MonitorAlerts, KeepNoMoreThanTheySay) {
  for (int round = 0; round < 1'000; ++round) {
    alerts_.set_damage(first_look_ns, "A", "x");
    alerts_.set_damage(first_look_ns, "A", "");
  }
  EXPECT_EQ(alerts_.recent().size(), Alerts::recent_max);
  EXPECT_LE(alerts_.take_news().size(), 1'000U);
}

class MonitorHistory : public ::testing::Test {
 protected:
  MonitorHistory() {
    reading_.process_id = 7;
    reading_.started_utc_ns = 1;
    for (const char* const name : {"A", "B"}) {
      counters::SessionReading& session = reading_.sessions.emplace_back();
      session.seat = reading_.sessions.size();
      session.version = 2;
      session.name = name;
    }
  }

  void add(std::int64_t at_s, const std::vector<std::uint64_t>& received) {
    for (std::size_t at = 0; at < received.size(); ++at) {
      reading_.sessions[at].counters[static_cast<std::size_t>(SessionCounter::MessagesReceived)] =
          received[at];
    }
    history_.add(first_look_ns + at_s * ns_per_second, &reading_);
  }

  [[nodiscard]] std::vector<int> received(const std::string& session, std::int64_t seconds) const {
    std::vector<int> all;
    const auto series = history_.series(session, seconds);
    for (std::size_t at = 0; series && at < series->steps.size(); ++at) {
      all.push_back(series->known[at]
                        ? static_cast<int>(series->steps[at].counters[static_cast<std::size_t>(
                              SessionCounter::MessagesReceived)])
                        : -1);
    }
    return all;
  }

  History history_{1};
  counters::EngineReading reading_;
};

TEST_F(MonitorHistory, HasTheEventsOfEachInterval) {
  add(0, {100, 10});
  add(1, {105, 10});
  add(2, {105, 10});
  add(3, {106, 20});
  EXPECT_EQ(received("A", 600), (std::vector<int>{5, 0, 1}));
  EXPECT_EQ(received("*", 600), (std::vector<int>{5, 0, 11}));
  EXPECT_EQ(received("*", 2), (std::vector<int>{0, 11}));
  EXPECT_FALSE(history_.series("B", 600).has_value()) << "beyond what is kept by name";
  EXPECT_FALSE(history_.series("B", 600, true).has_value()) << "there is no room for it";
  EXPECT_EQ(history_.series("A", 600)->ends_ns.back(), first_look_ns + 3 * ns_per_second);
}

TEST_F(MonitorHistory, OfASessionThatWasReadOnceIsEmptyAndNotUnknown) {
  add(0, {100, 10});
  EXPECT_FALSE(history_.series("A", 600).has_value());
  const auto series = history_.series("A", 600, true);
  ASSERT_TRUE(series.has_value());
  EXPECT_EQ(series->steps.size(), series->ends_ns.size());
}

TEST_F(MonitorHistory, SaysWhereItKnowsNothing) {
  add(0, {100});
  add(1, {101});
  history_.add(first_look_ns + 2 * ns_per_second, nullptr);
  add(3, {150});
  add(4, {151});
  reading_.started_utc_ns = 2;
  add(5, {3});
  add(6, {4});
  EXPECT_EQ(received("A", 600), (std::vector<int>{1, -1, -1, 1, -1, 1}));
}

TEST_F(MonitorHistory, IsCoarserFurtherBack) {
  for (int at = 0; at <= 3'000; ++at) {
    add(at, {static_cast<std::uint64_t>(at)});
  }
  const std::vector<int> fine = received("A", 600);
  EXPECT_EQ(fine, std::vector<int>(600, 1));
  const std::vector<int> coarse = received("A", 21'600);
  EXPECT_EQ(coarse, std::vector<int>(300, 10));
  EXPECT_EQ(received("A", 601).size(), 60U);
}

TEST_F(MonitorHistory, HasTheLatenciesOfTheIntervalAlone) {
  base::LatencyHistogram histogram;
  const auto reading_of = [&] {
    auto latencies =
        std::make_shared<std::array<base::LatencySnapshot, counters::session_latency_count>>();
    (*latencies)[0] = base::LatencySnapshot(histogram);
    reading_.sessions[0].latencies = latencies;
  };
  for (int sample = 0; sample < 100; ++sample) {
    histogram.record(10'000);
  }
  reading_of();
  add(0, {100});
  for (int sample = 0; sample < 10; ++sample) {
    histogram.record(20);
  }
  reading_of();
  add(1, {110});
  const auto series = history_.series("A", 10);
  ASSERT_EQ(series->steps.size(), 1U);
  EXPECT_EQ(series->steps[0].latencies[0].count, 10U);
  EXPECT_EQ(series->steps[0].latencies[0].p999, 20U);
  EXPECT_EQ(history_.series("*", 10)->steps[0].latencies[0].p50, 20U);
}

TEST(MonitorHistoryCounters, AreThoseThatMeanSomethingOverTime) {
  EXPECT_TRUE(has_history(SessionCounter::MessagesReceived));
  EXPECT_TRUE(has_history(SessionCounter::OutputWaiting));
  EXPECT_FALSE(has_history(SessionCounter::State));
  EXPECT_FALSE(has_history(SessionCounter::LastSent));
  EXPECT_FALSE(has_history(SessionCounter::NextOutgoing));
}

}  // namespace
}  // namespace affix::tools::monitor
