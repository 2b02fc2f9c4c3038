// SPDX-License-Identifier: MIT
// The session's calls: decides which phase accepts which input. Other files here have the rules.

#include "affix/session/session.hpp"

#include "affix/session/admin.hpp"

#include "session/constant_header.hpp"
#include "session/outgoing_header.hpp"
#include "session/own_secrets.hpp"
#include "session/tags.hpp"
#include "session/turn.hpp"

namespace affix::inline v0::session {

namespace {

/// An answer may repeat a large part of a message. One that does not fit into the outbox now is
/// processed when the waiting output has left.
bool must_wait_for_room(const Out& out, std::size_t bytes) noexcept {
  return bytes > text_bytes_max && !out.bytes().empty() && !room_to_repeat(out, bytes);
}

/// Call after every input that may have changed numbers.
Progress settled(Turn& turn) noexcept {
  settle_gap(turn);
  advance_reset(turn);
  return release_waits(turn.state, turn.hold) ? Progress::More : Progress::Done;
}

/// True if the application may send now.
std::expected<void, SendError> may_send(Phase phase) noexcept {
  switch (phase) {
    case Phase::Active:
      return {};
    case Phase::ResetSent:
      return std::unexpected(SendError::Resetting);
    case Phase::LogoutSent:
    case Phase::LogoutForced:
    case Phase::LogoutAnswered:
    case Phase::Closing:
      return std::unexpected(SendError::LoggingOut);
    case Phase::Disconnected:
    case Phase::LogonAwaited:
    case Phase::LogonSent:
    case Phase::LogonPending:
      break;
  }
  return std::unexpected(SendError::NotLoggedOn);
}

std::expected<void, SendError> may_send(const SessionState& state, const Out& out) noexcept {
  const auto allowed = may_send(state.phase);
  if (allowed && !out.ready()) {
    return std::unexpected(SendError::OutboxFull);
  }
  return allowed;
}

/// MsgType of an encoded message; empty when 35 is not its third field.
std::string_view type_of(std::string_view message, std::string_view begin_string) noexcept {
  constexpr std::string_view before{
      "\x01"
      "35=",
      4};
  std::size_t at = begin_string.size() + 5;  // After `8=`, its SOH and `9=`.
  while (at < message.size() && message[at] != wire::soh) {
    ++at;
  }
  const std::size_t type_at = at + before.size();
  if (type_at >= message.size() || message.substr(at, before.size()) != before) {
    return {};
  }
  std::size_t end = type_at;
  while (end < message.size() && message[end] != wire::soh) {
    ++end;
  }
  return message.substr(type_at, end - type_at);
}

}  // namespace

Session::Session(const SessionOptions& options, SessionState& state,
                 const SessionMemory& memory) noexcept
    : options_(&options),
      state_(&state),
      memory_(memory),
      hold_(memory.held_bytes, memory.held_messages),
      version_(version_of(options.begin_string)),
      header_(make_constant_header(options)) {
  AFFIX_ASSERT(memory.throttle_times.size() >= options.throttle_limit);
  throttle_ =
      Throttle(memory.throttle_times.first(options.throttle_limit), options.throttle_window_ns);
}

Turn Session::turn(base::Now now, Out& out) noexcept {
  return {*options_, *state_,   memory_,  hold_, shapes_, header_,
          stamps_,   throttle_, version_, now,   out};
}

std::int64_t Session::deadline() const noexcept {
  return next_deadline(*options_, *state_);
}

void Session::use_memory(const SessionMemory& memory) noexcept {
  AFFIX_ASSERT(memory_unused());
  memory_ = memory;
  hold_ = Hold(memory.held_bytes, memory.held_messages);
}

bool Session::release_waits() const noexcept {
  return session::release_waits(*state_, hold_);
}

bool Session::awaits_room(const Out& out) const noexcept {
  return must_wait_for_room(out, awaits_room_for_);
}

void Session::on_connected(base::Now now, Out& out) noexcept {
  AFFIX_ASSERT(state_->phase == Phase::Disconnected && out.ready());
  state_->phase_since_ns = now.steady_ns;
  state_->last_received_ns = now.steady_ns;
  if (options_->role == Role::Acceptor) {
    state_->phase = Phase::LogonAwaited;
    return;
  }
  Turn turn = this->turn(now, out);
  send_first_logon(turn);
}

void Session::on_continued(const ContinuedState& before, base::Now now, Out& out) noexcept {
  AFFIX_ASSERT(state_->phase == Phase::Disconnected && out.ready());
  state_->phase = Phase::Active;
  state_->phase_since_ns = now.steady_ns;
  state_->last_received_ns = now.steady_ns;
  state_->last_sent_ns = now.steady_ns;
  state_->heartbeat_interval_ns = before.heartbeat_interval_ns;
  state_->peer_message_bytes_max = before.peer_message_bytes_max;
  state_->logon.appl_ver_id = before.appl_ver_id;
  state_->replay = before.replay;
  if (before.gap.highest >= state_->next_expected) {
    // It is not asked for twice: some peers' second answer would be too low. What came ahead of it
    // was held in the memory of that process.
    state_->gap = {.highest = before.gap.highest,
                   .asked_from = before.gap.asked_from,
                   .asked_to = before.gap.asked_to,
                   .progress_ns = now.steady_ns,
                   .inherited_at = state_->next_expected,
                   .dropped = true};
  }
  QueuedState& queued = state_->queued;
  queued.count = 0;
  if (before.queued_from != 0) {
    const std::uint64_t leaving = state_->next_outgoing - before.queued_from;
    queued.unsent -= std::min(queued.unsent, leaving);
    queued.last = queued.unsent == 0 ? 0 : before.queued_from - 1;
  }
  Turn turn = this->turn(now, out);
  turn.report(Event::Continued, state_->next_outgoing, state_->next_expected);
  if (before.replay.to != 0) {
    out.add(Replay{before.replay.next, before.replay.to});
  }
  open_test(turn);
}

void Session::answer_again(const wire::MessageView& stored, base::Now now, Out& out) noexcept {
  if (!in_session(state_->phase) || !out.ready()) {
    return;
  }
  Turn turn = this->turn(now, out);
  const Incoming in{stored, scan_header(stored, shapes_)};
  switch (in.header.type.word()) {
    case type::test_request.word():
      answer_test_request_ahead(turn, in);
      break;
    case type::resend_request.word():
      answer_resend_request_ahead(turn, in);
      break;
    case type::logout.word():
      take_logout(turn, in);
      break;
    default:
      break;
  }
}

Progress Session::handle_message(const wire::MessageView& message, base::Now now,
                                 Out& out) noexcept {
  const bool awaits_room = must_wait_for_room(out, message.bytes().size());
  awaits_room_for_ = awaits_room ? message.bytes().size() : 0;
  if (!out.ready() || release_waits() || state_->phase == Phase::LogonPending || awaits_room)
      [[unlikely]] {
    return Progress::Blocked;
  }
  if (!message.index().clean()) [[unlikely]] {
    if (has_too_many_fields_only(message)) {
      take_beyond_limit(message, Limit::Fields, message.index().capacity, now, out);
      Turn turn = this->turn(now, out);
      return settled(turn);
    }
    if (const std::string_view why = garbled_text(options_->practice, message); !why.empty()) {
      on_garbled(why, now, out);
      return Progress::Done;
    }
  }
  Turn turn = this->turn(now, out);
  const Incoming in{message, scan_header(message, shapes_)};
  if (options_->throttle_limit != 0 && must_wait(turn, in)) [[unlikely]] {
    return Progress::Blocked;
  }
  switch (state_->phase) {
    case Phase::Active:
    case Phase::ResetSent:
    case Phase::LogoutSent:
      state_->last_received_ns = now.steady_ns;
      if (state_->test_open != 0 && options_->test_answer == TestAnswer::FirstMessage) {
        state_->test_open = 0;
      }
      receive(turn, in);
      break;
    case Phase::LogonAwaited:
    case Phase::LogonSent:
      take_first_message(turn, in);
      break;
    case Phase::LogoutForced:
    case Phase::LogoutAnswered:
      receive_after_logout(turn, in);
      break;
    case Phase::Disconnected:
    case Phase::LogonPending:
    case Phase::Closing:
      turn.report(Event::AfterClose);
      break;
  }
  return settled(turn);
}

void Session::on_too_large(const wire::MessageView& head, std::uint64_t bytes_max, base::Now now,
                           Out& out) noexcept {
  if (!out.ready() || head.size() < 3) {
    return;  // The peer will request it again.
  }
  take_beyond_limit(head, Limit::Bytes, bytes_max, now, out);
  Turn turn = this->turn(now, out);
  static_cast<void>(settled(turn));
}

void Session::take_beyond_limit(const wire::MessageView& message, Limit limit, std::uint64_t max,
                                base::Now now, Out& out) noexcept {
  if (!in_session(state_->phase)) {
    on_garbled("it is beyond a limit of ours", now, out);
    return;
  }
  state_->last_received_ns = now.steady_ns;
  Turn turn = this->turn(now, out);
  receive_beyond_limit(turn, {message, scan_header(message, shapes_)}, limit, max);
}

void Session::on_garbled(std::string_view what, base::Now now, Out& out) noexcept {
  Turn turn = this->turn(now, out);
  // Test cases 2d, 2m, 2t, 3: ignored, without consuming a number.
  turn.report(Event::Garbled, state_->next_expected, 0, what);
  if (state_->phase == Phase::LogonAwaited || state_->phase == Phase::LogonSent) {
    turn.report(Event::FirstNotLogon);
    disconnect(turn, DisconnectReason::FirstNotLogon);
  }
}

void Session::on_disconnected(base::Now now, Out& out) noexcept {
  Turn turn = this->turn(now, out);
  awaits_room_for_ = 0;
  stop_replay(turn);
  hold_.clear();
  const std::uint64_t outgoing = state_->next_outgoing;
  const std::uint64_t expected = state_->next_expected;
  const bool reset_open = state_->reset_open;
  const std::uint64_t test_count = state_->test_count;
  const QueuedState queued = state_->queued;
  *state_ = {};
  state_->next_outgoing = outgoing;
  state_->next_expected = expected;
  state_->test_count = test_count;
  state_->reset_open = reset_open;
  restore_queued(*state_, queued.unsent, queued.last);
  state_->queued.count = queued.count;
  if (options_->reset_on_disconnect) {
    reset_numbers(turn, 1, 1);
    turn.report(Event::NumbersReset, 1, 1);
  }
}

void Session::on_reading_paused(base::Now now) noexcept {
  UnreadState& unread = state_->unread;
  if (unread.until_ns == no_deadline) {
    return;
  }
  if (!is_recent(unread, *options_, now)) {
    unread.since_ns = now.steady_ns;
  }
  unread.until_ns = no_deadline;
}

void Session::on_reading_resumed(base::Now now) noexcept {
  if (state_->unread.until_ns == no_deadline) {
    excuse_unread(*state_, now);
    state_->unread.until_ns = now.steady_ns;
  }
}

void Session::on_time(base::Now now, Out& out) noexcept {
  if (now.steady_ns < deadline() || out.action_room() < Out::step_actions) {
    return;
  }
  Turn turn = this->turn(now, out);
  tick(turn);
}

Progress Session::on_ready(base::Now now, Out& out) noexcept {
  if (!release_waits()) {
    return Progress::Done;
  }
  if (!out.ready() || must_wait_for_room(out, hold_.front().size)) {
    return Progress::Blocked;
  }
  Turn turn = this->turn(now, out);
  release_next(turn);
  return settled(turn);
}

Progress Session::on_replayed(const wire::MessageView& stored, base::Now now, Out& out) noexcept {
  if (!replaying()) {
    return Progress::Done;
  }
  if (out.action_room() < Out::step_actions) {
    return Progress::Blocked;
  }
  Turn turn = this->turn(now, out);
  return replay_stored(turn, stored);
}

Progress Session::on_replay_end(base::Now now, Out& out) noexcept {
  if (!replaying()) {
    return Progress::Done;
  }
  if (!out.ready()) {
    return Progress::Blocked;
  }
  Turn turn = this->turn(now, out);
  end_replay(turn);
  advance_reset(turn);
  return Progress::Done;
}

Progress Session::accept_logon(base::Now now, Out& out) noexcept {
  if (state_->phase != Phase::LogonPending) {
    return Progress::Done;
  }
  if (!out.ready()) {
    return Progress::Blocked;
  }
  Turn turn = this->turn(now, out);
  session::accept_logon(turn);
  return settled(turn);
}

void Session::refuse_logon(std::string_view text, base::Now now, Out& out) noexcept {
  if (state_->phase == Phase::LogonPending) {
    Turn turn = this->turn(now, out);
    session::refuse_logon(turn, text);
  }
}

std::expected<void, SendError> Session::may_send_message(const Out& out) const noexcept {
  std::expected<void, SendError> allowed = may_send(*state_, out);
  if (!allowed && options_->send_while_down == SendWhileDown::Queue &&
      state_->phase != Phase::Active) {
    allowed = {};
    if (state_->queued.count >= options_->queued_max) {
      allowed = std::unexpected(SendError::QueueFull);
    } else if (!out.ready()) {
      allowed = std::unexpected(SendError::OutboxFull);
    }
  }
  if (allowed && numbers_exhausted(*state_)) {
    return std::unexpected(SendError::SequenceExhausted);
  }
  return allowed;
}

void Session::begin_message(std::string_view type, std::span<const ExtraHeaderField> header,
                            base::Now now, Out& out) noexcept {
  begun_ = may_send_message(out);
  const wire::MsgType message_type(type);
  if (begun_ && (type.empty() || is_admin(message_type))) {
    begun_ = std::unexpected(SendError::BadType);
  }
  begun_secrets_ = secrets_of(type);
  wire::Encoder encoder(begun_ ? out.room() : std::span<char>(), &stamps_);
  const bool customary = options_->practice.field_order == FieldOrder::Customary &&
                         !options_->include_last_processed && header.empty();
  if (begun_ && customary) [[likely]] {
    put_customary_header(encoder, header_, type, state_->next_outgoing, now.utc_ns,
                         precision_of(*options_, version_));
  }
  encoder_ = encoder;
  if (begun_ && !customary) {
    begin_numbered(turn(now, out), encoder_, type, header);
  }
}

SendResult Session::commit_message(wire::EncodedMessage finished, base::Now now,
                                   Out& out) noexcept {
  if (!begun_) {
    return std::unexpected(begun_.error());
  }
  begun_ = std::unexpected(SendError::Encoding);  // A message can be committed only once.
  if (!finished) {
    const bool full = finished.error() == wire::EncodeError::Overflow;
    return std::unexpected(full ? SendError::OutboxFull : SendError::Encoding);
  }
  return take(*finished, begun_secrets_, now, out);
}

std::string_view Session::rehearse(wire::EncodedMessage finished, base::Now now,
                                   Out& out) noexcept {
  const Out::Mark mark = out.mark();
  const SessionState before = *state_;
  const bool committed = commit_message(finished, now, out).has_value();
  // A message is moved down when others wait before it, and else stays where it was encoded, valid
  // until the next begin().
  const std::string_view placed = committed ? out.bytes().substr(mark.waiting()) : "";
  *state_ = before;
  out.go_back(mark);
  return placed;
}

SendResult Session::take(std::string_view message, TypeSecrets secrets, base::Now now,
                         Out& out) noexcept {
  if (state_->peer_message_bytes_max != 0 && message.size() > state_->peer_message_bytes_max) {
    return std::unexpected(SendError::TooLargeForPeer);
  }
  const std::uint64_t sequence = state_->next_outgoing;
  const bool has_secret =
      secrets != TypeSecrets::None && (secrets == TypeSecrets::Expected || holds_secret(message));
  if (state_->phase == Phase::Active) [[likely]] {
    place_numbered(*state_, now, out, message, has_secret);
  } else {
    queue_numbered(turn(now, out), message, has_secret);
  }
  return sequence;
}

SendResult Session::send(std::string_view type, std::string_view fields, base::Now now,
                         Out& out) noexcept {
  wire::Encoder encoder = begin(type, now, out);
  encoder.raw(fields);
  return commit(encoder, now, out);
}

wire::Encoder Session::draft(std::string_view type, std::span<char> buffer,
                             base::Now now) noexcept {
  wire::Encoder encoder(buffer);
  put_draft_header(*options_, version_, header_, encoder, type, now.utc_ns);
  return encoder;
}

SendResult Session::send_prepared(wire::PreparedMessage& prepared, std::uint32_t sequence_slot,
                                  std::uint32_t time_slot, base::Now now, Out& out) noexcept {
  if (const auto allowed = may_send_message(out); !allowed) {
    return std::unexpected(allowed.error());
  }
  prepared.set_integer(sequence_slot, static_cast<std::int64_t>(state_->next_outgoing));
  prepared.set_utc_time(time_slot, {now.utc_ns, 0}, precision_of(*options_, version_), stamps_);
  const auto message = prepared.message();
  if (!message) {
    return std::unexpected(SendError::Encoding);
  }
  const std::string_view type = type_of(*message, options_->begin_string);
  if (type.empty() || is_admin(type)) {
    return std::unexpected(SendError::BadType);
  }
  const std::span<char> room = out.room();
  if (room.size() < message->size()) {
    return std::unexpected(SendError::OutboxFull);
  }
  message->copy(room.data(), message->size());
  return take({room.data(), message->size()}, secrets_of(type), now, out);
}

SendResult Session::reject_business(const wire::MessageView& message, BusinessRejectReason reason,
                                    std::string_view text, std::string_view reference,
                                    base::Now now, Out& out) noexcept {
  if (is_reject(message.type())) {
    return std::unexpected(SendError::RejectOfReject);
  }
  if (const auto allowed = may_send(*state_, out); !allowed) {
    return std::unexpected(allowed.error());
  }
  Turn turn = this->turn(now, out);
  return send_business_reject(turn, message, reason, text, reference);
}

SendResult Session::reject(const wire::MessageView& message, RejectReason reason, std::uint32_t tag,
                           std::string_view text, base::Now now, Out& out) noexcept {
  if (is_reject(message.type())) {
    return std::unexpected(SendError::RejectOfReject);
  }
  if (const auto allowed = may_send(*state_, out); !allowed) {
    return std::unexpected(allowed.error());
  }
  Turn turn = this->turn(now, out);
  const std::uint64_t sequence = state_->next_outgoing;
  send_reject(turn, {message, scan_header(message, turn.shapes)}, {reason, tag, tag != 0, text});
  if (state_->next_outgoing == sequence) {
    return std::unexpected(SendError::Encoding);
  }
  return sequence;
}

std::expected<void, SendError> Session::logout(std::string_view text, base::Now now,
                                               Out& out) noexcept {
  const auto allowed = may_send(*state_, out);
  if (allowed) {
    Turn turn = this->turn(now, out);
    start_logout(turn, text);
  }
  return allowed;
}

std::expected<void, SendError> Session::reset(base::Now now, Out& out) noexcept {
  Turn turn = this->turn(now, out);
  if (state_->phase == Phase::Disconnected) {
    reset_numbers(turn, 1, 1);
    turn.report(Event::NumbersReset, 1, 1);
    return {};
  }
  if (version_ == Version::Fix40) {
    return std::unexpected(SendError::BadType);  // FIX.4.1 introduced ResetSeqNumFlag.
  }
  const auto allowed = may_send(*state_, out);
  if (allowed && options_->reset_start == ResetStart::InSync) {
    want_reset(turn);
  } else if (allowed) {
    start_reset(turn);
  }
  return allowed;
}

std::expected<void, SendError> Session::test_peer(base::Now now, Out& out) noexcept {
  const auto allowed = may_send(*state_, out);
  if (allowed) {
    Turn turn = this->turn(now, out);
    open_test(turn);
  }
  return allowed;
}

std::expected<void, SendError> Session::send_sequence_reset(std::uint64_t next_outgoing,
                                                            base::Now now, Out& out) noexcept {
  const auto allowed = may_send(*state_, out);
  if (!allowed) {
    return allowed;
  }
  if (next_outgoing < state_->next_outgoing || next_outgoing > sequence_max) {
    return std::unexpected(SendError::SequenceExhausted);
  }
  Turn turn = this->turn(now, out);
  send_reset_to(turn, next_outgoing);
  state_->next_outgoing = next_outgoing;
  out.add(PersistEvent{next_outgoing, expected_to_persist(*state_), NumbersMoved::Skipped});
  lose_queued(*state_, out);
  return {};
}

bool Session::set_next_outgoing(std::uint64_t sequence, Out& out) noexcept {
  if (sequence == 0 || sequence > sequence_max || out.action_room() < 3) {
    return false;
  }
  const bool lowers = sequence < state_->next_outgoing;
  state_->next_outgoing = sequence;
  out.add(PersistEvent{sequence, expected_to_persist(*state_), NumbersMoved::ByHand});
  if (lowers) {
    lose_queued(*state_, out);  // No resend goes back before it.
  }
  out.add(Report(Event::NumbersSet, sequence, state_->next_expected));
  return true;
}

bool Session::set_next_expected(std::uint64_t sequence, Out& out) noexcept {
  if (sequence == 0 || sequence > sequence_max || out.action_room() < 2) {
    return false;
  }
  state_->next_expected = sequence;
  state_->reset_open = false;  // The operator has agreed the number with the peer.
  state_->gap = {};
  hold_.drop_below(sequence);
  out.add(PersistEvent{state_->next_outgoing, sequence, NumbersMoved::ByHand});
  out.add(Report(Event::NumbersSet, state_->next_outgoing, sequence));
  return true;
}

}  // namespace affix::inline v0::session
