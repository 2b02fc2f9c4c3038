// SPDX-License-Identifier: MIT
// The FIX session protocol as a state machine: bytes and time in, actions out. Knows no socket,
// file, clock, thread or heap; the same inputs give the same outputs. One thread at a time.
//   A  state(), next_sender_seq(), next_target_seq(), deadline()    getters
//   B  on_connected, on_message, on_time, ...                       inputs from outside
//   C  begin/commit, send, logout, reset, test_peer, ...            commands of the application
#pragma once

#include "affix/base/time.hpp"
#include "affix/session/events.hpp"
#include "affix/session/extra_header_field.hpp"
#include "affix/session/header_shapes.hpp"
#include "affix/session/hold.hpp"
#include "affix/session/memory.hpp"
#include "affix/session/options.hpp"
#include "affix/session/out.hpp"
#include "affix/session/recent_second.hpp"
#include "affix/session/secrets.hpp"
#include "affix/session/state.hpp"
#include "affix/session/throttle.hpp"
#include "affix/wire/encoder.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/prepared.hpp"
#include "affix/wire/view.hpp"

#include <cstdint>
#include <expected>
#include <span>
#include <string_view>

namespace affix::inline v0::session {

/// What the caller does after an input.
enum class Progress : std::uint8_t {
  Done,     ///< Carry out the actions; nothing else.
  More,     ///< Carry out the actions, then call on_ready: messages wait to be released.
  Blocked,  ///< Nothing was done with this input: give it again later (actions carried out, bytes
            ///< sent, on_ready called, the Logon answered, or throttled() no more; whichever is
            ///< open).
};

/// The number a message got, or why there is none. After an error nothing has changed. In a phase
/// other than Active the message is queued: stored, and sent after the next Logon.
using SendResult = std::expected<std::uint64_t, SendError>;

struct Turn;

/// What of a message the caller has a limit on.
enum class Limit : std::uint8_t { Bytes, Fields };

/// One session of one identity, over as many connections as it lives.
///
/// Order of calls: on_connected, then messages and time, then on_disconnected, and again. Restore
/// `state`'s two numbers before the first on_connected. The caller passes the same `Out` to all
/// calls of one connection and carries out its actions after each. `now.steady_ns` is that of one
/// steady clock; a smaller one than before does no harm.
class Session {
 public:
  /// All three outlive the session; `options` is unchanged meanwhile and has no option_fault().
  /// O(header bytes).
  Session(const SessionOptions& options, SessionState& state, const SessionMemory& memory) noexcept;

  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Its memory, when it is not the same for life.

  /// Whether nothing is in its memory, so that it may have another: no held message, and no Logon
  /// that waits for its answer. O(1).
  [[nodiscard]] bool memory_unused() const noexcept {
    return hold_.empty() && state_->phase != Phase::LogonPending;
  }

  /// Works in `memory` from now on. Only while memory_unused().
  void use_memory(const SessionMemory& memory) noexcept;

  // A: getters.

  [[nodiscard]] const SessionOptions& options() const noexcept { return *options_; }

  [[nodiscard]] const SessionState& state() const noexcept { return *state_; }

  [[nodiscard]] Phase phase() const noexcept { return state_->phase; }

  [[nodiscard]] std::uint64_t next_sender_seq() const noexcept { return state_->next_outgoing; }

  [[nodiscard]] std::uint64_t next_target_seq() const noexcept { return state_->next_expected; }

  /// Steady time at which on_time must be called, at the latest; no_deadline when there is no such
  /// time. O(1).
  [[nodiscard]] std::int64_t deadline() const noexcept;

  /// Held messages are next in sequence: call on_ready.
  [[nodiscard]] bool release_waits() const noexcept;

  /// A message of theirs waits for room within `throttle_limit`: reading on is of no use until
  /// on_time was called at the deadline. The peer does not count as silent meanwhile.
  [[nodiscard]] bool throttled() const noexcept {
    return state_->throttle.until_ns != no_deadline && state_->phase == Phase::Active;
  }

  // B: inputs from outside.

  /// A connection is up. An initiator's Logon goes out.
  void on_connected(base::Now now, Out& out) noexcept;

  /// One framed and indexed message. `message` lives until the actions are carried out. A message
  /// whose index has a defect is taken as on_garbled.
  [[nodiscard]] Progress on_message(const wire::MessageView& message, base::Now now,
                                    Out& out) noexcept;

  /// Bytes that are no message, or a message with a defect: ignored in a session, the end before a
  /// Logon. `what` is static text.
  void on_garbled(std::string_view what, base::Now now, Out& out) noexcept;

  /// A message that is whole and larger than the caller takes: `head` is its beginning up to the
  /// end of a field, `bytes_max` the caller's limit. In session the peer is told in words, by a
  /// Reject that takes the message's number, or by a Logout when it has none to take; before a
  /// Logon this is on_garbled(). One with too many fields for its index is found by on_message()
  /// itself.
  void on_too_large(const wire::MessageView& head, std::uint64_t bytes_max, base::Now now,
                    Out& out) noexcept;

  /// The connection is gone, whoever ended it. The rest of the outbox is the caller's to forget.
  void on_disconnected(base::Now now, Out& out) noexcept;

  /// Time has passed: heartbeats, test requests, time-outs, resend requests asked again.
  void on_time(base::Now now, Out& out) noexcept;

  /// Goes on after More: releases the next held message.
  [[nodiscard]] Progress on_ready(base::Now now, Out& out) noexcept;

  /// One of the messages a Replay asked for, as it was stored, ascending. Application messages go
  /// out again, session messages become gap fills. To veto one message's resend, leave it out.
  /// Ignored when no replay is under way.
  [[nodiscard]] Progress on_replayed(const wire::MessageView& stored, base::Now now,
                                     Out& out) noexcept;

  /// All messages of the Replay were given (or could not be read: what is missing is gap-filled).
  [[nodiscard]] Progress on_replay_end(base::Now now, Out& out) noexcept;

  /// The message that on_message() said Blocked to is taken when the outbox is empty, as its answer
  /// may be too long for what is left.
  [[nodiscard]] bool awaits_room() const noexcept { return awaits_room_; }

  /// Whether a Replay is under way. False after a disconnect: stop reading then.
  [[nodiscard]] bool replaying() const noexcept { return state_->replay.to != 0; }

  // Answers to LogonRequested; in another phase they do nothing. More is possible as after
  // on_message.

  [[nodiscard]] Progress accept_logon(base::Now now, Out& out) noexcept;

  /// `text` becomes the Logout's 58; empty: close without a word.
  void refuse_logon(std::string_view text, base::Now now, Out& out) noexcept;

  // C: commands of the application.

  /// Begins a message in the outbox: the encoder stands behind the header (35, 49, 56, 34, 52 and
  /// the options' fields are written). Nothing else of this session is called before commit; a
  /// message that is never committed leaves no trace. When nothing may be sent the encoder has no
  /// room, and commit says why. One call and a copy, so that the caller's encoder can live in
  /// registers.
  [[nodiscard]] wire::Encoder begin(std::string_view type, base::Now now, Out& out) noexcept {
    open(type, {}, now, out);
    return encoder_;
  }

  /// The same with further header fields, ascending by tag.
  [[nodiscard]] wire::Encoder begin(std::string_view type, std::span<const ExtraHeaderField> header,
                                    base::Now now, Out& out) noexcept {
    open(type, header, now, out);
    return encoder_;
  }

  /// Finishes the message of the last begin(): number, outbox and PersistSent in one step.
  [[nodiscard, gnu::always_inline]] SendResult commit(wire::Encoder& encoder, base::Now now,
                                                      Out& out) noexcept {
    return close(encoder.finish(), now, out);
  }

  /// The same with what finish() gave: for callers whose encoder is to stay in registers.
  [[nodiscard]] SendResult commit(wire::EncodedMessage finished, base::Now now, Out& out) noexcept {
    return close(finished, now, out);
  }

  /// Instead of commit(): does to code and memory what commit() would, and takes everything back.
  /// The state, the outbox and the actions are as they were before begin(). What would have been
  /// placed; empty when commit() would have refused. The view lives until the next call.
  [[nodiscard]] std::string_view rehearse(wire::EncodedMessage finished, base::Now now,
                                          Out& out) noexcept;

  /// begin, the encoded run of `tag=value SOH` in `fields`, commit.
  [[nodiscard]] SendResult send(std::string_view type, std::string_view fields, base::Now now,
                                Out& out) noexcept;

  /// Begins a message of `type` in `buffer`, the caller's own, with this session's header: the
  /// draft of a prepared message. Its 34 and 52 are place holders. Takes no number; in any phase.
  /// `buffer` outlives the encoder.
  [[nodiscard]] wire::Encoder draft(std::string_view type, std::span<char> buffer,
                                    base::Now now) noexcept;

  /// Sends a prepared message whose slots `sequence_slot` and `time_slot` are its 34 and 52: sets
  /// both, then copies the message to the outbox. `prepared` can be used again at once.
  [[nodiscard]] SendResult send_prepared(wire::PreparedMessage& prepared,
                                         std::uint32_t sequence_slot, std::uint32_t time_slot,
                                         base::Now now, Out& out) noexcept;

  /// Reject on the business level (35=j; 35=3 up to FIX.4.1) of `message`, which was delivered.
  /// `reference` is 379. RejectOfReject when the message is a reject itself.
  [[nodiscard]] SendResult reject_business(const wire::MessageView& message,
                                           BusinessRejectReason reason, std::string_view text,
                                           std::string_view reference, base::Now now,
                                           Out& out) noexcept;

  /// Logout with `text` (may be empty), then their answer is awaited.
  [[nodiscard]] std::expected<void, SendError> logout(std::string_view text, base::Now now,
                                                      Out& out) noexcept;

  /// In session: Logon with 141=Y, both numbers start over, when ResetStart says. Disconnected:
  /// both numbers to 1.
  [[nodiscard]] std::expected<void, SendError> reset(base::Now now, Out& out) noexcept;

  /// TestRequest now.
  [[nodiscard]] std::expected<void, SendError> test_peer(base::Now now, Out& out) noexcept;

  /// SequenceReset-Reset: our next message has `next_outgoing`, which is not below what it was.
  [[nodiscard]] std::expected<void, SendError> send_sequence_reset(std::uint64_t next_outgoing,
                                                                   base::Now now,
                                                                   Out& out) noexcept;

  /// By an operator's hand, in any phase, without telling the peer. 0 is not accepted (false).
  bool set_next_outgoing(std::uint64_t sequence, Out& out) noexcept;
  bool set_next_expected(std::uint64_t sequence, Out& out) noexcept;

 private:
  void open(std::string_view type, std::span<const ExtraHeaderField> header, base::Now now,
            Out& out) noexcept;
  [[nodiscard]] SendResult close(wire::EncodedMessage finished, base::Now now, Out& out) noexcept;
  [[nodiscard]] std::expected<void, SendError> may_send_message(const Out& out) const noexcept;
  /// Number, place and PersistSent for a finished message in the outbox's room.
  [[nodiscard]] SendResult take(std::string_view message, TypeSecrets secrets, base::Now now,
                                Out& out) noexcept;
  [[nodiscard]] Turn turn(base::Now now, Out& out) noexcept;
  /// Takes an ordinary message, next in sequence, as the rules would. False: nothing was done, and
  /// it is theirs to judge. ordinary.cpp.
  [[nodiscard]] bool take_ordinary(const wire::MessageView& message, base::Now now,
                                   Out& out) noexcept;
  /// Of whatever phase.
  void take_beyond_limit(const wire::MessageView& message, Limit limit, std::uint64_t max,
                         base::Now now, Out& out) noexcept;
  /// What take_ordinary() left.
  [[nodiscard]] Progress take_any(const wire::MessageView& message, base::Now now,
                                  Out& out) noexcept;
  /// SendingTime is good, and within the tolerance whatever its fraction of a second.
  [[nodiscard]] bool is_of_now(std::string_view sending_time, base::Now now) noexcept;
  /// False when it is no time.
  [[nodiscard]] bool learn_second(std::string_view sending_time) noexcept;

  const SessionOptions* options_;
  SessionState* state_;
  SessionMemory memory_;
  Hold hold_;
  HeaderShapes shapes_;
  RecentSecond second_;
  Version version_;
  /// What the message begun has against being sent.
  std::expected<void, SendError> begun_ = std::unexpected(SendError::NotLoggedOn);
  bool awaits_room_ = false;  ///< For the answer to the message that comes next.
  TypeSecrets begun_secrets_ = TypeSecrets::None;  ///< Of its type.
  wire::Encoder encoder_{std::span<char>()};
  wire::TimeStampCache stamps_;
  wire::HeaderTemplate header_;  ///< 49, 56, sub and location ids and the static fields.
  Throttle throttle_;            ///< Of what is received; over all connections.
};

}  // namespace affix::inline v0::session
