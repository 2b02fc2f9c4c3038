// SPDX-License-Identifier: MIT
// Beginning of a session in both roles: checks of the first message, the decision to accept it, and
// its effects. Until a Logon is accepted nothing changes: no number, no reset.

#include "session/tags.hpp"
#include "session/turn.hpp"

#include <algorithm>
#include <array>
#include <expected>

namespace affix::inline v0::session {

namespace {

/// Reasons for refusing a Logon, as far as the answer depends on them.
enum class LogonFaultKind : std::uint8_t {
  SendingTime,
  ApplVersionMissing,
  Other,
};

struct LogonFault {
  LogonFaultKind kind = LogonFaultKind::Other;
  std::string_view text{};
  std::int64_t tag = 0;  ///< That a dictionary names.
};

std::unexpected<LogonFault> other_fault(std::string_view text) noexcept {
  return std::unexpected(LogonFault{LogonFaultKind::Other, text});
}

/// True if the configured practice is to close on this fault without an answer.
bool is_closed_silently(const Turn& turn, LogonFaultKind fault) noexcept {
  return turn.options.practice.faulty_logon == FaultyLogon::Close &&
         (fault == LogonFaultKind::SendingTime || fault == LogonFaultKind::ApplVersionMissing);
}

/// Version ids in the Logon of a FIXT session.
ApplVerIdText appl_ver_id_of(const wire::MessageView& message) noexcept {
  ApplVerIdText text;
  const std::string_view value = message.value_or_null(tag::default_appl_ver_id);
  if (value.size() <= text.bytes.size()) {
    text.size = static_cast<std::uint8_t>(value.copy(text.bytes.data(), value.size()));
  }
  return text;
}

/// Checks fields of the header and of the session: number, time, form.
std::expected<void, LogonFault> check_header(const Turn& turn, const Incoming& in) noexcept {
  if (in.message.bytes().size() > logon_bytes_max) {
    return other_fault("Logon is too large");
  }
  if (in.message.index().fault != wire::FieldFault::None) {
    return other_fault("Logon has a malformed field");
  }
  if (in.header.repeated_tag != 0) {
    return other_fault("Logon repeats a header field");
  }
  if (!in.header.has(HeaderField::MsgSeqNum)) {
    return other_fault("MsgSeqNum (34) is missing");
  }
  const bool zero_is_low =
      in.header.sequence_zero && turn.options.practice.zero_number == ZeroNumber::TooLow;
  if (in.header.sequence == 0 && !zero_is_low) {
    return other_fault("MsgSeqNum (34) is not a valid sequence number");
  }
  if (!sending_time_right(turn, in)) {
    return std::unexpected(LogonFault{LogonFaultKind::SendingTime, "SendingTime accuracy problem"});
  }
  return {};
}

/// Reads the peer's 789 and compares it with the numbers that we have sent; 0: there is none.
std::expected<std::uint64_t, LogonFault> read_next_expected(const Turn& turn, const Incoming& in,
                                                            bool resets) noexcept {
  const auto field = in.message.integer(tag::next_expected_msg_seq_num);
  if (!field && field.error() == wire::FieldError::Missing) {
    return 0;
  }
  if (!field || *field <= 0) {
    return other_fault("NextExpectedMsgSeqNum (789) is not a sequence number");
  }
  const auto next_expected = static_cast<std::uint64_t>(*field);
  if (turn.options.practice.next_expected_rule == NextExpectedRule::OneHighToo &&
      next_expected == turn.state.next_outgoing + 1) {
    return turn.state.next_outgoing;
  }
  if (!resets && next_expected > turn.state.next_outgoing) {
    return other_fault("NextExpectedMsgSeqNum (789) is higher than what was sent");
  }
  return next_expected;
}

/// Reads and checks fields of the Logon itself.
std::expected<LogonState, LogonFault> read_body(const Turn& turn, const Incoming& in) noexcept {
  LogonState logon;
  if (in.message.find(tag::encrypt_method) != "0") {
    return other_fault(in.message.has(tag::encrypt_method) ? "EncryptMethod (98) is not supported"
                                                           : "EncryptMethod (98) is missing");
  }
  logon.heartbeat_seconds = heartbeat_seconds_of(turn, in.message);
  if (logon.heartbeat_seconds < 0) {
    return other_fault(in.message.has(tag::heart_bt_int) ? "HeartBtInt (108) is not allowed"
                                                         : "HeartBtInt (108) is missing");
  }
  if (const auto flag = in.message.boolean(tag::reset_seq_num_flag)) {
    logon.reset = *flag;
  } else if (flag.error() != wire::FieldError::Missing) {
    return other_fault("ResetSeqNumFlag (141) is neither Y nor N");
  }
  if (turn.version == Version::Fixt11 && !in.message.text(tag::default_appl_ver_id)) {
    return std::unexpected(
        LogonFault{LogonFaultKind::ApplVersionMissing, "DefaultApplVerID (1137) is missing"});
  }
  logon.appl_ver_id = appl_ver_id_of(in.message);
  const bool is_test = in.message.find(tag::test_message_indicator) == "Y";
  if (turn.options.test_messages == TestMessages::Production && is_test) {
    return other_fault("This is not a test session");
  }
  if (turn.options.test_messages == TestMessages::Test && !is_test) {
    return other_fault("This is a test session");
  }
  const auto next_expected = read_next_expected(
      turn, in, logon.reset || turn.options.reset_on_logon || turn.state.reset_open);
  if (!next_expected) {
    return std::unexpected(next_expected.error());
  }
  logon.next_expected = *next_expected;
  return logon;
}

/// The validator's result for a first Logon.
std::expected<void, LogonFault> check_by_validator(const Turn& turn, const Incoming& in) noexcept {
  const Validation word = ask_validator(turn, in);
  if (word.verdict == Verdict::Pass || word.verdict == Verdict::Warn) {
    return {};
  }
  return std::unexpected(
      LogonFault{LogonFaultKind::Other,
                 word.text.empty() ? std::string_view("Logon is not valid") : word.text, word.tag});
}

/// The Logon's fields, unless one of its parts is faulty.
std::expected<LogonState, LogonFault> read_logon(const Turn& turn, const Incoming& in) noexcept {
  if (const auto checked = check_header(turn, in); !checked) {
    return std::unexpected(checked.error());
  }
  auto logon = read_body(turn, in);
  if (!logon) {
    return logon;
  }
  if (const auto checked = check_by_validator(turn, in); !checked) {
    return std::unexpected(checked.error());
  }
  return logon;
}

/// Sends a Logout with 58 and ends. An initiator's own Logon has begun a sequence that this Logout
/// continues.
void refuse(Turn& turn, const Incoming* unencryptable, std::string_view text,
            DisconnectReason reason) noexcept {
  const bool numbered =
      turn.options.role == Role::Initiator || turn.options.refusal_number == RefusalNumber::Take;
  const Violation violation{RejectReason::DecryptionProblem, tag::encrypt_method, true, {}};
  // A session that resets at each logon would have begun at 1.
  const bool from_one = turn.options.role == Role::Acceptor && turn.options.reset_on_logon;
  std::uint64_t sequence = from_one ? 1 : turn.state.next_outgoing;
  if (unencryptable != nullptr && numbered) {
    send_reject(turn, *unencryptable, violation);
  } else if (unencryptable != nullptr) {
    send_unnumbered_reject(turn, sequence++, *unencryptable, violation);
  }
  if (!text.empty() && numbered) {
    send_logout(turn, text);
  } else if (!text.empty()) {
    send_unnumbered_logout(turn, sequence, text);
  }
  disconnect(turn, reason);
}

/// True if the waiting Logon resets both numbers.
bool starts_over(const Turn& turn) noexcept {
  return turn.state.logon.reset || (turn.options.role == Role::Acceptor &&
                                    (turn.options.reset_on_logon || turn.state.reset_open));
}

/// Refuses a Logon whose number is too low, or for which we have no number left to answer.
bool refused_by_numbers(Turn& turn) noexcept {
  const bool resetting = starts_over(turn);
  const std::uint64_t expected = resetting ? 1 : turn.state.next_expected;
  const std::uint64_t received = turn.state.logon.sequence;
  if (received < expected) {
    turn.report(Event::SequenceTooLow, expected, received);
    std::array<char, too_low_text_size> too_low;
    refuse(turn, nullptr, too_low_text(too_low, expected, received),
           DisconnectReason::LogonRefused);
    return true;
  }
  if (!resetting && numbers_exhausted(turn.state)) {
    turn.report(Event::NumbersExhausted, turn.state.next_outgoing);
    disconnect(turn, DisconnectReason::NumbersExhausted);
    return true;
  }
  return false;
}

/// Checks a Logon with the right identity before it is passed to the caller.
void judge_logon(Turn& turn, const Incoming& in) noexcept {
  const auto read = read_logon(turn, in);
  if (!read) {
    const LogonFault& fault = read.error();
    // Test cases 1B d, 1S d and 17.
    turn.report(Event::LogonRefused, in.header.sequence, static_cast<std::uint64_t>(fault.tag),
                fault.text);
    if (is_closed_silently(turn, fault.kind)) {
      disconnect(turn, DisconnectReason::LogonRefused);
      return;
    }
    const bool encrypted = in.message.text(tag::encrypt_method).value_or("0") != "0";
    refuse(turn, encrypted ? &in : nullptr, fault.text, DisconnectReason::LogonRefused);
    return;
  }
  LogonState logon = *read;
  logon.sequence = in.header.sequence;
  logon.max_message_size = in.message.integer<std::uint32_t>(tag::max_message_size).value_or(0);
  logon.bytes = static_cast<std::uint32_t>(
      copy_without_secrets(in.message, turn.memory.logon_received, turn.options.secret_tags,
                           *turn.memory.data_fields)
          .size());
  turn.state.logon = logon;
  if (refused_by_numbers(turn)) {
    return;
  }
  turn.state.phase = Phase::LogonPending;
  turn.out.add(LogonRequested{in.message});
}

/// Consumes the peer's Logon: next in sequence, or the newest number after a gap.
bool take_logon_number(Turn& turn) noexcept {
  const LogonState& logon = turn.state.logon;
  const std::string_view bytes(turn.memory.logon_received.data(), logon.bytes);
  if (logon.sequence != turn.state.next_expected) {
    if (turn.hold.insert(logon.sequence, {}, true) == HoldResult::Held) {
      turn.out.add(PersistHeld{logon.sequence, bytes, true});
    }
    return false;
  }
  turn.state.next_expected = logon.sequence + 1;
  turn.out.add(
      PersistReceived{logon.sequence, expected_to_persist(turn.state), bytes, false, true});
  return true;
}

/// Our answer will make the peer reset, so the number of its Logon does not matter unless it is the
/// first.
void repeat_reset_to_initiator(Turn& turn) noexcept {
  const LogonState& logon = turn.state.logon;
  repeat_reset(turn);
  if (logon.sequence == 1) {
    static_cast<void>(take_logon_number(turn));
  } else {
    turn.out.add(
        PersistHeld{logon.sequence, {turn.memory.logon_received.data(), logon.bytes}, true});
  }
}

/// The peer has sent its expected number (789): messages from that number on are sent without a
/// ResendRequest.
void bring_up_to_date(Turn& turn, std::uint64_t next_expected, std::uint64_t sent_before) noexcept {
  if (next_expected != 0) {
    note_reached(turn.state, next_expected - 1);
  }
  if (next_expected != 0 && next_expected < sent_before) {
    start_replay(turn, next_expected, turn.state.next_outgoing - 1);
  }
}

/// The Logon came ahead of a gap.
void open_gap(Turn& turn, bool peer_brings_it) noexcept {
  turn.report(Event::SequenceTooHigh, turn.state.next_expected, turn.state.logon.sequence);
  if (!peer_brings_it) {
    note_gap(turn, turn.state.logon.sequence);  // Test cases 1B c, 1S a.
    return;
  }
  // Our 789 requests it. If the messages do not come, the expiry sends a ResendRequest.
  turn.state.gap.highest = turn.state.logon.sequence;
  turn.state.gap.asked_to = turn.state.logon.sequence;
  turn.state.gap.progress_ns = turn.now.steady_ns;
}

/// Nanoseconds that the last digit of a UTCTimestamp stands for, at least one.
std::int64_t unit_ns_of(std::string_view stamp) noexcept {
  const std::size_t point = stamp.find('.');
  std::int64_t unit = base::ns_per_second;
  for (std::size_t digit = point; digit < stamp.size() - 1 && unit > 1; ++digit) {
    unit /= 10;
  }
  return unit;
}

void enter_active(Turn& turn) noexcept {
  SessionState& state = turn.state;
  state.phase = Phase::Active;
  state.phase_since_ns = turn.now.steady_ns;
  state.last_received_ns = turn.now.steady_ns;
  state.heartbeat_interval_ns = state.logon.heartbeat_seconds * base::ns_per_second;
  state.peer_message_bytes_max = state.logon.max_message_size;
  state.test_open = 0;
}

}  // namespace

std::int64_t heartbeat_seconds_of(const Turn& turn, const wire::MessageView& message) noexcept {
  const auto seconds = message.integer(tag::heart_bt_int);
  const std::int64_t least = turn.options.heartbeat_interval_min_ns / base::ns_per_second;
  const std::int64_t most = turn.options.heartbeat_interval_max_ns / base::ns_per_second;
  return seconds && *seconds >= least && *seconds <= most ? *seconds : -1;
}

bool sending_time_right(const Turn& turn, const Incoming& in) noexcept {
  const std::string_view text = in.header.text(in.message, HeaderField::SendingTime);
  const auto sent = wire::parse_utc_time(text);
  if (!sent) {
    return false;
  }
  const std::int64_t limit = turn.options.message_age_max_ns;
  const std::int64_t unit = unit_ns_of(text);
  // Our time with as many digits as the peer's: a stamp of whole seconds stands for its second.
  const std::int64_t now = turn.now.utc_ns - ((turn.now.utc_ns % unit) + unit) % unit;
  std::int64_t age = 0;
  if (__builtin_sub_overflow(now, sent->ns, &age)) {
    return limit == 0;
  }
  return limit == 0 ||
         (age <= limit + std::max(backlog_ns(turn), unread_ns(turn)) && age >= -limit);
}

std::uint32_t find_wrong_id(const Turn& turn, const Incoming& in) noexcept {
  const SessionOptions& options = turn.options;
  std::uint32_t wrong_tag = 0;
  const auto differs = [&](HeaderField field, std::string_view expected, std::uint32_t number) {
    if (!in.header.has(field) || same_text(in.header.text(in.message, field), expected))
        [[likely]] {
      return false;
    }
    wrong_tag = number;
    return true;
  };
  const auto differs_if_set = [&](HeaderField field, std::string_view expected,
                                  std::uint32_t number) {
    return !expected.empty() && differs(field, expected, number);
  };
  const bool any_differs =
      differs(HeaderField::SenderCompId, options.target_comp_id, tag::sender_comp_id) ||
      differs(HeaderField::TargetCompId, options.sender_comp_id, tag::target_comp_id) ||
      differs_if_set(HeaderField::SenderSubId, options.target_sub_id, tag::sender_sub_id) ||
      differs_if_set(HeaderField::TargetSubId, options.sender_sub_id, tag::target_sub_id) ||
      differs_if_set(HeaderField::SenderLocationId, options.target_location_id,
                     tag::sender_location_id) ||
      differs_if_set(HeaderField::TargetLocationId, options.sender_location_id,
                     tag::target_location_id) ||
      differs_if_set(HeaderField::OnBehalfOfCompId, options.on_behalf_of_comp_id,
                     tag::on_behalf_of_comp_id) ||
      differs_if_set(HeaderField::DeliverToCompId, options.deliver_to_comp_id,
                     tag::deliver_to_comp_id);
  return any_differs ? wrong_tag : 0;
}

void report_wrong_id(Turn& turn, const Incoming& in, std::uint32_t wrong_tag) noexcept {
  turn.report(Event::WrongCompId, in.header.sequence, wrong_tag,
              wrong_tag == 0 ? std::string_view() : in.message.value_or_null(wrong_tag),
              in.header.type);
}

/// Says what makes a Logon another session's: its version, a CompID that differs, or one that is
/// missing.
void report_other_session(Turn& turn, const Incoming& in, std::uint32_t wrong_tag) noexcept {
  const Header& header = in.header;
  const std::string_view version = header.text(in.message, HeaderField::BeginString);
  if (version != turn.options.begin_string) {
    turn.report(Event::WrongBeginString, header.sequence, 0, version, header.type);
    return;
  }
  const std::uint32_t missing =
      header.has(HeaderField::SenderCompId) ? tag::target_comp_id : tag::sender_comp_id;
  report_wrong_id(turn, in, wrong_tag != 0 ? wrong_tag : missing);
}

void send_first_logon(Turn& turn) noexcept {
  const SessionOptions& options = turn.options;
  if (options.reset_on_logon) {
    reset_numbers(turn, 1, 1);
    turn.report(Event::NumbersReset, 1, 1);
  } else if (turn.state.reset_open) {
    repeat_reset(turn);
  }
  if (numbers_exhausted(turn.state)) {
    turn.report(Event::NumbersExhausted, turn.state.next_outgoing);
    disconnect(turn, DisconnectReason::NumbersExhausted);
    return;
  }
  turn.state.phase = Phase::LogonSent;
  send_logon(turn, options.reset_on_logon || turn.state.reset_open,
             options.heartbeat_interval_ns / base::ns_per_second, options.include_next_expected);
}

void take_first_message(Turn& turn, const Incoming& in) noexcept {
  const Header& header = in.header;
  const bool complete =
      header.text(in.message, HeaderField::BeginString) == turn.options.begin_string &&
      header.has(HeaderField::SenderCompId) && header.has(HeaderField::TargetCompId);
  const std::uint32_t wrong_tag = complete ? find_wrong_id(turn, in) : 0;
  if (header.type == type::logon && complete && wrong_tag == 0) {
    judge_logon(turn, in);
    return;
  }
  if (turn.state.phase == Phase::LogonSent && header.type == type::logon) {
    // Test case 1B d.
    const std::string_view text = "Logon is for another session";
    report_other_session(turn, in, wrong_tag);
    turn.report(Event::LogonRefused, header.sequence, wrong_tag, text);
    refuse(turn, nullptr, text, DisconnectReason::LogonRefused);
    return;
  }
  if (turn.state.phase == Phase::LogonSent &&
      (header.type == type::logout || header.type == type::reject)) {
    // The peer refuses our Logon. Its number is used; the peer's is not, as there was no session.
    turn.report(Event::LogonRejected, header.sequence, 0, in.message.find(tag::text).value_or(""));
    disconnect(turn, DisconnectReason::LogonRejected);
    return;
  }
  if (header.type == type::logon) {
    // Test case 1S c: unknown peers get no answer.
    report_other_session(turn, in, wrong_tag);
    disconnect(turn, DisconnectReason::IdentityUnknown);
    return;
  }
  // Test cases 1B e and 2S.
  turn.report(Event::FirstNotLogon, header.sequence, 0, {}, header.type);
  disconnect(turn, DisconnectReason::FirstNotLogon);
}

void accept_logon(Turn& turn) noexcept {
  SessionState& state = turn.state;
  const LogonState& logon = state.logon;
  const bool acceptor = turn.options.role == Role::Acceptor;
  // An operator may have changed numbers while the Logon waited for its answer.
  if (refused_by_numbers(turn)) {
    return;
  }
  // The peer has seen an initiator's Logon, since it answers it.
  const bool repeats_reset = state.reset_open && !logon.reset;
  const bool asked_for_reset = turn.options.reset_on_logon || (!acceptor && state.reset_open);
  const bool reset_answered = state.reset_open && !acceptor;
  state.reset_open = state.reset_open && acceptor;
  enter_active(turn);
  bool in_order = true;
  if (acceptor && (logon.reset || turn.options.reset_on_logon)) {
    reset_numbers(turn, 1, 1);
    turn.report(Event::NumbersReset, 1, 1);
  } else if (!acceptor && logon.reset && !asked_for_reset) {
    // The peer resets without a request: of our messages it has seen one, our Logon.
    reset_numbers(turn, 2, 1);
    turn.report(Event::NumbersReset, 2, 1);
  }
  if (acceptor && repeats_reset && !turn.options.reset_on_logon) {
    repeat_reset_to_initiator(turn);
  } else {
    in_order = take_logon_number(turn);
  }
  if (reset_answered && !in_order) {
    // The peer's Logon is held, so no record of it shows that the reset is over.
    turn.out.add(PersistEvent{state.next_outgoing, state.next_expected, NumbersMoved::TheirReset});
  }
  // Last number that the peer can know: an initiator's Logon, but not the messages queued after it.
  std::uint64_t sent_before = state.next_outgoing;
  if (!acceptor) {
    sent_before = (state.queued.to != 0 ? state.queued.from : state.next_outgoing) - 1;
  }
  bool next_expected_given = turn.options.include_next_expected;
  if (acceptor) {
    next_expected_given = next_expected_given || logon.next_expected != 0;
    send_logon(turn, logon.reset || state.reset_open, logon.heartbeat_seconds, next_expected_given);
  }
  turn.report(Event::LoggedOn, state.next_outgoing, state.next_expected);
  if (!in_order) {
    open_gap(turn, next_expected_given && logon.next_expected != 0);
  }
  if (!logon.reset && !repeats_reset) {
    bring_up_to_date(turn, logon.next_expected, sent_before);
  }
  send_unsent(turn);
}

void refuse_logon(Turn& turn, std::string_view text) noexcept {
  // The caller's text may be gone before the report is read. The copy of the Logon is free now.
  const std::span<char> kept = turn.memory.logon_received;
  const std::string_view words(kept.data(), text.copy(kept.data(), kept.size()));
  turn.report(Event::LogonRefused, turn.state.logon.sequence, 0, words);
  refuse(turn, nullptr, words, DisconnectReason::LogonRefused);
}

}  // namespace affix::inline v0::session
