// SPDX-License-Identifier: MIT
// The failover demonstration's answers along the time, and their picture.
#include "demo/failover_picture.hpp"

#include "demo/answer_times.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

namespace affix::tools::demo {
namespace {

using affix::journal::Kind;

constexpr std::int64_t begin_ns = 1'000 * base::ns_per_second;

class FailoverAnswers : public ::testing::Test {
 protected:
  void take(std::size_t trader, Kind kind, double second, std::string_view fields) {
    std::string text = "8=FIX.4.4|" + std::string(fields) + "|10=000|";
    std::ranges::replace(text, '|', '\x01');
    affix::journal::Record record;
    record.kind = kind;
    record.utc_ns =
        begin_ns + static_cast<std::int64_t>(second * static_cast<double>(base::ns_per_second));
    record.bytes = text;
    times.take(trader, record);
  }

  AnswerTimes times{{"a", "b"}, begin_ns};
};

TEST_F(FailoverAnswers, OnlyTheFirstReportOfARequestIsItsAnswer) {
  take(0, Kind::Sent, 0.1, "35=D|11=A");
  take(0, Kind::Sent, 0.1, "35=G|11=B|41=A");
  EXPECT_EQ(times.waiting(), 2U);
  take(0, Kind::Received, 0.25, "35=8|11=A|17=1");
  take(0, Kind::Received, 0.3, "35=8|11=A|17=2");
  take(0, Kind::Held, 0.31, "35=9|11=B");
  take(1, Kind::Received, 0.32, "35=8|11=A|17=3");  // Of another trader.
  EXPECT_EQ(times.answered(), 2U);
  EXPECT_EQ(times.waiting(), 0U);
  EXPECT_EQ(times.bars(), (std::vector<std::uint32_t>{0, 0, 1, 1}));
}

TEST_F(FailoverAnswers, AfterAKillOnlyAnswersOfTheNextConnectionCount) {
  for (const std::size_t trader : {0U, 1U}) {
    for (const char* const order : {"35=D|11=A", "35=D|11=B"}) {
      take(trader, Kind::Sent, 0.9, order);
    }
    take(trader, Kind::Received, 0.5, "35=A");
  }
  times.note_kill(begin_ns + base::ns_per_second);
  take(0, Kind::Received, 1.01, "35=8|11=A|17=1");  // It was on its way.
  EXPECT_FALSE(times.first_after_kill());
  take(0, Kind::Held, 1.05, "35=A");
  take(0, Kind::Received, 1.06, "35=8|11=B|17=2");
  EXPECT_EQ(times.first_after_kill(), 60 * base::ns_per_ms);
  EXPECT_FALSE(times.last_after_kill());
  take(1, Kind::Received, 1.07, "35=A");
  take(1, Kind::Received, 1.1, "35=8|11=A|17=3");
  EXPECT_EQ(times.first_after_kill(), 60 * base::ns_per_ms);
  EXPECT_EQ(times.last_after_kill(), 100 * base::ns_per_ms);
}

/// Two seconds of ten, at 100 a second, of which the second half is silent.
FailoverPicture half_silent() {
  FailoverPicture picture;
  picture.elapsed_ns = 2 * base::ns_per_second;
  picture.duration_ns = 10 * base::ns_per_second;
  picture.nodes = {{.name = "LONDON1", .state = "killed", .epoch = 0, .more = ""},
                   {.name = "LONDON2", .state = "primary", .epoch = 2, .more = "alone"}};
  picture.etcd = "runs";
  picture.traders = 4;
  picture.bars.assign(10, 10);
  picture.events = {{.at_ns = base::ns_per_second, .text = "kill", .mark = 'X'}};
  return picture;
}

TEST(FailoverPicture, ShowsTheSilenceAndWhenItBegan) {
  const std::vector<std::string> lines = picture_of(half_silent(), 120);
  EXPECT_TRUE(lines[0].starts_with("  LONDON1   killed"));
  EXPECT_TRUE(lines[1].starts_with("  LONDON2   primary      epoch 2    alone"));
  const auto axis = std::ranges::find_if(lines, [](const std::string& line) {
    return line.find("-+-") != std::string::npos || line.starts_with("         +");
  });
  ASSERT_NE(axis, lines.end());
  EXPECT_EQ(axis->substr(10, 12), "----------X-");
  EXPECT_EQ(axis[-1], "       0 |##########          ");
  EXPECT_EQ(axis[-6], "     100 |##########          ");
  EXPECT_EQ(lines.back(), "  1.0 s X kill");
}

TEST(FailoverPicture, FitsIntoATerminalOf24Rows) {
  FailoverPicture picture = half_silent();
  for (int event = 0; event < 30; ++event) {
    picture.events.push_back({.at_ns = 0, .text = "something", .mark = ' '});
  }
  for (const std::size_t columns : {1U, 20U, 79U, 200U}) {
    for (const std::int64_t second : {0, 1, 10, 86'400}) {
      picture.elapsed_ns = second * base::ns_per_second;
      EXPECT_LE(picture_of(picture, columns).size(), 23U);
    }
  }
}

TEST(FailoverPicture, TheChartFitsTheWidth) {
  FailoverPicture picture = half_silent();
  picture.duration_ns = 100 * base::ns_per_second;
  picture.elapsed_ns = picture.duration_ns;
  for (const std::size_t columns : {40U, 79U, 160U}) {
    for (const std::string& line : picture_of(picture, columns)) {
      if (line.find('|') != std::string::npos) {
        EXPECT_LE(line.size(), columns);
      }
    }
  }
}

TEST(FailoverPicture, ALineTellsTheLastSecond) {
  FailoverPicture picture = half_silent();
  picture.elapsed_ns = 3 * base::ns_per_second / 2;
  picture.answered = 100;
  EXPECT_EQ(line_of(picture),
            "  1.5 s  LONDON1 killed  LONDON2 primary epoch 2 (alone)  sessions 0/4  answered 100 "
            "(50/s)  waiting 0");
}

}  // namespace
}  // namespace affix::tools::demo
