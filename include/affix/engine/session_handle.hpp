// SPDX-License-Identifier: MIT
// An application's hold on one session: its state, and the commands it takes.
#pragma once

#include "affix/base/time.hpp"
#include "affix/engine/receipt.hpp"
#include "affix/engine/session_standing.hpp"
#include "affix/session/events.hpp"
#include "affix/session/extra_header_field.hpp"
#include "affix/wire/encoder.hpp"
#include "affix/wire/view.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string_view>

namespace affix::inline v0::wire {
class PreparedMessage;
}

namespace affix::inline v0::engine {

class HostedSession;
struct SessionSeat;

/// What became of a message. All but Sent and Queued are refusals, after which nothing was
/// numbered and nothing goes out.
enum class SendStatus : std::uint8_t {
  Sent,            ///< Numbered, in the journal, and on its way.
  Queued,          ///< Numbered and in the journal: the peer gets it after the next logon
                   ///< (send_while_disconnected=QUEUE).
  NotLoggedOn,     ///< The session is not open, or is being closed.
  Resetting,       ///< A reset in mid-session waits for the peer; on_output_room() follows.
  QueueFull,       ///< send_queue_max messages wait for the next logon.
  Invalid,         ///< It could not be encoded: `encode_error` says why.
  TypeRefused,     ///< A session message's type, or none.
  RejectOfReject,  ///< It would answer a Reject (3) or BusinessMessageReject (j): two sides that do
                   ///< so never end.
  TooLarge,        ///< Beyond the peer's MaxMessageSize (383), or all of tx_encode_buffer_capacity.
  JournalFull,     ///< The journal cannot take it (disk full), and the session is disconnected for
                   ///< that.
  Throttled,       ///< More than send_throttle_limit allows now; on_output_room() follows.
  Backlogged,  ///< The peer does not read and the output limit is met; on_output_room() follows.
  Stopped,     ///< An operator has stopped what the session sends; on_output_room() follows when
               ///< he lets it go on.
};

[[nodiscard]] const char* to_text(SendStatus status) noexcept;

struct SendResult {
  SendStatus status = SendStatus::NotLoggedOn;
  wire::EncodeError encode_error = wire::EncodeError::None;
  std::uint64_t sequence = 0;  ///< MsgSeqNum, when Sent or Queued.

  [[nodiscard]] bool sent() const noexcept { return status == SendStatus::Sent; }

  [[nodiscard]] bool queued() const noexcept { return status == SendStatus::Queued; }

  /// The peer will not get it, and `status` says why.
  [[nodiscard]] bool refused() const noexcept { return !sent() && !queued(); }
};

/// A copyable reference, const or not as a pointer is; lives as long as the engine, used on its
/// worker's thread only, but for what never changes (names, ids, role, worker, journal_directory),
/// exists() and standing(). An empty one (default made) may only be asked whether it is empty.
///
/// A handle of a session that was removed says so: exists() is false, for good, even when a session
/// of the same name is added later. Its names stay what they were, it is not logged on, its numbers
/// are 0, messages are refused as NotLoggedOn, and commands do nothing.
class SessionHandle {
 public:
  SessionHandle() noexcept = default;

  /// For the engine itself.
  SessionHandle(SessionSeat& seat, std::uint32_t generation, std::uint32_t logon = 0) noexcept
      : seat_(&seat), generation_(generation), logon_(logon) {}

  [[nodiscard]] explicit operator bool() const noexcept { return seat_ != nullptr; }

  /// The session has come to its worker and was not removed.
  [[nodiscard]] bool exists() const noexcept;

  /// Name of the session's group in the configuration; lives as long as the engine.
  [[nodiscard]] std::string_view name() const noexcept;

  /// Name of its client's or server's group.
  [[nodiscard]] std::string_view instance() const noexcept;
  [[nodiscard]] std::string_view begin_string() const noexcept;
  [[nodiscard]] std::string_view sender_comp_id() const noexcept;
  [[nodiscard]] std::string_view target_comp_id() const noexcept;

  /// It connects; else it accepts.
  [[nodiscard]] bool is_initiator() const noexcept;

  /// Number of the worker that has it; all its callbacks come from that worker's thread.
  [[nodiscard]] std::size_t worker() const noexcept;

  /// Open both ways. For its worker's thread; any other asks standing().
  [[nodiscard]] bool logged_on() const noexcept;

  /// How the session stands: any thread, at the cost of reading one atomic. LoggedOn from before
  /// on_logon() to before on_logout(), or until a Logout is on its way. A snapshot: it may be
  /// otherwise when the answer is looked at, so what a Courier sends on its strength may still be
  /// refused, and on_courier_result() says so. Disconnected, once the session was removed.
  [[nodiscard]] SessionStanding standing() const noexcept;

  /// Not connected, and nothing under way to be.
  [[nodiscard]] bool disconnected() const noexcept;
  [[nodiscard]] std::uint64_t next_sender_seq() const noexcept;
  [[nodiscard]] std::uint64_t next_target_seq() const noexcept;

  /// Directory of its journal; empty with durability=memory.
  [[nodiscard]] std::string_view journal_directory() const noexcept;

  /// The clocks' reading of the turn under way. The message to be written next has it in tag 52.
  [[nodiscard]] base::Now now() const noexcept;

  /// Begins a message of `type`: the header is written, the body is to be written into the encoder,
  /// which writes straight into the session's output. Keep it on the stack, use nothing else of
  /// this session until commit(); a message that is never committed leaves no trace. When nothing
  /// may be sent the encoder has no room, and commit() says why. No allocation; no system call
  /// unless the output is nearly full.
  [[nodiscard]] wire::Encoder begin(std::string_view type) const noexcept { return open(type, {}); }

  /// The same with header fields of this message alone, ascending by tag: routing (115, 128 and so
  /// on), PossResend (97), ApplVerID (1128).
  [[nodiscard]] wire::Encoder begin(
      std::string_view type, std::span<const session::ExtraHeaderField> header) const noexcept {
    return open(type, header);
  }

  /// Finishes, numbers and stores the message; it leaves with the turn's other output, and at once
  /// outside a turn. Inline as begin() is, so that the encoder can live in registers.
  [[nodiscard]] SendResult commit(wire::Encoder& message) const noexcept {
    return close(message.finish());
  }

  /// The same with a generated writer: `auto order = session.begin<fix44::NewOrderSingleWriter>();`
  template <typename Writer>
    requires requires { Writer::message_type; }
  [[nodiscard]] Writer begin() const noexcept {
    return Writer(open(Writer::message_type, {}));
  }

  /// A message whose required fields are not all there is Invalid.
  template <typename Writer>
    requires requires(Writer& message) { message.complete(); }
  [[nodiscard]] SendResult commit(Writer& message) const noexcept {
    return commit(message.complete());
  }

  /// Instead of commit(): the message is finished, numbered and looked at by the journal, and then
  /// all of it is taken back: no number is taken, nothing is stored or sent. So that a message that
  /// is sent seldom finds code and memory in the caches: begin() and write one like it every so
  /// often (each 100 us, say) and give it here. No allocation, no system call. False: it could not
  /// have been sent. The header's before_send() hook has been asked as for any message.
  bool warm(wire::Encoder& message) const noexcept { return rehearse(message.finish()); }

  /// The same with a generated writer.
  template <typename Writer>
    requires requires(Writer& message) { message.complete(); }
  bool warm(Writer& message) const noexcept {
    return warm(message.complete());
  }

  /// Begins a message of `type` in `buffer`, the caller's own, with this session's header: what a
  /// wire::PreparedMessage is made of. Its 34 and 52 are place holders. Nothing is sent, no number
  /// taken; logged on or not. `buffer` outlives the encoder.
  [[nodiscard]] wire::Encoder draft(std::string_view type, std::span<char> buffer) const noexcept;

  /// Sends a message that was prepared from a draft() of this session, and whose slots
  /// `sequence_slot` and `time_slot` are its 34 and 52: both are set, and it leaves as with
  /// commit(). It can be changed and sent again at once. before_send() is not asked: the header was
  /// written with the draft.
  [[nodiscard]] SendResult send_prepared(wire::PreparedMessage& prepared,
                                         std::uint32_t sequence_slot,
                                         std::uint32_t time_slot) const noexcept;

  // Messages that the application deals with later than on_message(): on the thread that has the
  // session's callbacks; another one uses a Courier.

  /// Inside on_message(), about the message at hand: when the callback returns it does not count as
  /// dealt with. The application owes finish_message() with its Delivery::receipt; until then the
  /// journal keeps it, and the segments behind it, and hands it over again after a crash. False:
  /// this session's on_message() is not being called.
  bool keep_message() const noexcept;

  /// The message of `receipt` is dealt with: what was sent because of it has been sent, or was
  /// refused for good. In any order; twice is as once. False: the session has no such message, or
  /// was removed. Right after resets of the numbers, a reload of the session, a removal and a new
  /// start of the process, too, as long as it is a session of the same journal. O(bytes of the
  /// message).
  bool finish_message(Receipt receipt) const noexcept;

  /// With Redelivery::WhenAsked: the application is ready for what an earlier run left. It comes
  /// before anything new that has not come yet. Nothing happens when there is nothing left; earlier
  /// than asked with the other two.
  void redeliver() const noexcept;

  /// Tells the peer that `message`, which on_message() was given, cannot be processed: 35=j, or
  /// 35=3 up to FIX.4.1. `reference` is the id that the peer gave the business at hand (379), or
  /// empty. A Reject (3) or BusinessMessageReject (j) is never answered: RejectOfReject, and
  /// nothing is sent. So it may be called for whatever the application does not know.
  SendResult reject_business(const wire::MessageView& message, session::BusinessRejectReason reason,
                             std::string_view text, std::string_view reference = {}) const noexcept;

  /// Sends what is waiting now: one system call.
  void flush() const noexcept;

  /// Answers the Logon that waits since on_logon_request() or on_logon_answer() said Later. A
  /// handle that one of these two was given answers the Logon of that call and no other, so that an
  /// answer that comes after its connection has ended does nothing to the next one; any other
  /// handle answers the Logon that waits now. False: none waits; its connection may have ended or
  /// its time run out. `text` as in LogonAnswer, copied.
  bool accept_logon() const noexcept;
  bool refuse_logon(std::string_view text) const noexcept;

  /// Begins an orderly logout; on_logout() follows. A connection that is not logged on yet is
  /// closed, an attempt to connect ends. An initiator does not connect again until connect() is
  /// called.
  void logout(std::string_view text) const noexcept;

  /// Lets an initiator that was logged out connect again, at once or when the logout is complete.
  void connect() const noexcept;

  /// Sets both numbers to 1: in session with a Logon that says so (141=Y), at once or, with
  /// reset_start=IN_SYNC, when neither side misses anything; forgotten when the connection ends
  /// before.
  void reset() const noexcept;

  /// Sends a TestRequest.
  void test_peer() const noexcept;

  /// A pointer of the application's own, null at first.
  [[nodiscard]] void* user() const noexcept;
  void set_user(void* user) const noexcept;

  /// For the engine itself. Null: it was removed.
  [[nodiscard]] HostedSession* hosted() const noexcept;

  /// The same. Any thread.
  [[nodiscard]] SessionSeat& seat() const noexcept { return *seat_; }

  /// The same: number of the Logon that it answers; 0: whichever waits.
  [[nodiscard]] std::uint32_t logon() const noexcept { return logon_; }

  /// The same: this session, and the Logon of that number.
  [[nodiscard]] SessionHandle for_logon(std::uint32_t logon) const noexcept {
    SessionHandle handle = *this;
    handle.logon_ = logon;
    return handle;
  }

  /// Of the same session, whatever Logon they answer.
  friend bool operator==(SessionHandle left, SessionHandle right) noexcept {
    return left.seat_ == right.seat_ && left.generation_ == right.generation_;
  }

 private:
  [[nodiscard]] const wire::Encoder& open(
      std::string_view type, std::span<const session::ExtraHeaderField> header) const noexcept;
  [[nodiscard]] SendResult close(wire::EncodedMessage finished) const noexcept;
  bool rehearse(wire::EncodedMessage finished) const noexcept;

  // Two registers: it is handed over by value with every message.
  SessionSeat* seat_ = nullptr;
  std::uint32_t generation_ = 0;
  std::uint32_t logon_ = 0;
};

}  // namespace affix::inline v0::engine
