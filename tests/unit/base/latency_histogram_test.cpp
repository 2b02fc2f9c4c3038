// SPDX-License-Identifier: MIT
// The latency histogram compared with sorted values, its buckets with each other, and readers
// parallel to a writer.
#include "affix/base/latency_histogram.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <thread>
#include <vector>

namespace affix::base {
namespace {

TEST(LatencyBuckets, FollowEachOtherWithoutAHole) {
  EXPECT_EQ(LatencyBuckets::least_of(0), 0U);
  for (std::size_t bucket = 0; bucket < LatencyBuckets::count; ++bucket) {
    const std::uint64_t least = LatencyBuckets::least_of(bucket);
    const std::uint64_t most = LatencyBuckets::most_of(bucket);
    ASSERT_LE(least, most);
    EXPECT_EQ(LatencyBuckets::index_of(least), bucket);
    EXPECT_EQ(LatencyBuckets::index_of(most), bucket);
    EXPECT_LE((most - least) * 16, least) << "the promised relative error, bucket " << bucket;
    if (bucket + 1 < LatencyBuckets::count) {
      EXPECT_EQ(LatencyBuckets::least_of(bucket + 1), most + 1);
    }
  }
  EXPECT_EQ(LatencyBuckets::index_of(LatencyBuckets::largest), LatencyBuckets::count - 1);
  EXPECT_EQ(LatencyBuckets::index_of(~std::uint64_t{0}), LatencyBuckets::count - 1);
}

TEST(LatencyHistogram, IsEmptyAtFirst) {
  const auto histogram = std::make_unique<LatencyHistogram>();
  const LatencySnapshot snapshot(*histogram);
  EXPECT_EQ(snapshot.count(), 0U);
  EXPECT_EQ(snapshot.percentile(0.5), 0U);
  EXPECT_EQ(snapshot.largest(), 0U);
  EXPECT_EQ(snapshot.mean(), 0.0);
}

TEST(LatencyHistogram, PercentilesAreThoseOfTheSortedValuesWithinASixteenth) {
  std::mt19937_64 random(5);
  std::lognormal_distribution<double> shape(7.0, 2.5);
  const auto histogram = std::make_unique<LatencyHistogram>();
  std::vector<std::uint64_t> values;
  std::uint64_t sum = 0;
  for (int n = 0; n < 20'000; ++n) {
    const auto value = std::min(static_cast<std::uint64_t>(shape(random)), LatencyBuckets::largest);
    values.push_back(value);
    sum += value;
    histogram->record(static_cast<std::int64_t>(value));
  }
  std::sort(values.begin(), values.end());
  const LatencySnapshot snapshot(*histogram);
  EXPECT_EQ(snapshot.count(), values.size());
  EXPECT_EQ(snapshot.sum(), sum);
  EXPECT_EQ(snapshot.largest(), values.back());
  for (const double share : {0.0, 0.01, 0.5, 0.9, 0.99, 0.999, 0.9999, 1.0}) {
    const auto rank = std::max<std::size_t>(
        1, static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size()))));
    const std::uint64_t exact = values[rank - 1];
    const std::uint64_t said = snapshot.percentile(share);
    EXPECT_GE(said, exact) << share;
    EXPECT_LE((said - exact) * 16, exact) << share;
  }
}

TEST(LatencyHistogram, NegativeCountsAsZeroAndTooLargeAsTheLargest) {
  const auto histogram = std::make_unique<LatencyHistogram>();
  histogram->record(-5);
  histogram->record(std::int64_t{1} << 40);
  const LatencySnapshot snapshot(*histogram);
  EXPECT_EQ(snapshot.count_at(0), 1U);
  EXPECT_EQ(snapshot.count_at(LatencyBuckets::count - 1), 1U);
  EXPECT_EQ(snapshot.largest(), std::uint64_t{1} << 40);
  EXPECT_EQ(snapshot.percentile(1.0), std::uint64_t{1} << 40);
}

TEST(LatencySnapshot, TheDifferenceHasOnlyTheValuesBetween) {
  const auto histogram = std::make_unique<LatencyHistogram>();
  histogram->record(1'000'000);
  const LatencySnapshot before(*histogram);
  histogram->record(100);
  histogram->record(200);
  const LatencySnapshot between = LatencySnapshot(*histogram).since(before);
  EXPECT_EQ(between.count(), 2U);
  EXPECT_EQ(between.sum(), 300U);
  EXPECT_GE(between.largest(), 200U);
  EXPECT_LT(between.largest(), 220U);
  EXPECT_EQ(before.since(before).count(), 0U);
  EXPECT_EQ(before.since(before).largest(), 0U);
}

TEST(LatencySnapshot, AddsUpSeveral) {
  const auto one = std::make_unique<LatencyHistogram>();
  const auto other = std::make_unique<LatencyHistogram>();
  one->record(10);
  other->record(30);
  LatencySnapshot both(*one);
  both.add(LatencySnapshot(*other));
  EXPECT_EQ(both.count(), 2U);
  EXPECT_EQ(both.mean(), 20.0);
  EXPECT_EQ(both.percentile(0.5), 10U);
  EXPECT_EQ(both.percentile(1.0), 30U);
}

TEST(LatencyHistogram, MayBeReadWhileItIsWritten) {
  constexpr std::uint64_t values = 100'000;
  const auto histogram = std::make_unique<LatencyHistogram>();
  std::thread writer([&] {
    for (std::uint64_t n = 0; n < values; ++n) {
      histogram->record(static_cast<std::int64_t>(n % 1000));
    }
  });
  std::uint64_t seen = 0;
  while (seen < values) {
    const std::uint64_t now = LatencySnapshot(*histogram).count();
    ASSERT_GE(now, seen) << "counts never go back";
    ASSERT_LE(now, values);
    seen = now;
  }
  writer.join();
}

}  // namespace
}  // namespace affix::base
