// SPDX-License-Identifier: MIT
// Limits events that a peer can cause with each message: the first few of each kind in a second
// are reported, the others are counted and reported in one line. Reads no clock: callers pass the
// time.
#pragma once

#include "affix/session/events.hpp"

#include "host/second_limit.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

namespace affix::inline v0::host {

/// For one session. Times are steady. One thread. Allocates once, at the first repeatable event.
class RepeatedEvents {
 public:
  /// Maximum reports of each kind in one second.
  static constexpr std::uint32_t reported_max = 10;

  /// True if the event must be reported now. False: it is counted.
  [[nodiscard]] bool admits(session::Event event, std::int64_t now_ns) noexcept {
    if (!is_repeatable(event)) {
      return true;
    }
    if (kinds_ == nullptr) {
      kinds_ = std::make_unique<Kinds>();
    }
    auto& kind = (*kinds_)[static_cast<std::size_t>(event)];
    const bool reported = kind.admits(now_ns);
    due_ns_ = std::min(due_ns_, kind.due_ns());
    return reported;
  }

  /// Time at which take() has a report; the largest value when it has none.
  [[nodiscard]] std::int64_t due_ns() const noexcept { return due_ns_; }

  /// Calls `tell(event, count)` for each kind with omitted events whose second is over; with the
  /// largest time, for all of them.
  template <typename Report>
  void take(std::int64_t now_ns, Report report) noexcept {
    if (kinds_ == nullptr || now_ns < due_ns_) [[likely]] {
      return;
    }
    due_ns_ = never_ns;
    for (std::size_t at = 0; at < kinds_->size(); ++at) {
      auto& kind = (*kinds_)[at];
      if (const std::uint64_t omitted = kind.take_omitted(now_ns); omitted != 0) {
        report(static_cast<session::Event>(at), omitted);
      }
      due_ns_ = std::min(due_ns_, kind.due_ns());
    }
  }

 private:
  static constexpr std::int64_t never_ns = std::numeric_limits<std::int64_t>::max();

  /// True for events that follow from a peer's message, and may follow from each one.
  [[nodiscard]] static constexpr bool is_repeatable(session::Event event) noexcept {
    using session::Event;
    return event >= Event::SequenceTooHigh &&
           event != Event::Warned;  // Warnings are counted by reason.
  }

  using Kinds = std::array<SecondLimit<reported_max>,
                           static_cast<std::size_t>(session::Event::OutboxFull) + 1>;

  std::unique_ptr<Kinds> kinds_;  // Allocated with the first such event: most sessions have none.
  std::int64_t due_ns_ = never_ns;
};

}  // namespace affix::inline v0::host
