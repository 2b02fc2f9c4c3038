// SPDX-License-Identifier: MIT
// What an operator sees of a session and may do with it, beyond what applications do by its handle.
// Who uses it judges first whether it should be done; nothing here asks twice.
#pragma once

#include "affix/engine/session_handle.hpp"
#include "affix/journal/record.hpp"
#include "affix/net/address.hpp"
#include "affix/session/state.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace affix::inline v0::engine {

/// A text of limited length by value; what does not fit is cut off.
class SightText {
 public:
  void set(std::string_view text) noexcept {
    size_ = std::min(text.size(), text_.size());
    std::copy_n(text.data(), size_, text_.data());
  }

  /// Lives as long as this.
  [[nodiscard]] std::string_view view() const noexcept { return {text_.data(), size_}; }

 private:
  std::array<char, 160> text_{};
  std::size_t size_ = 0;
};

/// How a session stands. A copy; allocates nothing.
struct SessionSight {
  session::Phase phase = session::Phase::Disconnected;
  bool connected = false;        ///< A connection is attached, in whatever phase.
  bool dialing = false;          ///< An initiator that connects, or waits to.
  bool schedule_open = true;     ///< Its schedule, if it has one, lets it log on.
  bool sending_stopped = false;  ///< stop_sending() was called.
  bool journal_refuses = false;  ///< The journal takes nothing at the moment.
  bool resending = false;        ///< Messages that the peer asked for again are on their way.
  std::uint64_t next_outgoing = 0;
  std::uint64_t next_expected = 0;
  std::uint64_t missing_to = 0;      ///< Last number known to be missing from the peer; 0: none.
  std::uint64_t queued = 0;          ///< Messages that wait for the next logon.
  std::uint64_t output_waiting = 0;  ///< Bytes that the transport has not taken.
  journal::Position journal_end;
  std::optional<net::Address> peer;
  bool enabled = true;               ///< Else it neither connects nor is let in.
  std::int64_t switched_utc_ns = 0;  ///< When it was disabled or enabled last; 0: never.
  SightText disabled_why;            ///< Who disabled it and why, while it is disabled.
  std::int64_t ended_utc_ns = 0;     ///< When its last connection ended; 0: it has had none.
  SightText ended_why;               ///< Who ended that, and why.
};

/// Made of a handle, for a moment, on the thread of the session's worker (Courier::call() leads
/// there). A session that was removed is seen as disconnected, and commands to it do nothing and
/// say false.
class SessionControls {
 public:
  explicit SessionControls(SessionHandle session) noexcept : session_(session) {}

  [[nodiscard]] SessionSight sight() const noexcept;

  /// MsgSeqNum of our next message; the peer is not told. False: 0, or larger than a number may be,
  /// or the journal refuses, or output waits that must leave first.
  [[nodiscard]] bool set_next_outgoing(std::uint64_t number) const noexcept;

  /// MsgSeqNum that the peer's next message is to have. A gap that is open is forgotten. False as
  /// above.
  [[nodiscard]] bool set_next_expected(std::uint64_t number) const noexcept;

  /// SequenceReset-Reset (35=4, 123=N): our next message has this number, and the peer is told.
  /// False: not logged on, below what the number is, or as above.
  [[nodiscard]] bool send_sequence_reset(std::uint64_t next_outgoing) const noexcept;

  /// The session logs out, as SessionHandle::logout() has it, and its end is told as an operator's.
  void logout(std::string_view text) const noexcept;

  /// Ends the connection without a Logout. An initiator connects again as after any loss. False:
  /// there was none.
  [[nodiscard]] bool disconnect() const noexcept;

  /// Asks Application::before_stop_sending(), and refuses every application message from then on
  /// (SendStatus::Stopped). What the peer asks to have resent is gap-filled meanwhile, and so is
  /// what was queued for the next logon. What was numbered before still leaves. Session messages go
  /// on. Holds until resume_sending(), over connections and reloads, but not over the engine's end.
  void stop_sending() const noexcept;
  void resume_sending() const noexcept;

  /// Writes `text` into the session's journal, for whoever reads it later. False: the journal did
  /// not take it.
  [[nodiscard]] bool remark(std::string_view text) const noexcept;

 private:
  SessionHandle session_;
};

}  // namespace affix::inline v0::engine
