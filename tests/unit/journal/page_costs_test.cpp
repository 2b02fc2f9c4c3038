// SPDX-License-Identifier: MIT
// Both ways to make pages present are measured, and nothing is left behind.
#include "affix/journal/page_costs.hpp"

#include "support/temporary_directory.hpp"

#include <filesystem>
#include <gtest/gtest.h>

namespace affix::journal_test {

namespace {

using journal::measure_page_costs;
using journal::NewPages;
using journal::PageCosts;

TEST(PageCostsOfADisk, AreMeasuredBothWaysAndLeaveNoFile) {
  const support::TemporaryDirectory directory;
  const auto costs = measure_page_costs(directory.path());
  ASSERT_TRUE(costs);
  EXPECT_GT(costs->written_ns, 0);
  EXPECT_GT(costs->faulted_ns, 0);
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(PageCostsOfADisk, AreUnknownWhereNoFileCanBeMade) {
  const support::TemporaryDirectory directory;
  EXPECT_FALSE(measure_page_costs(directory.path() + "/missing"));
  EXPECT_FALSE(measure_page_costs("/proc"));
}

TEST(PageCostsOfADisk, ChooseTheCheaperWay) {
  EXPECT_EQ((PageCosts{1'000, 4'000}.cheapest()), NewPages::Written);
  EXPECT_EQ((PageCosts{4'000, 1'000}.cheapest()), NewPages::Faulted);
  // Writing keeps the system's memory in blocks, so it is taken when there is no difference.
  EXPECT_EQ((PageCosts{1'000, 1'000}.cheapest()), NewPages::Written);
}

}  // namespace

}  // namespace affix::journal_test
