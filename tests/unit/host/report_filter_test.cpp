// SPDX-License-Identifier: MIT
// Which reports are written at once, and the lines for those that are counted.
#include "host/report_filter.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace affix::host {
namespace {

struct WrittenLine {
  Event::Severity severity;
  std::string text;
  std::string code;
};

/// Collects what is written into `lines`.
auto into(std::vector<WrittenLine>& lines) {
  return [&lines](Event::Severity severity, std::string_view text, base::MessageCode code) {
    lines.push_back({severity, std::string(text), std::string(code.text())});
  };
}

session::Report warned(session::RejectReason reason) {
  return {session::Event::Warned, static_cast<std::uint64_t>(reason)};
}

constexpr auto value_is_incorrect = session::RejectReason::ValueIncorrect;
constexpr auto undefined_tag = session::RejectReason::UndefinedTag;

TEST(ReportFilter, OfAFloodTheFirstAreWrittenAndTheOthersInOneLine) {
  ReportFilter filter;
  const session::Report report(session::Event::SequenceTooHigh, 9, 7);
  for (std::uint32_t count = 0; count < RepeatedEvents::reported_max + 3; ++count) {
    EXPECT_EQ(filter.admits(report, 5), count < RepeatedEvents::reported_max);
  }
  EXPECT_EQ(filter.due_ns(), 5 + base::ns_per_second);
  std::vector<WrittenLine> lines;
  filter.write_due(4 + base::ns_per_second, into(lines));
  EXPECT_TRUE(lines.empty());
  filter.write_due(5 + base::ns_per_second, into(lines));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].text, std::string("3 more within a second: ") +
                               session::to_text(session::Event::SequenceTooHigh));
  EXPECT_EQ(lines[0].severity, severity_of(session::Event::SequenceTooHigh));
  EXPECT_EQ(lines[0].code, "S307");
  EXPECT_EQ(filter.due_ns(), INT64_MAX);
}

TEST(ReportFilter, AnEventWithoutAReportIsCountedWithItsKind) {
  ReportFilter filter;
  for (std::uint32_t count = 0; count < RepeatedEvents::reported_max; ++count) {
    EXPECT_TRUE(filter.admits(session::Event::Garbled, 5));
  }
  EXPECT_FALSE(filter.admits(session::Report(session::Event::Garbled), 5));
}

TEST(ReportFilter, AWarningIsWrittenOnceForEachReason) {
  ReportFilter filter;
  for (int round = 0; round < 20; ++round) {
    EXPECT_EQ(filter.admits(warned(value_is_incorrect), 5), round == 0);
  }
  EXPECT_TRUE(filter.admits(warned(undefined_tag), 5));
}

TEST(ReportFilter, TheEndOfAConnectionWritesAllThatWasCounted) {
  ReportFilter filter;
  for (int round = 0; round < 3; ++round) {
    static_cast<void>(filter.admits(warned(value_is_incorrect), 5));
  }
  static_cast<void>(filter.admits(warned(undefined_tag), 5));  // Its only one is written.
  for (std::uint32_t count = 0; count < RepeatedEvents::reported_max + 1; ++count) {
    static_cast<void>(filter.admits(session::Event::AfterLogout, 5));
  }
  std::vector<WrittenLine> lines;
  filter.end_connection(into(lines));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].text, std::string("3 messages delivered with a warning: ") +
                               session::to_text(value_is_incorrect));
  EXPECT_EQ(lines[0].severity, Event::Severity::Warning);
  EXPECT_EQ(lines[0].code, "S306");
  EXPECT_TRUE(lines[1].text.starts_with("1 more within a second: ")) << lines[1].text;
  EXPECT_TRUE(filter.admits(warned(value_is_incorrect), 6)) << "the next connection begins again";
}

TEST(ReportFilter, ManyUnprocessedMessagesAreReported) {
  ReportFilter filter;
  EXPECT_FALSE(filter.must_report_unprocessed(UnprocessedWatch::quiet_max));
  EXPECT_TRUE(filter.must_report_unprocessed(UnprocessedWatch::quiet_max + 1));
  EXPECT_FALSE(filter.must_report_unprocessed(UnprocessedWatch::quiet_max + 1)) << "once";
}

}  // namespace
}  // namespace affix::host
