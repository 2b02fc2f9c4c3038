// SPDX-License-Identifier: MIT
// Events that a peer can cause as often as it sends a message: the first few of each kind in a
// second are told, the others are counted and told in one line. Knows no clock: it is told the
// time.
#pragma once

#include "affix/base/time.hpp"
#include "affix/session/events.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

namespace affix::inline v0::engine {

/// One session's. Times are steady. One thread. Allocates once, at the first event that may repeat.
class RepeatedEvents {
 public:
  /// Of each kind in one second.
  static constexpr std::uint32_t told_max = 10;

  /// Whether the event is to be told now. False: it is counted.
  [[nodiscard]] bool admits(session::Event event, std::int64_t now_ns) noexcept {
    if (!is_repeatable(event)) {
      return true;
    }
    if (kinds_ == nullptr) {
      kinds_ = std::make_unique<Kinds>();
    }
    Kind& kind = (*kinds_)[static_cast<std::size_t>(event)];
    if (now_ns >= kind.second_end_ns && kind.omitted == 0) {
      kind.second_end_ns = now_ns + base::ns_per_second;
      kind.told = 0;
    }
    if (kind.told < told_max) {
      ++kind.told;
      return true;
    }
    ++kind.omitted;
    due_ns_ = std::min(due_ns_, kind.second_end_ns);
    return false;
  }

  /// When take() has something to say; the largest time there is when it has not.
  [[nodiscard]] std::int64_t due_ns() const noexcept { return due_ns_; }

  /// Calls `tell(event, count)` for each kind of which some were left out and whose second is over;
  /// with the largest time for all that there are.
  template <typename Tell>
  void take(std::int64_t now_ns, Tell tell) noexcept {
    if (kinds_ == nullptr || now_ns < due_ns_) [[likely]] {
      return;
    }
    due_ns_ = never_ns;
    for (std::size_t at = 0; at < kinds_->size(); ++at) {
      Kind& kind = (*kinds_)[at];
      if (kind.omitted != 0 && now_ns >= kind.second_end_ns) {
        tell(static_cast<session::Event>(at), std::exchange(kind.omitted, 0));
      } else if (kind.omitted != 0) {
        due_ns_ = std::min(due_ns_, kind.second_end_ns);
      }
    }
  }

 private:
  static constexpr std::int64_t never_ns = std::numeric_limits<std::int64_t>::max();

  /// What follows a message of theirs, and may follow each of them.
  [[nodiscard]] static constexpr bool is_repeatable(session::Event event) noexcept {
    using session::Event;
    return event >= Event::SequenceTooHigh &&
           event != Event::Warned;  // Which is counted by reason.
  }

  struct Kind {
    std::int64_t second_end_ns = std::numeric_limits<std::int64_t>::min();
    std::uint64_t omitted = 0;
    std::uint32_t told = 0;
  };

  using Kinds = std::array<Kind, static_cast<std::size_t>(session::Event::OutboxFull) + 1>;

  std::unique_ptr<Kinds> kinds_;  // Made with the first such event: most sessions have none.
  std::int64_t due_ns_ = never_ns;
};

}  // namespace affix::inline v0::engine
