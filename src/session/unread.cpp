// SPDX-License-Identifier: MIT
// Pauses of reading that are no fault of the peer: what it sent meanwhile is neither missing nor
// late.

#include "session/turn.hpp"

namespace affix::inline v0::session {

bool is_recent(const UnreadState& unread, const SessionOptions& options, base::Now now) noexcept {
  // Reading without a pause for as long as this has reached everything that lay unread.
  return unread.since_ns != 0 && now.steady_ns - options.message_age_max_ns <= unread.until_ns;
}

std::int64_t unread_ns(const Turn& turn) noexcept {
  const UnreadState& unread = turn.state.unread;
  return is_recent(unread, turn.options, turn.now) ? turn.now.steady_ns - unread.since_ns : 0;
}

void excuse_unread(SessionState& state, base::Now now) noexcept {
  state.last_received_ns = now.steady_ns;
  state.test_open = 0;
  state.gap.progress_ns = now.steady_ns;
  state.reset.since_ns = now.steady_ns;
  switch (state.phase) {
    case Phase::ResetSent:
    case Phase::LogoutSent:
    case Phase::LogoutForced:
    case Phase::LogoutAnswered:  // The end of the peer's stream lies unread as well.
      state.phase_since_ns = now.steady_ns;
      break;
    default:
      break;
  }
}

}  // namespace affix::inline v0::session
