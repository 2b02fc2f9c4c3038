// SPDX-License-Identifier: MIT
// Marks in the outbox: positions beyond which it must not be sent, and until when.
#include "host/send_pace.hpp"

#include "affix/base/assert.hpp"
#include "affix/session/out.hpp"

#include <algorithm>

namespace affix::inline v0::host {

namespace {

/// No message is shorter, so this many bytes need no more marks than one.
constexpr std::size_t message_bytes_min = 64;

/// Bytes that may wait in an outbox that always keeps room for session messages: an outbox moves
/// its bytes to its beginning when half of it has left, and not before.
std::size_t waiting_max(std::size_t outbox_bytes) noexcept {
  constexpr std::size_t message_bytes = 4096;
  constexpr std::size_t reserve = session::Out::step_bytes + message_bytes;
  return outbox_bytes / 2 > reserve ? outbox_bytes / 2 - reserve : 0;
}

}  // namespace

SendPace::SendPace(const config::SendLimit& limit, std::size_t outbox_bytes)
    : times_(limit.messages),
      throttle_(times_, limit.window_ns),
      marks_(limit.waits ? outbox_bytes / message_bytes_min + 1 : 0),
      waiting_bytes_max_(waiting_max(outbox_bytes)) {}

bool SendPace::admits(std::int64_t now_ns, std::size_t waiting_bytes) const noexcept {
  return throttle_.allows(now_ns) ||
         (mark_count_ < marks_.size() && waiting_bytes <= waiting_bytes_max_);
}

void SendPace::take(std::int64_t now_ns, std::size_t bytes_before) noexcept {
  const std::int64_t due_ns = throttle_.take_turn(now_ns);
  const bool has_to_wait = due_ns > now_ns;
  const bool behind_its_like = waits() && last_mark().due_ns == due_ns;
  if (!has_to_wait || behind_its_like || marks_.empty()) {
    return;
  }
  AFFIX_ASSERT(mark_count_ < marks_.size());
  marks_[(first_mark_ + mark_count_) % marks_.size()] = {due_ns, sent_ + bytes_before};
  ++mark_count_;
}

std::size_t SendPace::sendable(std::int64_t now_ns, std::size_t bytes) noexcept {
  while (waits() && marks_[first_mark_].due_ns <= now_ns) {
    first_mark_ = (first_mark_ + 1) % marks_.size();
    --mark_count_;
  }
  return waits() ? std::min(bytes, static_cast<std::size_t>(marks_[first_mark_].at - sent_))
                 : bytes;
}

std::int64_t SendPace::deadline_ns(bool was_refused) const noexcept {
  if (waits()) {
    return marks_[first_mark_].due_ns;
  }
  return was_refused ? throttle_.free_at_ns() : session::no_deadline;
}

}  // namespace affix::inline v0::host
