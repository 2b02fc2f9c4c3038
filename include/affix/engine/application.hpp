// SPDX-License-Identifier: MIT
// What an application implements to trade through the engine: callbacks about its sessions, all on
// the thread that drives the worker, never nested in one another.
#pragma once

#include "affix/engine/session_handle.hpp"
#include "affix/wire/view.hpp"

#include <cstdint>
#include <string_view>

namespace affix::inline v0::engine {

/// How a message reached the application.
struct Delivery {
  std::uint64_t sequence = 0;       ///< Its MsgSeqNum.
  bool possible_duplicate = false;  ///< PossDupFlag was Y: it filled a gap; it was not seen before.
  bool possible_resend = false;     ///< PossResend was Y: the peer may have sent the same under
                                    ///< another number.
  bool redelivered = false;  ///< It came before a crash, and whether the application had finished
                             ///< with it is not known. Handed over before anything new.
};

/// The application's answer to a peer's Logon.
struct LogonAnswer {
  bool accepted = true;
  std::string_view text = {};  ///< Why not: goes to the peer in Text (58). Read before the next
                               ///< callback.
};

/// Something an operator would want in the log.
struct Event {
  enum class Severity : std::uint8_t { Debug, Info, Warning, Error };

  Severity severity = Severity::Info;
  std::string_view session;  ///< Name of the session group, empty for the engine itself.
  std::string_view text;     ///< One sentence, no secret in it. Valid during the call.
};

/// Implemented by the user. Views are valid during the call. A callback must not throw, and must
/// not block: it holds up every session of its worker. It may send and give any other command, on
/// its own session or another of the same engine; what it sends leaves together when the input at
/// hand has been processed, or at SessionHandle::flush(). No command calls back: what follows from
/// it is told later in the turn.
class Application {
 public:
  virtual ~Application() = default;

  /// A peer's Logon has passed the session's own checks; credentials are in `logon` (553, 554,
  /// 925). Acceptor sessions only. Nothing has changed yet, and nothing will if it is refused.
  [[nodiscard]] virtual LogonAnswer on_logon_request(SessionHandle session,
                                                     const wire::MessageView& logon) noexcept {
    static_cast<void>(session);
    static_cast<void>(logon);
    return {};
  }

  /// The session is open both ways.
  virtual void on_logon(SessionHandle session) noexcept { static_cast<void>(session); }

  /// An application message, in sequence, each once (but see Delivery). When this returns the
  /// message is marked as processed in the journal.
  virtual void on_message(SessionHandle session, const wire::MessageView& message,
                          const Delivery& delivery) noexcept = 0;

  /// A send was refused as Backlogged, and there is room again.
  virtual void on_output_room(SessionHandle session) noexcept { static_cast<void>(session); }

  /// The session that was logged on no longer is; `reason` is a sentence.
  virtual void on_logout(SessionHandle session, std::string_view reason) noexcept {
    static_cast<void>(session);
    static_cast<void>(reason);
  }

  /// The input at hand has been handed over, and nothing that was sent since then has left: the
  /// place for what follows from many messages together, such as market data. Called once a turn in
  /// which any other callback but on_event() was called, and once more for each round of callbacks
  /// that what was sent here made room for.
  virtual void on_turn_end() noexcept {}

  /// For the log. Called for every session and for the engine itself.
  virtual void on_event(const Event& event) noexcept { static_cast<void>(event); }

 protected:
  Application() = default;
  Application(const Application&) = default;
  Application& operator=(const Application&) = default;
};

}  // namespace affix::inline v0::engine
