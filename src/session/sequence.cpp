// SPDX-License-Identifier: MIT
// Sequence numbers of received messages: in order, too low, too high; messages held after a gap and
// their release.

#include "affix/session/admin.hpp"

#include "session/tags.hpp"
#include "session/turn.hpp"

#include <array>
#include <charconv>

namespace affix::inline v0::session {

namespace {

/// Test case 2i: Logout, wait for the peer's, disconnect. True: the message is finished.
bool stopped_by_begin_string(Turn& turn, const Incoming& in) noexcept {
  const Header& header = in.header;
  if (same_text(header.text(in.message, HeaderField::BeginString), turn.options.begin_string))
      [[likely]] {
    return false;
  }
  turn.report(Event::WrongBeginString, header.sequence, 0,
              header.text(in.message, HeaderField::BeginString), header.type);
  if (header.type == type::logout &&
      turn.options.practice.faulty_logout == FaultyLogout::Answered) {
    take_logout(turn, in);
    return true;
  }
  if (header.sequence == turn.state.next_expected) {
    consume(turn, in, header.sequence + 1);
  }
  force_logout(turn, "Incorrect BeginString");
  return true;
}

/// A message without a number has no place in the sequence, so no rule can apply to
/// it.
bool stopped_by_no_number(Turn& turn, const Incoming& in) noexcept {
  const Header& header = in.header;
  if (header.sequence != 0) [[likely]] {
    return false;
  }
  if (header.sequence_zero &&
      (is_reset_mode(in) || turn.options.practice.zero_number == ZeroNumber::TooLow)) {
    return false;
  }
  turn.report(Event::SequenceInvalid, 0, 0, {}, header.type);
  force_logout(turn, header.has(HeaderField::MsgSeqNum)
                         ? "MsgSeqNum (34) is not a valid sequence number"
                         : "MsgSeqNum (34) is missing");
  return true;
}

/// Test case 2k: Reject, Logout, wait, disconnect.
bool stopped_by_identity(Turn& turn, const Incoming& in) noexcept {
  const std::uint32_t wrong_tag = find_wrong_id(turn, in);
  if (wrong_tag == 0) [[likely]] {
    return false;
  }
  report_wrong_id(turn, in, wrong_tag);
  reject(turn, in, header_violation(turn, RejectReason::CompIdProblem, wrong_tag));
  force_logout_after_reject(turn, "CompID problem");
  return true;
}

/// Test case 2o: Reject, Logout, disconnect.
bool stopped_by_time(Turn& turn, const Incoming& in) noexcept {
  if (!in.header.has(HeaderField::SendingTime) || sending_time_right(turn, in)) [[likely]] {
    return false;
  }
  turn.report(Event::SendingTimeOff, in.header.sequence, 0, {}, in.header.type);
  reject(turn, in, header_violation(turn, RejectReason::SendingTimeAccuracy, tag::sending_time));
  force_logout_after_reject(turn, "SendingTime accuracy problem");
  return true;
}

/// A Logon that must end a session, for counterparties that then close without an
/// answer.
bool stopped_by_logon(Turn& turn, const Incoming& in) noexcept {
  if (in.header.type != type::logon ||
      turn.options.practice.repeated_logon == RepeatedLogon::Logout ||
      in.message.find(tag::reset_seq_num_flag) == "Y") [[likely]] {
    return false;
  }
  turn.report(Event::LogonUnexpected, in.header.sequence);
  disconnect(turn, DisconnectReason::PeerFault);
  return true;
}

/// A Logon of a FIXT session without a version does not say how to read the messages.
bool stopped_by_no_version(Turn& turn, const Incoming& in) noexcept {
  if (turn.version != Version::Fixt11 || in.header.type != type::logon ||
      turn.options.practice.faulty_logon == FaultyLogon::Logout ||
      in.message.has(tag::default_appl_ver_id)) [[likely]] {
    return false;
  }
  turn.report(Event::LogonUnexpected, in.header.sequence);
  disconnect(turn, DisconnectReason::PeerFault);
  return true;
}

/// Rules on identity and time come before the number: a message from another session or time proves
/// nothing about the sequence. True: the message is finished.
bool stopped_by_header(Turn& turn, const Incoming& in) noexcept {
  if (turn.options.validation_place == ValidationPlace::BeforeNumber) [[unlikely]] {
    return stopped_by_begin_string(turn, in) || stopped_by_no_version(turn, in) ||
           rejected_before_number(turn, in) || stopped_by_no_number(turn, in) ||
           stopped_by_logon(turn, in) || stopped_by_time(turn, in) || stopped_by_identity(turn, in);
  }
  return stopped_by_begin_string(turn, in) || stopped_by_no_number(turn, in) ||
         stopped_by_logon(turn, in) || stopped_by_identity(turn, in) || stopped_by_time(turn, in);
}

/// A possible duplicate below the expected number: true if it is only to be ignored.
bool is_sound_duplicate(Turn& turn, const Incoming& in) noexcept {
  const Header& header = in.header;
  if (!needs_original_time(turn, in)) {
    return true;
  }
  if (!header.has(HeaderField::OrigSendingTime)) {
    reject(turn, in, {RejectReason::RequiredTagMissing, tag::orig_sending_time, true, {}});
    return false;
  }
  const auto original = wire::parse_utc_time(header.text(in.message, HeaderField::OrigSendingTime));
  const auto sending = wire::parse_utc_time(header.text(in.message, HeaderField::SendingTime));
  if (original && (!sending || *original <= *sending)) {
    return true;
  }
  reject(turn, in,
         header_violation(turn, RejectReason::SendingTimeAccuracy, tag::orig_sending_time));
  if (turn.options.practice.duplicate_check == DuplicateCheck::WhenTooLow) {
    force_logout_after_reject(turn, "SendingTime accuracy problem");
  }
  return false;
}

/// Test cases 2c, 2e, 2g, 10c, 10d: below the expected number.
void take_too_low(Turn& turn, const Incoming& in) noexcept {
  if (!in.header.possible_duplicate) {
    turn.report(Event::SequenceTooLow, turn.state.next_expected, in.header.sequence, {},
                in.header.type);
    force_logout_too_low(turn, in.header.sequence);
    return;
  }
  if (is_sound_duplicate(turn, in)) {
    turn.report(Event::DuplicateIgnored, in.header.sequence, 0, {}, in.header.type);
  }
}

/// True if the journal must not have all of it.
bool has_secret(const Incoming& in) noexcept {
  return wire::carries_credentials(in.header.type) || holds_secret(in.message, {});
}

/// Holds a message that came ahead of the gap. `answered`: it has had its effect.
void hold_message(Turn& turn, const Incoming& in, bool answered) noexcept {
  // Only the number of a Logon (resent by mistake: 43=Y) is held, as its bytes contain secrets.
  const bool is_logon = in.header.type == type::logon;
  const std::string_view bytes = is_logon ? std::string_view() : in.message.bytes();
  switch (turn.hold.insert(in.header.sequence, bytes, answered || is_logon,
                           over_limit_ahead(turn, in))) {
    case HoldResult::Held:
      count_held(turn, in);
      turn.out.add(PersistHeld{in.header.sequence, bytes, has_secret(in)});
      break;
    case HoldResult::HeldAlready:
      break;
    case HoldResult::Full:
      turn.state.gap.dropped = true;
      turn.report(Event::HeldDropped, in.header.sequence, 0, {}, in.header.type);
      break;
  }
}

/// Reports which of our messages the peer rejected, as far as its Reject is readable.
void report_reject_of_ours(const Turn& turn, const wire::MessageView& reject) noexcept {
  turn.report(Event::RejectReceived, reject.integer<std::uint64_t>(tag::ref_seq_num).value_or(0),
              reject.integer<std::uint32_t>(tag::ref_tag_id).value_or(0),
              reject.find(tag::text).value_or(""), reject.find(tag::ref_msg_type).value_or(""));
}

/// Test cases 2b, 10a, 20: above the expected number.
void take_too_high(Turn& turn, const Incoming& in) noexcept {
  turn.report(Event::SequenceTooHigh, turn.state.next_expected, in.header.sequence, {},
              in.header.type);
  if (in.header.type == type::logout && !in.header.possible_duplicate) {
    // The peer logs out: a request is useless, and the next logon will find the gap again.
    take_logout(turn, in);
    return;
  }
  if (in.header.type == type::logon && !in.header.possible_duplicate) {
    take_logon_in_session(turn, in);
    return;
  }
  bool answered = true;
  if (in.header.type == type::resend_request && in.header.possible_duplicate &&
      turn.options.practice.repeated_resend_request == RepeatedResendRequest::Discarded &&
      turn.hold.holds(in.header.sequence)) {
    turn.report(Event::DuplicateIgnored, in.header.sequence, 0, {}, in.header.type);
    return;
  }
  if (in.header.type == type::resend_request) {
    // Test case 20: two sides that wait for each other's resend would wait forever.
    answer_resend_request_ahead(turn, in);
  } else if (in.header.type == type::test_request &&
             turn.options.practice.early_test_request == EarlyTestRequest::Answered) {
    // The answer does not depend on the order of messages.
    answer_test_request_ahead(turn, in);
  } else {
    if (in.header.type == type::heartbeat) {
      take_answer_ahead(turn, in);
    }
    answered = false;
  }
  if (ended_by_throttle(turn, in)) {
    return;
  }
  hold_message(turn, in, answered);
  ask_for_skipped(turn, in);  // Before it opens a gap of its own.
  note_gap(turn, in.header.sequence);
}

void advance(Turn& turn, const Incoming& in, std::uint64_t expected_after,
             bool deliver_follows) noexcept {
  const std::string_view bytes =
      in.header.type == type::logon
          ? copy_without_secrets(in.message, turn.memory.logon_received, turn.options.secret_tags,
                                 *turn.memory.data_fields)
          : in.message.bytes();
  turn.state.next_expected = expected_after;
  if (turn.state.reset_open) [[unlikely]] {
    // On a session, the peer has seen our Logon; before its answer, its messages have old numbers.
    turn.state.reset_open =
        turn.state.phase == Phase::ResetSent || turn.state.phase == Phase::LogoutForced;
  }
  turn.out.add(PersistReceived{in.header.sequence, expected_to_persist(turn.state), bytes,
                               deliver_follows, has_secret(in)});
  turn.state.gap.progress_ns = turn.now.steady_ns;
  turn.hold.drop_below(expected_after);
}

/// Handles the peer's Reject. Test case 7.
void take_reject(Turn& turn, const Incoming& in, std::uint64_t expected_after) noexcept {
  report_reject_of_ours(turn, in.message);
  consume_and_deliver(turn, in, expected_after);
}

/// Processes the message that is next in sequence.
void take(Turn& turn, const Incoming& in) noexcept {
  if (refused_by_throttle(turn, in) || rejected(turn, in)) {
    return;
  }
  note_in_order(turn, in);
  const std::uint64_t after = in.header.sequence + 1;
  if (!is_admin(in.header.type)) {
    consume_and_deliver(turn, in, after);
    return;
  }
  switch (in.header.type.word()) {
    case type::heartbeat.word():
      take_heartbeat(turn, in);
      break;
    case type::test_request.word():
      take_test_request(turn, in);
      break;
    case type::resend_request.word():
      take_resend_request(turn, in);
      break;
    case type::reject.word():
      take_reject(turn, in, after);
      break;
    case type::sequence_reset.word():
      take_gap_fill(turn, in);
      break;
    case type::logout.word():
      take_logout(turn, in);
      break;
    default:
      take_logon_in_session(turn, in);
      break;
  }
}

/// True for a GapFill of a resend that begins below the expected number and ends beyond it:
/// messages ahead of the gap were held, and those that it begins with have been released meanwhile.
/// Nobody sends the numbers behind them again, so they are filled.
bool fills_rest_of_gap(const Turn& turn, const Incoming& in) noexcept {
  if (turn.state.gap.highest == 0 || !in.header.possible_duplicate ||
      in.header.type != type::sequence_reset) [[likely]] {
    return false;
  }
  const auto next = in.message.integer<std::uint64_t>(tag::new_seq_no);
  return next && *next > turn.state.next_expected;
}

/// True if our requests end before the messages that came ahead of the gap, so that the peer does
/// not resend those that were answered and dropped. Two sides that both drop them would request
/// forever: each request would be the other's next gap.
bool asks_in_pieces(const SessionOptions& options) noexcept {
  return options.resend_range_max != 0 || options.resend_end == ResendEnd::Gap;
}

/// Handles types whose number some counterparties ignore. True: the message is finished.
bool taken_without_number(Turn& turn, const Incoming& in) noexcept {
  const Practice& practice = turn.options.practice;
  const bool ahead = in.header.sequence > turn.state.next_expected;
  if (in.header.type == type::resend_request &&
      practice.resend_request_number == ResendRequestNumber::Any) {
    take_resend_request_of_any_number(turn, in);
    if (ahead && asks_in_pieces(turn.options)) {
      hold_message(turn, in, true);
    }
    return true;
  }
  if (in.header.type == type::reject && ahead && practice.early_reject == EarlyReject::Counted) {
    note_in_order(turn, in);
    take_reject(turn, in, turn.state.next_expected + 1);
    return true;
  }
  if (in.header.type == type::logout && practice.faulty_logout == FaultyLogout::Answered) {
    take_logout(turn, in);
    return true;
  }
  return false;
}

/// Text (58) for a message that exceeds `max` of the quantity `limit`, in `text`.
using LimitText = std::array<char, 80>;

std::string_view limit_text(LimitText& text, Limit limit, std::uint64_t max) noexcept {
  constexpr std::string_view before = "Message is beyond the limit of ";
  const std::string_view unit = limit == Limit::Bytes ? " bytes" : " fields";
  char* const end = text.data() + text.size();
  char* at = text.data() + before.copy(text.data(), before.size());
  at = std::to_chars(at, end, max).ptr;
  at += unit.copy(at, unit.size());
  return {text.data(), static_cast<std::size_t>(at - text.data())};
}

/// True if its number can be consumed: it is for us, and no session message of effect.
bool can_be_counted(const Turn& turn, const Incoming& in) noexcept {
  const Header& header = in.header;
  return same_text(header.text(in.message, HeaderField::BeginString), turn.options.begin_string) &&
         header.has(HeaderField::SenderCompId) && header.has(HeaderField::TargetCompId) &&
         find_wrong_id(turn, in) == 0 && header.sequence != 0 && header.repeated_tag == 0 &&
         header.type != type::logon && header.type != type::sequence_reset &&
         header.type != type::logout;
}

}  // namespace

void receive_beyond_limit(Turn& turn, const Incoming& in, Limit limit, std::uint64_t max) noexcept {
  const Header& header = in.header;
  turn.report(Event::BeyondLimit, header.sequence, max,
              limit == Limit::Bytes ? "bytes of a message; max_message_bytes allows more"
                                    : "fields of a message; the peer must send fewer in one",
              header.type);
  LimitText words;
  const std::string_view text = limit_text(words, limit, max);
  if (!can_be_counted(turn, in)) {
    force_logout(turn, text);
    return;
  }
  if (header.sequence < turn.state.next_expected) {
    take_too_low(turn, in);
    return;
  }
  const auto reason =
      turn.version >= Version::Fix44 ? RejectReason::Other : RejectReason::ValueIncorrect;
  const auto answer = [&] {
    if (header.type != type::reject) {  // Two engines could continue forever.
      send_reject(turn, in, {reason, 0, false, text});
    }
  };
  if (header.sequence == turn.state.next_expected) {
    note_in_order(turn, in);
    // Only the number is stored: we do not have the whole message.
    wire::index_message(std::string_view(), *turn.memory.held_index, *turn.memory.data_fields);
    const wire::MessageView nothing({}, *turn.memory.held_index);
    consume(turn, {nothing, header}, header.sequence + 1);
    answer();
    return;
  }
  // A resend would bring it again: its number waits in the hold until the gap is closed.
  switch (turn.hold.insert(header.sequence, {}, true)) {
    case HoldResult::Held:
      turn.out.add(PersistHeld{header.sequence, {}, false});
      answer();
      break;
    case HoldResult::HeldAlready:
      break;
    case HoldResult::Full:
      turn.state.gap.dropped = true;
      turn.report(Event::HeldDropped, header.sequence, 0, {}, header.type);
      break;
  }
  ask_for_skipped(turn, in);
  note_gap(turn, header.sequence);
}

bool release_waits(const SessionState& state, const Hold& hold) noexcept {
  return !hold.empty() && in_session(state.phase) && hold.front().sequence == state.next_expected;
}

void receive(Turn& turn, const Incoming& in) noexcept {
  if (stopped_by_header(turn, in)) {
    return;
  }
  const bool counts_itself =
      !in.header.possible_duplicate || turn.options.practice.resent_admin == ResentAdmin::Processed;
  if (in.header.type == type::logon && in.message.find(tag::reset_seq_num_flag) == "Y" &&
      counts_itself) {
    // Its number counts from the reset on, not before.
    if (!rejected(turn, in)) {
      take_logon_in_session(turn, in);
    }
    return;
  }
  if (is_reset_mode(in)) {
    take_sequence_reset(turn, in);
    return;
  }
  if (is_admin(in.header.type) && taken_without_number(turn, in)) {
    return;
  }
  if (in.header.sequence > turn.state.next_expected) {
    take_too_high(turn, in);
  } else if (in.header.sequence == turn.state.next_expected) [[likely]] {
    take(turn, in);
  } else if (fills_rest_of_gap(turn, in)) {
    Incoming rest = in;
    rest.header.sequence = turn.state.next_expected;
    take(turn, rest);
  } else {
    take_too_low(turn, in);
  }
}

void release_next(Turn& turn) noexcept {
  const HeldMessage held = turn.hold.front();
  const std::string_view bytes = turn.hold.bytes_of(held);
  turn.hold.pop_front();
  wire::index_message(bytes, *turn.memory.held_index, *turn.memory.data_fields);
  const wire::MessageView message(bytes, *turn.memory.held_index);
  Incoming in{message, scan_header(message, turn.shapes), true, held.over_limit};
  in.header.sequence = held.sequence;
  if (held.size == 0) {
    turn.report(Event::ResentAdminIgnored, held.sequence);
    consume(turn, in, held.sequence + 1);
  } else if (held.answered) {
    consume_and_deliver(turn, in, held.sequence + 1);
  } else {
    take(turn, in);
  }
}

void consume(Turn& turn, const Incoming& in, std::uint64_t expected_after) noexcept {
  advance(turn, in, expected_after, false);
}

void consume_and_deliver(Turn& turn, const Incoming& in, std::uint64_t expected_after) noexcept {
  advance(turn, in, expected_after, true);
  turn.out.add(Deliver{in.message, in.header.sequence, is_admin(in.header.type),
                       in.header.possible_duplicate, in.header.possible_resend, in.released});
}

void note_gap(Turn& turn, std::uint64_t sequence) noexcept {
  GapState& gap = turn.state.gap;
  const bool is_new = gap.highest == 0;
  // With GapRequest::WhenSeen a request stays open until the number that caused it is near, and is
  // then dropped with the gap: messages that came meanwhile must be seen again to be requested.
  const bool stays = !is_new && turn.options.practice.gap_request == GapRequest::WhenSeen;
  if (sequence > gap.highest && !stays) {
    gap.highest = sequence;
  }
  if (is_new) {
    request_resend(turn);
  }
}

void note_in_order(Turn& turn, const Incoming& in) noexcept {
  GapState& gap = turn.state.gap;
  if (turn.options.practice.gap_request == GapRequest::UntilClosed || gap.highest == 0) [[likely]] {
    return;
  }
  if (in.header.sequence + 1 >= gap.highest) {
    gap = {};
    turn.report(Event::GapClosed, turn.state.next_expected);
  }
}

std::string_view too_low_text(std::array<char, too_low_text_size>& text, std::uint64_t expected,
                              std::uint64_t received) noexcept {
  constexpr std::string_view before = "MsgSeqNum too low, expecting ";
  constexpr std::string_view between = " but received ";
  constexpr std::size_t number_size_max = 20;
  static_assert(before.size() + between.size() + 2 * number_size_max <= too_low_text_size);
  char* const end = text.data() + text.size();
  char* at = text.data() + before.copy(text.data(), before.size());
  at = std::to_chars(at, end, expected).ptr;
  at += between.copy(at, between.size());
  at = std::to_chars(at, end, received).ptr;
  return {text.data(), static_cast<std::size_t>(at - text.data())};
}

void settle_gap(Turn& turn) noexcept {
  GapState& gap = turn.state.gap;
  if (gap.highest == 0 || !in_session(turn.state.phase)) {
    return;
  }
  const bool when_seen = turn.options.practice.gap_request == GapRequest::WhenSeen;
  if (turn.state.next_expected > gap.highest) {
    // With GapRequest::WhenSeen too: a GapFill may skip the number that note_in_order waits for,
    // and a loss after it is a gap of its own.
    gap = {};
    turn.report(Event::GapClosed, turn.state.next_expected);
  } else if (when_seen && gap.asked_to >= gap.highest) {
    return;  // Requested as a whole: note_in_order closes it.
  } else if (turn.state.next_expected > gap.asked_to && !release_waits(turn.state, turn.hold)) {
    request_resend(turn);
  }
}

}  // namespace affix::inline v0::session
