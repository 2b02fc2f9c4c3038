// SPDX-License-Identifier: MIT
// Explicit changes of numbers: SequenceReset in both modes, and a Logon with 141=Y on a session
// that is logged on.

#include "session/tags.hpp"
#include "session/turn.hpp"

namespace affix::inline v0::session {

namespace {

void reset_outgoing(Turn& turn) noexcept {
  stop_replay(turn);
  turn.state.next_outgoing = 1;
  turn.state.reset_open = true;
  turn.out.add(PersistEvent{1, expected_unknown, NumbersMoved::Reset});
  lose_queued(turn.state, turn.out);
}

void start_over(Turn& turn, std::uint64_t next_outgoing, std::uint64_t next_expected) noexcept {
  turn.state.next_outgoing = next_outgoing;
  turn.state.next_expected = next_expected;
  turn.state.gap = {};
  turn.state.replay = {};
  turn.state.reset = {};
  turn.hold.clear();
  turn.out.add(PersistEvent{next_outgoing, expected_to_persist(turn.state), NumbersMoved::Reset});
  lose_queued(turn.state, turn.out);
}

/// Handles the peer's Logon with 141=Y that answers ours.
void finish_reset(Turn& turn, const Incoming& in) noexcept {
  turn.state.gap = {};
  turn.hold.clear();
  turn.state.next_expected = 1;
  turn.state.reset_open = false;
  turn.out.add(PersistEvent{turn.state.next_outgoing, 1, NumbersMoved::TheirReset});
  turn.state.phase = Phase::Active;
  turn.state.phase_since_ns = turn.now.steady_ns;
  turn.report(Event::NumbersReset, turn.state.next_outgoing, 1);
  if (in.header.sequence == 1) {
    consume_and_deliver(turn, in, 2);
  } else {
    note_gap(turn, in.header.sequence);
  }
  send_unsent(turn);
}

/// The peer resets: we do the same, and answer with our Logon.
void answer_reset(Turn& turn, const Incoming& in, std::int64_t heartbeat_seconds) noexcept {
  reset_numbers(turn, 1, 1);
  turn.report(Event::NumbersReset, 1, 1);
  if (in.header.sequence == 1) {
    consume_and_deliver(turn, in, 2);
  }
  send_logon(turn, true, heartbeat_seconds, in.message.has(tag::next_expected_msg_seq_num));
  turn.state.heartbeat_interval_ns = heartbeat_seconds * base::ns_per_second;
  if (in.header.sequence != 1) {
    note_gap(turn, in.header.sequence);
  }
}

/// NewSeqNo alone decides.
void move_expected(Turn& turn, const Incoming& in, std::uint64_t next) noexcept {
  const std::uint64_t before = turn.state.next_expected;
  if (next < before) {
    // Test case 11c: the expected number stays.
    reject_only(turn, in, header_violation(turn, RejectReason::ValueIncorrect, tag::new_seq_no));
    return;
  }
  if (next == before) {
    // Test case 11b.
    turn.report(Event::ResetWithoutEffect, before);
  } else {
    // Test case 11a: MsgSeqNum is ignored.
    turn.report(Event::SequenceReset, before, next);
  }
  consume_and_deliver(turn, in, next);
}

}  // namespace

void lose_queued(SessionState& state, Out& out) noexcept {
  if (state.queued.unsent != 0) {
    out.add(Report(Event::QueuedLost, state.queued.unsent));
  }
  state.queued = {};
}

void reset_numbers(Turn& turn, std::uint64_t next_outgoing, std::uint64_t next_expected) noexcept {
  turn.state.reset_open = false;
  start_over(turn, next_outgoing, next_expected);
}

void repeat_reset(Turn& turn) noexcept {
  start_over(turn, 1, 1);
  turn.report(Event::NumbersReset, 1, 1);
}

void start_reset(Turn& turn) noexcept {
  // Messages that the peer sent before it saw our Logon keep their numbers: next_expected is reset
  // by its answer.
  reset_outgoing(turn);
  turn.state.reset = {};
  turn.state.phase = Phase::ResetSent;
  turn.state.phase_since_ns = turn.now.steady_ns;
  turn.report(Event::NumbersReset, 1, turn.state.next_expected);
  send_logon(turn, true, turn.state.heartbeat_interval_ns / base::ns_per_second,
             turn.options.include_next_expected);
}

void want_reset(Turn& turn) noexcept {
  turn.state.reset.wanted = true;
  advance_reset(turn);
}

void advance_reset(Turn& turn) noexcept {
  ResetState& reset = turn.state.reset;
  if (!reset.wanted || turn.state.phase != Phase::Active || turn.state.gap.highest != 0 ||
      turn.state.replay.to != 0 || !turn.out.ready()) [[likely]] {
    return;
  }
  if (reset.confirmed) {
    start_reset(turn);
  } else if (reset.test_id == 0) {
    // Its answer shows that the peer has, or has requested, everything sent before it.
    open_test(turn);
    reset.test_id = turn.state.test_open;
    reset.since_ns = turn.now.steady_ns;
  }
}

void confirm_reset(Turn& turn, std::uint64_t test_id) noexcept {
  ResetState& reset = turn.state.reset;
  reset.confirmed = reset.confirmed || (reset.test_id != 0 && reset.test_id == test_id);
}

void tick_reset(Turn& turn) noexcept {
  if (turn.now.steady_ns >= reset_due(turn.options, turn.state)) {
    turn.state.reset = {};
    turn.report(Event::ResetAbandoned);
  }
}

std::int64_t reset_due(const SessionOptions& options, const SessionState& state) noexcept {
  return state.reset.test_id == 0 ? no_deadline : state.reset.since_ns + options.logon_timeout_ns;
}

bool is_reset_mode(const Incoming& in) noexcept {
  return in.header.type == type::sequence_reset && in.message.find(tag::gap_fill_flag) != "Y";
}

void take_sequence_reset(Turn& turn, const Incoming& in) noexcept {
  if (rejected(turn, in)) {
    return;
  }
  const auto new_number = read_number(turn, in, tag::new_seq_no);
  if (new_number) {
    move_expected(turn, in, *new_number < 0 ? 0 : static_cast<std::uint64_t>(*new_number));
  }
}

void take_gap_fill(Turn& turn, const Incoming& in) noexcept {
  const auto new_number = read_number(turn, in, tag::new_seq_no);
  if (!new_number) {
    return;
  }
  const std::uint64_t next = *new_number < 0 ? 0 : static_cast<std::uint64_t>(*new_number);
  if (turn.options.practice.sequence_reset_rule == SequenceResetRule::NewNumber) {
    move_expected(turn, in, next);
    return;
  }
  if (next <= in.header.sequence) {
    // Test case 10e.
    const Violation violation{RejectReason::ValueIncorrect, tag::new_seq_no, true,
                              "Attempt to lower sequence number, invalid value NewSeqNo"};
    if (in.header.possible_duplicate && next == in.header.sequence) {
      // Some peers answer so to a request for numbers never sent, with their next message's number.
      reject_only(turn, in, violation);
    } else {
      // The Reject consumes it all the same: one bad message must not stop the session.
      reject(turn, in, violation);
    }
    return;
  }
  // Test case 10b.
  turn.report(Event::SequenceReset, turn.state.next_expected, next);
  consume_and_deliver(turn, in, next);
}

void take_logon_in_session(Turn& turn, const Incoming& in) noexcept {
  if (in.header.possible_duplicate && turn.options.practice.resent_admin == ResentAdmin::Counted) {
    // A peer that resends its session messages: only the number counts.
    turn.report(Event::ResentAdminIgnored, in.header.sequence, 0, {}, in.header.type);
    consume(turn, in, in.header.sequence + 1);
    return;
  }
  if (auto violation = find_violation(turn, in)) {
    reject(turn, in, *violation);
    return;
  }
  const bool reset = in.message.find(tag::reset_seq_num_flag) == "Y";
  if (!reset || turn.state.phase == Phase::LogoutSent ||
      turn.options.mid_session_reset == MidSessionReset::Refuse) {
    turn.report(Event::LogonUnexpected, in.header.sequence);
    if (in.header.sequence == turn.state.next_expected) {
      consume(turn, in, in.header.sequence + 1);
    }
    force_logout(turn,
                 reset ? "Sequence numbers are not reset in mid-session" : "Already logged on");
    return;
  }
  if (turn.options.mid_session_reset == MidSessionReset::AcceptInSync &&
      turn.state.phase == Phase::Active && turn.state.gap.highest != 0) {
    // Missing messages could not be requested any more. The next logon finds the gap unchanged.
    turn.report(Event::LogonUnexpected, in.header.sequence);
    force_logout(turn, "Sequence numbers are not reset while messages are missing");
    return;
  }
  const std::int64_t heartbeat_seconds = heartbeat_seconds_of(turn, in.message);
  if (heartbeat_seconds < 0) {
    reject(turn, in, {RejectReason::ValueIncorrect, tag::heart_bt_int, true, {}});
    return;
  }
  if (turn.state.phase == Phase::ResetSent) {
    finish_reset(turn, in);
  } else {
    answer_reset(turn, in, heartbeat_seconds);
  }
}

}  // namespace affix::inline v0::session
