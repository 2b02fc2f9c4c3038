// SPDX-License-Identifier: MIT
// Delayed turns, off the path of messages.
#include "counters/worker_meter.hpp"

namespace affix::inline v0::counters {

bool WorkerMeter::account_for_turn(std::uint64_t commands, base::Now now) noexcept {
  const bool is_busy = began_ns_ != 0;
  const std::int64_t from_ns = is_busy ? std::min(began_ns_, awake_from_ns_) : awake_from_ns_;
  const std::int64_t took_ns = now.steady_ns - from_ns;
  const std::uint64_t messages = messages_ + commands;
  if (WaitAccount::is_suspicious(took_ns, messages)) {
    // Time for the messages of the turns before this one.
    const std::uint64_t own_ns =
        is_busy ? static_cast<std::uint64_t>(std::max<std::int64_t>(now.steady_ns - began_ns_, 0))
                : 0;
    const std::uint64_t earlier = counters_[WorkerCounter::Messages].value() - messages_;
    const std::uint64_t earlier_ns = counters_[WorkerCounter::BusyTime].value() - own_ns;
    const std::uint64_t explained_ns = earlier == 0 ? 0 : earlier_ns / earlier * messages;
    waits_.note_turn(took_ns - waits_.noted_ns() - static_cast<std::int64_t>(explained_ns), now);
  }
  waits_.set_noted(0);
  if (!waits_.is_interval_over(now.steady_ns)) {
    return false;
  }
  waits_.end_interval(now.steady_ns);
  return true;
}

}  // namespace affix::inline v0::counters
