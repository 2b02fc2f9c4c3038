// SPDX-License-Identifier: MIT
// The limit on what a session sends: which messages are refused, and how much of the outbox may
// leave while others wait in it. Counts the application's messages; what the session says for
// itself is neither refused nor counted, but keeps its place behind what waits.
#pragma once

#include "affix/session/state.hpp"
#include "affix/session/throttle.hpp"

#include "engine/session_options.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace affix::inline v0::engine {

/// Allocates when it is made and never again. One thread. Times are steady ones.
class SendPace {
 public:
  /// `outbox_bytes` is the size of the outbox that messages wait in; somewhat less than half
  /// of it is theirs.
  SendPace(const SendLimit& limit, std::size_t outbox_bytes);

  SendPace(const SendPace&) = delete;
  SendPace& operator=(const SendPace&) = delete;

  /// Whether one more message may be taken; `waiting_bytes` are in the outbox now. O(1).
  [[nodiscard]] bool admits(std::int64_t now_ns, std::size_t waiting_bytes) const noexcept;

  /// A message that was admitted lies in the outbox behind `bytes_before`. O(1).
  void take(std::int64_t now_ns, std::size_t bytes_before) noexcept;

  /// How many of the outbox's `bytes` may leave. Amortized O(1).
  [[nodiscard]] std::size_t sendable(std::int64_t now_ns, std::size_t bytes) noexcept;

  /// The first `bytes` of the outbox have left it.
  void note_sent(std::size_t bytes) noexcept { sent_ += bytes; }

  /// Messages wait in the outbox.
  [[nodiscard]] bool waits() const noexcept { return mark_count_ != 0; }

  /// When the next of them may leave, or, for who was refused, when one more is admitted for sure;
  /// no_deadline when that is not a matter of time.
  [[nodiscard]] std::int64_t deadline_ns(bool was_refused) const noexcept;

  /// The connection is over and the outbox empty. What was sent on it still counts.
  void end_connection() noexcept { mark_count_ = 0; }

 private:
  /// Nothing from `at` on, counted over all that ever left, goes before `due_ns`.
  struct Mark {
    std::int64_t due_ns;
    std::uint64_t at;
  };

  [[nodiscard]] const Mark& last_mark() const noexcept {
    return marks_[(first_mark_ + mark_count_ - 1) % marks_.size()];
  }

  std::vector<std::int64_t> times_;
  session::Throttle throttle_;
  std::vector<Mark> marks_;  // A ring; ascending both ways. Empty: messages are refused instead.
  std::size_t first_mark_ = 0;
  std::size_t mark_count_ = 0;
  std::size_t waiting_bytes_max_;
  std::uint64_t sent_ = 0;
};

}  // namespace affix::inline v0::engine
