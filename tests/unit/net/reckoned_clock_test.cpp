// SPDX-License-Identifier: MIT
// A steady time computed from UTC: exact while the clocks are undisturbed, and never far off or
// going back otherwise.
#include "net/reckoned_clock.hpp"

#include "affix/net/reactor.hpp"

#include <gtest/gtest.h>

namespace affix::net {
namespace {

constexpr base::Now read{.steady_ns = 5 * base::ns_per_second,
                         .utc_ns = 1'700'000'000 * base::ns_per_second};

/// Both clocks were read at the same moment, `read`.
ReckonedClock read_once() {
  ReckonedClock clock;
  const base::Now given = clock.take(read.utc_ns, read);
  EXPECT_EQ(given.steady_ns, read.steady_ns);
  EXPECT_EQ(given.utc_ns, read.utc_ns);
  return clock;
}

TEST(ReckonedClock, NothingIsReckonedBeforeBothWereRead) {
  ReckonedClock clock;
  EXPECT_FALSE(clock.at(0));
  EXPECT_FALSE(clock.at(read.utc_ns));
}

TEST(ReckonedClock, SteadyComesAsFarAsUtc) {
  ReckonedClock clock = read_once();
  for (const std::int64_t later :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{20'000}, ReckonedClock::span_ns - 1}) {
    const auto given = clock.at(read.utc_ns + later);
    ASSERT_TRUE(given) << later;
    EXPECT_EQ(given->steady_ns, read.steady_ns + later);
    EXPECT_EQ(given->utc_ns, read.utc_ns + later);
  }
}

TEST(ReckonedClock, AnOldReadingIsNotReckonedFrom) {
  ReckonedClock clock = read_once();
  EXPECT_FALSE(clock.at(read.utc_ns + ReckonedClock::span_ns));
  EXPECT_FALSE(clock.at(read.utc_ns + base::ns_per_day));
}

TEST(ReckonedClock, NorIsOneFromBeforeUtcWasSetBack) {
  ReckonedClock clock = read_once();
  EXPECT_FALSE(clock.at(read.utc_ns - 1));
  EXPECT_FALSE(clock.at(0));
  EXPECT_FALSE(clock.at(INT64_MIN));
}

TEST(ReckonedClock, SteadyDoesNotGoBackWhereUtcDoes) {
  ReckonedClock clock = read_once();
  const auto before = clock.at(read.utc_ns + 900'000);
  const auto after =
      clock.at(read.utc_ns + 100'000);  // Set back by 800 us, and still before `read`.
  ASSERT_TRUE(before && after);
  EXPECT_EQ(after->steady_ns, before->steady_ns);
  EXPECT_EQ(after->utc_ns, read.utc_ns + 100'000);

  const base::Now both{.steady_ns = read.steady_ns + 500'000, .utc_ns = read.utc_ns + 150'000};
  EXPECT_EQ(clock.take(both.utc_ns, both).steady_ns, before->steady_ns);
}

TEST(ReckonedClock, ReadingsOfTwoMomentsAreNotReckonedFrom) {
  ReckonedClock slow;
  EXPECT_EQ(slow.take(read.utc_ns - ReckonedClock::moment_ns - 1, read).steady_ns, read.steady_ns);
  EXPECT_FALSE(slow.at(read.utc_ns + 1));

  ReckonedClock set_back;
  EXPECT_EQ(set_back.take(read.utc_ns + 1, read).utc_ns, read.utc_ns);
  EXPECT_FALSE(set_back.at(read.utc_ns + 1));

  ReckonedClock quick;
  EXPECT_EQ(quick.take(read.utc_ns - ReckonedClock::moment_ns, read).utc_ns, read.utc_ns);
  EXPECT_TRUE(quick.at(read.utc_ns + 1));
}

TEST(ReckonedClock, AReactorsSecondReadingIsItsFirstClocks) {
  auto reactor = make_reactor("epoll", {});
  ASSERT_TRUE(reactor) << reactor.error().text();
  std::int64_t before = (*reactor)->now_again().steady_ns;
  for (int round = 0; round < 10'000; ++round) {
    const base::Now low = (*reactor)->now();
    const base::Now at = (*reactor)->now_again();
    const base::Now high = (*reactor)->now();
    ASSERT_GE(at.steady_ns, before);
    ASSERT_GE(at.steady_ns, low.steady_ns - 2 * ReckonedClock::span_ns);
    ASSERT_LE(at.steady_ns, high.steady_ns + 2 * ReckonedClock::span_ns);
    before = at.steady_ns;
  }
}

}  // namespace
}  // namespace affix::net
