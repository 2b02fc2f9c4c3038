// SPDX-License-Identifier: MIT
// The histogram compared with sorted lists of the same values.
#include "measure/latency_histogram.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <random>
#include <vector>

namespace affix::tools {
namespace {

TEST(LatencyHistogram, EmptyHasZeros) {
  const auto histogram = std::make_unique<LatencyHistogram>();
  EXPECT_EQ(histogram->count(), 0U);
  EXPECT_EQ(histogram->min_ns(), 0);
  EXPECT_EQ(histogram->max_ns(), 0);
  EXPECT_EQ(histogram->value_at(0.5), 0);
}

TEST(LatencyHistogram, SmallValuesAreExact) {
  auto histogram = std::make_unique<LatencyHistogram>();
  for (std::int64_t value = 1; value <= 200; ++value) {
    histogram->record(value);
  }
  EXPECT_EQ(histogram->value_at(0.0), 1);
  EXPECT_EQ(histogram->value_at(0.5), 100);
  EXPECT_EQ(histogram->value_at(0.9), 180);
  EXPECT_EQ(histogram->value_at(0.995), 199);
  EXPECT_EQ(histogram->value_at(1.0), 200);
}

TEST(LatencyHistogram, PercentilesAreWithinOnePercentOfSortedValues) {
  std::mt19937_64 random(5);
  auto histogram = std::make_unique<LatencyHistogram>();
  std::vector<std::int64_t> values;
  for (int index = 0; index < 100'000; ++index) {
    // As many small values as large ones, over eleven powers of ten.
    const auto value = static_cast<std::int64_t>(random() >> (27 + random() % 36));
    values.push_back(value);
    histogram->record(value);
  }
  std::sort(values.begin(), values.end());
  EXPECT_EQ(histogram->min_ns(), values.front());
  EXPECT_EQ(histogram->max_ns(), values.back());
  for (const double fraction : {0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999, 1.0}) {
    const auto rank = static_cast<std::size_t>(fraction * static_cast<double>(values.size()) + 0.5);
    const auto expected = static_cast<double>(values[std::max<std::size_t>(rank, 1) - 1]);
    EXPECT_NEAR(static_cast<double>(histogram->value_at(fraction)), expected, expected * 0.01)
        << fraction;
  }
}

TEST(LatencyHistogram, ExtremeValuesHaveTheirPlace) {
  auto histogram = std::make_unique<LatencyHistogram>();
  histogram->record(std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(histogram->value_at(0.5), std::numeric_limits<std::int64_t>::max());
  histogram->record(-5);
  EXPECT_EQ(histogram->min_ns(), 0);
  EXPECT_EQ(histogram->value_at(0.5), 0);
}

TEST(LatencyHistogram, EveryPowerOfTwoAndItsNeighboursAreNear) {
  for (int bit = 0; bit < 63; ++bit) {
    for (const std::int64_t offset : {-1, 0, 1}) {
      const std::int64_t value = (std::int64_t{1} << bit) + offset;
      auto histogram = std::make_unique<LatencyHistogram>();
      histogram->record(0);
      histogram->record(value);
      // A third, larger value, so that the maximum does not bound the answer.
      histogram->record(std::numeric_limits<std::int64_t>::max());
      const std::int64_t reported = histogram->value_at(0.6);
      EXPECT_GE(reported, value);
      EXPECT_LE(static_cast<double>(reported - value), static_cast<double>(value) / 128) << value;
    }
  }
}

TEST(LatencyHistogram, MergedIsAsIfRecordedInOne) {
  auto one = std::make_unique<LatencyHistogram>();
  auto other = std::make_unique<LatencyHistogram>();
  auto both = std::make_unique<LatencyHistogram>();
  for (std::int64_t value = 1; value < 5'000; value += 7) {
    (value % 2 == 0 ? one : other)->record(value);
    both->record(value);
  }
  one->merge(*other);
  EXPECT_EQ(one->count(), both->count());
  EXPECT_EQ(one->min_ns(), both->min_ns());
  EXPECT_EQ(one->max_ns(), both->max_ns());
  EXPECT_EQ(one->value_at(0.99), both->value_at(0.99));
  one->clear();
  EXPECT_EQ(one->count(), 0U);
}

}  // namespace
}  // namespace affix::tools
