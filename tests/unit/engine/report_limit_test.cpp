// SPDX-License-Identifier: MIT
// Events in a second: the first are reported, the rest counted.
#include "engine/report_limit.hpp"

#include <gtest/gtest.h>

namespace affix::engine {
namespace {

constexpr std::int64_t second_ns = base::ns_per_second;
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

std::uint64_t admitted(ReportLimit& limit, int events, std::int64_t now_ns) {
  std::uint64_t reported = 0;
  for (int event = 0; event < events; ++event) {
    reported += limit.admits(now_ns) ? 1U : 0U;
  }
  return reported;
}

TEST(ReportLimit, AFewAreAllReported) {
  ReportLimit limit;
  EXPECT_EQ(admitted(limit, refusals_reported_max, 5), refusals_reported_max);
  EXPECT_EQ(limit.due_ns(), never);
  EXPECT_EQ(limit.take_omitted(5 + second_ns), 0U);
}

TEST(ReportLimit, AFloodIsCountedAndReportedWhenItsSecondIsOver) {
  ReportLimit limit;
  EXPECT_EQ(admitted(limit, 1'000, 5), refusals_reported_max);
  EXPECT_EQ(limit.due_ns(), 5 + second_ns);
  EXPECT_EQ(limit.take_omitted(5 + second_ns - 1), 0U);
  EXPECT_EQ(limit.take_omitted(5 + second_ns), 1'000U - refusals_reported_max);
  EXPECT_EQ(limit.due_ns(), never);
  EXPECT_EQ(limit.take_omitted(5 + second_ns), 0U) << "it was told twice";
}

TEST(ReportLimit, EverySecondHasItsOwn) {
  ReportLimit limit;
  std::int64_t now_ns = -7 * second_ns;
  for (int second = 0; second < 5; ++second) {
    EXPECT_EQ(admitted(limit, 100, now_ns), refusals_reported_max);
    now_ns += second_ns;
    EXPECT_EQ(limit.take_omitted(now_ns), 100U - refusals_reported_max);
  }
}

TEST(ReportLimit, OmittedReportsAreCountedBeforeTheNextOne) {
  ReportLimit limit;
  EXPECT_EQ(admitted(limit, 30, 0), refusals_reported_max);
  // The report was not taken in time: events are still counted until the number of omitted ones is
  // reported.
  EXPECT_EQ(admitted(limit, 30, 10 * second_ns), 0U);
  EXPECT_EQ(limit.take_omitted(10 * second_ns), 60U - refusals_reported_max);
  EXPECT_EQ(admitted(limit, 1, 10 * second_ns), 1U);
}

}  // namespace
}  // namespace affix::engine
