// SPDX-License-Identifier: MIT
// The whole changing state of a session as one plain struct: saved, restored, printed and compared.
// What must survive a restart is what restore() takes: the two next numbers, and whether a reset is
// open; all else belongs to one connection.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

namespace affix::inline v0::session {

/// Where in its life a connection is. One value decides what a message or a tick may do.
enum class Phase : std::uint8_t {
  Disconnected,
  LogonAwaited,  ///< Acceptor: connected, nothing received.
  LogonSent,     ///< Initiator: our Logon is out.
  LogonPending,  ///< Their Logon is sound; LogonRequested waits for accept_logon or refuse_logon.
  Active,
  ResetSent,       ///< Our Logon with 141=Y is out in mid-session; their answer is awaited.
  LogoutSent,      ///< Our Logout is out, by our own wish; what they still send is processed.
  LogoutForced,    ///< Our Logout is out because of a fault of theirs; only their Logout is looked
                   ///< at.
  LogoutAnswered,  ///< They logged out and we answered; they are to disconnect.
  Closing,         ///< Disconnect was said; nothing is processed until on_disconnected.
};

[[nodiscard]] const char* to_text(Phase phase) noexcept;

/// No timer runs.
inline constexpr std::int64_t no_deadline = std::numeric_limits<std::int64_t>::max();

/// Numbers we miss and asked for. `highest` = 0: no gap.
struct GapState {
  std::uint64_t highest = 0;  ///< Largest number seen ahead of the gap.
  std::uint64_t asked_from =
      0;  ///< 7 of the last ResendRequest; 0 = none was sent (789 is to bring them).
  std::uint64_t asked_to = 0;  ///< Last number it covers.
  std::int64_t progress_ns =
      0;  ///< Steady time of the request or of the last number that came since.
  std::uint64_t repeated_at = 0;  ///< next_expected when a request was repeated for test case 20.
  std::uint64_t skipped_at = 0;   ///< next_expected when a resend of theirs left it out.
  std::uint32_t attempts = 0;     ///< Requests with the same beginning.
  bool dropped = false;           ///< What came ahead of it did not all fit into the hold.

  friend bool operator==(const GapState&, const GapState&) = default;
};

/// Numbers they asked for. `to` = 0: no replay is under way.
struct ReplayState {
  std::uint64_t from = 0;  ///< Of the replay under way.
  std::uint64_t to = 0;
  std::uint64_t next = 0;  ///< First number not answered yet.
  std::uint64_t waiting_from =
      0;  ///< A further request that came meanwhile; `waiting_to` = 0: none.
  std::uint64_t waiting_to = 0;
  std::uint64_t asked_ahead_at =
      0;  ///< next_expected when their request came ahead of our gap, else 0.

  friend bool operator==(const ReplayState&, const ReplayState&) = default;
};

/// The resend they asked for last, to notice one that is asked for again and again.
struct AskedState {
  std::uint64_t from = 0;
  std::uint32_t count = 0;   ///< Requests that began there.
  std::int64_t last_ns = 0;  ///< Steady time of the last one.

  friend bool operator==(const AskedState&, const AskedState&) = default;
};

/// Messages of ours that were numbered while the session was not active. Those from..to were so
/// behind our Logon of this connection, and go out when it is answered; `to` = 0: none. Those
/// before it the peer misses as soon as it sees the Logon.
struct QueuedState {
  std::uint64_t count = 0;  ///< Since the session was active last; survives the connection.
  std::uint64_t from = 0;
  std::uint64_t to = 0;

  friend bool operator==(const QueuedState&, const QueuedState&) = default;
};

/// A reset of ours that waits until nothing is missing on either side.
struct ResetState {
  bool wanted = false;
  bool confirmed = false;     ///< The Heartbeat came, and they asked for nothing since.
  std::uint64_t test_id = 0;  ///< 112 of the TestRequest that is to show it; 0 = not sent yet.
  std::int64_t since_ns = 0;  ///< Steady time of that TestRequest.

  friend bool operator==(const ResetState&, const ResetState&) = default;
};

/// A DefaultApplVerID as text; what is longer is no version of FIX, and is not kept.
struct ApplVerIdText {
  std::array<char, 8> bytes{};
  std::uint8_t size = 0;  ///< 0: none.

  [[nodiscard]] constexpr std::string_view view() const noexcept { return {bytes.data(), size}; }

  friend bool operator==(const ApplVerIdText&, const ApplVerIdText&) = default;
};

/// What a Logon said, kept while it waits for its answer.
struct LogonState {
  std::uint64_t sequence = 0;
  std::uint64_t next_expected = 0;  ///< Their 789; 0 = absent.
  std::int64_t heartbeat_seconds = 0;
  std::uint32_t bytes = 0;             ///< Size of the copy in SessionMemory::logon_received.
  std::uint32_t max_message_size = 0;  ///< Their 383; 0 = absent.
  bool reset = false;                  ///< 141=Y.
  ApplVerIdText appl_ver_id;           ///< Their 1137.

  friend bool operator==(const LogonState&, const LogonState&) = default;
};

/// ThrottleAction::Wait: a message of theirs waits, and all behind it is unread.
struct ThrottleState {
  std::int64_t until_ns = no_deadline;  ///< Steady time when it is taken; no_deadline: none waits.
  std::int64_t tell_not_before_ns = 0;  ///< That there are too many is told again then.
  std::int64_t backlog_since_ns = 0;    ///< Since when messages have been waiting, one or another.
  std::int64_t backlog_until_ns = 0;    ///< `until_ns` of the last of them.
  std::uint64_t over_limit = 0;  ///< Messages that waited, were rejected or ended the session.

  friend bool operator==(const ThrottleState&, const ThrottleState&) = default;
};

struct SessionState {
  Phase phase = Phase::Disconnected;

  std::uint64_t next_outgoing = 1;  ///< 34 of the next message we send.
  std::uint64_t next_expected = 1;  ///< 34 of the next message we take.

  /// We have begun a reset, and whether they know of it we do not: our next Logon says it again.
  bool reset_open = false;

  std::int64_t heartbeat_interval_ns = 0;  ///< As agreed at logon; 0 = no heartbeats.
  std::int64_t phase_since_ns = 0;         ///< Steady times, all of them.
  std::int64_t last_sent_ns = 0;
  std::int64_t last_received_ns = 0;
  std::int64_t test_sent_ns = 0;         ///< Of the TestRequest without its Heartbeat.
  std::uint64_t test_open = 0;           ///< Number in the 112 of that TestRequest; 0 = none.
  std::uint64_t test_count = 0;          ///< TestRequests sent.
  std::uint32_t heartbeats_unasked = 0;  ///< Sent for our silence since the last TestRequest.

  std::uint32_t peer_message_bytes_max = 0;  ///< Their 383; 0 = no limit.

  /// First number of a Reject of ours that answered one of theirs (FaultyReject::Rejected); 0 =
  /// none. A Reject about it or a later message is not answered, so that rejects of rejects end.
  std::uint64_t reject_of_reject = 0;

  GapState gap;
  ReplayState replay;
  AskedState asked;
  QueuedState queued;
  ResetState reset;
  LogonState logon;
  ThrottleState throttle;

  friend bool operator==(const SessionState&, const SessionState&) = default;
};

/// In records: the expected number of a session whose reset is open. Theirs start over with their
/// answer, so until then there is none.
inline constexpr std::uint64_t expected_unknown = 0;

/// Sets what survives a restart, from the numbers that were persisted last.
constexpr void restore(SessionState& state, std::uint64_t next_outgoing,
                       std::uint64_t next_expected) noexcept {
  state.next_outgoing = next_outgoing;
  state.reset_open = next_expected == expected_unknown;
  state.next_expected = state.reset_open ? 1 : next_expected;
}

}  // namespace affix::inline v0::session
