// SPDX-License-Identifier: MIT
// One worker's counting: turns, what they found and how long they took. Written into the file of
// counters by the worker's thread alone.
#pragma once

#include "affix/base/time.hpp"
#include "affix/engine/counters.hpp"

#include <cstdint>

namespace affix::inline v0::engine {

/// Costs a turn that finds nothing one counter. Reads no clock: it is given readings.
class WorkerMeter {
 public:
  /// `counters` outlives this.
  explicit WorkerMeter(WorkerCounters& counters) noexcept : counters_(counters) {}

  void begin_turn() noexcept {
    began_ns_ = 0;
    messages_ = 0;
  }

  /// The reactor found something at this steady time; the first of a turn is its beginning.
  void note_event(std::int64_t steady_ns) noexcept {
    if (began_ns_ == 0) {
      began_ns_ = steady_ns;
    }
  }

  /// So many whole messages were taken in.
  void note_messages(std::uint64_t count) noexcept { messages_ += count; }

  void end_idle_turn() noexcept { counters_[WorkerCounter::Turns].add(); }

  /// `woke_ns` is when the work began that no event brought.
  void end_busy_turn(std::uint32_t events, std::int64_t woke_ns, base::Now now) noexcept {
    const std::int64_t took_ns = now.steady_ns - (began_ns_ != 0 ? began_ns_ : woke_ns);
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
  }

  /// How many sessions the worker has now.
  void set_sessions(std::size_t count) noexcept { counters_[WorkerCounter::Sessions].set(count); }

 private:
  WorkerCounters& counters_;
  std::int64_t began_ns_ = 0;  // Of the turn at hand; 0: nothing was found yet.
  std::uint64_t messages_ = 0;
};

}  // namespace affix::inline v0::engine
