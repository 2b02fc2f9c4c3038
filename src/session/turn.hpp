// SPDX-License-Identifier: MIT
// What every rule of the protocol works on during one input: the session's parts, the time, the
// place for answers. Below it the rules, one group per file of this folder, all free functions over
// a Turn.
#pragma once

#include "affix/base/time.hpp"
#include "affix/session/admin.hpp"
#include "affix/session/header_shapes.hpp"
#include "affix/session/hold.hpp"
#include "affix/session/memory.hpp"
#include "affix/session/options.hpp"
#include "affix/session/out.hpp"
#include "affix/session/secrets.hpp"
#include "affix/session/session.hpp"
#include "affix/session/state.hpp"
#include "affix/wire/encoder.hpp"
#include "affix/wire/timestamp.hpp"
#include "affix/wire/view.hpp"

#include "session/header.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace affix::inline v0::session {

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

/// A message being judged.
struct Incoming {
  const wire::MessageView& message;
  Header header;
  bool released = false;    ///< It comes out of the hold.
  bool over_limit = false;  ///< It was one too many when it was put there.
};

/// Why a message is answered with Reject. `reason` is 373; 371 is `tag` when it has one.
struct Violation {
  RejectReason reason = RejectReason::Other;
  std::int64_t tag = 0;
  bool has_tag = false;
  std::string_view text;  ///< Empty: the reason's own.
};

enum class SentAgain : std::uint8_t { Sent, NoRoom, Impossible };

/// Largest sequence number: what 34 may be on every platform of every counterparty.
inline constexpr std::uint64_t sequence_max = 0x7FFF'FFFF'FFFF'FFFF;

/// Longest text (58) taken from elsewhere into a message of ours.
inline constexpr std::size_t text_bytes_max = 1024;

/// The last number is kept for the Logout that says that there are no more.
[[nodiscard]] constexpr bool numbers_exhausted(const SessionState& state) noexcept {
  return state.next_outgoing >= sequence_max;
}

/// Phases in which messages are taken in sequence.
[[nodiscard]] constexpr bool in_session(Phase phase) noexcept {
  return phase == Phase::Active || phase == Phase::ResetSent || phase == Phase::LogoutSent;
}

/// Held messages are next in sequence, and may be taken.
[[nodiscard]] bool release_waits(const SessionState& state, const Hold& hold) noexcept;

// admin_messages.cpp: what we send. Each numbered one takes the next number, its place in the
// outbox and a PersistSent.

/// `test_id` without data is none. It is there in full or not at all: read_test_id() has seen to it
/// that it fits.
void send_heartbeat(Turn& turn, std::string_view test_id) noexcept;
void send_test_request(Turn& turn) noexcept;
/// `to` = 0: without end.
void send_resend_request(Turn& turn, std::uint64_t from, std::uint64_t to) noexcept;
/// Not numbered: stands in the place of from..next-1.
void send_gap_fill(Turn& turn, std::uint64_t from, std::uint64_t next) noexcept;
/// SequenceReset-Reset; not numbered.
void send_reset_to(Turn& turn, std::uint64_t next) noexcept;
void send_logout(Turn& turn, std::string_view text) noexcept;
/// These two carry a number and take none: what refuses a Logon without starting a session.
void send_unnumbered_logout(Turn& turn, std::uint64_t sequence, std::string_view text) noexcept;
void send_unnumbered_reject(Turn& turn, std::uint64_t sequence, const Incoming& in,
                            const Violation& violation) noexcept;
void send_logon(Turn& turn, bool reset, std::int64_t heartbeat_seconds,
                bool with_next_expected) noexcept;
void send_reject(Turn& turn, const Incoming& in, const Violation& violation) noexcept;
SendResult send_business_reject(Turn& turn, const wire::MessageView& message,
                                BusinessRejectReason reason, std::string_view text,
                                std::string_view reference) noexcept;
/// Digits of the times we write. FIX.4.0 and 4.1 know no fractions of a second.
[[nodiscard]] wire::TimePrecision precision_of(const SessionOptions& options,
                                               Version version) noexcept;

/// The time of now. In line, since a tag that is handed over is copied through memory.
[[gnu::always_inline]] inline void put_time(const Turn& turn, wire::Encoder& encoder,
                                            wire::Tag number) noexcept {
  encoder.utc_time(number, {turn.now.utc_ns, 0}, precision_of(turn.options, turn.version));
}

/// Header of the next numbered message into `encoder`; `more` ascends by tag.
void begin_numbered(const Turn& turn, wire::Encoder& encoder, std::string_view type,
                    std::span<const ExtraHeaderField> more = {}) noexcept;

/// Place, number and PersistSent for a finished message.
inline void place_numbered(SessionState& state, base::Now now, Out& out, std::string_view message,
                           bool has_secret = false) noexcept {
  const std::string_view placed = out.place(message);
  out.add(PersistSent{state.next_outgoing, placed, placed, has_secret});
  ++state.next_outgoing;
  state.last_sent_ns = now.steady_ns;
}

/// The same while it cannot be sent: it has no place in the outbox.
void queue_numbered(const Turn& turn, std::string_view message, bool has_secret) noexcept;

// resent_message.cpp

/// Our message again, as stored, with 43=Y and 122.
[[nodiscard]] SentAgain send_again(Turn& turn, const wire::MessageView& stored) noexcept;

/// The outbox has room for an answer that repeats `bytes` of theirs, and for all else that one
/// input may send.
[[nodiscard]] inline bool room_to_repeat(const Out& out, std::size_t bytes) noexcept {
  return bytes + Out::step_bytes <= out.room().size();
}

// sequence.cpp: numbers, gaps, what is held.

/// A message in session, from the connection.
void receive(Turn& turn, const Incoming& in) noexcept;
/// One in session that is larger than `max` of what `limit` names; the message at hand is what of
/// it is known, its header at least. It takes its number and is rejected in words; what cannot be
/// numbered ends the session.
void receive_beyond_limit(Turn& turn, const Incoming& in, Limit limit, std::uint64_t max) noexcept;
/// The next held message.
void release_next(Turn& turn) noexcept;
/// The message is done with: `expected_after` is next.
void consume(Turn& turn, const Incoming& in, std::uint64_t expected_after) noexcept;
/// consume, then Deliver.
void consume_and_deliver(Turn& turn, const Incoming& in, std::uint64_t expected_after) noexcept;
/// Notes that everything from next_expected to `sequence` may be missing, and asks unless that is
/// done already.
void note_gap(Turn& turn, std::uint64_t sequence) noexcept;
/// The message was found in order: if it brings what an open ResendRequest waits for, that is no
/// longer open (GapRequest::WhenSeen).
void note_in_order(Turn& turn, const Incoming& in) noexcept;
/// "MsgSeqNum too low, expecting X but received Y", in `text`.
inline constexpr std::size_t too_low_text_size = 96;
[[nodiscard]] std::string_view too_low_text(std::array<char, too_low_text_size>& text,
                                            std::uint64_t expected,
                                            std::uint64_t received) noexcept;
/// After an input: is the gap closed, is its next piece to be asked for?
void settle_gap(Turn& turn) noexcept;

// resend.cpp: asking and answering.

void request_resend(Turn& turn) noexcept;
/// They sent a message again that is not next: what they left out is asked for at once, and not
/// only when the request expires. Once for each place in the gap.
void ask_for_skipped(Turn& turn, const Incoming& in) noexcept;
void take_resend_request(Turn& turn, const Incoming& in) noexcept;
/// Answers it whatever its number, and counts it if it is next.
void take_resend_request_of_any_number(Turn& turn, const Incoming& in) noexcept;
/// The same for one that came ahead of a gap: answered, not consumed.
void answer_resend_request_ahead(Turn& turn, const Incoming& in) noexcept;
void start_replay(Turn& turn, std::uint64_t from, std::uint64_t to) noexcept;
[[nodiscard]] Progress replay_stored(Turn& turn, const wire::MessageView& stored) noexcept;
void end_replay(Turn& turn) noexcept;
/// The connection or the session ends in the middle of it.
void stop_replay(Turn& turn) noexcept;
/// What was numbered behind our Logon, before there was an answer to it, goes out now.
void send_unsent(Turn& turn) noexcept;

// reset.cpp: numbers that start over.

[[nodiscard]] bool is_reset_mode(const Incoming& in) noexcept;
void take_sequence_reset(Turn& turn, const Incoming& in) noexcept;
void take_gap_fill(Turn& turn, const Incoming& in) noexcept;
/// Our Logon with 141=Y in mid-session.
void start_reset(Turn& turn) noexcept;
void take_logon_in_session(Turn& turn, const Incoming& in) noexcept;
/// The same once nothing is missing on either side, which a TestRequest is to show.
void want_reset(Turn& turn) noexcept;
/// After an input: is it time for the TestRequest, or for the Logon?
void advance_reset(Turn& turn) noexcept;
/// Their Heartbeat with this TestReqID came.
void confirm_reset(Turn& turn, std::uint64_t test_id) noexcept;
/// The TestRequest has not been answered for too long.
void tick_reset(Turn& turn) noexcept;
[[nodiscard]] std::int64_t reset_due(const SessionOptions& options,
                                     const SessionState& state) noexcept;
/// A reset that was begun on an earlier connection and may not have reached them begins anew.
void repeat_reset(Turn& turn) noexcept;

/// The expected number for a record.
[[nodiscard]] constexpr std::uint64_t expected_to_persist(const SessionState& state) noexcept {
  return state.reset_open ? expected_unknown : state.next_expected;
}

/// Both numbers as given, nothing held, nothing asked for, nothing to resend.
void reset_numbers(Turn& turn, std::uint64_t next_outgoing, std::uint64_t next_expected) noexcept;

// logon.cpp

void send_first_logon(Turn& turn) noexcept;
void take_first_message(Turn& turn, const Incoming& in) noexcept;
void accept_logon(Turn& turn) noexcept;
void refuse_logon(Turn& turn, std::string_view text) noexcept;
/// 108 of a Logon, or -1 when it is missing, no number or outside the limits.
[[nodiscard]] std::int64_t heartbeat_seconds_of(const Turn& turn,
                                                const wire::MessageView& message) noexcept;
/// SendingTime is there and within the tolerance.
[[nodiscard]] bool sending_time_right(const Turn& turn, const Incoming& in) noexcept;
/// That a field of the identity is wrong, and what it is; the caller's log knows what it should be.
void report_wrong_id(Turn& turn, const Incoming& in, std::uint32_t wrong_tag) noexcept;
[[nodiscard]] bool identity_right(const Turn& turn, const Incoming& in,
                                  std::uint32_t& wrong_tag) noexcept;

// logout.cpp

void disconnect(Turn& turn, DisconnectReason reason) noexcept;
/// A fault of theirs ends the session: Logout with `text`, then as FaultLogout says.
void force_logout(Turn& turn, std::string_view text) noexcept;
/// The same behind a Reject, which has said why.
void force_logout_after_reject(Turn& turn, std::string_view text) noexcept;
/// The same for a number that is too low.
void force_logout_too_low(Turn& turn, std::uint64_t received) noexcept;
void start_logout(Turn& turn, std::string_view text) noexcept;
void take_logout(Turn& turn, const Incoming& in) noexcept;
/// What comes after a Logout is only looked at for theirs.
void receive_after_logout(Turn& turn, const Incoming& in) noexcept;

// heartbeat.cpp

void take_heartbeat(Turn& turn, const Incoming& in) noexcept;
void take_test_request(Turn& turn, const Incoming& in) noexcept;
/// The same for one that came ahead of a gap: answered, not consumed.
void answer_test_request_ahead(Turn& turn, const Incoming& in) noexcept;
void open_test(Turn& turn) noexcept;
/// The 112 of the TestRequest that is open, in `text` or static.
using TestIdText = std::array<char, 20>;
[[nodiscard]] std::string_view test_id_of(const Turn& turn, TestIdText& text) noexcept;
void tick(Turn& turn) noexcept;
[[nodiscard]] std::int64_t next_deadline(const SessionOptions& options,
                                         const SessionState& state) noexcept;

// reject.cpp

/// Consumes the message if it is next, and sends the Reject.
void reject(Turn& turn, const Incoming& in, const Violation& violation) noexcept;
/// 58 of the Reject.
[[nodiscard]] std::string_view text_of(const Turn& turn, const Violation& violation) noexcept;
/// It tells when it was sent first, or need not: a SequenceReset is no resent message of its own,
/// and many engines leave its 122 out; see also RepeatedResendRequest.
[[nodiscard]] bool needs_original_time(const Turn& turn, const Incoming& in) noexcept;
/// Sends the Reject and leaves the number.
void reject_only(Turn& turn, const Incoming& in, const Violation& violation) noexcept;
/// An integer field, or the Reject that its absence or form deserves (false).
[[nodiscard]] bool read_number(Turn& turn, const Incoming& in, std::uint32_t number,
                               std::int64_t& value) noexcept;
/// What a message next in sequence has against it, dictionary or not, and was not found before its
/// number was looked at. False: nothing.
[[nodiscard]] bool find_violation(const Turn& turn, const Incoming& in,
                                  Violation& violation) noexcept;
/// The violation that a header field of a valid form and an unacceptable value is, with or without
/// its tag as the options want.
[[nodiscard]] Violation header_violation(const Turn& turn, RejectReason reason,
                                         std::uint32_t number) noexcept;
/// What the validator says of the message. Pass without one.
[[nodiscard]] Validation ask_validator(const Turn& turn, const Incoming& in) noexcept;
/// Its word with the reason's own text where it has none; a warning is reported at once.
[[nodiscard]] Validation noted(const Turn& turn, const Incoming& in, Validation word) noexcept;
/// Carries that word out, its Reject for one. True: the message is done with.
[[nodiscard]] bool rejected_by(Turn& turn, const Incoming& in, const Validation& word) noexcept;
/// Judges a message next in sequence, the validator last. True: it was rejected and is done with.
[[nodiscard]] bool rejected(Turn& turn, const Incoming& in) noexcept;
/// The same whatever its number, for ValidationPlace::BeforeNumber. rejected() has then only the
/// possible-duplicate rules left.
[[nodiscard]] bool rejected_before_number(Turn& turn, const Incoming& in) noexcept;

// throttle.cpp

/// ThrottleAction::Wait, and there is no room for this message yet: nothing is to be done with it.
[[nodiscard]] bool must_wait(Turn& turn, const Incoming& in) noexcept;
/// Counts a message that is taken now. True: it is one too many, and is done with.
[[nodiscard]] bool refused_by_throttle(Turn& turn, const Incoming& in) noexcept;
/// The same of one that came ahead of a gap. True: the session is over.
[[nodiscard]] bool ended_by_throttle(Turn& turn, const Incoming& in) noexcept;
/// It is to be held, and rejected when its turn comes.
[[nodiscard]] bool over_limit_ahead(const Turn& turn, const Incoming& in) noexcept;
/// What it is counted as once it is held.
void count_held(Turn& turn, const Incoming& in) noexcept;
/// How long messages of theirs have been waiting to be read, on our account, without a break; 0:
/// they are not.
[[nodiscard]] std::int64_t backlog_ns(const Turn& turn) noexcept;
/// While a message waits nothing of theirs is read, so nothing can be late.
void excuse_silence(Turn& turn) noexcept;

// garbled.cpp

/// Why the message is none, as static text; empty when it is one.
[[nodiscard]] std::string_view garbled_text(const Practice& practice,
                                            const wire::MessageView& message) noexcept;
/// It has more fields than its index, and is a message all the same: length and sum are right.
[[nodiscard]] bool has_too_many_fields_only(const wire::MessageView& message) noexcept;

}  // namespace affix::inline v0::session
