// SPDX-License-Identifier: MIT
#include "affix/wire/timestamp.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <string>

namespace affix::wire {
namespace {

using base::ns_per_second;
using base::UtcTime;

constexpr TimePrecision all_precisions[] = {TimePrecision::Seconds, TimePrecision::Millis,
                                            TimePrecision::Micros, TimePrecision::Nanos,
                                            TimePrecision::Picos};

std::uint32_t sum_of(std::string_view text) {
  std::uint32_t sum = 0;
  for (const char byte : text) {
    sum += static_cast<unsigned char>(byte);
  }
  return sum;
}

void expect_same_as_uncached(TimeStampCache& cache, UtcTime time, TimePrecision precision) {
  char out[utc_time_room];
  const std::string expected(out, format_utc_time(time, precision, out));
  ASSERT_EQ(utc_time_size(precision), expected.size());
  char written[utc_time_room];
  std::memset(written, '#', sizeof written);
  ASSERT_EQ(cache.write(time, precision, written), expected.size());
  ASSERT_EQ(std::string_view(written, expected.size()), expected);
  ASSERT_EQ(written[expected.size()], '#');
  ASSERT_EQ(cache.sum(), sum_of(expected)) << expected;
}

TEST(TimeStampCache, RendersTheEpochFirst) {
  TimeStampCache cache;
  expect_same_as_uncached(cache, UtcTime{0, 0}, TimePrecision::Nanos);
}

TEST(TimeStampCache, FirstStampWithinTheEpochsFirstSecond) {
  TimeStampCache cache;
  expect_same_as_uncached(cache, UtcTime{123'456'789, 0}, TimePrecision::Nanos);
}

TEST(TimeStampCache, EveryPrecisionOfOneStampAfterEveryOther) {
  for (const UtcTime time : {UtcTime{1'767'205'296'987'654'321, 123}, UtcTime{-1, 999},
                             UtcTime{0, 0}, UtcTime{std::numeric_limits<std::int64_t>::min(), 1}}) {
    TimeStampCache cache;
    for (const TimePrecision first : all_precisions) {
      for (const TimePrecision second : all_precisions) {
        expect_same_as_uncached(cache, time, first);
        expect_same_as_uncached(cache, time, second);
      }
    }
  }
}

TEST(TimeStampCache, IsAsIfThereWereNoCache) {
  TimeStampCache cache;
  std::uint64_t random = 42;
  std::int64_t ns = 1'767'205'296 * ns_per_second;
  for (int round = 0; round < 20'000; ++round) {
    random = random * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
    // Repeats, steps within the second, across it, far ahead and backwards.
    switch (random >> 61) {
      case 0:
        break;
      case 1:
      case 2:
      case 3:
        ns += static_cast<std::int64_t>(random >> 20 & 0xFFFFF);
        break;
      case 4:
      case 5:
        ns += static_cast<std::int64_t>(random >> 20 & 0x3FFFFFFF);
        break;
      case 6:
        ns -= static_cast<std::int64_t>(random >> 20 & 0xFFFFFFFF);
        break;
      default:
        ns = static_cast<std::int64_t>(random);
        break;
    }
    const UtcTime time{ns, static_cast<std::uint16_t>(random % 1'000)};
    expect_same_as_uncached(cache, time, all_precisions[(random >> 10) % 5]);
  }
}

TEST(TimeStampCache, EndsOfTimeAreNoSpecialCase) {
  TimeStampCache cache;
  for (const std::int64_t ns :
       {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::min() + 1,
        std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min(),
        std::int64_t{-1}, std::int64_t{0}, std::int64_t{-1'000'000'000},
        std::int64_t{-999'999'999}}) {
    for (const TimePrecision precision : all_precisions) {
      expect_same_as_uncached(cache, UtcTime{ns, 999}, precision);
    }
  }
}

TEST(TimeStampCache, AnotherPrecisionOfTheSameTimeIsRendered) {
  TimeStampCache cache;
  const UtcTime time{1'767'205'296'457'245'600, 7};
  for (const TimePrecision precision : all_precisions) {
    expect_same_as_uncached(cache, time, precision);
  }
}

}  // namespace
}  // namespace affix::wire
