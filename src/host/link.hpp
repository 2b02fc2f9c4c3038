// SPDX-License-Identifier: MIT
// A session's present connection: how far it is from its beginning to its end, whether it is read,
// and why it ends. Calls nothing; the session drives the transport.
#pragma once

#include "affix/base/message_code.hpp"
#include "affix/net/address.hpp"
#include "affix/net/reactor.hpp"
#include "affix/session/session.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace affix::inline v0::host {

/// The side or cause that ended a connection, or began to.
enum class EndedBy : std::uint8_t {
  Unknown,
  Peer,         ///< By its Logout, or by closing.
  Session,      ///< By a rule of the protocol, a time-out or a limit.
  Application,  ///< By logout().
  Operator,     ///< By a command, such as disabling the session.
  Change,       ///< The session was removed or restarted.
  Schedule,     ///< The session's window has ended.
  Stop,         ///< The engine stops.
  Journal,      ///< It refused a record.
};

[[nodiscard]] const char* to_text(EndedBy who) noexcept;

/// One thread.
class Link {
 public:
  /// A connection is there, in any stage.
  [[nodiscard]] bool connected() const noexcept { return stage_ != Stage::Down; }

  /// It is there and its end has not begun: input is read and output leaves.
  [[nodiscard]] bool open() const noexcept { return stage_ == Stage::Open; }

  /// Its end has begun: only last_bytes() of the outbox may leave, and no input is read.
  [[nodiscard]] bool ending() const noexcept { return stage_ > Stage::Open; }

  /// The transport closes it once it has sent the rest.
  [[nodiscard]] bool closing() const noexcept { return stage_ == Stage::Closing; }

  /// Defined while connected().
  [[nodiscard]] net::ConnectionId id() const noexcept { return id_; }

  /// Address of its peer, if known. Also after its end, until the next one begins.
  [[nodiscard]] const std::optional<net::Address>& peer() const noexcept { return peer_; }

  void begin(net::ConnectionId id, std::optional<net::Address> peer) noexcept {
    stage_ = Stage::Open;
    id_ = id;
    peer_ = peer;
    ended_by_ = EndedBy::Unknown;
    why_ = {};
    talk_ = Talk::NotYet;
  }

  /// Begins the end of an open one: the outbox's first `bytes` may still leave.
  void end(std::size_t bytes) noexcept {
    stage_ = Stage::Ending;
    last_bytes_ = bytes;
  }

  /// Fewer bytes may leave after all.
  void limit_last_bytes(std::size_t bytes) noexcept { last_bytes_ = std::min(last_bytes_, bytes); }

  [[nodiscard]] std::size_t last_bytes() const noexcept { return last_bytes_; }

  void begin_closing() noexcept { stage_ = Stage::Closing; }

  /// The transport has closed it.
  void reset() noexcept {
    stage_ = Stage::Down;
    read_since_ns_ = 0;
    stalled_since_ns_ = 0;
    waiting_logout_.reset();
  }

  // --- Why it ends ---

  /// Records who ends it, unless that is recorded already.
  void note_end(EndedBy who) noexcept {
    ended_by_ = ended_by_ == EndedBy::Unknown ? who : ended_by_;
  }

  [[nodiscard]] EndedBy ended_by() const noexcept { return ended_by_; }

  /// Reason why we end it; static text. Empty: the peer or the network does.
  [[nodiscard]] base::CodedText why() const noexcept { return why_; }

  void set_why(base::CodedText why) noexcept { why_ = why; }

  // --- The session on it ---

  /// The application has been called for the logon, and not yet for the logout.
  [[nodiscard]] bool logon_reported() const noexcept { return talk_ != Talk::NotYet; }

  void on_logon_reported() noexcept { talk_ = Talk::LoggedOn; }

  /// Both sides have logged out.
  [[nodiscard]] bool logged_out() const noexcept { return talk_ == Talk::LoggedOut; }

  void on_logged_out() noexcept { talk_ = talk_ == Talk::LoggedOn ? Talk::LoggedOut : talk_; }

  /// True if on_logout() is due, once.
  [[nodiscard]] bool take_logon_reported() noexcept {
    return std::exchange(talk_, Talk::NotYet) != Talk::NotYet;
  }

  /// A Logout of ours waits for room in the outbox, at most until the connection's end.
  void postpone_logout(std::string_view text) { waiting_logout_ = text; }

  [[nodiscard]] bool logout_waits() const noexcept { return waiting_logout_.has_value(); }

  /// Its text; it no longer waits.
  [[nodiscard]] std::string take_logout() noexcept {
    return *std::exchange(waiting_logout_, std::nullopt);
  }

  /// A message has come since begin_probe().
  [[nodiscard]] bool heard_since_probe() const noexcept { return heard_since_probe_; }

  void begin_probe() noexcept { heard_since_probe_ = false; }

  void on_message() noexcept { heard_since_probe_ = true; }

  // --- Reading and writing ---

  /// The transport does not read it at present.
  [[nodiscard]] bool reading_paused() const noexcept {
    return read_since_ns_ == session::no_deadline;
  }

  void pause_reading() noexcept { read_since_ns_ = session::no_deadline; }

  void resume_reading(std::int64_t steady_ns) noexcept { read_since_ns_ = steady_ns; }

  /// Steady time of the last end of a pause; no_deadline while it is paused.
  [[nodiscard]] std::int64_t read_since_ns() const noexcept { return read_since_ns_; }

  /// The transport takes no output: its memory for a peer that does not read is full.
  [[nodiscard]] bool stalled() const noexcept { return stalled_since_ns_ != 0; }

  /// Steady time at which that began; 0: it takes output.
  [[nodiscard]] std::int64_t stalled_since_ns() const noexcept { return stalled_since_ns_; }

  void on_stalled(std::int64_t steady_ns) noexcept { stalled_since_ns_ = steady_ns; }

  void on_output_taken() noexcept { stalled_since_ns_ = 0; }

 private:
  enum class Stage : std::uint8_t { Down, Open, Ending, Closing };

  enum class Talk : std::uint8_t { NotYet, LoggedOn, LoggedOut };

  Stage stage_ = Stage::Down;
  Talk talk_ = Talk::NotYet;
  bool heard_since_probe_ = false;
  EndedBy ended_by_ = EndedBy::Unknown;
  net::ConnectionId id_{};
  std::size_t last_bytes_ = 0;
  std::int64_t read_since_ns_ = 0;
  std::int64_t stalled_since_ns_ = 0;
  base::CodedText why_;
  std::optional<net::Address> peer_;
  std::optional<std::string> waiting_logout_;  // Its text.
};

}  // namespace affix::inline v0::host
