// SPDX-License-Identifier: MIT
// How much output may leave, by the limit on sends and by the disk.
#include "host/output_gate.hpp"

#include <gtest/gtest.h>

namespace affix::host {
namespace {

constexpr std::size_t outbox_bytes = 64 * 1024;
constexpr config::SendLimit one_a_second{.messages = 1, .window_ns = base::ns_per_second};

journal::Position offset_at(std::uint32_t offset) {
  return {.segment = 1, .offset = offset};
}

TEST(OutputGate, WithoutALimitEveryMessageIsAdmitted) {
  OutputGate gate({}, outbox_bytes);
  EXPECT_FALSE(gate.limited());
  EXPECT_FALSE(gate.holds_messages());
  EXPECT_TRUE(gate.admits(5, outbox_bytes));
}

TEST(OutputGate, AMessageOverTheLimitWaitsInTheOutbox) {
  OutputGate gate(one_a_second, outbox_bytes);
  EXPECT_TRUE(gate.limited());
  ASSERT_TRUE(gate.admits(5, 0));
  gate.take(5, 0);
  EXPECT_FALSE(gate.holds_messages());
  EXPECT_EQ(gate.within_limit(5, 100), 100U);
  ASSERT_TRUE(gate.admits(6, 100));
  gate.take(6, 100);
  EXPECT_TRUE(gate.holds_messages());
  EXPECT_EQ(gate.within_limit(6, 200), 100U);
  gate.on_sent(100);
  EXPECT_EQ(gate.within_limit(6, 100), 0U);
  const std::int64_t due_ns = gate.deadline_ns(false);
  EXPECT_GT(due_ns, 6);
  EXPECT_EQ(gate.within_limit(due_ns - 1, 100), 0U);
  EXPECT_EQ(gate.within_limit(due_ns, 100), 100U);
  EXPECT_FALSE(gate.holds_messages());
}

TEST(OutputGate, AConnectionsEndEmptiesItAndTheLimitStillCounts) {
  OutputGate gate({.messages = 1, .window_ns = base::ns_per_second, .waits = false}, outbox_bytes);
  gate.take(5, 0);
  EXPECT_EQ(gate.durable(offset_at(8), offset_at(16), 100), 0U);
  gate.end_connection();
  EXPECT_FALSE(gate.holds_messages());
  EXPECT_FALSE(gate.admits(6, 0)) << "the window is not over";
  EXPECT_EQ(gate.deadline_ns(false), session::no_deadline);
  const std::int64_t free_ns = gate.deadline_ns(true);
  EXPECT_TRUE(gate.admits(free_ns, 0));
  EXPECT_EQ(gate.durable(offset_at(16), offset_at(24), 50), 0U)
      << "the disk has the last connection's output, not this one's";
}

TEST(OutputGate, MessagesThatWaitedDoNotHoldTheNextConnection) {
  OutputGate gate(one_a_second, outbox_bytes);
  gate.take(5, 0);
  gate.take(6, 100);
  ASSERT_TRUE(gate.holds_messages());
  gate.end_connection();
  EXPECT_FALSE(gate.holds_messages());
  EXPECT_EQ(gate.within_limit(7, 100), 100U);
}

TEST(OutputGate, OutputLeavesUpToWhatIsOnTheDisk) {
  OutputGate gate({}, outbox_bytes);
  EXPECT_EQ(gate.durable(offset_at(8), offset_at(16), 100), 0U);
  EXPECT_EQ(gate.durable(offset_at(16), offset_at(24), 150), 100U);
  EXPECT_EQ(gate.last_durable(), 100U);
  gate.on_sent(60);
  EXPECT_EQ(gate.last_durable(), 40U);
  EXPECT_EQ(gate.durable(offset_at(24), offset_at(24), 90), 90U);
}

}  // namespace
}  // namespace affix::host
