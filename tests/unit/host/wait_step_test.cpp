// SPDX-License-Identifier: MIT
// Steps of a worker other than messages: each is timed, and a nested one counts for itself only.
#include "host/wait_step.hpp"

#include "affix/testing/virtual_network.hpp"

#include <gtest/gtest.h>
#include <memory>

namespace affix::host {
namespace {

using counters::WaitCause;

class WaitStepTest : public ::testing::Test {
 protected:
  [[nodiscard]] const counters::WaitCounters& of(WaitCause cause) const {
    return counters_->waits.causes[static_cast<std::size_t>(cause)];
  }

  void pass(std::int64_t ns) { ASSERT_TRUE(network_.run(ns)); }

  std::unique_ptr<counters::WorkerCounters> counters_ =
      std::make_unique<counters::WorkerCounters>();
  counters::WaitAccount waits_{counters_->waits};
  testing::VirtualNetwork network_;
  std::unique_ptr<net::Reactor> clock_ = network_.make_reactor(network_.add_node(), {});
};

TEST_F(WaitStepTest, AStepIsTimedFromItsBeginningToItsEnd) {
  pass(1'000);
  {
    const WaitStep step(waits_, *clock_, WaitCause::Connection);
    pass(70);
    EXPECT_EQ(of(WaitCause::Connection).count.value(), 0U);
  }
  pass(1'000);
  EXPECT_EQ(of(WaitCause::Connection).count.value(), 1U);
  EXPECT_EQ(of(WaitCause::Connection).time.value(), 70U);
  EXPECT_EQ(waits_.noted_ns(), 70);
}

TEST_F(WaitStepTest, NestedStepsCountForThemselvesOnly) {
  {
    const WaitStep outer(waits_, *clock_, WaitCause::Timer);
    pass(10);
    for (int count = 0; count < 2; ++count) {
      const WaitStep inner(waits_, *clock_, WaitCause::Log);
      pass(30);
    }
    pass(5);
  }
  EXPECT_EQ(of(WaitCause::Timer).time.value(), 15U);
  EXPECT_EQ(of(WaitCause::Log).count.value(), 2U);
  EXPECT_EQ(of(WaitCause::Log).time.value(), 60U);
  EXPECT_EQ(waits_.noted_ns(), 75) << "all of it is explained";
}

TEST_F(WaitStepTest, StepsOfATurnAreAdded) {
  for (int count = 0; count < 2; ++count) {
    const WaitStep step(waits_, *clock_, WaitCause::Change);
    pass(20);
  }
  EXPECT_EQ(of(WaitCause::Change).time.value(), 40U);
  EXPECT_EQ(of(WaitCause::Change).longest.value(), 20U);
  EXPECT_EQ(waits_.noted_ns(), 40);
}

TEST_F(WaitStepTest, AJournalsStallIsAStep) {
  JournalWaits journal(waits_);
  journal.set_clock(*clock_);
  for (int count = 0; count < 2; ++count) {
    journal.on_stall_begin();
    pass(40);
    journal.on_stall_end();
    pass(500);
  }
  EXPECT_EQ(of(WaitCause::Journal).count.value(), 2U);
  EXPECT_EQ(of(WaitCause::Journal).time.value(), 80U);
}

}  // namespace
}  // namespace affix::host
