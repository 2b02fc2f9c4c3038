// SPDX-License-Identifier: MIT
// Percentile curves: their fractions, and the file.
#include "measure/distribution.hpp"

#include "support/temporary_directory.hpp"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>

namespace affix::tools {
namespace {

TEST(Distribution, FractionsAscendFromTheLeastToTheMost) {
  const std::vector<double> fractions = distribution_fractions();
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end(), std::less_equal<>()));
  EXPECT_EQ(fractions.front(), 0);
  EXPECT_EQ(fractions.back(), 1);
  for (const double wanted : {0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999}) {
    EXPECT_TRUE(std::any_of(fractions.begin(), fractions.end(), [wanted](double fraction) {
      return std::abs(fraction - wanted) < 1e-9;
    })) << wanted;
  }
}

TEST(Distribution, FileHasALineForEachFraction) {
  const support::TemporaryDirectory directory;
  const std::string path = directory.path() + "/curve.csv";
  const auto rising = std::make_unique<LatencyHistogram>();
  for (std::int64_t value = 1; value <= 100; ++value) {
    rising->record(value);
  }
  const auto level = std::make_unique<LatencyHistogram>();
  level->record(7);
  ASSERT_TRUE(write_distribution(path, {{"rising_ns", rising.get()}, {"level_ns", level.get()}}));
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "fraction,rising_ns,level_ns");
  std::size_t lines = 0;
  std::string middle;
  std::string last;
  while (std::getline(file, line)) {
    ++lines;
    middle = line.starts_with("0.5000000,") ? line : middle;
    last = line;
  }
  EXPECT_EQ(lines, distribution_fractions().size());
  EXPECT_EQ(middle, "0.5000000,50,7");
  EXPECT_EQ(last, "1.0000000,100,7");
}

TEST(Distribution, AFileThatCannotBeWrittenIsAnError) {
  const support::TemporaryDirectory directory;
  const auto written = write_distribution(directory.path() + "/none/curve.csv", {});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, base::ErrorCode::Io);
}

}  // namespace
}  // namespace affix::tools
