// SPDX-License-Identifier: MIT
// Time and target of an initiator's connection attempts.
#include "engine/dialer.hpp"

#include "affix/base/time.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

namespace affix::engine {
namespace {

constexpr DialPauses pauses{1'000, 8'000};

net::Address address(std::uint16_t port) {
  return net::Address::parse("127.0.0.1:" + std::to_string(port)).value();
}

/// Pause after a failure at time 0.
std::int64_t pause_after_failure(Dialer& dialer) {
  static_cast<void>(dialer.begin_attempt());
  EXPECT_EQ(dialer.next_attempt_ns(), never_ns);
  dialer.on_down(0);
  return dialer.next_attempt_ns();
}

TEST(Dialer, DoesNothingUntilItIsStarted) {
  Dialer dialer({address(1)}, pauses, 1);
  EXPECT_TRUE(dialer.wanted());
  EXPECT_EQ(dialer.next_attempt_ns(), never_ns);
  dialer.start(42);
  EXPECT_EQ(dialer.next_attempt_ns(), 42);
}

TEST(Dialer, ReportsWhichAddressAnAttemptIsFor) {
  Dialer dialer({address(1), address(2), address(3)}, pauses, 1);
  for (const std::size_t number : {0U, 1U, 2U, 0U}) {
    const net::Address tried = dialer.begin_attempt();
    EXPECT_EQ(dialer.attempted(), number);
    EXPECT_EQ(tried.port(), number + 1);
    dialer.on_down(0);
    EXPECT_EQ(dialer.attempted(), number);
  }
}

TEST(Dialer, AddressesMayChangeBetweenAttempts) {
  Dialer dialer({}, pauses, 1);
  EXPECT_FALSE(dialer.has_addresses());
  dialer.on_down(0);
  EXPECT_NE(dialer.next_attempt_ns(), never_ns);  // Without an address it keeps trying.
  dialer.set_addresses({address(1), address(2), address(3)});
  EXPECT_TRUE(dialer.has_addresses());
  EXPECT_EQ(dialer.begin_attempt().port(), 1);
  EXPECT_EQ(dialer.begin_attempt().port(), 2);
  dialer.set_addresses({address(4), address(5)});
  EXPECT_EQ(dialer.begin_attempt().port(), 4);
  EXPECT_EQ(dialer.attempted(), 0U);
  dialer.set_addresses({});
  EXPECT_FALSE(dialer.has_addresses());
}

TEST(Dialer, PausesDoubleUpToTheLongest) {
  Dialer dialer({address(1)}, pauses, 7);
  for (const std::int64_t whole : {1'000, 2'000, 4'000, 8'000, 8'000, 8'000}) {
    const std::int64_t pause = pause_after_failure(dialer);
    EXPECT_LE(pause, whole);
    EXPECT_GT(pause, whole * 3 / 4 - 1);  // Jitter subtracts at most a quarter.
  }
}

TEST(Dialer, EveryAddressIsTriedBeforeThePauseGrows) {
  Dialer dialer({address(1), address(2)}, pauses, 7);
  std::vector<std::uint16_t> tried;
  std::vector<std::int64_t> waited;
  for (int attempt = 0; attempt < 4; ++attempt) {
    tried.push_back(dialer.begin_attempt().port());
    dialer.on_down(0);
    waited.push_back(dialer.next_attempt_ns());
  }
  EXPECT_EQ(tried, (std::vector<std::uint16_t>{1, 2, 1, 2}));
  EXPECT_LE(waited[1], 1'000);
  EXPECT_GT(waited[2], 1'000);
}

TEST(Dialer, ALogonStartsOverWithTheFirstAddressAndTheFirstPause) {
  Dialer dialer({address(1), address(2)}, pauses, 7);
  for (int attempt = 0; attempt < 5; ++attempt) {
    static_cast<void>(pause_after_failure(dialer));
  }
  dialer.on_logged_on();
  EXPECT_EQ(dialer.begin_attempt().port(), 1);
  dialer.on_down(0);
  EXPECT_LE(dialer.next_attempt_ns(), 1'000);
}

TEST(Dialer, StaysDownOutsideOfItsSchedule) {
  Dialer dialer({address(1)}, pauses, 7);
  dialer.set_open(false);
  dialer.start(0);
  EXPECT_EQ(dialer.next_attempt_ns(), never_ns);
  dialer.on_down(10);
  EXPECT_EQ(dialer.next_attempt_ns(), never_ns);
  dialer.set_open(true);
  EXPECT_EQ(dialer.next_attempt_ns(), never_ns);
  dialer.start(20);
  EXPECT_EQ(dialer.next_attempt_ns(), 20);
  dialer.set_open(false);
  EXPECT_EQ(dialer.next_attempt_ns(), never_ns);
  EXPECT_TRUE(dialer.wanted());
}

TEST(Dialer, StaysDownWhenNotWanted) {
  Dialer dialer({address(1)}, pauses, 7);
  dialer.start(0);
  dialer.set_wanted(false);
  EXPECT_EQ(dialer.next_attempt_ns(), never_ns);
  dialer.on_down(10);
  EXPECT_EQ(dialer.next_attempt_ns(), never_ns);
  dialer.start(10);
  EXPECT_EQ(dialer.next_attempt_ns(), never_ns);
  dialer.set_wanted(true);
  dialer.start(20);
  EXPECT_EQ(dialer.next_attempt_ns(), 20);
}

TEST(Dialer, SessionsSpreadTheirReturn) {
  std::set<std::int64_t> times;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Dialer dialer({address(1)}, {base::ns_per_second, base::ns_per_second}, seed * 7919);
    times.insert(pause_after_failure(dialer));
  }
  EXPECT_GT(times.size(), 40U);
}

TEST(Dialer, LimitsThatMeetDoNotOverflow) {
  constexpr std::int64_t longest = std::int64_t{2'147'483'647} * base::ns_per_ms;
  Dialer dialer({address(1)}, {longest, longest}, 3);
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::int64_t pause = pause_after_failure(dialer);
    ASSERT_GT(pause, 0);
    ASSERT_LE(pause, longest);
  }
  Dialer without_pause({address(1)}, {0, 0}, 3);
  EXPECT_EQ(pause_after_failure(without_pause), 0);
}

}  // namespace
}  // namespace affix::engine
