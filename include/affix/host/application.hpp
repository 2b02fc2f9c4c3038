// SPDX-License-Identifier: MIT
// The interface of a trading application: callbacks about its sessions. All callbacks of one
// session come from its worker's thread (or its callback thread) and never nest there.
#pragma once

#include "affix/base/message_code.hpp"
#include "affix/host/failover_notice.hpp"
#include "affix/host/receipt.hpp"
#include "affix/host/session_handle.hpp"
#include "affix/wire/encoder.hpp"
#include "affix/wire/view.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace affix::inline v0::host {

/// Describes how a message reached the application. A copy; valid after the callback.
struct Delivery {
  std::uint64_t sequence = 0;       ///< Its MsgSeqNum.
  bool possible_duplicate = false;  ///< PossDupFlag (43) was Y: it filled a gap; first delivery.
  bool possible_resend = false;     ///< PossResend (97) was Y: the peer may have sent the same
                                    ///< content under another number.
  bool redelivered = false;  ///< An earlier run delivered it, or was about to, and the journal has
                             ///< no processed mark for it.
  Receipt receipt = {};      ///< Pass to SessionHandle::finish_message() if the message is kept.
};

/// The application's answer to a peer's Logon.
struct LogonAnswer {
  enum class Decision : std::uint8_t {
    AsConfigured,  ///< The engine decides: it refuses the Logon if the session has a
                   ///< `logon_username`, `logon_password` or `logon_password_hash` that does not
                   ///< match, and accepts otherwise. An initiator accepts.
    Accept,        ///< Accepts, regardless of the configuration.
    Refuse,
    Later,  ///< SessionHandle::accept_logon() or refuse_logon() follows, within
            ///< logon_timeout_seconds of the connection; until then the engine reads nothing more.
  };

  Decision decision = Decision::AsConfigured;
  std::string_view text = {};  ///< Reason for a refusal, for the peer's Text (58); empty: no Logout
                               ///< is sent. Valid until the next callback.

  [[nodiscard]] static constexpr LogonAnswer as_configured() noexcept { return {}; }

  [[nodiscard]] static constexpr LogonAnswer accept() noexcept { return {Decision::Accept, {}}; }

  [[nodiscard]] static constexpr LogonAnswer refuse(std::string_view text) noexcept {
    return {Decision::Refuse, text};
  }

  /// A string that ends with the statement: its text would be read after it is freed.
  template <typename Text>
    requires std::is_same_v<std::remove_const_t<Text>, std::string>
  static constexpr LogonAnswer refuse(Text&& text) noexcept = delete;

  [[nodiscard]] static constexpr LogonAnswer later() noexcept { return {Decision::Later, {}}; }
};

/// Decides if the engine sends a stored message again.
enum class ResendDecision : std::uint8_t {
  Resend,
  GapFill,  ///< Sends a gap fill instead of the message.
};

/// An occurrence that belongs in an operator's log.
struct Event {
  enum class Severity : std::uint8_t { Debug, Info, Warning, Error };

  Severity severity = Severity::Info;
  std::string_view session;  ///< Name of the session group, empty for the engine itself.
  std::string_view text;     ///< One sentence without secrets. Valid during the call.

  /// UTC at the start of the turn in which it happened; 0: no clock was read before.
  std::int64_t utc_ns = 0;

  base::MessageCode code = {};  ///< `affix explain` says what it means and what to do.
};

/// The user implements this. Views are valid during the call. A callback must not throw and must
/// not block: it delays every session of its worker. It may send and give any other command, on its
/// own session or another of the same worker. Its messages leave together when the pending input
/// has been processed, or at SessionHandle::flush(). No command calls back: its effects are
/// reported later in the turn.
///
/// An engine with several workers calls from several threads: session callbacks come from the
/// session's worker, on_turn_end() and on_wake() from each worker, on_event() from any worker and
/// from the thread that accepts connections.
///
/// The `before_...` functions except before_stop_sending() are hooks, not callbacks: the engine
/// calls them while it writes a message, also inside commands. They may read and may write into
/// their arguments, but must give no command.
class Application {
 public:
  virtual ~Application() = default;

  /// A peer's Logon passed the session's checks; `logon` has its credentials (553, 554, 925).
  /// Acceptor sessions only. No state has changed yet, and a refusal changes none. The default,
  /// as_configured(), compares the session's configured credentials. `session` answers only this
  /// Logon, not a later one.
  [[nodiscard]] virtual LogonAnswer on_logon_request(SessionHandle /*session*/,
                                                     const wire::MessageView& /*logon*/) noexcept {
    return {};
  }

  /// The acceptor's Logon in answer to ours passed the session's checks. Initiator sessions only.
  /// No state has changed yet, and a refusal changes none: our Logout carries the reason.
  [[nodiscard]] virtual LogonAnswer on_logon_answer(SessionHandle /*session*/,
                                                    const wire::MessageView& /*logon*/) noexcept {
    return {};
  }

  /// Both sides have accepted a Logon; the session may send.
  virtual void on_logon(SessionHandle /*session*/) noexcept {}

  /// Delivers an application message, in sequence and once (exceptions: Delivery). When this
  /// returns, the journal marks the message as processed, unless keep_message() was called:
  /// then the application calls SessionHandle::finish_message() later. Messages without the
  /// mark when the process dies or the session is removed are delivered again, with
  /// `redelivered` set. With `store_order=after_send` the mark follows once all that the worker
  /// has sent is stored; if the journal refuses any of it, there is no mark. On a callback thread
  /// the latter holds for every store order.
  virtual void on_message(SessionHandle session, const wire::MessageView& message,
                          const Delivery& delivery) noexcept = 0;

  /// Chooses when unprocessed messages of an earlier run are delivered again. Called once on the
  /// worker's thread when it takes over the session, even with callback threads. No commands.
  [[nodiscard]] virtual Redelivery redelivery(SessionHandle /*session*/) noexcept {
    return Redelivery::AfterLogon;
  }

  /// Delivers a processed session message, in sequence: Heartbeat, TestRequest, ResendRequest,
  /// Reject, SequenceReset, Logout, or a Logon that resets in mid-session. A first Logon goes to
  /// on_logon_request() or on_logon_answer(); rejected messages are left out.
  virtual void on_admin(SessionHandle /*session*/, const wire::MessageView& /*message*/) noexcept {}

  /// The application began a message and its header is written. May add the application's own
  /// header fields (115, 128, 129) to `message` before the body follows.
  virtual void before_send(SessionHandle /*session*/, std::string_view /*type*/,
                           wire::Encoder& /*message*/) noexcept {}

  /// The session wrote a session message. May add up to 1 KiB of the application's fields to
  /// `message`: credentials or a signature in a Logon, 58 in a Heartbeat. Fields that cannot be
  /// encoded are left out, and an event reports it. The journal never stores a Logon's passwords
  /// (554, 925, 96, 1402, 1404) or `secret_tags`.
  virtual void before_admin_send(SessionHandle /*session*/, std::string_view /*type*/,
                                 wire::Encoder& /*message*/) noexcept {}

  /// The peer requests an application message again, and `resend_policy` allows it. `stored` is the
  /// message as first sent. May be called twice for one message.
  [[nodiscard]] virtual ResendDecision before_resend(SessionHandle /*session*/,
                                                     const wire::MessageView& /*stored*/) noexcept {
    return ResendDecision::Resend;
  }

  /// A send was refused as Backlogged, Throttled or Resetting, and sending is possible again.
  virtual void on_output_room(SessionHandle /*session*/) noexcept {}

  /// A session that was logged on has ended; `reason` is one sentence.
  virtual void on_logout(SessionHandle /*session*/, std::string_view /*reason*/) noexcept {}

  /// Cancel the session's open orders: the session ended, its peer did not reconnect within
  /// `cancel_on_disconnect_grace_milliseconds`, and `cancel_on_disconnect` is set. Called after
  /// on_logout(), immediately if the grace is 0, once for each end. Messages about the cancellation
  /// can be sent with `send_while_disconnected=QUEUE`, or kept until on_logon(). Not called if the
  /// engine ends in between: an application that exits with open orders must cancel them anyway.
  virtual void on_cancel_orders(SessionHandle /*session*/) noexcept {}

  /// A session was added while the engine runs, or a template created it for a peer's first Logon.
  /// The first callback about this session.
  virtual void on_session_added(SessionHandle /*session*/) noexcept {}

  /// The session was removed; the last callback about it. It still exists during the call, logged
  /// out for good. After the call no handle refers to it, and the application may free its own data
  /// about it.
  virtual void on_session_removed(SessionHandle /*session*/) noexcept {}

  /// An operator stops the session from sending (SessionControls::stop_sending). Last chance to
  /// send, for example to cancel open orders. Called on the session's worker thread, even with
  /// callback threads. Messages sent on `session` during the call still leave; afterwards every
  /// message is refused as Stopped.
  virtual void before_stop_sending(SessionHandle /*session*/) noexcept {}

  /// All pending input was delivered, and nothing sent since has left: send here if one message
  /// summarises many, such as market data. Called once in each turn that had a callback other
  /// than on_event(), and again after each round of callbacks that resulted from messages sent
  /// here.
  virtual void on_turn_end() noexcept {}

  /// Reports the result of a message that another thread passed to a CrossThreadSender, once the
  /// session's worker has handled it; `token` is the value given to CrossThreadSender::commit().
  virtual void on_cross_thread_result(SessionHandle /*session*/, std::uint64_t /*token*/,
                                      const SendResult& /*result*/) noexcept {}

  /// Engine::wake() was called: process the work that other threads have queued for this thread.
  /// May also be called spuriously.
  virtual void on_wake() noexcept {}

  /// This node leads a failover group, or leads it no more, or is alone in it. From the thread of
  /// the first worker; other workers may have called about their sessions before.
  virtual void on_failover(const FailoverNotice& /*notice*/) noexcept {}

  /// Log this event. Called for every session and for the engine itself.
  virtual void on_event(const Event& /*event*/) noexcept {}

 protected:
  Application() = default;
  Application(const Application&) = default;
  Application& operator=(const Application&) = default;
};

}  // namespace affix::inline v0::host
