// SPDX-License-Identifier: MIT
// State that the protocol's rules share during one input: the session's parts, the time, and the
// place for answers. Below it the rules, one group per file of this folder, all free functions over
// a Turn.
#pragma once

#include "affix/base/time.hpp"
#include "affix/session/calls.hpp"
#include "affix/session/extra_header_field.hpp"
#include "affix/session/header_shapes.hpp"
#include "affix/session/hold.hpp"
#include "affix/session/memory.hpp"
#include "affix/session/options.hpp"
#include "affix/session/out.hpp"
#include "affix/session/secrets.hpp"
#include "affix/session/state.hpp"
#include "affix/session/validator.hpp"
#include "affix/wire/encoder.hpp"
#include "affix/wire/timestamp.hpp"
#include "affix/wire/view.hpp"

#include "session/header.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace affix::inline v0::session {

class Throttle;

struct Turn {
  const SessionOptions& options;
  SessionState& state;
  const SessionMemory& memory;
  Hold& hold;
  HeaderShapes& shapes;
  const wire::HeaderTemplate& header;
  wire::TimeStampCache& stamps;
  Throttle& throttle;
  Version version;
  base::Now now;
  Out& out;

  void report(Event event, std::uint64_t first = 0, std::uint64_t second = 0,
              std::string_view text = {}, wire::MsgType about = {}) const noexcept {
    out.add(Report(event, first, second, text, about));
  }
};

/// A received message that is being checked.
struct Incoming {
  const wire::MessageView& message;
  Header header;
  bool released = false;    ///< It was held before.
  bool over_limit = false;  ///< It exceeded the throttle limit when it was held.
};

/// Reason for a Reject. `reason` is 373; 371 is `tag` when it has one.
struct Violation {
  RejectReason reason = RejectReason::Other;
  std::int64_t tag = 0;
  bool has_tag = false;
  std::string_view text;  ///< Empty: the default text for the reason.
};

enum class SentAgain : std::uint8_t { Sent, NoRoom, Impossible };

/// Largest sequence number: the maximum of 34 that every counterparty can represent.
inline constexpr std::uint64_t sequence_max = 0x7FFF'FFFF'FFFF'FFFF;

/// Maximum bytes of a foreign text that we copy into Text (58).
inline constexpr std::size_t text_bytes_max = 1024;

/// True if only the number for the final Logout is left.
[[nodiscard]] constexpr bool numbers_exhausted(const SessionState& state) noexcept {
  return state.next_outgoing >= sequence_max;
}

/// Phases in which messages are processed in sequence.
[[nodiscard]] constexpr bool in_session(Phase phase) noexcept {
  return phase == Phase::Active || phase == Phase::ResetSent || phase == Phase::LogoutSent;
}

/// True if a held message is next in sequence and may be processed.
[[nodiscard]] bool release_waits(const SessionState& state, const Hold& hold) noexcept;

// admin_messages.cpp: messages that we send. Each numbered one takes the next number, its place in
// the outbox and a PersistSent.

/// `test_id` without data: no 112. It is never shortened: read_test_id() has checked that it
/// fits.
void send_heartbeat(Turn& turn, std::string_view test_id) noexcept;
void send_test_request(Turn& turn) noexcept;
/// `to` = 0: open range.
void send_resend_request(Turn& turn, std::uint64_t from, std::uint64_t to) noexcept;
/// Not numbered: replaces messages from..next-1.
void send_gap_fill(Turn& turn, std::uint64_t from, std::uint64_t next) noexcept;
/// SequenceReset-Reset; not numbered.
void send_reset_to(Turn& turn, std::uint64_t next) noexcept;
void send_logout(Turn& turn, std::string_view text) noexcept;
/// The next two carry a number and consume none: they refuse a Logon without starting a session.
void send_unnumbered_logout(Turn& turn, std::uint64_t sequence, std::string_view text) noexcept;
void send_unnumbered_reject(Turn& turn, std::uint64_t sequence, const Incoming& in,
                            const Violation& violation) noexcept;
void send_logon(Turn& turn, bool reset, std::int64_t heartbeat_seconds,
                bool with_next_expected) noexcept;
void send_reject(Turn& turn, const Incoming& in, const Violation& violation) noexcept;
SendResult send_business_reject(Turn& turn, const wire::MessageView& message,
                                BusinessRejectReason reason, std::string_view text,
                                std::string_view reference) noexcept;
/// Digits of the times that we write. FIX.4.0 and 4.1 have no fractions of a second.
[[nodiscard]] wire::TimePrecision precision_of(const SessionOptions& options,
                                               Version version) noexcept;

/// Writes the present time. Inline, since a tag passed to a call is copied through memory.
[[gnu::always_inline]] inline void put_time(const Turn& turn, wire::Encoder& encoder,
                                            wire::Tag number) noexcept {
  encoder.utc_time(number, {turn.now.utc_ns, 0}, precision_of(turn.options, turn.version));
}

/// Writes the header of the next numbered message into `encoder`; `more` ascends by tag.
void begin_numbered(const Turn& turn, wire::Encoder& encoder, std::string_view type,
                    std::span<const ExtraHeaderField> more = {}) noexcept;

/// Assigns place, number and PersistSent to a finished message.
inline void place_numbered(SessionState& state, base::Now now, Out& out, std::string_view message,
                           bool has_secret = false) noexcept {
  const std::string_view placed = out.place(message);
  out.add(PersistSent{state.next_outgoing, placed, placed, has_secret});
  ++state.next_outgoing;
  state.last_sent_ns = now.steady_ns;
}

/// The same for a message that cannot be sent yet: it gets no place in the outbox.
void queue_numbered(const Turn& turn, std::string_view message, bool has_secret) noexcept;

// resent_message.cpp

/// Sends our message again, as stored, with 43=Y and 122.
[[nodiscard]] SentAgain send_again(Turn& turn, const wire::MessageView& stored) noexcept;

/// True if the outbox has room for an answer that repeats `bytes` of the peer's message, and for
/// everything else that one input may send.
[[nodiscard]] inline bool room_to_repeat(const Out& out, std::size_t bytes) noexcept {
  return bytes + Out::step_bytes <= out.room().size();
}

// sequence.cpp: numbers, gaps, held messages.

/// Handles a message on a session that is logged on.
void receive(Turn& turn, const Incoming& in) noexcept;
/// Handles a message that exceeds `max` of the quantity `limit`; `in` has its known part, at least
/// the header. The message consumes its number and is rejected; without a usable number, the
/// session ends.
void receive_beyond_limit(Turn& turn, const Incoming& in, Limit limit, std::uint64_t max) noexcept;
/// Processes the next held message.
void release_next(Turn& turn) noexcept;
/// Consumes the message: `expected_after` is the next number.
void consume(Turn& turn, const Incoming& in, std::uint64_t expected_after) noexcept;
/// Consumes and delivers the message.
void consume_and_deliver(Turn& turn, const Incoming& in, std::uint64_t expected_after) noexcept;
/// Notes that messages from next_expected to `sequence` may be missing, and sends a ResendRequest
/// unless one is open.
void note_gap(Turn& turn, std::uint64_t sequence) noexcept;
/// Notes a message that is in order: it closes an open ResendRequest that waits for it
/// (GapRequest::WhenSeen).
void note_in_order(Turn& turn, const Incoming& in) noexcept;
/// "MsgSeqNum too low, expecting X but received Y", in `text`.
inline constexpr std::size_t too_low_text_size = 96;
[[nodiscard]] std::string_view too_low_text(std::array<char, too_low_text_size>& text,
                                            std::uint64_t expected,
                                            std::uint64_t received) noexcept;
/// Call after an input: closes the gap, or requests its next piece.
void settle_gap(Turn& turn) noexcept;

// resend.cpp: requesting and answering.

void request_resend(Turn& turn) noexcept;
/// The peer has resent a message that is not next: requests the skipped ones at once, and not only
/// when the request expires. Once for each place in the gap.
void ask_for_skipped(Turn& turn, const Incoming& in) noexcept;
void take_resend_request(Turn& turn, const Incoming& in) noexcept;
/// Answers the request whatever its number, and consumes it if it is next.
void take_resend_request_of_any_number(Turn& turn, const Incoming& in) noexcept;
/// Answers a request that came ahead of a gap, without consuming it.
void answer_resend_request_ahead(Turn& turn, const Incoming& in) noexcept;
void start_replay(Turn& turn, std::uint64_t from, std::uint64_t to) noexcept;
[[nodiscard]] Progress replay_stored(Turn& turn, const wire::MessageView& stored) noexcept;
void end_replay(Turn& turn) noexcept;
/// Abandons the replay: the connection or the session ends.
void stop_replay(Turn& turn) noexcept;
/// Sends messages that were numbered after our Logon and before its answer.
void send_unsent(Turn& turn) noexcept;
/// The peer has every message up to `to`, or has been sent it: takes the queued ones off the
/// account.
void note_reached(SessionState& state, std::uint64_t to) noexcept;

// reset.cpp: numbers that begin at 1 again.

/// The numbers of queued messages have become unreachable: reports those that were not sent.
void lose_queued(SessionState& state, Out& out) noexcept;
[[nodiscard]] bool is_reset_mode(const Incoming& in) noexcept;
void take_sequence_reset(Turn& turn, const Incoming& in) noexcept;
void take_gap_fill(Turn& turn, const Incoming& in) noexcept;
/// Sends our Logon with 141=Y on a session that is logged on.
void start_reset(Turn& turn) noexcept;
void take_logon_in_session(Turn& turn, const Incoming& in) noexcept;
/// The same, once neither side misses a message, which a TestRequest verifies.
void want_reset(Turn& turn) noexcept;
/// Call after an input: sends the TestRequest or the Logon if it is time.
void advance_reset(Turn& turn) noexcept;
/// Handles the peer's Heartbeat with this TestReqID.
void confirm_reset(Turn& turn, std::uint64_t test_id) noexcept;
/// Handles the time-out of that TestRequest.
void tick_reset(Turn& turn) noexcept;
[[nodiscard]] std::int64_t reset_due(const SessionOptions& options,
                                     const SessionState& state) noexcept;
/// Repeats a reset that was begun on an earlier connection and may not have reached the peer.
void repeat_reset(Turn& turn) noexcept;

/// Expected number as a record stores it.
[[nodiscard]] constexpr std::uint64_t expected_to_persist(const SessionState& state) noexcept {
  return state.reset_open ? expected_unknown : state.next_expected;
}

/// Sets both numbers, and clears held messages, requests and replays.
void reset_numbers(Turn& turn, std::uint64_t next_outgoing, std::uint64_t next_expected) noexcept;

// logon.cpp

void send_first_logon(Turn& turn) noexcept;
void take_first_message(Turn& turn, const Incoming& in) noexcept;
void accept_logon(Turn& turn) noexcept;
void refuse_logon(Turn& turn, std::string_view text) noexcept;
/// HeartBtInt (108) of a Logon, or -1 when it is missing, no number or outside the limits.
[[nodiscard]] std::int64_t heartbeat_seconds_of(const Turn& turn,
                                                const wire::MessageView& message) noexcept;
/// True if SendingTime is present and within the tolerance.
[[nodiscard]] bool sending_time_right(const Turn& turn, const Incoming& in) noexcept;
/// Reports a wrong field of the identity and its value; the caller's log has the right one.
void report_wrong_id(Turn& turn, const Incoming& in, std::uint32_t wrong_tag) noexcept;
/// Tag of the first id that is not the session's, or 0.
[[nodiscard]] std::uint32_t find_wrong_id(const Turn& turn, const Incoming& in) noexcept;

// logout.cpp

void disconnect(Turn& turn, DisconnectReason reason) noexcept;
/// The peer's fault ends the session: Logout with `text`, then as FaultLogout says.
void force_logout(Turn& turn, std::string_view text) noexcept;
/// The same after a Reject that gave the reason.
void force_logout_after_reject(Turn& turn, std::string_view text) noexcept;
/// The same for a number that is too low.
void force_logout_too_low(Turn& turn, std::uint64_t received) noexcept;
void start_logout(Turn& turn, std::string_view text) noexcept;
void take_logout(Turn& turn, const Incoming& in) noexcept;
/// After a Logout, only the peer's Logout has an effect.
void receive_after_logout(Turn& turn, const Incoming& in) noexcept;

// heartbeat.cpp

void take_heartbeat(Turn& turn, const Incoming& in) noexcept;
void take_test_request(Turn& turn, const Incoming& in) noexcept;
/// Answers a TestRequest that came ahead of a gap, without consuming it.
void answer_test_request_ahead(Turn& turn, const Incoming& in) noexcept;
/// The same with a Heartbeat: it may be the answer to our TestRequest.
void take_answer_ahead(Turn& turn, const Incoming& in) noexcept;
void open_test(Turn& turn) noexcept;
/// TestReqID (112) of the open TestRequest, in `text` or static.
using TestIdText = std::array<char, 20>;
[[nodiscard]] std::string_view test_id_of(const Turn& turn, TestIdText& text) noexcept;
void tick(Turn& turn) noexcept;
[[nodiscard]] std::int64_t next_deadline(const SessionOptions& options,
                                         const SessionState& state) noexcept;

// reject.cpp

/// Sends the Reject, and consumes the message if it is next.
void reject(Turn& turn, const Incoming& in, const Violation& violation) noexcept;
/// Text (58) of the Reject.
[[nodiscard]] std::string_view text_of(const Turn& turn, const Violation& violation) noexcept;
/// True if the message has its original time, or needs none: a SequenceReset is not a resent
/// message itself, and many engines omit its 122; see also RepeatedResendRequest.
[[nodiscard]] bool needs_original_time(const Turn& turn, const Incoming& in) noexcept;
/// Sends the Reject without consuming the number.
void reject_only(Turn& turn, const Incoming& in, const Violation& violation) noexcept;
/// Reads an integer field; nullopt: it was missing or malformed, and a Reject was sent.
[[nodiscard]] std::optional<std::int64_t> read_number(Turn& turn, const Incoming& in,
                                                      std::uint32_t number) noexcept;
/// Finds a violation in a message that is next in sequence, among the rules that are checked after
/// the number, with or without a dictionary.
[[nodiscard]] std::optional<Violation> find_violation(const Turn& turn,
                                                      const Incoming& in) noexcept;
/// Violation of a header field with a valid form and an unacceptable value; the options decide
/// whether it names the tag.
[[nodiscard]] Violation header_violation(const Turn& turn, RejectReason reason,
                                         std::uint32_t number) noexcept;
/// Returns the validator's result for the message, or Pass without a validator.
[[nodiscard]] Validation ask_validator(const Turn& turn, const Incoming& in) noexcept;
/// Adds the default text for the reason if there is none; reports a warning at once.
[[nodiscard]] Validation noted(const Turn& turn, const Incoming& in, Validation word) noexcept;
/// Carries out the result, for example sends its Reject. True: the message is finished.
[[nodiscard]] bool rejected_by(Turn& turn, const Incoming& in, const Validation& word) noexcept;
/// Checks a message that is next in sequence, the validator last. True: rejected and finished.
[[nodiscard]] bool rejected(Turn& turn, const Incoming& in) noexcept;
/// The same for a message with any number, for ValidationPlace::BeforeNumber. Then only the rules
/// for possible duplicates are left for rejected().
[[nodiscard]] bool rejected_before_number(Turn& turn, const Incoming& in) noexcept;

// throttle.cpp

/// ThrottleAction::Wait without room for this message yet: the caller must not process it.
[[nodiscard]] bool must_wait(Turn& turn, const Incoming& in) noexcept;
/// Counts a message that is processed now. True: it exceeds the limit, and is finished.
[[nodiscard]] bool refused_by_throttle(Turn& turn, const Incoming& in) noexcept;
/// Does the same for a message that came ahead of a gap. True: the session has ended.
[[nodiscard]] bool ended_by_throttle(Turn& turn, const Incoming& in) noexcept;
/// True if the message must be held, and rejected later in its turn.
[[nodiscard]] bool over_limit_ahead(const Turn& turn, const Incoming& in) noexcept;
/// Counts the message as one that is held.
void count_held(Turn& turn, const Incoming& in) noexcept;
/// Time for which the peer's messages have waited unread because of our limit, without a break; 0:
/// none waits.
[[nodiscard]] std::int64_t backlog_ns(const Turn& turn) noexcept;
/// While a message waits, none of the peer's is read, so none can be late.
void excuse_silence(Turn& turn) noexcept;

// unread.cpp

/// True if messages that lay unread during the last pause of reading may still come.
[[nodiscard]] bool is_recent(const UnreadState& unread, const SessionOptions& options,
                             base::Now now) noexcept;
/// Time for which the peer's messages may have lain unread because the caller did not read; 0: none
/// has.
[[nodiscard]] std::int64_t unread_ns(const Turn& turn) noexcept;
/// While the caller does not read, whatever the session waits for may lie unread.
void excuse_unread(SessionState& state, base::Now now) noexcept;

// garbled.cpp

/// Reason why the bytes are no message, as static text; empty when they are one.
[[nodiscard]] std::string_view garbled_text(const Practice& practice,
                                            const wire::MessageView& message) noexcept;
/// True if it has more fields than the index but is valid: length and checksum are right.
[[nodiscard]] bool has_too_many_fields_only(const wire::MessageView& message) noexcept;

}  // namespace affix::inline v0::session
