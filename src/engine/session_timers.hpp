// SPDX-License-Identifier: MIT
// Deadlines of a worker's sessions, and of the probes of those with a second connection.
#pragma once

#include "affix/base/deadline_heap.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace affix::inline v0::engine {

/// By the sessions' numbers; steady times. One thread; allocates in open() only.
class SessionTimers {
 public:
  void open(std::uint32_t sessions) {
    deadlines_.open(sessions);
    visited_.reserve(sessions);
    probes_.open(sessions);
  }

  [[nodiscard]] std::int64_t nearest_ns() const noexcept {
    return std::min(deadlines_.nearest_ns(), probes_.nearest_ns());
  }

  /// The session must be looked at by then. An earlier deadline stays: moving one that often moves
  /// later would cost more than one visit.
  void set_earlier(std::uint32_t number, std::int64_t deadline_ns) noexcept {
    deadlines_.set_earlier(number, deadline_ns);
  }

  /// Passes each session whose deadline has come to `visit`; its deadline is removed. One that
  /// `visit` makes due again has its next visit in the next call: sessions that cannot do what is
  /// due must not keep the worker from the others. No session leaves meanwhile.
  template <typename Visit>
  void visit_due(std::int64_t now_ns, const Visit& visit) noexcept {
    while (const std::optional<std::uint32_t> due = take(deadlines_, now_ns)) {
      visited_.push_back(*due);
    }
    for (const std::uint32_t number : visited_) {
      ++visits_;
      visit(number);
    }
    visited_.clear();
  }

  [[nodiscard]] bool is_due(std::int64_t now_ns) const noexcept {
    return deadlines_.nearest_ns() <= now_ns;
  }

  /// The session's first connection has until then to answer its probe.
  void set_probe(std::uint32_t number, std::int64_t deadline_ns) noexcept {
    probes_.set(number, deadline_ns);
  }

  /// It has answered, or nothing waits for the answer.
  void clear_probe(std::uint32_t number) noexcept { probes_.clear(number); }

  /// A session whose probe's time is over; its deadline is removed.
  [[nodiscard]] std::optional<std::uint32_t> take_due_probe(std::int64_t now_ns) noexcept {
    return take(probes_, now_ns);
  }

  [[nodiscard]] bool probe_is_due(std::int64_t now_ns) const noexcept {
    return probes_.nearest_ns() <= now_ns;
  }

  /// The session leaves.
  void forget(std::uint32_t number) noexcept {
    deadlines_.clear(number);
    probes_.clear(number);
  }

  /// Number of deadlines that have come.
  [[nodiscard]] std::uint64_t visits() const noexcept { return visits_; }

 private:
  [[nodiscard]] static std::optional<std::uint32_t> take(base::DeadlineHeap& from,
                                                         std::int64_t now_ns) noexcept {
    if (from.nearest_ns() > now_ns) {
      return std::nullopt;
    }
    const std::uint32_t number = from.nearest_slot();
    from.clear(number);
    return number;
  }

  base::DeadlineHeap deadlines_;
  base::DeadlineHeap probes_;
  std::vector<std::uint32_t> visited_;  // During visit_due().
  std::uint64_t visits_ = 0;
};

}  // namespace affix::inline v0::engine
