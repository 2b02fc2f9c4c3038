// SPDX-License-Identifier: MIT
// Time: heartbeats, test requests, and all time-outs of every phase. deadline() and tick() use the
// same times.

#include "session/tags.hpp"
#include "session/turn.hpp"

#include <algorithm>
#include <charconv>

namespace affix::inline v0::session {

namespace {

constexpr std::string_view fixed_test_id = "TEST";

/// Time of `interval` after `since`; never, if there is no interval. Intervals are below a hundred
/// years.
std::int64_t after(std::int64_t since, std::int64_t interval) noexcept {
  return interval <= 0 ? no_deadline : since + interval;
}

/// Rounds a deadline after silence, `due_ns`, down to a grid of 1/500 of the shortest interval that
/// has one: sessions with equal intervals share wake-ups, each of which costs a core as much as
/// some heartbeats. Down, so that a peer does not wait. Shorter intervals are exact, since their
/// users want fast detection.
std::int64_t on_grid(std::int64_t due_ns, const SessionState& state) noexcept {
  constexpr std::int64_t shortest_ns = 25 * base::ns_per_second;
  constexpr std::int64_t grid_ns = shortest_ns / 500;
  if (due_ns == no_deadline || state.heartbeat_interval_ns < shortest_ns) {
    return due_ns;
  }
  return due_ns - due_ns % grid_ns;
}

/// Silence after which we send a TestRequest, and after as much again give the peer up.
std::int64_t silence_ns(const SessionOptions& options, const SessionState& state) noexcept {
  return state.heartbeat_interval_ns / 100 * (100 + std::int64_t{options.receive_grace_percent});
}

std::int64_t heartbeat_due(const SessionOptions& options, const SessionState& state) noexcept {
  const bool withheld =
      state.test_open != 0 && options.practice.heartbeat_in_test == HeartbeatInTest::Withheld;
  return withheld ? no_deadline : after(state.last_sent_ns, state.heartbeat_interval_ns);
}

/// Time of the next TestRequest, or of giving up on the last.
std::int64_t test_due(const SessionOptions& options, const SessionState& state) noexcept {
  const std::int64_t silence = silence_ns(options, state);
  if (state.test_open != 0) {
    return after(state.test_sent_ns, silence);
  }
  if (options.practice.test_request_after == TestRequestAfter::Silence || silence == 0) {
    return after(state.last_received_ns, silence);
  }
  const std::int64_t interval = state.heartbeat_interval_ns;
  const std::int64_t latest = state.last_received_ns + silence + interval;
  return state.heartbeats_unasked < 2
             ? latest
             : std::min(latest, std::max(state.last_received_ns + silence,
                                         state.last_sent_ns + silence - interval));
}

std::int64_t resend_due(const SessionOptions& options, const SessionState& state) noexcept {
  return state.gap.highest == 0 ? no_deadline
                                : after(state.gap.progress_ns, options.resend_expiry_ns);
}

/// Time at which the phase itself ends, whatever else happens; on an active session, the time at
/// which a waiting message of the peer is processed.
std::int64_t phase_due(const SessionOptions& options, const SessionState& state) noexcept {
  switch (state.phase) {
    case Phase::LogonAwaited:
    case Phase::LogonSent:
    case Phase::LogonPending:
    case Phase::ResetSent:
      return after(state.phase_since_ns, options.logon_timeout_ns);
    case Phase::LogoutSent:
      return after(state.phase_since_ns, options.logout_timeout_ns);
    case Phase::LogoutForced:
      return after(state.phase_since_ns, options.fault_logout_timeout_ns);
    case Phase::LogoutAnswered:
      return after(state.phase_since_ns, options.logout_answered_timeout_ns);
    case Phase::Active:
      return state.throttle.until_ns;
    case Phase::Disconnected:
    case Phase::Closing:
      break;
  }
  return no_deadline;
}

void end_phase(Turn& turn) noexcept {
  switch (turn.state.phase) {
    case Phase::LogoutSent:      // Test case 12: warn, disconnect.
    case Phase::LogoutAnswered:  // Test case 13b: disconnect, error.
      turn.report(Event::LogoutTimeout);
      disconnect(turn, DisconnectReason::LogoutTimeout);
      break;
    case Phase::LogoutForced:
      turn.report(Event::LogoutTimeout);
      disconnect(turn, DisconnectReason::PeerFault);
      break;
    default:
      turn.report(Event::LogonTimeout);
      disconnect(turn, DisconnectReason::LogonTimeout);
      break;
  }
}

/// Test case 6. False: the session gives the peer up.
bool tick_silence(Turn& turn) noexcept {
  SessionState& state = turn.state;
  if (turn.now.steady_ns < on_grid(test_due(turn.options, state), state)) {
    return true;
  }
  if (state.test_open == 0) {
    open_test(turn);
    return true;
  }
  const bool heard = state.last_received_ns > state.test_sent_ns;
  if (heard && turn.options.test_answer == TestAnswer::AnyMessage) {
    turn.report(Event::TestUnanswered, state.test_open);
    state.test_open = 0;
    return true;
  }
  turn.report(Event::PeerSilent, state.test_open);
  disconnect(turn, DisconnectReason::PeerSilent);
  return false;
}

void tick_gap(Turn& turn) noexcept {
  if (turn.now.steady_ns < resend_due(turn.options, turn.state)) {
    return;
  }
  if (turn.state.next_expected > turn.state.gap.highest) {
    turn.state.gap = {};  // Closed, except for the number that a GapRequest::WhenSeen waits for.
  } else if (turn.out.ready() && !release_waits(turn.state, turn.hold)) {
    request_resend(turn);
  } else {
    turn.state.gap.progress_ns = turn.now.steady_ns;
  }
}

/// Test case 4b: reads the 112 for the answer; nullopt: it was faulty, and a Reject was sent.
std::optional<std::string_view> read_test_id(Turn& turn, const Incoming& in) noexcept {
  const auto read = in.message.text(tag::test_req_id);
  if (!read) {
    if (turn.options.validator && read.error() == wire::FieldError::Empty) {
      // The validator has accepted it: it is repeated unchanged.
      return in.message.find(tag::test_req_id).value_or("");
    }
    const bool missing = read.error() == wire::FieldError::Missing;
    reject(turn, in,
           {missing ? RejectReason::RequiredTagMissing : RejectReason::TagWithoutValue,
            tag::test_req_id,
            true,
            {}});
    return std::nullopt;
  }
  if (!room_to_repeat(turn.out, read->size())) {
    // The caller passed the message only when the outbox was otherwise empty.
    reject(turn, in,
           {RejectReason::ValueIncorrect, tag::test_req_id, true,
            "TestReqID is longer than a message of ours can be"});
    return std::nullopt;
  }
  return *read;
}

/// Number of the TestRequest that a Heartbeat answers; 0: none.
std::uint64_t answered_test(const Turn& turn, const wire::MessageView& heartbeat) noexcept {
  if (turn.options.practice.test_request_id == TestRequestId::Fixed) {
    return heartbeat.find(tag::test_req_id) == fixed_test_id ? turn.state.test_count : 0;
  }
  return heartbeat.integer<std::uint64_t>(tag::test_req_id).value_or(0);
}

}  // namespace

std::string_view test_id_of(const Turn& turn, TestIdText& text) noexcept {
  if (turn.options.practice.test_request_id == TestRequestId::Fixed) {
    return fixed_test_id;
  }
  char* const end = std::to_chars(text.data(), text.data() + text.size(), turn.state.test_open).ptr;
  return {text.data(), static_cast<std::size_t>(end - text.data())};
}

void open_test(Turn& turn) noexcept {
  // A repeated TestRequest gives no more time to a peer that has been silent since.
  if (turn.state.test_open == 0 || turn.state.last_received_ns > turn.state.test_sent_ns) {
    turn.state.test_sent_ns = turn.now.steady_ns;
  }
  turn.state.test_open = ++turn.state.test_count;
  turn.state.heartbeats_unasked = 0;
  // A full outbox blocks the TestRequest; silence meanwhile counts as no answer.
  if (turn.out.ready()) {
    send_test_request(turn);
    turn.report(Event::TestRequestSent, turn.state.test_open);
  }
}

std::int64_t next_deadline(const SessionOptions& options, const SessionState& state) noexcept {
  std::int64_t due = phase_due(options, state);
  if (state.phase == Phase::Active && numbers_exhausted(state)) [[unlikely]] {
    return 0;
  }
  if (state.phase == Phase::Active || state.phase == Phase::ResetSent) {
    const std::int64_t silent = std::min(heartbeat_due(options, state), test_due(options, state));
    due = std::min(
        {due, on_grid(silent, state), resend_due(options, state), reset_due(options, state)});
  }
  return due;
}

void tick(Turn& turn) noexcept {
  SessionState& state = turn.state;
  if (state.phase == Phase::Active && state.throttle.until_ns != no_deadline) {
    excuse_silence(turn);
  }
  if (state.unread.until_ns == no_deadline) {
    excuse_unread(state, turn.now);
  }
  if (turn.now.steady_ns >= phase_due(turn.options, state)) {
    end_phase(turn);
    return;
  }
  if (state.phase == Phase::Active && numbers_exhausted(state)) {
    turn.report(Event::NumbersExhausted, state.next_outgoing);
    start_logout(turn, "Sequence numbers are exhausted");
    return;
  }
  if (state.phase != Phase::Active && state.phase != Phase::ResetSent) {
    return;
  }
  if (!tick_silence(turn)) {
    return;
  }
  tick_gap(turn);
  tick_reset(turn);
  if (!in_session(state.phase) ||
      turn.now.steady_ns < on_grid(heartbeat_due(turn.options, state), state)) {
    return;
  }
  if (turn.out.ready()) {
    // Test case 4a.
    send_heartbeat(turn, {});
    ++state.heartbeats_unasked;
  } else {
    state.last_sent_ns = turn.now.steady_ns;  // Waiting output shows that we are alive.
  }
}

void take_heartbeat(Turn& turn, const Incoming& in) noexcept {
  // Test cases 5 and 6.
  if (const std::uint64_t answered = answered_test(turn, in.message); answered != 0) {
    turn.state.test_open = answered == turn.state.test_open ? 0 : turn.state.test_open;
    confirm_reset(turn, answered);
  }
  consume_and_deliver(turn, in, in.header.sequence + 1);
}

void take_answer_ahead(Turn& turn, const Incoming& in) noexcept {
  // A resend would not repeat it.
  if (answered_test(turn, in.message) != turn.state.test_open) {
    return;
  }
  turn.state.test_open = 0;
  if (const GapState& gap = turn.state.gap;
      gap.highest != 0 && gap.inherited_at == turn.state.next_expected) {
    // The earlier process had read the answer to its request, and not stored it.
    request_resend(turn);
  }
}

void take_test_request(Turn& turn, const Incoming& in) noexcept {
  if (const auto test_id = read_test_id(turn, in)) {
    consume_and_deliver(turn, in, in.header.sequence + 1);
    send_heartbeat(turn, *test_id);
  }
}

void answer_test_request_ahead(Turn& turn, const Incoming& in) noexcept {
  if (const auto test_id = read_test_id(turn, in)) {
    send_heartbeat(turn, *test_id);
  }
}

}  // namespace affix::inline v0::session
