// SPDX-License-Identifier: MIT
// An operator's view of a session and commands beyond those of SessionHandle. The caller must check
// the operator's permission first; no command asks for confirmation.
#pragma once

#include "affix/host/session_handle.hpp"
#include "affix/journal/record.hpp"
#include "affix/net/address.hpp"
#include "affix/session/secrets.hpp"
#include "affix/session/state.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace affix::inline v0::host {

/// A text of limited length, stored by value; longer texts are truncated.
class SightText {
 public:
  void set(std::string_view text) noexcept {
    size_ = std::min(text.size(), text_.size());
    std::copy_n(text.data(), size_, text_.data());
  }

  /// Valid as long as this object is.
  [[nodiscard]] std::string_view view() const noexcept { return {text_.data(), size_}; }

 private:
  std::array<char, 160> text_{};
  std::size_t size_ = 0;
};

/// Snapshot of a session's state. A copy; allocates nothing.
struct SessionSight {
  session::Phase phase = session::Phase::Disconnected;
  bool connected = false;        ///< A connection is attached, in any phase.
  bool dialing = false;          ///< An initiator that connects, or waits to connect.
  bool schedule_open = true;     ///< Its schedule, if any, allows a logon.
  bool sending_stopped = false;  ///< stop_sending() was called.
  bool journal_refuses = false;  ///< The journal accepts no records now.
  bool resending = false;        ///< A resend that the peer requested is in progress.
  std::uint64_t next_outgoing = 0;
  std::uint64_t next_expected = 0;
  std::uint64_t missing_to = 0;      ///< Last number known to be missing from the peer; 0: none.
  std::uint64_t queued = 0;          ///< Messages waiting for the next logon.
  std::uint64_t output_waiting = 0;  ///< Bytes not yet accepted by the transport.
  journal::Position journal_end;
  std::optional<net::Address> peer;
  bool enabled = true;                ///< False: it neither connects nor accepts.
  std::int64_t switched_utc_ns = 0;   ///< Last time it was disabled or enabled; 0: never.
  SightText disabled_why;             ///< Operator and reason, while it is disabled.
  std::int64_t continued_utc_ns = 0;  ///< When it went on with a connection of an earlier process;
                                      ///< 0: never.
  std::int64_t silent_ns = 0;     ///< Time for which nobody had served that connection; 0: unknown.
  std::int64_t ended_utc_ns = 0;  ///< End of its last connection; 0: none yet.
  SightText ended_why;            ///< Side and reason of that end.
};

/// Create it from a handle when needed, on the thread of the session's worker (use
/// CrossThreadSender::call() to get there). For a removed session, sight() is disconnected, and
/// commands do nothing and return false.
class SessionControls {
 public:
  explicit SessionControls(SessionHandle session) noexcept : session_(session) {}

  [[nodiscard]] SessionSight sight() const noexcept;

  /// Tags of `secret_tags`: the session's journal masks their values, besides those of the wire
  /// layer's table. Valid until the callback returns; none for a removed session.
  [[nodiscard]] session::SecretTags secret_tags() const noexcept;

  /// Sets the MsgSeqNum of our next message, without informing the peer. False: 0 or too large, or
  /// the journal refuses, or output must leave first.
  [[nodiscard]] bool set_next_outgoing(std::uint64_t number) const noexcept;

  /// Sets the MsgSeqNum expected in the peer's next message, and forgets an open gap. False as
  /// above.
  [[nodiscard]] bool set_next_expected(std::uint64_t number) const noexcept;

  /// Sends a SequenceReset-Reset (35=4, 123=N), which sets the number of our next message. False:
  /// not logged on, the number is below the current one, or as above.
  [[nodiscard]] bool send_sequence_reset(std::uint64_t next_outgoing) const noexcept;

  /// Logs out as SessionHandle::logout() does; the log names an operator as the cause.
  void logout(std::string_view text) const noexcept;

  /// Closes the connection without a Logout. An initiator reconnects as after any loss. False: not
  /// connected.
  [[nodiscard]] bool disconnect() const noexcept;

  /// Calls Application::before_stop_sending(), then refuses every application message with
  /// SendStatus::Stopped. Gap-fills resends that the peer requests meanwhile, and messages queued
  /// for the next logon. Messages numbered before still leave, and session messages continue. Lasts
  /// until resume_sending(), across connections and reloads, but not restarts of the engine.
  void stop_sending() const noexcept;
  void resume_sending() const noexcept;

  /// Writes `text` into the session's journal as a note for later readers. False: the journal
  /// refused it.
  [[nodiscard]] bool remark(std::string_view text) const noexcept;

 private:
  SessionHandle session_;
};

}  // namespace affix::inline v0::host
