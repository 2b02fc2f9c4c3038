// SPDX-License-Identifier: MIT
// Compares the throttle with a slow reference that stores every event.
#include "affix/session/throttle.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace affix::session {
namespace {

class Reference {
 public:
  Reference(std::size_t limit, std::int64_t window_ns) : limit_(limit), window_ns_(window_ns) {}

  [[nodiscard]] bool allows(std::int64_t now_ns) const {
    const auto recent = std::count_if(events_.begin(), events_.end(), [&](std::int64_t event) {
      return event > now_ns - window_ns_;
    });
    return static_cast<std::size_t>(recent) < limit_;
  }

  void count(std::int64_t at_ns) { events_.push_back(at_ns); }

  [[nodiscard]] std::int64_t take_turn(std::int64_t now_ns) {
    std::int64_t at_ns = now_ns;
    while (!allows(at_ns)) {
      ++at_ns;
    }
    count(at_ns);
    return at_ns;
  }

  /// Maximum number of events in any window.
  [[nodiscard]] std::size_t fullest_window() const {
    std::size_t most = 0;
    for (const std::int64_t begin : events_) {
      const auto inside = std::count_if(events_.begin(), events_.end(), [&](std::int64_t event) {
        return event >= begin && event < begin + window_ns_;
      });
      most = std::max(most, static_cast<std::size_t>(inside));
    }
    return most;
  }

 private:
  std::size_t limit_;
  std::int64_t window_ns_;
  std::vector<std::int64_t> events_;
};

/// Mostly bursts, sometimes exactly a window apart, sometimes long pauses.
std::int64_t step(std::mt19937_64& random, std::int64_t window_ns) {
  switch (random() % 8) {
    case 0:
      return window_ns;
    case 1:
      return window_ns - 1;
    case 2:
      return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(3 * window_ns));
    case 3:
    case 4:
      return static_cast<std::int64_t>(random() % 4);
    default:
      return 0;
  }
}

TEST(ThrottleReference, GivesTheSameVerdicts) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const std::size_t limit = 1 + random() % 12;
    const auto window_ns = static_cast<std::int64_t>(1 + random() % 50);
    std::vector<std::int64_t> times(limit);
    Throttle throttle(times, window_ns);
    Reference reference(limit, window_ns);
    const bool counts_all = random() % 4 == 0;  // Also those over the limit.
    std::int64_t now_ns = 1'000;
    for (int event = 0; event < 300; ++event) {
      now_ns += step(random, window_ns);
      const bool allowed = reference.allows(now_ns);
      ASSERT_EQ(throttle.allows(now_ns), allowed);
      if (!allowed) {
        ASSERT_TRUE(reference.allows(throttle.free_at_ns()));
        ASSERT_FALSE(reference.allows(throttle.free_at_ns() - 1));
      }
      if (allowed || counts_all) {
        throttle.count(now_ns);
        reference.count(now_ns);
      }
    }
    if (!counts_all) {
      EXPECT_LE(reference.fullest_window(), limit);
    }
  }
}

TEST(ThrottleReference, GivesTheSameTurns) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const std::size_t limit = 1 + random() % 8;
    const auto window_ns = static_cast<std::int64_t>(1 + random() % 30);
    std::vector<std::int64_t> times(limit);
    Throttle throttle(times, window_ns);
    Reference reference(limit, window_ns);
    std::int64_t now_ns = 1'000;
    for (int event = 0; event < 150; ++event) {
      now_ns += step(random, window_ns);
      ASSERT_EQ(throttle.take_turn(now_ns), reference.take_turn(now_ns));
    }
    EXPECT_LE(reference.fullest_window(), limit);
  }
}

}  // namespace
}  // namespace affix::session
