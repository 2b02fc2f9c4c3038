// SPDX-License-Identifier: MIT
// A worker's account of what it was made to wait for but its messages: steps that are none, each
// timed by itself, and turns that took longer than their messages explain. Written into the file of
// counters by the worker's thread alone.
#pragma once

#include "affix/base/time.hpp"
#include "affix/engine/counters.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace affix::inline v0::engine {

/// How often the system has interrupted the calling thread since it began.
struct Interruptions {
  std::int64_t preemptions = 0;   ///< Its core was given to another thread though it was at work.
  std::int64_t minor_faults = 0;  ///< Pages that were in memory already, or came of nothing.
  std::int64_t major_faults = 0;  ///< Pages that came from the disk.

  /// One system call.
  [[nodiscard]] static Interruptions of_this_thread() noexcept;
};

/// What most likely held up a turn between these two.
[[nodiscard]] WaitCause cause_between(const Interruptions& before,
                                      const Interruptions& after) noexcept;

/// Costs a turn that nothing holds up a comparison. Reads no clock: it is given readings.
class WaitAccount {
 public:
  /// Waits that are not steps of their own count from here on.
  static constexpr std::int64_t suspicious_ns = 50 * base::ns_per_us;

  /// So much longer may a turn be for each of its messages before it is looked into.
  static constexpr int message_allowance_bits = 11;

  /// What is recent is judged anew so often.
  static constexpr std::int64_t interval_ns = 10 * base::ns_per_second;

  /// `counters` outlives this.
  explicit WaitAccount(WorkerWaits& counters) noexcept : counters_(counters) {}

  /// Waits of so many nanoseconds and more are put into words; 0: none is.
  void set_told_from(std::int64_t told_from_ns) noexcept { told_from_ns_ = told_from_ns; }

  /// A step that was no message took so long until `now`.
  void note(WaitCause cause, std::int64_t took_ns, base::Now now) noexcept;

  /// Whether a turn of that many messages took longer than these explain.
  [[nodiscard]] static bool is_suspicious(std::int64_t took_ns, std::uint64_t messages) noexcept {
    return took_ns > suspicious_ns + static_cast<std::int64_t>(messages << message_allowance_bits);
  }

  [[nodiscard]] bool is_interval_over(std::int64_t steady_ns) const noexcept {
    return steady_ns >= interval_end_ns_;
  }

  /// Whether there is anything to account for at a turn's end: either of these, or a step's time
  /// that the next turn is to begin without.
  [[nodiscard]] bool is_due(std::int64_t took_ns, std::uint64_t messages,
                            std::int64_t steady_ns) const noexcept {
    return is_suspicious(took_ns, messages) || is_interval_over(steady_ns) || noted_ns_ != 0;
  }

  /// A suspicious turn ended at `now`, of which so many nanoseconds are neither noted nor what its
  /// messages take. One system call.
  void note_turn(std::int64_t unexplained_ns, base::Now now) noexcept;

  /// Begins the next interval. One system call.
  void end_interval(std::int64_t steady_ns) noexcept;

  /// What is to be told of the waits of the intervals that ended; empty: nothing. Allocates when
  /// there is something.
  [[nodiscard]] std::string take_words();

  /// Of steps, all together.
  [[nodiscard]] std::int64_t noted_ns() const noexcept { return noted_ns_; }

  void set_noted(std::int64_t noted_ns) noexcept { noted_ns_ = noted_ns; }

 private:
  WorkerWaits& counters_;
  std::int64_t interval_end_ns_ = 0;
  std::int64_t noted_ns_ = 0;
  std::int64_t told_from_ns_ = 0;
  std::array<std::int64_t, wait_cause_count> running_{};  // Longest of the interval at hand.
  Interruptions seen_;                                    // When they were looked at last.
  std::uint64_t to_tell_ = 0;                             // So many were long enough.
  std::int64_t longest_to_tell_ns_ = 0;
  WaitCause cause_to_tell_ = WaitCause::Other;
};

}  // namespace affix::inline v0::engine
