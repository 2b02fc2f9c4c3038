// SPDX-License-Identifier: MIT
// Records waits: off the path of messages.
#include "counters/wait_account.hpp"

#include "counters/latency_recorder.hpp"
#include "os/this_thread.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace affix::inline v0::counters {

namespace {

std::string in_milliseconds(std::int64_t ns) {
  std::array<char, 48> text;
  const int size = std::snprintf(text.data(), text.size(), "%.3f ms",
                                 static_cast<double>(ns) / static_cast<double>(base::ns_per_ms));
  return {text.data(), static_cast<std::size_t>(size)};
}

}  // namespace

Interruptions Interruptions::of_this_thread() noexcept {
  const os::ThreadDelays delays = os::thread_delays();
  return {delays.preemptions, delays.minor_faults, delays.major_faults};
}

WaitCause cause_between(const Interruptions& before, const Interruptions& after) noexcept {
  if (after.major_faults > before.major_faults) {
    return WaitCause::PageFault;  // It takes longer than a switch to other threads.
  }
  if (after.preemptions > before.preemptions) {
    return WaitCause::Preempted;
  }
  return after.minor_faults > before.minor_faults ? WaitCause::PageFault : WaitCause::Other;
}

void WaitAccount::note(WaitCause cause, std::int64_t took_ns, base::Now now) noexcept {
  took_ns = std::max<std::int64_t>(took_ns, 0);
  const auto took = static_cast<std::uint64_t>(took_ns);
  const auto which = static_cast<std::size_t>(cause);
  if (took > counters_.lengths.largest()) {
    counters_.longest_at.set(now.utc_ns > 0 ? static_cast<std::uint64_t>(now.utc_ns) : 0);
  }
  WaitCounters& counters = counters_.causes[which];
  counters.count.add();
  counters.time.add(took);
  counters.longest.raise_to(took);
  counters.recent.raise_to(took);
  counters_.lengths.record(took_ns);
  running_[which] = std::max(running_[which], took_ns);
  if (recorder_ != nullptr) {
    recorder_->note_wait(cause, took_ns, now);
  }
  if (reported_from_ns_ != 0 && took_ns >= reported_from_ns_) {
    ++to_report_;
    if (took_ns > longest_to_report_ns_) {
      longest_to_report_ns_ = took_ns;
      cause_to_report_ = cause;
    }
  }
}

void WaitAccount::note_turn(std::int64_t unexplained_ns, base::Now now) noexcept {
  const Interruptions present = Interruptions::of_this_thread();
  const WaitCause cause = cause_between(std::exchange(seen_, present), present);
  if (unexplained_ns >= suspicious_ns) {
    note(cause, unexplained_ns, now);
  }
}

void WaitAccount::end_interval(std::int64_t steady_ns) noexcept {
  interval_end_ns_ = steady_ns + interval_ns;
  // Earlier interruptions do not explain a later wait.
  seen_ = Interruptions::of_this_thread();
  for (std::size_t which = 0; which < wait_cause_count; ++which) {
    counters_.causes[which].recent.set(
        static_cast<std::uint64_t>(std::exchange(running_[which], 0)));
  }
}

std::string WaitAccount::take_words() {
  const std::uint64_t count = std::exchange(to_report_, 0);
  if (count == 0) {
    return {};
  }
  const std::int64_t longest_ns = std::exchange(longest_to_report_ns_, 0);
  const CounterName& cause = wait_cause_names()[static_cast<std::size_t>(cause_to_report_)];
  std::string text = "held up for " + in_milliseconds(longest_ns) + ": " + cause.help;
  if (count > 1) {
    text += "; " + std::to_string(count) + " waits of " + in_milliseconds(reported_from_ns_) +
            " and more, this the longest, since the last line of this kind";
  }
  return text;
}

}  // namespace affix::inline v0::counters
