// SPDX-License-Identifier: MIT
// Counters of one worker: turns, their findings, durations and delays. Only the worker's thread
// writes them, into the counters file.
#pragma once

#include "affix/base/time.hpp"
#include "affix/counters/counters.hpp"

#include "counters/wait_account.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

namespace affix::inline v0::counters {

/// Costs one counter in a turn that finds nothing. Reads no clock: callers pass readings.
class WorkerMeter {
 public:
  /// `counters` outlives this.
  explicit WorkerMeter(WorkerCounters& counters) noexcept
      : counters_(counters), waits_(counters.waits) {}

  /// The worker never sleeps: all time between two turns counts as a delay.
  void set_spins(bool spins) noexcept { never_held_up_ = spins ? 0 : never_held_up_ns; }

  /// Shows in `sign`, which outlives this, the steady time of the last step: of a turn's first
  /// event, or negated of a turn's end, after which the worker waits. A store or two a turn.
  void show_turns_in(std::atomic<std::int64_t>& sign) noexcept { sign_ = &sign; }

  [[nodiscard]] bool shows_turns() const noexcept { return sign_ != nullptr; }

  /// For steps besides messages.
  [[nodiscard]] WaitAccount& waits() noexcept { return waits_; }

  /// Call before the look at the sockets; the turn began at this steady time.
  void begin_turn(std::int64_t turn_began_ns) noexcept {
    began_ns_ = 0;
    messages_ = 0;
    awake_from_ns_ = turn_began_ns | never_held_up_;  // Times are not negative.
  }

  /// The reactor found an event at this steady time; the first of a turn counts as its beginning.
  void note_event(std::int64_t steady_ns) noexcept {
    if (began_ns_ == 0) {
      began_ns_ = steady_ns;
      show(steady_ns);
    }
  }

  /// Counts whole messages taken in.
  void note_messages(std::uint64_t count) noexcept { messages_ += count; }

  /// True if account_for_turn() must be called. `now` is when the turn's wait ended.
  [[nodiscard]] bool end_idle_turn(base::Now now) noexcept {
    counters_[WorkerCounter::Turns].add();
    show(-now.steady_ns);
    return waits_.is_due(now.steady_ns - awake_from_ns_, 0, now.steady_ns);
  }

  /// The same. `woke_ns` is the start of work that no event caused; `commands` are messages from
  /// other threads.
  [[nodiscard]] bool end_busy_turn(std::uint32_t events, std::uint64_t commands,
                                   std::int64_t woke_ns, base::Now now) noexcept {
    began_ns_ = began_ns_ != 0 ? began_ns_ : woke_ns;
    show(-now.steady_ns);
    const std::int64_t took_ns = now.steady_ns - began_ns_;
    const auto took = took_ns > 0 ? static_cast<std::uint64_t>(took_ns) : 0;
    counters_[WorkerCounter::Turns].add();
    counters_[WorkerCounter::BusyTurns].add();
    counters_[WorkerCounter::Events].add(events);
    counters_[WorkerCounter::BusyTime].add(took);
    counters_[WorkerCounter::LongestTurn].raise_to(took);
    counters_[WorkerCounter::LastTurn].set(now.utc_ns > 0 ? static_cast<std::uint64_t>(now.utc_ns)
                                                          : 0);
    counters_[WorkerLatency::Turn].record(took_ns);
    if (messages_ != 0) {
      counters_[WorkerCounter::Messages].add(messages_);
      counters_[WorkerLatency::Batch].record(static_cast<std::int64_t>(messages_));
    }
    return waits_.is_due(now.steady_ns - std::min(began_ns_, awake_from_ns_), messages_ + commands,
                         now.steady_ns);
  }

  /// Examines the turn that has ended. True: an interval of the account ended with it. At most two
  /// system calls.
  bool account_for_turn(std::uint64_t commands, base::Now now) noexcept;

  void set_sessions(std::size_t count) noexcept { counters_[WorkerCounter::Sessions].set(count); }

 private:
  static constexpr std::int64_t never_held_up_ns = std::numeric_limits<std::int64_t>::max();

  void show(std::int64_t at_ns) noexcept {
    if (sign_ != nullptr) [[unlikely]] {
      // Read by another process, after this one has ended.
      sign_->store(at_ns, std::memory_order_relaxed);
    }
  }

  WorkerCounters& counters_;
  std::atomic<std::int64_t>* sign_ = nullptr;  // Null: nobody reads it.
  WaitAccount waits_;
  std::int64_t never_held_up_ = never_held_up_ns;  // 0: delays between turns are possible.
  std::int64_t began_ns_ = 0;                      // Of the present turn; 0: nothing found yet.
  std::int64_t awake_from_ns_ = never_held_up_ns;  // The worker has not slept since.
  std::uint64_t messages_ = 0;
};

}  // namespace affix::inline v0::counters
