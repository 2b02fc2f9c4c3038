// SPDX-License-Identifier: MIT
// The FIX session protocol as a state machine: bytes and time in, actions out. Uses no socket,
// file, clock, thread or heap, and is deterministic. One thread at a time.
//   A  state(), next_sender_seq(), next_target_seq(), deadline()    getters
//   B  on_connected, on_message, on_time, ...                       inputs from outside
//   C  begin/commit, send, logout, reset, test_peer, ...            commands of the application
#pragma once

#include "affix/base/time.hpp"
#include "affix/session/calls.hpp"
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

struct Turn;

/// One session of one identity, over any number of connections.
///
/// Order of calls: on_connected, messages and time, on_disconnected, then again. Restore the two
/// numbers of `state` before the first on_connected. Pass the same `Out` to all calls of one
/// connection and carry out its actions after each call. `now.steady_ns` comes from one steady
/// clock; a value below the previous one does no harm.
class Session {
 public:
  /// All three must outlive the session. `options` must not change meanwhile and must have no
  /// option_fault(). O(header bytes).
  Session(const SessionOptions& options, SessionState& state, const SessionMemory& memory) noexcept;

  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Memory that may be exchanged at run time.

  /// True if the memory is unused and can be replaced: no held message, and no Logon that waits for
  /// its answer. O(1).
  [[nodiscard]] bool memory_unused() const noexcept {
    return hold_.empty() && state_->phase != Phase::LogonPending;
  }

  /// Uses `memory` from now on. Only while memory_unused().
  void use_memory(const SessionMemory& memory) noexcept;

  // A: getters.

  [[nodiscard]] const SessionOptions& options() const noexcept { return *options_; }

  [[nodiscard]] const SessionState& state() const noexcept { return *state_; }

  [[nodiscard]] Phase phase() const noexcept { return state_->phase; }

  [[nodiscard]] std::uint64_t next_sender_seq() const noexcept { return state_->next_outgoing; }

  [[nodiscard]] std::uint64_t next_target_seq() const noexcept { return state_->next_expected; }

  /// Steady time by which on_time must be called; no_deadline if no timer runs.
  /// O(1).
  [[nodiscard]] std::int64_t deadline() const noexcept;

  /// True if held messages are next in sequence: call on_ready.
  [[nodiscard]] bool release_waits() const noexcept;

  /// True while a received message is delayed by `throttle_limit`: read no more input until on_time
  /// was called at the deadline. The peer does not count as silent meanwhile.
  [[nodiscard]] bool throttled() const noexcept {
    return state_->throttle.until_ns != no_deadline && state_->phase == Phase::Active;
  }

  // B: inputs from outside.

  /// A connection is established. An initiator sends its Logon.
  void on_connected(base::Now now, Out& out) noexcept;

  /// The connection of an earlier process of this session goes on, logged on. Restore the numbers
  /// before, as for on_connected. Sends a TestRequest, whose answer shows what that process had
  /// read and not stored, and continues the replay.
  void on_continued(const ContinuedState& before, base::Now now, Out& out) noexcept;

  /// Answers a stored message of the peer whose answer that process may not have sent: a
  /// TestRequest, a ResendRequest or a Logout. Others have no effect. After on_continued, in the
  /// order of their numbers; a second answer does no harm.
  void answer_again(const wire::MessageView& stored, base::Now now, Out& out) noexcept;

  /// Processes one framed and indexed message. `message` must live until the actions are carried
  /// out. If its index has a defect, does the same as on_garbled.
  [[nodiscard]] Progress on_message(const wire::MessageView& message, base::Now now,
                                    Out& out) noexcept;

  /// Reports bytes that are no valid message: ignored while logged on; before a Logon they end the
  /// connection. `what` is static text.
  void on_garbled(std::string_view what, base::Now now, Out& out) noexcept;

  /// Reports a complete message larger than the caller accepts: `head` is its beginning up to the
  /// end of a field, `bytes_max` the caller's limit. While logged on, the session sends a Reject
  /// that consumes the message's number, or a Logout if the message has none; before a Logon it
  /// does the same as on_garbled(). on_message() detects messages with too many fields for the
  /// index.
  void on_too_large(const wire::MessageView& head, std::uint64_t bytes_max, base::Now now,
                    Out& out) noexcept;

  /// The connection is closed, by either side. The caller discards the rest of the outbox.
  void on_disconnected(base::Now now, Out& out) noexcept;

  /// The caller reads no input until on_reading_resumed(), for a reason of its own: what the peer
  /// sends meanwhile lies unread. The peer therefore does not count as silent, requests and a
  /// reset of ours do not expire, and messages do not become too old. Repeated calls have no
  /// effect.
  void on_reading_paused(base::Now now) noexcept;

  /// Ends that pause; ignored if there is none.
  void on_reading_resumed(base::Now now) noexcept;

  /// Processes timers: heartbeats, test requests, time-outs, repeated resend requests.
  void on_time(base::Now now, Out& out) noexcept;

  /// Continues after More: releases the next held message.
  [[nodiscard]] Progress on_ready(base::Now now, Out& out) noexcept;

  /// Passes one stored message of a Replay, ascending. Application messages are sent again, session
  /// messages become gap fills. Leave a message out to prevent its resend. Ignored if no replay is
  /// in progress.
  [[nodiscard]] Progress on_replayed(const wire::MessageView& stored, base::Now now,
                                     Out& out) noexcept;

  /// Ends the Replay: all messages were passed. Missing (unreadable) ones are gap-filled.
  [[nodiscard]] Progress on_replay_end(base::Now now, Out& out) noexcept;

  /// True if on_message() returned Blocked because its answer may need more room in the outbox, and
  /// `out` does not have it: pass the message again when it has.
  [[nodiscard]] bool awaits_room(const Out& out) const noexcept;

  /// True while a Replay is in progress. False after a disconnect: stop reading then.
  [[nodiscard]] bool replaying() const noexcept { return state_->replay.to != 0; }

  // Answers to LogonRequested; ignored in another phase. May return More, like
  // on_message.

  [[nodiscard]] Progress accept_logon(base::Now now, Out& out) noexcept;

  /// `text` is sent as Text (58) of the Logout; empty: close without a Logout.
  void refuse_logon(std::string_view text, base::Now now, Out& out) noexcept;

  // C: commands of the application.

  /// Begins a message in the outbox: the encoder is positioned after the header (35, 49, 56, 34,
  /// 52 and the options' fields). Call nothing else of this session before commit; an
  /// uncommitted message leaves no trace. If sending is not allowed, the encoder has no space,
  /// and commit returns the reason. One call and a copy, so that the caller's encoder can stay
  /// in registers.
  [[nodiscard]] wire::Encoder begin(std::string_view type, base::Now now, Out& out) noexcept {
    begin_message(type, {}, now, out);
    return encoder_;
  }

  /// Does the same with further header fields, ascending by tag.
  [[nodiscard]] wire::Encoder begin(std::string_view type, std::span<const ExtraHeaderField> header,
                                    base::Now now, Out& out) noexcept {
    begin_message(type, header, now, out);
    return encoder_;
  }

  /// Finishes the message of the last begin(): takes a number, fills the outbox, adds PersistSent.
  [[nodiscard, gnu::always_inline]] SendResult commit(wire::Encoder& encoder, base::Now now,
                                                      Out& out) noexcept {
    return commit_message(encoder.finish(), now, out);
  }

  /// Does the same with the result of finish(), for callers that keep their encoder in registers.
  [[nodiscard]] SendResult commit(wire::EncodedMessage finished, base::Now now, Out& out) noexcept {
    return commit_message(finished, now, out);
  }

  /// Does the work of commit() for code and data caches, then undoes it. The state, the outbox and
  /// the actions are as before begin(). Returns the bytes it would have placed; empty if commit()
  /// would have refused. The view lives until the next call.
  [[nodiscard]] std::string_view rehearse(wire::EncodedMessage finished, base::Now now,
                                          Out& out) noexcept;

  /// Calls begin, appends the encoded `tag=value SOH` fields, and calls commit.
  [[nodiscard]] SendResult send(std::string_view type, std::string_view fields, base::Now now,
                                Out& out) noexcept;

  /// Begins a message of `type` with this session's header in the caller's `buffer`: the draft of a
  /// prepared message. Its 34 and 52 are placeholders. Takes no number; works in any phase.
  /// `buffer` must outlive the encoder.
  [[nodiscard]] wire::Encoder draft(std::string_view type, std::span<char> buffer,
                                    base::Now now) noexcept;

  /// Sends a prepared message: sets its slots `sequence_slot` (34) and `time_slot` (52), then
  /// copies it to the outbox. `prepared` can be used again at once.
  [[nodiscard]] SendResult send_prepared(wire::PreparedMessage& prepared,
                                         std::uint32_t sequence_slot, std::uint32_t time_slot,
                                         base::Now now, Out& out) noexcept;

  /// Rejects a delivered `message` on the business level (35=j; 35=3 up to FIX.4.1). `reference` is
  /// sent as BusinessRejectRefID (379). RejectOfReject: the message is a reject.
  [[nodiscard]] SendResult reject_business(const wire::MessageView& message,
                                           BusinessRejectReason reason, std::string_view text,
                                           std::string_view reference, base::Now now,
                                           Out& out) noexcept;

  /// Rejects a delivered `message` on the session level (35=3), although the session accepted it
  /// and its number counts. `tag` is sent as RefTagID (371), 0: none; an empty `text` is that of
  /// the reason. RejectOfReject: the message is a reject.
  [[nodiscard]] SendResult reject(const wire::MessageView& message, RejectReason reason,
                                  std::uint32_t tag, std::string_view text, base::Now now,
                                  Out& out) noexcept;

  /// Sends a Logout with `text` (may be empty), then awaits the peer's Logout.
  [[nodiscard]] std::expected<void, SendError> logout(std::string_view text, base::Now now,
                                                      Out& out) noexcept;

  /// Logged on: sends a Logon with 141=Y, which resets both numbers, at the time that ResetStart
  /// defines. Disconnected: sets both numbers to 1.
  [[nodiscard]] std::expected<void, SendError> reset(base::Now now, Out& out) noexcept;

  /// Sends a TestRequest now.
  [[nodiscard]] std::expected<void, SendError> test_peer(base::Now now, Out& out) noexcept;

  /// Sends a SequenceReset-Reset: `next_outgoing` becomes our next number; it must not decrease.
  [[nodiscard]] std::expected<void, SendError> send_sequence_reset(std::uint64_t next_outgoing,
                                                                   base::Now now,
                                                                   Out& out) noexcept;

  /// Set a number manually, in any phase, without informing the peer. False: 0 is refused.
  bool set_next_outgoing(std::uint64_t sequence, Out& out) noexcept;
  bool set_next_expected(std::uint64_t sequence, Out& out) noexcept;

 private:
  void begin_message(std::string_view type, std::span<const ExtraHeaderField> header, base::Now now,
                     Out& out) noexcept;
  [[nodiscard]] SendResult commit_message(wire::EncodedMessage finished, base::Now now,
                                          Out& out) noexcept;
  [[nodiscard]] std::expected<void, SendError> may_send_message(const Out& out) const noexcept;
  /// Takes a number, places the finished message in the outbox and adds PersistSent.
  [[nodiscard]] SendResult take(std::string_view message, TypeSecrets secrets, base::Now now,
                                Out& out) noexcept;
  [[nodiscard]] Turn turn(base::Now now, Out& out) noexcept;
  /// Takes an application message that is next in sequence and touches no rule. False: nothing was
  /// done, and handle_message() must handle the message. See ordinary.cpp.
  [[nodiscard]] bool try_fast_path(const wire::MessageView& message, base::Now now,
                                   Out& out) noexcept;
  /// In any phase.
  void take_beyond_limit(const wire::MessageView& message, Limit limit, std::uint64_t max,
                         base::Now now, Out& out) noexcept;
  /// Handles the messages that try_fast_path() leaves.
  [[nodiscard]] Progress handle_message(const wire::MessageView& message, base::Now now,
                                        Out& out) noexcept;
  /// True if SendingTime is valid and within the tolerance for every fraction of its second.
  [[nodiscard]] bool is_of_now(std::string_view sending_time, base::Now now) noexcept;
  /// False if the text is not a time.
  [[nodiscard]] bool learn_second(std::string_view sending_time) noexcept;

  const SessionOptions* options_;
  SessionState* state_;
  SessionMemory memory_;
  Hold hold_;
  HeaderShapes shapes_;
  RecentSecond second_;
  Version version_;
  /// Reason why the message begun must not be sent, if any.
  std::expected<void, SendError> begun_ = std::unexpected(SendError::NotLoggedOn);
  std::size_t awaits_room_for_ = 0;                ///< Size of the message that waits for it.
  TypeSecrets begun_secrets_ = TypeSecrets::None;  ///< Of the message begun.
  wire::Encoder encoder_{std::span<char>()};
  wire::TimeStampCache stamps_;
  wire::HeaderTemplate header_;  ///< 49, 56, sub and location ids and the static fields.
  Throttle throttle_;            ///< For received messages; kept across connections.
};

}  // namespace affix::inline v0::session
