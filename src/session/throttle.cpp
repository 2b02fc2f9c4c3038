// SPDX-License-Identifier: MIT
// Throttling of the peer's messages: they wait, are rejected, or end the session. Only application
// messages count: messages that keep the session alive are never delayed.

#include "affix/session/throttle.hpp"

#include "affix/session/admin.hpp"

#include "session/turn.hpp"

namespace affix::inline v0::session {

namespace {

/// Minimum time between two reports of the same kind; a fast peer stays fast for long.
constexpr std::int64_t report_interval_ns = 10 * base::ns_per_second;

/// Messages that fill a gap were requested, all at once: we have caused their number.
bool counts(const Turn& turn, const Incoming& in) noexcept {
  return turn.throttle.limits() && !is_admin(in.header.type) &&
         !(in.header.possible_duplicate && turn.state.gap.highest != 0);
}

bool is_one_too_many(const Turn& turn, const Incoming& in) noexcept {
  return counts(turn, in) && !turn.throttle.allows(turn.now.steady_ns);
}

/// A Reject has no answer, and without one the peer would not learn that it was not delivered.
bool has_answer(const Incoming& in) noexcept {
  return !is_reject(in.header.type);
}

void report(Turn& turn, const Incoming& in) noexcept {
  ThrottleState& state = turn.state.throttle;
  if (turn.now.steady_ns >= state.report_not_before_ns) {
    state.report_not_before_ns = turn.now.steady_ns + report_interval_ns;
    turn.report(Event::RateExceeded, in.header.sequence, turn.throttle.limit(), {}, in.header.type);
  }
}

void end_session(Turn& turn, const Incoming& in) noexcept {
  turn.state.throttle.report_not_before_ns = 0;  // This one ends the session, so it is reported.
  report(turn, in);
  ++turn.state.throttle.over_limit;
  if (turn.state.phase != Phase::LogoutSent) {  // Else our Logout has been sent.
    send_logout(turn, turn.options.throttle_text);
  }
  disconnect(turn, DisconnectReason::RateExceeded);
}

/// The message is not delivered, but consumes its number and gets an answer.
void reject_over_limit(Turn& turn, const Incoming& in) noexcept {
  report(turn, in);
  ++turn.state.throttle.over_limit;
  note_in_order(turn, in);
  consume(turn, in, in.header.sequence + 1);
  static_cast<void>(send_business_reject(turn, in.message, BusinessRejectReason::Other,
                                         turn.options.throttle_text, {}));
}

}  // namespace

bool must_wait(Turn& turn, const Incoming& in) noexcept {
  SessionState& state = turn.state;
  const bool waits = turn.options.throttle_action == ThrottleAction::Wait &&
                     state.phase == Phase::Active && is_one_too_many(turn, in);
  const bool waited = state.throttle.until_ns != no_deadline;
  state.throttle.until_ns = waits ? turn.throttle.free_at_ns() : no_deadline;
  if (waits) {
    state.throttle.over_limit += waited ? 0 : 1;  // It may be offered repeatedly.
    if (backlog_ns(turn) == 0) {
      state.throttle.backlog_since_ns = turn.now.steady_ns;
    }
    state.throttle.backlog_until_ns = state.throttle.until_ns;
    excuse_silence(turn);
    report(turn, in);
  }
  return waits;
}

std::int64_t backlog_ns(const Turn& turn) noexcept {
  // During a backlog, the next message waits as soon as one has been processed. The window is added
  // for a turn that comes late.
  const ThrottleState& state = turn.state.throttle;
  return state.backlog_since_ns != 0 &&
                 turn.now.steady_ns <= state.backlog_until_ns + turn.options.throttle_window_ns
             ? turn.now.steady_ns - state.backlog_since_ns
             : 0;
}

bool refused_by_throttle(Turn& turn, const Incoming& in) noexcept {
  if (in.over_limit) {
    reject_over_limit(turn, in);
    return true;
  }
  if (in.released || !counts(turn, in)) [[likely]] {
    return false;
  }
  if (turn.options.throttle_action == ThrottleAction::Wait ||
      turn.throttle.allows(turn.now.steady_ns) ||
      (turn.options.throttle_action == ThrottleAction::Reject && !has_answer(in))) {
    turn.throttle.count(turn.now.steady_ns);
    return false;
  }
  if (turn.options.throttle_action == ThrottleAction::Reject) {
    reject_over_limit(turn, in);
  } else {
    end_session(turn, in);
  }
  return true;
}

bool ended_by_throttle(Turn& turn, const Incoming& in) noexcept {
  if (turn.options.throttle_action != ThrottleAction::Disconnect || !is_one_too_many(turn, in)) {
    return false;
  }
  end_session(turn, in);
  return true;
}

bool over_limit_ahead(const Turn& turn, const Incoming& in) noexcept {
  return turn.options.throttle_action == ThrottleAction::Reject && has_answer(in) &&
         is_one_too_many(turn, in);
}

void count_held(Turn& turn, const Incoming& in) noexcept {
  if (counts(turn, in) && !over_limit_ahead(turn, in)) {
    turn.throttle.count(turn.now.steady_ns);
  }
}

void excuse_silence(Turn& turn) noexcept {
  SessionState& state = turn.state;
  excuse_unread(state, turn.now);
  if (turn.now.steady_ns >= state.throttle.until_ns) {
    state.throttle.until_ns = no_deadline;  // The message may be passed again.
  }
}

}  // namespace affix::inline v0::session
