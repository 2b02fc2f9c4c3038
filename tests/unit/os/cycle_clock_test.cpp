// SPDX-License-Identifier: MIT
// UTC computed from the cycle counter, compared with its reference clock.
#include "os/cycle_clock.hpp"

#include "affix/os/clock.hpp"

#include <gtest/gtest.h>

namespace affix::os {
namespace {

std::int64_t system_ns() {
  return os::read_clock_ns(CLOCK_REALTIME);
}

TEST(CycleClock, IsTheSystemsClockButForALittle) {
  CycleClock clock(true);
  // A thread that loses its processor between two readings proves nothing; most do not.
  std::size_t near = 0;
  std::size_t looked = 0;
  const std::int64_t until_ns = system_ns() + 50 * base::ns_per_ms;
  while (system_ns() < until_ns) {
    const std::int64_t before_ns = system_ns();
    const std::int64_t reported_ns = clock.now(system_ns);
    const std::int64_t after_ns = system_ns();
    ++looked;
    near += reported_ns > before_ns - base::ns_per_us && reported_ns < after_ns + base::ns_per_us
                ? 1U
                : 0U;
  }
  EXPECT_GT(near, looked / 10 * 9);
}

TEST(CycleClock, SeldomReadsTheClockWhereTheProcessorCounts) {
  if (!CycleClock::can_reckon()) {
    GTEST_SKIP() << "this processor has no count of one rate";
  }
  CycleClock clock(true);
  std::uint64_t readings = 0;
  std::uint64_t asked = 0;
  const auto read = [&readings] {
    ++readings;
    return system_ns();
  };
  const std::int64_t until_ns = system_ns() + 20 * base::ns_per_ms;
  while (system_ns() < until_ns) {
    static_cast<void>(clock.now(read));
    ++asked;
  }
  EXPECT_GT(readings, 1U);
  // All calls of the first millisecond read it, then one per millisecond.
  EXPECT_LT(readings, asked / 2);
}

TEST(CycleClock, ReadsTheSystemsClockWhereItMayNotCompute) {
  CycleClock clock(false);
  std::int64_t time_ns = 7;
  const auto read = [&time_ns] { return time_ns; };
  EXPECT_EQ(clock.now(read), 7);
  time_ns = 3;
  EXPECT_EQ(clock.now(read), 3);
}

TEST(CycleClock, FollowsAClockThatIsSet) {
  CycleClock clock(true);
  std::int64_t by_ns = 0;
  const auto read = [&by_ns] { return system_ns() + by_ns; };
  const auto spend = [&](std::int64_t ns) {
    const std::int64_t until_ns = system_ns() + ns;
    while (system_ns() < until_ns) {
      static_cast<void>(clock.now(read));
    }
  };
  spend(5 * base::ns_per_ms);
  for (const std::int64_t step_ns : {-3'600 * base::ns_per_second, 7'200 * base::ns_per_second}) {
    by_ns += step_ns;
    spend(5 * base::ns_per_ms);
    const std::int64_t apart_ns = clock.now(read) - read();
    EXPECT_LT(apart_ns, base::ns_per_ms);
    EXPECT_GT(apart_ns, -base::ns_per_ms);
  }
}

}  // namespace
}  // namespace affix::os
