// SPDX-License-Identifier: MIT
// Scenario 2o: permitted deviation of SendingTime, for stamps of every precision, in both
// directions, for any fraction of a second of our own clock.

#include "affix/wire/convert.hpp"

#include "session_case.hpp"

#include <random>

namespace affix::session_test {
namespace {

/// `utc_ns` truncated to `digits` of a second's fraction.
std::string stamp(std::int64_t utc_ns, std::size_t digits) {
  std::string text = testing::time_text(utc_ns);
  text.resize(17);  // Whole seconds.
  if (digits != 0) {
    const std::string fraction = std::to_string(1'000'000'000 + utc_ns % ns_per_second).substr(1);
    text += "." + fraction.substr(0, digits);
  }
  return text;
}

/// True if a new session accepts a message with this stamp.
bool taken(Role role, std::string_view version, std::int64_t clock_ns, const std::string& text) {
  Case one(role, version);
  one.log_on();
  one.clock.advance(clock_ns - one.clock.now().utc_ns % ns_per_second);
  const Messages sent = one.order("1", {.sending_time = text});
  const bool delivered = one.delivered() == 1;
  EXPECT_EQ(types_of(sent), delivered ? "" : "3 5") << text;
  return delivered;
}

TEST(SendingTime, WholeSecondsAreComparedAsWholeSeconds) {
  for (const Role role : {Role::Acceptor, Role::Initiator}) {
    for (const std::string_view version : versions) {
      for (const std::int64_t fraction : {0L, 1L, 10'000'000L, 500'000'000L, 999'999'999L}) {
        SCOPED_TRACE(std::string(version) + " " + std::to_string(fraction));
        Case clock(role, version);
        const std::int64_t second = clock.clock.now().utc_ns / ns_per_second * ns_per_second;
        const std::int64_t now = second + fraction;
        const auto take = [&](std::int64_t offset_ns) {
          return taken(role, version, fraction, stamp(now + offset_ns, 0));
        };
        EXPECT_FALSE(take(121 * ns_per_second));
        EXPECT_FALSE(take(-121 * ns_per_second));
        EXPECT_TRUE(take(120 * ns_per_second));
        EXPECT_TRUE(take(-120 * ns_per_second));
        EXPECT_TRUE(take(0));
      }
    }
  }
}

TEST(SendingTime, FractionsAreCompared) {
  for (const std::string_view version : versions) {
    for (const std::int64_t fraction : {0L, 10'000'000L, 990'000'000L}) {
      SCOPED_TRACE(std::string(version) + " " + std::to_string(fraction));
      Case clock(Role::Acceptor, version);
      const std::int64_t now = clock.clock.now().utc_ns / ns_per_second * ns_per_second + fraction;
      for (const std::size_t digits : {3UL, 6UL, 9UL}) {
        const auto take = [&](std::int64_t offset_ms) {
          return taken(Role::Acceptor, version, fraction,
                       stamp(now + offset_ms * ns_per_ms, digits));
        };
        EXPECT_FALSE(take(120'990));
        EXPECT_FALSE(take(-120'990));
        EXPECT_FALSE(take(120'001));
        EXPECT_FALSE(take(-120'001));
        EXPECT_TRUE(take(120'000));
        EXPECT_TRUE(take(-120'000));
      }
    }
  }
}

TEST(SendingTime, AgreesWithItsDefinitionForAnyClockAndPrecision) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 300; ++round) {
    const auto fraction = static_cast<std::int64_t>(random() % 1'000'000'000);
    const std::size_t digits = random() % 10;
    std::int64_t unit = ns_per_second;
    for (std::size_t digit = 0; digit < digits; ++digit) {
      unit /= 10;
    }
    Case clock(Role::Acceptor, "FIX.4.4");
    const std::int64_t now = clock.clock.now().utc_ns / ns_per_second * ns_per_second + fraction;
    const std::int64_t sent =
        now + (random() % 2 == 0 ? -1 : 1) *
                  (118 * ns_per_second + static_cast<std::int64_t>(random() % 4'000'000'000));
    const std::int64_t off = now / unit - sent / unit;
    const bool near = off * unit <= 120 * ns_per_second && off * unit >= -120 * ns_per_second;
    EXPECT_EQ(taken(Role::Acceptor, "FIX.4.4", fraction, stamp(sent, digits)), near)
        << stamp(now, 9) << " " << stamp(sent, digits);
  }
}

TEST(SendingTime, WhatLayUnreadIsNotTooOld) {
  each_session([](Case& one) {
    session::Session& session = one.endpoint.session();
    session.on_reading_paused(one.clock.now());
    one.clock.advance(150 * ns_per_second);
    session.on_reading_paused(one.clock.now());
    session.on_reading_resumed(one.clock.now());
    EXPECT_EQ(types_of(one.order("1", {.sending_time = one.ago(150)})), "");
    // The same backlog, of which the next part is read after another pause.
    one.clock.advance(100 * ns_per_second);
    session.on_reading_paused(one.clock.now());
    session.on_reading_resumed(one.clock.now());
    EXPECT_EQ(types_of(one.order("2", {.sending_time = one.ago(250)})), "");
    EXPECT_EQ(one.delivered(), 2U);
    one.clock.advance(121 * ns_per_second);
    EXPECT_EQ(types_of(one.order("3", {.sending_time = one.ago(121)})), "3 5");
  });
}

TEST(SendingTime, IsTooOldBeyondTheTimeOfThePause) {
  each_session([](Case& one) {
    session::Session& session = one.endpoint.session();
    session.on_reading_paused(one.clock.now());
    one.clock.advance(150 * ns_per_second);
    session.on_reading_resumed(one.clock.now());
    EXPECT_EQ(types_of(one.order("1", {.sending_time = one.ago(271)})), "3 5");
  });
}

}  // namespace
}  // namespace affix::session_test
