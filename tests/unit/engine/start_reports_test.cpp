// SPDX-License-Identifier: MIT
// Reports from before the first turn: notes, then warnings, each once.
#include "engine/start_reports.hpp"

#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

namespace affix::engine {
namespace {

TEST(StartReports, EachIsReportedOnceWithItsCodeAndSeverity) {
  StartReports reports;
  reports.add_warnings({{base::ErrorCode::Unsupported, "first", "key", "E105"}});
  reports.add_note("a note", "E129");
  reports.add_note("", "E133");
  reports.add_warnings({{base::ErrorCode::Unsupported, "second", {}, "E106"}});
  std::vector<std::string> lines;
  const auto keep = [&](host::Event::Severity severity, std::string_view text,
                        base::MessageCode code) {
    lines.push_back((severity == host::Event::Severity::Info ? "info " : "warning ") +
                    std::string(code.text()) + " " + std::string(text));
  };
  reports.take(keep);
  EXPECT_EQ(lines, (std::vector<std::string>{"info E129 a note", "warning E105 key: first",
                                             "warning E106 second"}));
  lines.clear();
  reports.take(keep);
  EXPECT_TRUE(lines.empty());
}

}  // namespace
}  // namespace affix::engine
