// SPDX-License-Identifier: MIT
// The complete mutable state of a session as one plain struct, for saving, restoring, printing and
// comparing. restore() sets the part that survives a restart: the two next numbers, and whether a
// reset is open; the rest belongs to one connection.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

namespace affix::inline v0::session {

/// Phase of a connection. It determines the effect of messages and timers.
enum class Phase : std::uint8_t {
  Disconnected,
  LogonAwaited,  ///< Acceptor: connected, nothing received.
  LogonSent,     ///< Initiator: our Logon was sent.
  LogonPending,  ///< Their Logon is valid; awaits accept_logon or refuse_logon.
  Active,
  ResetSent,       ///< We sent a Logon with 141=Y in mid-session; awaits the answer.
  LogoutSent,      ///< We sent a Logout as requested; further input is processed.
  LogoutForced,    ///< We sent a Logout because of a fault of the peer; only its Logout is
                   ///< processed.
  LogoutAnswered,  ///< We answered their Logout; awaits their disconnect.
  Closing,         ///< Disconnect was emitted; ignores input until on_disconnected.
};

[[nodiscard]] const char* to_text(Phase phase) noexcept;

/// No timer runs.
inline constexpr std::int64_t no_deadline = std::numeric_limits<std::int64_t>::max();

/// Missing numbers that we requested. `highest` = 0: no gap.
struct GapState {
  std::uint64_t highest = 0;  ///< Highest number received ahead of the gap.
  std::uint64_t asked_from =
      0;  ///< BeginSeqNo (7) of the last ResendRequest; 0 = none (789 requested them).
  std::uint64_t asked_to = 0;  ///< Last requested number.
  std::int64_t progress_ns =
      0;  ///< Steady time of the request or of the last number received since.
  std::uint64_t repeated_at = 0;  ///< next_expected when a request was repeated for test case 20.
  std::uint64_t skipped_at = 0;   ///< next_expected that a resend of the peer omitted.
  /// next_expected when the request of an earlier process was taken over; 0: it is ours.
  std::uint64_t inherited_at = 0;
  std::uint32_t attempts = 0;  ///< Requests with the same BeginSeqNo.
  bool dropped = false;        ///< Some messages ahead of it did not fit the hold.

  friend bool operator==(const GapState&, const GapState&) = default;
};

/// Numbers that the peer requested. `to` = 0: no replay in progress.
struct ReplayState {
  std::uint64_t from = 0;  ///< Start of the current replay.
  std::uint64_t to = 0;
  std::uint64_t next = 0;  ///< First number not yet answered.
  std::uint64_t waiting_from =
      0;  ///< A further request received meanwhile; `waiting_to` = 0: none.
  std::uint64_t waiting_to = 0;
  std::uint64_t asked_ahead_at =
      0;  ///< next_expected when their request arrived ahead of our gap, else 0.

  friend bool operator==(const ReplayState&, const ReplayState&) = default;
};

/// The peer's latest ResendRequest, for detecting endless repetition.
struct AskedState {
  std::uint64_t from = 0;
  std::uint32_t count = 0;   ///< Requests with that start.
  std::int64_t last_ns = 0;  ///< Steady time of the latest.

  friend bool operator==(const AskedState&, const AskedState&) = default;
};

/// Messages of ours that were numbered while the session was not active. from..to were numbered
/// after our Logon of this connection and are sent when it is answered; `to` = 0: none. The peer
/// detects earlier ones as a gap before our Logon.
struct QueuedState {
  std::uint64_t count = 0;  ///< Since the session was last active; survives the connection.
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  /// Those that no resend has reached, at most; `last` is the highest. They survive the logon, the
  /// connection and, with restore_queued(), a restart.
  std::uint64_t unsent = 0;
  std::uint64_t last = 0;

  friend bool operator==(const QueuedState&, const QueuedState&) = default;
};

/// A reset of ours that waits until neither side misses a message.
struct ResetState {
  bool wanted = false;
  bool confirmed = false;     ///< The Heartbeat arrived, and the peer requested nothing since.
  std::uint64_t test_id = 0;  ///< TestReqID (112) that confirms it; 0 = not sent yet.
  std::int64_t since_ns = 0;  ///< Steady time of that TestRequest.

  friend bool operator==(const ResetState&, const ResetState&) = default;
};

/// A DefaultApplVerID; longer texts are not FIX versions and are dropped.
struct ApplVerIdText {
  std::array<char, 8> bytes{};
  std::uint8_t size = 0;  ///< 0: none.

  [[nodiscard]] constexpr std::string_view view() const noexcept { return {bytes.data(), size}; }

  friend bool operator==(const ApplVerIdText&, const ApplVerIdText&) = default;
};

/// Contents of a Logon that awaits its answer.
struct LogonState {
  std::uint64_t sequence = 0;
  std::uint64_t next_expected = 0;  ///< NextExpectedMsgSeqNum (789); 0 = absent.
  std::int64_t heartbeat_seconds = 0;
  std::uint32_t bytes = 0;             ///< Size of the copy in SessionMemory::logon_received.
  std::uint32_t max_message_size = 0;  ///< MaxMessageSize (383); 0 = absent.
  bool reset = false;                  ///< ResetSeqNumFlag (141) is Y.
  ApplVerIdText appl_ver_id;           ///< DefaultApplVerID (1137).

  friend bool operator==(const LogonState&, const LogonState&) = default;
};

/// ThrottleAction::Wait: a delayed message; everything after it is unread.
struct ThrottleState {
  std::int64_t until_ns = no_deadline;    ///< Steady time of its release; no_deadline: none.
  std::int64_t report_not_before_ns = 0;  ///< Earliest time of the next report.
  std::int64_t backlog_since_ns = 0;      ///< Since when any message has been delayed.
  std::int64_t backlog_until_ns = 0;      ///< `until_ns` of the last delayed one.
  std::uint64_t over_limit = 0;  ///< Messages delayed, rejected, or that ended the session.

  friend bool operator==(const ThrottleState&, const ThrottleState&) = default;
};

/// The caller's pauses of reading: what the peer sends meanwhile lies unread.
struct UnreadState {
  std::int64_t since_ns = 0;  ///< Steady time of the first pause of several in short succession.
  std::int64_t until_ns = 0;  ///< End of the last one; no_deadline: it goes on.

  /// True if all members are equal.
  friend bool operator==(const UnreadState&, const UnreadState&) = default;
};

struct SessionState {
  Phase phase = Phase::Disconnected;

  std::uint64_t next_outgoing = 1;  ///< MsgSeqNum (34) of our next message.
  std::uint64_t next_expected = 1;  ///< MsgSeqNum (34) that the next message must have.

  /// We began a reset that the peer may not have seen: our next Logon repeats it.
  bool reset_open = false;

  std::int64_t heartbeat_interval_ns = 0;  ///< As agreed at logon; 0 = no heartbeats.
  std::int64_t phase_since_ns = 0;         ///< Steady time, as are the next three.
  std::int64_t last_sent_ns = 0;
  std::int64_t last_received_ns = 0;
  std::int64_t test_sent_ns = 0;         ///< When the open TestRequest was sent.
  std::uint64_t test_open = 0;           ///< Number in its TestReqID (112); 0 = none is open.
  std::uint64_t test_count = 0;          ///< TestRequests sent.
  std::uint32_t heartbeats_unasked = 0;  ///< For our silence, since the last TestRequest.

  std::uint32_t peer_message_bytes_max = 0;  ///< MaxMessageSize (383) of the peer; 0 = no limit.

  /// First number of a Reject of ours that answered one of theirs (FaultyReject::Rejected); 0 =
  /// none. A Reject about it or a later message is not answered, to stop mutual rejects.
  std::uint64_t reject_of_reject = 0;

  GapState gap;
  ReplayState replay;
  AskedState asked;
  QueuedState queued;
  ResetState reset;
  LogonState logon;
  ThrottleState throttle;
  UnreadState unread;  ///< Pauses of reading on our side.

  friend bool operator==(const SessionState&, const SessionState&) = default;
};

/// A connection that an earlier process left open, as far as the two numbers do not say it.
struct ContinuedState {
  std::int64_t heartbeat_interval_ns = 0;    ///< As agreed at logon; 0 = no heartbeats.
  std::uint32_t peer_message_bytes_max = 0;  ///< MaxMessageSize (383) of the peer; 0 = no limit.
  ApplVerIdText appl_ver_id;                 ///< DefaultApplVerID (1137) of the peer.
  ReplayState replay;                        ///< The peer's request that was being answered.
  GapState gap;  ///< Our request that was unanswered. Of its times none counts.
  /// Our messages from here on were queued since, and leave before anything else; 0: none.
  std::uint64_t queued_from = 0;
};

/// Expected number in records while a reset is open: the peer's numbers restart with its answer, so
/// none is known until then.
inline constexpr std::uint64_t expected_unknown = 0;

/// Restores the account of queued messages, of which `unsent` up to number `last` are not sent.
constexpr void restore_queued(SessionState& state, std::uint64_t unsent,
                              std::uint64_t last) noexcept {
  state.queued.count = unsent;
  state.queued.unsent = unsent;
  state.queued.last = last;
}

/// Restores the state that survives a restart, from the numbers persisted last.
constexpr void restore(SessionState& state, std::uint64_t next_outgoing,
                       std::uint64_t next_expected) noexcept {
  state.next_outgoing = next_outgoing;
  state.reset_open = next_expected == expected_unknown;
  state.next_expected = state.reset_open ? 1 : next_expected;
}

}  // namespace affix::inline v0::session
