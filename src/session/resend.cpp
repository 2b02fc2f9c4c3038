// SPDX-License-Identifier: MIT
// Resending: requests missing messages, within limits, and answers the peer's requests, in pages
// between live messages.
#include "affix/session/admin.hpp"
#include "affix/session/secrets.hpp"

#include "session/own_secrets.hpp"
#include "session/tags.hpp"
#include "session/turn.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::session {

namespace {

/// True if the stored copy lacks a secret. The application's messages of most types are stored as
/// they were sent, and are complete.
bool lacks_secret(const wire::MessageView& stored, SecretTags further) noexcept {
  if (!holds_secret(stored, further)) {
    return false;
  }
  if (!further.empty() || secrets_of(stored.value_or_null(tag::msg_type)) != TypeSecrets::None) {
    return true;
  }
  return holds_mask(stored, {});
}

/// The next ResendRequest: its last number, or an open range up to it.
struct RangeToAsk {
  std::uint64_t last = 0;
  bool open = false;
};

RangeToAsk range_to_ask(const Turn& turn) noexcept {
  const std::uint64_t from = turn.state.next_expected;
  const GapState& gap = turn.state.gap;
  std::uint64_t last = gap.highest;
  bool open = turn.options.resend_end == ResendEnd::Infinity;
  if (!open && !turn.hold.empty() && turn.hold.front().sequence > from) {
    last = turn.hold.front().sequence - 1;
  }
  std::uint64_t range = turn.options.resend_range_max;
  if (range == 1 && gap.dropped) {
    range = 2;  // A request costs the other side one number, and neither side can hold messages.
  }
  if (range != 0 && last - from >= range) {
    open = false;
    last = from + range - 1;
  }
  return {last, open};
}

struct NumberRange {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
};

/// Reads the requested range, limited to the numbers sent; nullopt: it was faulty, and a Reject was
/// sent. With ResendRange::Cut it may become empty: `from` is then above `to`.
std::optional<NumberRange> read_resend_range(Turn& turn, const Incoming& in) noexcept {
  const auto read_begin = read_number(turn, in, tag::begin_seq_no);
  const auto read_end = read_begin ? read_number(turn, in, tag::end_seq_no) : std::nullopt;
  if (!read_end) {
    return std::nullopt;
  }
  const std::int64_t begin = *read_begin;
  const std::int64_t end = *read_end;
  const auto last = static_cast<std::int64_t>(turn.state.next_outgoing - 1);
  const bool open = (end == 0 && turn.options.practice.resend_range == ResendRange::Checked) ||
                    (end == 0 && turn.version >= Version::Fix42) ||
                    (end == 999'999 && turn.version <= Version::Fix42);
  if (turn.options.practice.resend_range == ResendRange::Cut) {
    return NumberRange{begin > 1 ? static_cast<std::uint64_t>(begin) : 1,
                       static_cast<std::uint64_t>(open || end > last ? last
                                                  : end > 0          ? end
                                                                     : 0)};
  }
  if (begin <= 0 || begin > last) {
    reject(turn, in, {RejectReason::ValueIncorrect, tag::begin_seq_no, true, {}});
    return std::nullopt;
  }
  if (end < 0 || (end != 0 && end < begin)) {
    reject(turn, in, {RejectReason::ValueIncorrect, tag::end_seq_no, true, {}});
    return std::nullopt;
  }
  return NumberRange{static_cast<std::uint64_t>(begin),
                     static_cast<std::uint64_t>(open || end > last ? last : end)};
}

/// True if the peer has requested the range from `from` so often and so fast that it is a loop.
bool asked_too_often(Turn& turn, std::uint64_t from) noexcept {
  AskedState& asked = turn.state.asked;
  const bool again =
      asked.from == from && turn.now.steady_ns - asked.last_ns < 2 * turn.options.resend_expiry_ns;
  asked.from = from;
  asked.count = again ? asked.count + 1 : 1;
  asked.last_ns = turn.now.steady_ns;
  const std::uint32_t most = turn.options.resend_repeats_max;
  if (most == 0 || asked.count <= most) {
    return false;
  }
  turn.report(Event::ResendRepeated, from, asked.count);
  force_logout(turn, "The same resend was requested too often");
  return true;
}

/// Notes that from..to were resent, with the queued messages among them.
void note_resent(Turn& turn, std::uint64_t from, std::uint64_t to) noexcept {
  note_reached(turn.state, to);
  turn.out.add(PersistResent{from, to, turn.state.queued.unsent});
}

/// Sends a ResendRequest for the next piece of the gap.
void ask(Turn& turn) noexcept {
  GapState& gap = turn.state.gap;
  const std::uint64_t from = turn.state.next_expected;
  const auto [last, open] = range_to_ask(turn);
  gap.asked_from = from;
  gap.asked_to = last;
  gap.progress_ns = turn.now.steady_ns;
  send_resend_request(turn, from, open ? 0 : last);
  turn.report(Event::ResendRequested, from, open ? 0 : last);
}

}  // namespace

void request_resend(Turn& turn) noexcept {
  GapState& gap = turn.state.gap;
  if (turn.state.phase == Phase::ResetSent) {
    // The peer reads it after our Logon, when its numbers have begun again.
    gap.progress_ns = turn.now.steady_ns;
    return;
  }
  const std::uint64_t from = turn.state.next_expected;
  gap.attempts = gap.asked_from == from ? gap.attempts + 1 : 1;
  if (gap.attempts > turn.options.resend_attempts_max) {
    // A resend that never completes must end: the next logon looks at the gap afresh.
    turn.report(Event::ResendAbandoned, from, gap.highest);
    force_logout(turn, "Resend did not complete");
    return;
  }
  ask(turn);
}

void ask_for_skipped(Turn& turn, const Incoming& in) noexcept {
  GapState& gap = turn.state.gap;
  const std::uint64_t place = turn.state.next_expected;
  const bool of_our_request = in.header.possible_duplicate && gap.asked_from != 0 &&
                              in.header.sequence > place && in.header.sequence <= gap.asked_to;
  if (!of_our_request || gap.skipped_at == place || !in_session(turn.state.phase) ||
      turn.options.skipped_in_resend == SkippedInResend::AwaitExpiry ||
      turn.options.practice.gap_request == GapRequest::WhenSeen) {
    return;
  }
  gap.skipped_at = place;
  request_resend(turn);
}

void answer_resend_request_ahead(Turn& turn, const Incoming& in) noexcept {
  const auto range = read_resend_range(turn, in);
  if (range && !asked_too_often(turn, range->from)) {
    start_replay(turn, range->from, range->to);
    if (turn.state.gap.highest != 0) {
      turn.state.replay.asked_ahead_at = turn.state.next_expected;
    }
  }
}

void take_resend_request(Turn& turn, const Incoming& in) noexcept {
  if (const auto range = read_resend_range(turn, in)) {
    consume_and_deliver(turn, in, in.header.sequence + 1);
    if (!asked_too_often(turn, range->from)) {
      start_replay(turn, range->from, range->to);
    }
  }
}

void send_unsent(Turn& turn) noexcept {
  QueuedState& queued = turn.state.queued;
  const std::uint64_t from = std::exchange(queued.from, 0);
  const std::uint64_t to = std::exchange(queued.to, 0);
  queued.count = 0;
  if (to != 0 && turn.state.replay.to < to) {
    start_replay(turn, from, to);
  }
}

void note_reached(SessionState& state, std::uint64_t to) noexcept {
  QueuedState& queued = state.queued;
  if (to >= queued.last) {
    queued.unsent = 0;
    queued.last = 0;
  } else {
    queued.unsent = std::min(queued.unsent, queued.last - to);
  }
}

void take_resend_request_of_any_number(Turn& turn, const Incoming& in) noexcept {
  const auto range = read_resend_range(turn, in);
  if (!range) {
    return;
  }
  if (in.header.sequence == turn.state.next_expected) {
    consume_and_deliver(turn, in, in.header.sequence + 1);
  }
  if (!asked_too_often(turn, range->from)) {
    start_replay(turn, range->from, range->to);
  }
}

void start_replay(Turn& turn, std::uint64_t from, std::uint64_t to) noexcept {
  if (from > to) {
    if (from == turn.state.next_outgoing && to + 1 == from) {
      // The peer requests the next number, and learns that it misses nothing.
      send_gap_fill(turn, from, from);
    }
    return;
  }
  ReplayState& replay = turn.state.replay;
  // The peer misses messages: a waiting reset must verify again once the peer has them.
  turn.state.reset.confirmed = false;
  turn.state.reset.test_id = 0;
  if (turn.options.resend_answer == ResendAnswer::GapFill) {
    send_gap_fill(turn, from, to + 1);
    note_resent(turn, from, to);
    return;
  }
  if (replay.to != 0) {
    // One after the other: if each request began the replay again, an impatient peer would never
    // see its end.
    replay.waiting_from =
        replay.waiting_to == 0 || from < replay.waiting_from ? from : replay.waiting_from;
    replay.waiting_to = to > replay.waiting_to ? to : replay.waiting_to;
    return;
  }
  replay.from = from;
  replay.to = to;
  replay.next = from;
  turn.report(Event::ReplayStarted, from, to);
  turn.out.add(Replay{from, to});
}

Progress replay_stored(Turn& turn, const wire::MessageView& stored) noexcept {
  ReplayState& replay = turn.state.replay;
  const auto sequence = stored.integer<std::uint64_t>(tag::msg_seq_num);
  // Test case 8: session messages are gap-filled instead of resent.
  if (!sequence || *sequence < replay.next || *sequence > replay.to || is_admin(stored.type())) {
    return Progress::Done;
  }
  const SessionOptions& options = turn.options;
  if (lacks_secret(stored, options.secret_tags) ||
      !may_resend(stored, options.resend_rules, options.resend_policy, turn.now.utc_ns)) {
    return Progress::Done;
  }
  constexpr std::size_t gap_fill_bytes = 1024;
  if (turn.out.room().size() < stored.bytes().size() + gap_fill_bytes &&
      !turn.out.bytes().empty()) {
    return Progress::Blocked;
  }
  if (*sequence > replay.next) {
    send_gap_fill(turn, replay.next, *sequence);
    replay.next = *sequence;
  }
  switch (send_again(turn, stored)) {
    case SentAgain::Sent:
      ++replay.next;
      break;
    case SentAgain::NoRoom:
      if (!turn.out.bytes().empty()) {
        return Progress::Blocked;
      }
      break;  // Larger than the whole outbox: it can only be gap-filled.
    case SentAgain::Impossible:
      break;  // The same: the next gap fill covers it.
  }
  return Progress::Done;
}

void end_replay(Turn& turn) noexcept {
  const ReplayState done = turn.state.replay;
  turn.state.replay = {};
  if (done.next <= done.to) {
    send_gap_fill(turn, done.next, done.to + 1);
  }
  note_resent(turn, done.from, done.to);
  turn.report(Event::ReplayEnded, done.from, done.to);
  GapState& gap = turn.state.gap;
  const bool same_gap = gap.highest != 0 && turn.state.next_expected == done.asked_ahead_at;
  if (same_gap && gap.repeated_at != done.asked_ahead_at && !gap.dropped) {
    // Test case 20: both sides requested at once, and a peer that answers nothing ahead of its own
    // gap has dropped our request. Repeats it once for each place in the gap without counting an
    // attempt, so that two such sides do not escalate; not if neither side may have room for
    // messages ahead of a gap, since then each request is one more missing number.
    gap.repeated_at = done.asked_ahead_at;
    ask(turn);
  }
  if (done.waiting_to != 0 && in_session(turn.state.phase)) {
    start_replay(turn, done.waiting_from, done.waiting_to);
  }
}

void stop_replay(Turn& turn) noexcept {
  const ReplayState& replay = turn.state.replay;
  if (replay.to != 0 && replay.next > replay.from) {
    note_resent(turn, replay.from, replay.next - 1);
  }
  turn.state.replay = {};
}

}  // namespace affix::inline v0::session
