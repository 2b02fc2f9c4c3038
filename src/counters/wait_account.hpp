// SPDX-License-Identifier: MIT
// A worker's account of its waits: timed steps other than messages, and turns that took longer than
// their messages explain. Only the worker's thread writes it, into the counters file.
#pragma once

#include "affix/base/time.hpp"
#include "affix/counters/counters.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace affix::inline v0::counters {

class LatencyRecorder;

/// Number of times that the system has interrupted the calling thread since its start.
struct Interruptions {
  std::int64_t preemptions = 0;   ///< Its core was given to another thread although it had work.
  std::int64_t minor_faults = 0;  ///< Pages that were in memory already, or new zero pages.
  std::int64_t major_faults = 0;  ///< Pages read from the disk.

  /// One system call.
  [[nodiscard]] static Interruptions of_this_thread() noexcept;
};

/// The most likely cause of a long turn between the two readings.
[[nodiscard]] WaitCause cause_between(const Interruptions& before,
                                      const Interruptions& after) noexcept;

/// Costs one comparison in a normal turn. Reads no clock: callers pass readings.
class WaitAccount {
 public:
  /// Minimum length of waits other than timed steps.
  static constexpr std::int64_t suspicious_ns = 50 * base::ns_per_us;

  /// Log2 of the ns by which each message may lengthen a turn before it is examined.
  static constexpr int message_allowance_bits = 11;

  /// Time after which recent values are reset.
  static constexpr std::int64_t interval_ns = 10 * base::ns_per_second;

  /// `counters` outlives this.
  explicit WaitAccount(WorkerWaits& counters) noexcept : counters_(counters) {}

  /// Minimum nanoseconds of waits that take_words() reports; 0: none.
  void set_reported_from(std::int64_t reported_from_ns) noexcept {
    reported_from_ns_ = reported_from_ns;
  }

  /// Sets the recorder to which later waits are passed; null: none.
  void set_recorder(LatencyRecorder* recorder) noexcept { recorder_ = recorder; }

  /// A step other than messages took this long until `now`.
  void note(WaitCause cause, std::int64_t took_ns, base::Now now) noexcept;

  /// True if a turn of that many messages took longer than they explain.
  [[nodiscard]] static bool is_suspicious(std::int64_t took_ns, std::uint64_t messages) noexcept {
    return took_ns > suspicious_ns + static_cast<std::int64_t>(messages << message_allowance_bits);
  }

  [[nodiscard]] bool is_interval_over(std::int64_t steady_ns) const noexcept {
    return steady_ns >= interval_end_ns_;
  }

  /// True if there is anything to account for at a turn's end: a suspicious turn, the end of an
  /// interval, or a step's time, which must not count in the next turn.
  [[nodiscard]] bool is_due(std::int64_t took_ns, std::uint64_t messages,
                            std::int64_t steady_ns) const noexcept {
    return is_suspicious(took_ns, messages) || is_interval_over(steady_ns) || noted_ns_ != 0;
  }

  /// A suspicious turn ended at `now`; `unexplained_ns` of it are neither noted nor explained by
  /// its messages. One system call.
  void note_turn(std::int64_t unexplained_ns, base::Now now) noexcept;

  /// Begins the next interval. One system call.
  void end_interval(std::int64_t steady_ns) noexcept;

  /// Text that reports the waits of the ended intervals; empty: none. Allocates when there is a
  /// report.
  [[nodiscard]] std::string take_words();

  /// Total time of steps.
  [[nodiscard]] std::int64_t noted_ns() const noexcept { return noted_ns_; }

  void set_noted(std::int64_t noted_ns) noexcept { noted_ns_ = noted_ns; }

 private:
  WorkerWaits& counters_;
  LatencyRecorder* recorder_ = nullptr;
  std::int64_t interval_end_ns_ = 0;
  std::int64_t noted_ns_ = 0;
  std::int64_t reported_from_ns_ = 0;
  std::array<std::int64_t, wait_cause_count> running_{};  // Longest of the present interval.
  Interruptions seen_;                                    // Reading at the last look.
  std::uint64_t to_report_ = 0;                           // Number of waits long enough.
  std::int64_t longest_to_report_ns_ = 0;
  WaitCause cause_to_report_ = WaitCause::Other;
};

}  // namespace affix::inline v0::counters
