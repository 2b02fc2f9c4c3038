// SPDX-License-Identifier: MIT
// A worker's waits: timed steps, turns longer than their messages explain, and reports of both.
#include "counters/wait_account.hpp"

#include "counters/worker_meter.hpp"

#include <gtest/gtest.h>
#include <memory>

namespace affix::counters {
namespace {

using base::ns_per_ms;
using base::ns_per_us;

base::Now at(std::int64_t steady_ns) {
  return {steady_ns, steady_ns + 1};
}

class WaitAccountTest : public testing::Test {
 protected:
  [[nodiscard]] const WaitCounters& of(WaitCause cause) const {
    return counters_->waits.causes[static_cast<std::size_t>(cause)];
  }

  /// Number of waits with any cause.
  [[nodiscard]] std::uint64_t count() const {
    std::uint64_t all = 0;
    for (const WaitCounters& each : counters_->waits.causes) {
      all += each.count.value();
    }
    return all;
  }

  /// The current turn ends at `now_ns`, with or without events.
  void end_busy(std::int64_t woke_ns, std::int64_t now_ns, std::uint64_t commands = 0) {
    if (meter_.end_busy_turn(1, commands, woke_ns, at(now_ns))) {
      meter_.account_for_turn(commands, at(now_ns));
    }
  }

  void end_idle(std::int64_t now_ns) {
    if (meter_.end_idle_turn(at(now_ns))) {
      meter_.account_for_turn(0, at(now_ns));
    }
  }

  /// A turn that began at `began_ns` with an event and had this many messages.
  void busy_turn(std::int64_t began_ns, std::int64_t took_ns, std::uint64_t messages,
                 std::uint64_t commands = 0) {
    meter_.begin_turn(began_ns);
    meter_.note_event(began_ns);
    meter_.note_messages(messages);
    end_busy(began_ns + took_ns, began_ns + took_ns, commands);
  }

  std::unique_ptr<WorkerCounters> counters_ = std::make_unique<WorkerCounters>();
  WorkerMeter meter_{*counters_};
  WaitAccount& waits_ = meter_.waits();
};

TEST_F(WaitAccountTest, KeepsTheLongestOfEachCause) {
  waits_.note(WaitCause::Log, 300, at(1'000));
  waits_.note(WaitCause::Log, 200, at(2'000));
  waits_.note(WaitCause::Timer, 250, at(3'000));
  EXPECT_EQ(of(WaitCause::Log).count.value(), 2U);
  EXPECT_EQ(of(WaitCause::Log).time.value(), 500U);
  EXPECT_EQ(of(WaitCause::Log).longest.value(), 300U);
  EXPECT_EQ(of(WaitCause::Timer).longest.value(), 250U);
  EXPECT_EQ(of(WaitCause::Journal).count.value(), 0U);
  EXPECT_EQ(counters_->waits.longest_at.value(), 1'001U) << "the second was shorter";
  EXPECT_EQ(counters_->waits.lengths.largest(), 300U);
}

TEST_F(WaitAccountTest, RecentWaitsAreForgottenAfterTwoIntervals) {
  waits_.end_interval(0);
  EXPECT_FALSE(waits_.is_interval_over(WaitAccount::interval_ns - 1));
  EXPECT_TRUE(waits_.is_interval_over(WaitAccount::interval_ns));
  waits_.note(WaitCause::Log, 300, at(5));
  waits_.end_interval(WaitAccount::interval_ns);
  waits_.note(WaitCause::Log, 100, at(WaitAccount::interval_ns + 5));
  EXPECT_EQ(of(WaitCause::Log).recent.value(), 300U) << "it is less than twenty seconds old";
  waits_.end_interval(2 * WaitAccount::interval_ns);
  EXPECT_EQ(of(WaitCause::Log).recent.value(), 100U);
  waits_.end_interval(3 * WaitAccount::interval_ns);
  EXPECT_EQ(of(WaitCause::Log).recent.value(), 0U);
  EXPECT_EQ(of(WaitCause::Log).longest.value(), 300U);
}

TEST_F(WaitAccountTest, IsPutIntoWordsOnceAnIntervalAndOnlyFromItsLimitOn) {
  waits_.set_reported_from(10 * ns_per_ms);
  waits_.note(WaitCause::Log, 10 * ns_per_ms - 1, at(1));
  EXPECT_EQ(waits_.take_words(), "");
  waits_.note(WaitCause::Log, 10 * ns_per_ms, at(2));
  EXPECT_EQ(waits_.take_words(), "held up for 10.000 ms: a line of the log");
  EXPECT_EQ(waits_.take_words(), "") << "it was told twice";
  waits_.note(WaitCause::Log, 11 * ns_per_ms, at(3));
  waits_.note(WaitCause::Journal, 12'345 * ns_per_us, at(4));
  waits_.note(WaitCause::Log, 11 * ns_per_ms, at(5));
  EXPECT_EQ(waits_.take_words(),
            "held up for 12.345 ms: an append found nothing made ready, or wrote to the disk "
            "itself; 3 waits of 10.000 ms and more, this the longest, since the last line of this "
            "kind");
  waits_.set_reported_from(0);
  waits_.note(WaitCause::Log, base::ns_per_second, at(6));
  EXPECT_EQ(waits_.take_words(), "");
}

TEST_F(WaitAccountTest, CausesFollowFromTheSystemsCounters) {
  const Interruptions before{5, 100, 2};
  EXPECT_EQ(cause_between(before, before), WaitCause::Other);
  EXPECT_EQ(cause_between(before, {6, 100, 2}), WaitCause::Preempted);
  EXPECT_EQ(cause_between(before, {5, 101, 2}), WaitCause::PageFault);
  EXPECT_EQ(cause_between(before, {5, 100, 3}), WaitCause::PageFault);
  EXPECT_EQ(cause_between(before, {6, 101, 2}), WaitCause::Preempted);
  EXPECT_EQ(cause_between(before, {6, 101, 3}), WaitCause::PageFault) << "it waited for the disk";
}

TEST_F(WaitAccountTest, ATurnThatItsMessagesExplainIsNone) {
  for (int turn = 1; turn <= 100; ++turn) {
    busy_turn(turn * ns_per_ms, 20 * ns_per_us, 2);
  }
  // As long as this many messages take: 10 us each.
  busy_turn(base::ns_per_second, 800 * ns_per_us, 80);
  EXPECT_EQ(count(), 0U);
  // Also messages sent by another thread.
  busy_turn(2 * base::ns_per_second, 800 * ns_per_us, 40, 40);
  EXPECT_EQ(count(), 0U);
  EXPECT_EQ((*counters_)[WorkerCounter::Messages].value(), 320U) << "commands did not come in";
}

TEST_F(WaitAccountTest, OfALongTurnCountsTheTimeThatItsMessagesDoNotExplain) {
  for (int turn = 1; turn <= 100; ++turn) {
    busy_turn(turn * ns_per_ms, 10 * ns_per_us, 1);
  }
  busy_turn(base::ns_per_second, 3 * ns_per_ms, 1);
  EXPECT_EQ(count(), 1U);
  EXPECT_EQ(counters_->waits.lengths.largest(), 2'990U * ns_per_us);
  // Without messages, all of it.
  meter_.begin_turn(0);
  end_busy(2 * base::ns_per_second, 2 * base::ns_per_second + 4'000'000);
  EXPECT_EQ(count(), 2U);
  EXPECT_EQ(counters_->waits.lengths.largest(), 4'000'000U);
}

TEST_F(WaitAccountTest, TimeOfStepsIsNotCountedTwice) {
  meter_.begin_turn(0);
  meter_.note_event(1'000);
  waits_.note(WaitCause::Timer, 5 * ns_per_ms, at(5 * ns_per_ms));
  waits_.set_noted(5 * ns_per_ms);
  end_busy(1'000, 1'000 + 5 * ns_per_ms + 40 * ns_per_us);
  EXPECT_EQ(count(), 1U);
  EXPECT_EQ(of(WaitCause::Timer).count.value(), 1U);
  EXPECT_EQ(waits_.noted_ns(), 0) << "the next turn begins with nothing";
}

TEST_F(WaitAccountTest, OneThatSleepsIsNotHeldUpWhileItDoes) {
  meter_.begin_turn(0);
  end_idle(base::ns_per_second);
  meter_.begin_turn(base::ns_per_second);
  meter_.note_event(2 * base::ns_per_second);
  end_busy(2 * base::ns_per_second, 2 * base::ns_per_second + 10'000);
  EXPECT_EQ(count(), 0U);
}

TEST_F(WaitAccountTest, OneThatSpinsIsHeldUpBetweenItsTurns) {
  meter_.set_spins(true);
  meter_.begin_turn(0);
  end_idle(WaitAccount::suspicious_ns);
  EXPECT_EQ(count(), 0U);
  meter_.begin_turn(0);
  end_idle(ns_per_ms);
  EXPECT_EQ(count(), 1U);
  EXPECT_EQ(counters_->waits.lengths.largest(), 1U * ns_per_ms);
  // Messages that arrived meanwhile were delayed too, though the turn itself was short.
  meter_.begin_turn(10 * ns_per_ms);
  meter_.note_event(12 * ns_per_ms);
  end_busy(12 * ns_per_ms, 12 * ns_per_ms + 10'000);
  EXPECT_EQ(count(), 2U);
  EXPECT_EQ(counters_->waits.lengths.largest(), 2'010U * ns_per_us);
}

}  // namespace
}  // namespace affix::counters
