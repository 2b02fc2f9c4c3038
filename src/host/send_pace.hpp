// SPDX-License-Identifier: MIT
// Limit on a session's sends: decides which messages are refused, and how much of the outbox may
// leave while the rest waits. Counts application messages; session messages are neither refused nor
// counted, but stay after the messages that wait before them.
#pragma once

#include "affix/session/state.hpp"
#include "affix/session/throttle.hpp"

#include "config/session_options.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace affix::inline v0::host {

/// Allocates when it is made and never again. One thread. Times are steady ones.
class SendPace {
 public:
  /// `outbox_bytes` is the size of the outbox in which messages wait; slightly less than half of it
  /// is for them.
  SendPace(const config::SendLimit& limit, std::size_t outbox_bytes);

  SendPace(const SendPace&) = delete;
  SendPace& operator=(const SendPace&) = delete;

  /// True if one more message may be taken; the outbox has `waiting_bytes` now. O(1).
  [[nodiscard]] bool admits(std::int64_t now_ns, std::size_t waiting_bytes) const noexcept;

  /// Counts an admitted message, which is in the outbox after `bytes_before`. O(1).
  void take(std::int64_t now_ns, std::size_t bytes_before) noexcept;

  /// Number of the outbox's `bytes` that may leave. Amortized O(1).
  [[nodiscard]] std::size_t sendable(std::int64_t now_ns, std::size_t bytes) noexcept;

  /// The transport has taken the first `bytes` of the outbox.
  void note_sent(std::size_t bytes) noexcept { sent_ += bytes; }

  /// Messages wait in the outbox.
  [[nodiscard]] bool waits() const noexcept { return mark_count_ != 0; }

  /// Time at which the next of them may leave or, after a refusal, at which one more is certainly
  /// admitted; no_deadline if it does not depend on time.
  [[nodiscard]] std::int64_t deadline_ns(bool was_refused) const noexcept;

  /// The connection has ended and the outbox is empty. Earlier sends still count.
  void end_connection() noexcept { mark_count_ = 0; }

 private:
  /// Bytes from `at` on, counted over all bytes ever sent, must not leave before `due_ns`.
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

}  // namespace affix::inline v0::host
