// SPDX-License-Identifier: MIT
// What an application implements to trade through the engine: callbacks about its sessions, those
// of one session all on the thread that drives its worker, never nested in one another there.
#pragma once

#include "affix/engine/receipt.hpp"
#include "affix/engine/session_handle.hpp"
#include "affix/wire/encoder.hpp"
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
  bool redelivered = false;  ///< An earlier run was handed it, or was about to be, and had not
                             ///< dealt with it as far as the journal knows.
  Receipt receipt = {};      ///< For SessionHandle::finish_message(), of a message that is kept.
};

/// The application's answer to a peer's Logon.
struct LogonAnswer {
  enum class Decision : std::uint8_t {
    AsConfigured,  ///< The engine's to say: refused when the session has a `logon_username`, a
                   ///< `logon_password` or a `logon_password_hash` that the Logon does not fit, and
                   ///< accepted else. An initiator accepts.
    Accept,        ///< Whatever the configuration says.
    Refuse,
    Later,  ///< SessionHandle::accept_logon() or refuse_logon() says it, within
            ///< logon_timeout_seconds of the connection; until then nothing more is read.
  };

  Decision decision = Decision::AsConfigured;
  std::string_view text = {};  ///< Why it is refused: goes to the peer in Text (58); empty: closed
                               ///< without a word. Read before the next callback.

  [[nodiscard]] static constexpr LogonAnswer as_configured() noexcept { return {}; }

  [[nodiscard]] static constexpr LogonAnswer accept() noexcept { return {Decision::Accept, {}}; }

  [[nodiscard]] static constexpr LogonAnswer refuse(std::string_view text) noexcept {
    return {Decision::Refuse, text};
  }

  [[nodiscard]] static constexpr LogonAnswer later() noexcept { return {Decision::Later, {}}; }
};

/// Whether a stored message goes out again.
enum class ResendDecision : std::uint8_t {
  Resend,
  GapFill,  ///< A gap fill stands for it: the peer will not have it.
};

/// Something an operator would want in the log.
struct Event {
  enum class Severity : std::uint8_t { Debug, Info, Warning, Error };

  Severity severity = Severity::Info;
  std::string_view session;  ///< Name of the session group, empty for the engine itself.
  std::string_view text;     ///< One sentence, no secret in it. Valid during the call.

  /// UTC when the turn began in which it happened; 0: nobody has looked at a clock.
  std::int64_t utc_ns = 0;
};

/// Implemented by the user. Views are valid during the call. A callback must not throw, and must
/// not block: it holds up every session of its worker. It may send and give any other command, on
/// its own session or another of the same worker; what it sends leaves together when the input at
/// hand has been processed, or at SessionHandle::flush(). No command calls back: what follows from
/// it is told later in the turn.
///
/// An engine with several workers calls from several threads: about a session always from its
/// worker's, on_turn_end() and on_wake() from each worker's about that worker, on_event() from any
/// of them and from the thread that accepts connections.
///
/// Of the `before_...` all but before_stop_sending() are no callbacks in that sense but questions,
/// asked while a message is being written, inside commands too. They look, write into what they are
/// given, and give no command.
class Application {
 public:
  virtual ~Application() = default;

  /// A peer's Logon has passed the session's own checks; credentials are in `logon` (553, 554,
  /// 925). Acceptor sessions only. Nothing has changed yet, and nothing will if it is refused.
  /// Without an implementation, or one that says as_configured(), the session's configured
  /// credentials decide. `session` answers this Logon and no later one.
  [[nodiscard]] virtual LogonAnswer on_logon_request(SessionHandle session,
                                                     const wire::MessageView& logon) noexcept {
    static_cast<void>(session);
    static_cast<void>(logon);
    return {};
  }

  /// The acceptor's Logon in answer to ours has passed the session's own checks. Initiator sessions
  /// only. Nothing of it counts yet, and nothing will if it is refused: our Logout says why.
  [[nodiscard]] virtual LogonAnswer on_logon_answer(SessionHandle session,
                                                    const wire::MessageView& logon) noexcept {
    static_cast<void>(session);
    static_cast<void>(logon);
    return {};
  }

  /// The session is open both ways.
  virtual void on_logon(SessionHandle session) noexcept { static_cast<void>(session); }

  /// An application message, in sequence, each once (but see Delivery). When this returns the
  /// message counts as dealt with, which its journal then knows, unless
  /// SessionHandle::keep_message() was called: then the application says it later, with
  /// SessionHandle::finish_message(). What it has not dealt with when the process dies, or when the
  /// session is removed, comes again, marked as redelivered. With `store_order=after_send` a
  /// message is dealt with when what was sent on the worker until then is stored.
  virtual void on_message(SessionHandle session, const wire::MessageView& message,
                          const Delivery& delivery) noexcept = 0;

  /// When messages of an earlier run come again: asked once, when the session has come to its
  /// worker, on the worker's thread whichever thread has its callbacks. Gives no command.
  [[nodiscard]] virtual Redelivery redelivery(SessionHandle session) noexcept {
    static_cast<void>(session);
    return Redelivery::AfterLogon;
  }

  /// A session message, in sequence, after the session has dealt with it: Heartbeat, TestRequest,
  /// ResendRequest, Reject, SequenceReset, Logout, or a Logon that resets in mid-session. A first
  /// Logon comes to on_logon_request() or on_logon_answer() instead; rejected messages do not come.
  virtual void on_admin(SessionHandle session, const wire::MessageView& message) noexcept {
    static_cast<void>(session);
    static_cast<void>(message);
  }

  /// A message of the application's is begun: its header is written, and header fields of the
  /// application's own (115, 128, 129) may be added to `message` before the body follows.
  virtual void before_send(SessionHandle session, std::string_view type,
                           wire::Encoder& message) noexcept {
    static_cast<void>(session);
    static_cast<void>(type);
    static_cast<void>(message);
  }

  /// A session message of ours is written but for fields of the application's own, which may be
  /// added to `message`, 1 KiB at most: credentials or a signature in a Logon, 58 in a Heartbeat.
  /// What cannot be encoded is left out, and an event says so. Passwords of a Logon (554, 925, 96,
  /// 1402, 1404) and `secret_tags` do not reach the journal.
  virtual void before_admin_send(SessionHandle session, std::string_view type,
                                 wire::Encoder& message) noexcept {
    static_cast<void>(session);
    static_cast<void>(type);
    static_cast<void>(message);
  }

  /// The peer asks for an application message again, and `resend_policy` lets it go. `stored` is
  /// the message as it was sent first. May be asked twice about one message.
  [[nodiscard]] virtual ResendDecision before_resend(SessionHandle session,
                                                     const wire::MessageView& stored) noexcept {
    static_cast<void>(session);
    static_cast<void>(stored);
    return ResendDecision::Resend;
  }

  /// A send was refused as Backlogged, Throttled or Resetting, and there is room again.
  virtual void on_output_room(SessionHandle session) noexcept { static_cast<void>(session); }

  /// The session that was logged on no longer is; `reason` is a sentence.
  virtual void on_logout(SessionHandle session, std::string_view reason) noexcept {
    static_cast<void>(session);
    static_cast<void>(reason);
  }

  /// The session has ended, its peer has not come back within
  /// `cancel_on_disconnect_grace_milliseconds`, and `cancel_on_disconnect` asks for this: the
  /// session's open orders are to be cancelled. Behind on_logout(), at once without a grace; once
  /// for each end. Reports about it can be sent with `send_while_disconnected=QUEUE`, or kept until
  /// on_logon(). Not told when the engine ends in between: an application that goes down with open
  /// orders has them to cancel for more reasons than this.
  virtual void on_cancel_orders(SessionHandle session) noexcept { static_cast<void>(session); }

  /// A session has come while the engine runs: it was added, or a template's first Logon of a peer
  /// made it. Before any other callback about it.
  virtual void on_session_added(SessionHandle session) noexcept { static_cast<void>(session); }

  /// It was removed: the last callback about it. It still exists here, logged out and to stay so;
  /// when this returns, no handle leads to it any more, and what the application keeps about it
  /// may go.
  virtual void on_session_removed(SessionHandle session) noexcept { static_cast<void>(session); }

  /// An operator stops what the session sends (SessionControls::stop_sending): the last chance for
  /// messages of the application's, such as those that cancel its open orders. From the session's
  /// worker, whichever thread has its callbacks. What is sent here on `session` still leaves;
  /// when this returns every further message is refused as Stopped.
  virtual void before_stop_sending(SessionHandle session) noexcept { static_cast<void>(session); }

  /// The input at hand has been handed over, and nothing that was sent since then has left: the
  /// place for what follows from many messages together, such as market data. Called once a turn in
  /// which any other callback but on_event() was called, and once more for each round of callbacks
  /// that what was sent here made room for.
  virtual void on_turn_end() noexcept {}

  /// A message that another thread gave a Courier has come to the session's worker, and this became
  /// of it; `token` is what the courier was given with it.
  virtual void on_courier_result(SessionHandle session, std::uint64_t token,
                                 const SendResult& result) noexcept {
    static_cast<void>(session);
    static_cast<void>(token);
    static_cast<void>(result);
  }

  /// Engine::wake() was called: the place to take over what other threads have left for this one.
  /// Also called when nobody did.
  virtual void on_wake() noexcept {}

  /// For the log. Called for every session and for the engine itself.
  virtual void on_event(const Event& event) noexcept { static_cast<void>(event); }

 protected:
  Application() = default;
  Application(const Application&) = default;
  Application& operator=(const Application&) = default;
};

}  // namespace affix::inline v0::engine
