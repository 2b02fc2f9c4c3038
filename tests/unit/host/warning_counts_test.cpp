// SPDX-License-Identifier: MIT
// Warnings of the validator: the first of each reason is reported, the others counted.
#include "host/warning_counts.hpp"

#include <gtest/gtest.h>
#include <map>
#include <random>

namespace affix::host {
namespace {

using Counts = std::map<std::size_t, std::uint64_t>;

Counts taken(WarningCounts& warnings) {
  Counts counts;
  warnings.take([&](std::size_t reason, std::uint64_t count) { counts[reason] = count; });
  return counts;
}

TEST(WarningCounts, EachReasonIsReportedFirstAndCountedAsACounterWould) {
  std::mt19937_64 random(23);
  WarningCounts warnings;
  for (int connection = 0; connection < 100; ++connection) {
    Counts expected;
    for (std::uint64_t count = random() % 40; count != 0; --count) {
      const std::uint64_t reason = random() % 100 == 0 ? UINT64_MAX : random() % 25;
      const std::size_t place = std::min<std::uint64_t>(reason, WarningCounts::reasons_max - 1);
      EXPECT_EQ(warnings.is_first(reason), ++expected[place] == 1) << reason;
    }
    std::erase_if(expected, [](const auto& one) { return one.second < 2; });
    EXPECT_EQ(taken(warnings), expected) << "one alone has been reported";
    EXPECT_TRUE(taken(warnings).empty()) << "the next connection begins again";
  }
}

}  // namespace
}  // namespace affix::host
