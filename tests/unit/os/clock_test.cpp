// SPDX-License-Identifier: MIT
// The clocks are those of the system, in nanoseconds.
#include "affix/os/clock.hpp"

#include <chrono>
#include <gtest/gtest.h>

namespace affix::os {
namespace {

TEST(Clock, SteadyNeverGoesBack) {
  std::int64_t before = now().steady_ns;
  for (int round = 0; round < 1000; ++round) {
    const std::int64_t at = now().steady_ns;
    ASSERT_GE(at, before);
    before = at;
  }
}

TEST(Clock, UtcIsTheSystemClock) {
  const auto before = std::chrono::system_clock::now().time_since_epoch();
  const base::Now at = now();
  const auto after = std::chrono::system_clock::now().time_since_epoch();
  EXPECT_GE(at.utc_ns, std::chrono::nanoseconds(before).count());
  EXPECT_LE(at.utc_ns, std::chrono::nanoseconds(after).count());
}

}  // namespace
}  // namespace affix::os
