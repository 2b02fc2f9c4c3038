// SPDX-License-Identifier: MIT
// A limit on sends: random messages and times, against the times at which each of them left.
#include "host/send_pace.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace affix::host {
namespace {

constexpr std::size_t paced_outbox_bytes = 64 * 1024;
constexpr std::int64_t window_ns = 1'000;

/// An outbox whose messages leave as the limit allows.
class PacedOutbox {
 public:
  explicit PacedOutbox(std::size_t limit)
      : pace_({.messages = limit, .window_ns = window_ns}, paced_outbox_bytes) {}

  /// False: the limit has no room for the message.
  bool commit(std::int64_t now_ns, std::size_t bytes) {
    if (!pace_.admits(now_ns, waiting_)) {
      return false;
    }
    pace_.take(now_ns, waiting_);
    messages_.push_back(bytes);
    waiting_ += bytes;
    return true;
  }

  void flush(std::int64_t now_ns) {
    std::size_t bytes = pace_.sendable(now_ns, waiting_);
    waiting_ -= bytes;
    pace_.note_sent(bytes);
    while (bytes != 0) {
      ASSERT_FALSE(messages_.empty());
      ASSERT_LE(messages_.front(), bytes) << "a part of a message left";
      bytes -= messages_.front();
      messages_.pop_front();
      left_ns_.push_back(now_ns);
    }
  }

  /// Flushes at each time that the limit names.
  void flush_until(std::int64_t now_ns) {
    while (pace_.waits() && pace_.deadline_ns(false) <= now_ns) {
      flush(pace_.deadline_ns(false));
    }
  }

  [[nodiscard]] const SendPace& pace() const { return pace_; }

  /// Times at which messages left.
  [[nodiscard]] const std::vector<std::int64_t>& left_ns() const { return left_ns_; }

 private:
  SendPace pace_;
  std::deque<std::size_t> messages_;
  std::size_t waiting_ = 0;
  std::vector<std::int64_t> left_ns_;
};

TEST(SendPace, NoWindowHasMoreMessagesThanTheLimitAndAllOfThemLeave) {
  std::mt19937_64 random(31);
  for (int round = 0; round < 100; ++round) {
    const std::size_t limit = 1 + random() % 5;
    PacedOutbox outbox(limit);
    std::int64_t now_ns = 1;
    std::size_t taken = 0;
    for (int step = 0; step < 300; ++step) {
      taken += outbox.commit(now_ns, 64 + random() % 400) ? 1U : 0U;
      if (random() % 2 == 0) {
        outbox.flush(now_ns);
        now_ns += static_cast<std::int64_t>(random() % 700);
        outbox.flush_until(now_ns);
      }
    }
    outbox.flush(now_ns);
    outbox.flush_until(now_ns + 400 * window_ns);
    ASSERT_EQ(outbox.left_ns().size(), taken);
    for (std::size_t at = limit; at < taken; ++at) {
      ASSERT_GE(outbox.left_ns()[at] - outbox.left_ns()[at - limit], window_ns)
          << "limit " << limit << ", message " << at;
    }
  }
}

TEST(SendPace, NothingWaitsWithinTheLimit) {
  PacedOutbox outbox(3);
  for (std::int64_t now_ns = 0; now_ns < 20 * window_ns; now_ns += window_ns / 2) {
    ASSERT_TRUE(outbox.commit(now_ns, 100));
    EXPECT_FALSE(outbox.pace().waits()) << now_ns;
    outbox.flush(now_ns);
    EXPECT_EQ(outbox.left_ns().back(), now_ns);
  }
  EXPECT_EQ(outbox.pace().deadline_ns(false), session::no_deadline);
}

TEST(SendPace, SessionMessagesKeepRoomInTheOutbox) {
  PacedOutbox outbox(1);
  std::size_t bytes = 0;
  while (outbox.commit(0, 1'000)) {
    bytes += 1'000;
    ASSERT_LT(bytes, paced_outbox_bytes);
  }
  EXPECT_GT(bytes, 10'000U) << "messages wait";
  EXPECT_LE(bytes, paced_outbox_bytes / 2);
  EXPECT_LT(outbox.pace().deadline_ns(true), session::no_deadline);
}

TEST(SendPace, WithoutWaitingAMessageIsRefusedUntilTheWindowIsOver) {
  SendPace pace({.messages = 2, .window_ns = window_ns, .waits = false}, paced_outbox_bytes);
  pace.take(10, 0);
  pace.take(20, 100);
  EXPECT_FALSE(pace.waits());
  EXPECT_FALSE(pace.admits(20, 0));
  EXPECT_EQ(pace.sendable(20, 200), 200U) << "what was admitted leaves at once";
  EXPECT_EQ(pace.deadline_ns(true), 10 + window_ns);
  EXPECT_FALSE(pace.admits(9 + window_ns, 0));
  EXPECT_TRUE(pace.admits(10 + window_ns, 0));
}

TEST(SendPace, AConnectionsEndEmptiesTheOutboxAndEarlierSendsStillCount) {
  SendPace pace({.messages = 1, .window_ns = window_ns}, paced_outbox_bytes);
  pace.take(0, 0);
  pace.take(1, 100);
  ASSERT_TRUE(pace.waits());
  pace.end_connection();
  EXPECT_FALSE(pace.waits());
  EXPECT_EQ(pace.sendable(2, 50), 50U) << "a Logon does not wait";
  pace.take(3, 50);
  EXPECT_TRUE(pace.waits());
  EXPECT_EQ(pace.deadline_ns(false), 2 * window_ns) << "after both of the last connection";
}

}  // namespace
}  // namespace affix::host
