// SPDX-License-Identifier: MIT
// An application's handle to one session: its state, and the commands it accepts.
#pragma once

#include "affix/base/time.hpp"
#include "affix/host/receipt.hpp"
#include "affix/session/events.hpp"
#include "affix/session/extra_header_field.hpp"
#include "affix/session/standing.hpp"
#include "affix/wire/encoder.hpp"
#include "affix/wire/view.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string_view>

namespace affix::inline v0::wire {
class DataFields;
class PreparedMessage;
}  // namespace affix::inline v0::wire

namespace affix::inline v0::host {

class HostedSession;
struct SessionSlot;

/// Result of a send. All values but Sent and Queued are refusals: no number was taken and nothing
/// is sent.
enum class SendStatus : std::uint8_t {
  Sent,            ///< Numbered, in the journal, and in the output.
  Queued,          ///< Numbered and in the journal: sent after the next logon
                   ///< (send_while_disconnected=QUEUE).
  NotLoggedOn,     ///< Not logged on, or logging out.
  Resetting,       ///< A reset in mid-session waits for the peer; on_output_room() follows.
  QueueFull,       ///< send_queue_max messages already wait for the next logon.
  Invalid,         ///< The encoder refused it: see `encode_error`.
  TypeRefused,     ///< The type of a session message, or empty.
  RejectOfReject,  ///< It would answer a Reject (3) or BusinessMessageReject (j): two sides that do
                   ///< so would never end.
  TooLarge,        ///< Beyond the peer's MaxMessageSize (383), or tx_encode_buffer_capacity.
  JournalFull,     ///< The journal cannot store it (disk full); the engine disconnects the
                   ///< session.
  Throttled,       ///< Exceeds send_throttle_limit; on_output_room() follows.
  Backlogged,  ///< The peer does not read; the output limit is reached; on_output_room() follows.
  Stopped,     ///< An operator stopped the session from sending; on_output_room() follows when
               ///< sending is allowed again. Or another node takes the session over.
};

[[nodiscard]] const char* to_text(SendStatus status) noexcept;

struct SendResult {
  SendStatus status = SendStatus::NotLoggedOn;
  wire::EncodeError encode_error = wire::EncodeError::None;
  std::uint64_t sequence = 0;  ///< MsgSeqNum, when Sent or Queued.

  [[nodiscard]] bool sent() const noexcept { return status == SendStatus::Sent; }

  [[nodiscard]] bool queued() const noexcept { return status == SendStatus::Queued; }

  /// True if the peer will not get it; `status` is the reason.
  [[nodiscard]] bool refused() const noexcept { return !sent() && !queued(); }
};

/// A copyable reference, const like a pointer, valid as long as the engine. Use it only on its
/// worker's thread, except constant properties (names, ids, role, worker, journal_directory),
/// exists() and standing(). An empty handle (the default) only supports operator bool.
///
/// After a session was removed, exists() is false for good, even when a session of the same name is
/// added later. Names keep their values, logged_on() is false, sequence numbers are 0, messages are
/// refused as NotLoggedOn, and commands do nothing.
class SessionHandle {
 public:
  SessionHandle() noexcept = default;

  /// For the engine itself.
  SessionHandle(SessionSlot& slot, std::uint32_t generation, std::uint32_t logon = 0) noexcept
      : slot_(&slot), generation_(generation), logon_(logon) {}

  [[nodiscard]] explicit operator bool() const noexcept { return slot_ != nullptr; }

  /// True from when the worker takes over the session until it is removed.
  [[nodiscard]] bool exists() const noexcept;

  /// Name of the session's group in the configuration; lives as long as the engine.
  [[nodiscard]] std::string_view name() const noexcept;

  /// Name of its client or server group.
  [[nodiscard]] std::string_view instance() const noexcept;
  [[nodiscard]] std::string_view begin_string() const noexcept;
  [[nodiscard]] std::string_view sender_comp_id() const noexcept;
  [[nodiscard]] std::string_view target_comp_id() const noexcept;

  /// True: initiator; false: acceptor.
  [[nodiscard]] bool is_initiator() const noexcept;

  /// Number of its worker; all its callbacks come from that worker's thread.
  [[nodiscard]] std::size_t worker() const noexcept;

  /// Logged on in both directions. Worker's thread only; other threads call standing().
  [[nodiscard]] bool logged_on() const noexcept;

  /// Current state; any thread, one atomic load. LoggedOn from before on_logon() until before
  /// on_logout(), or until a Logout is sent. A snapshot: the state may have changed when the caller
  /// reads it, so a message sent by a CrossThreadSender because of it may still be refused, and
  /// on_cross_thread_result() reports that. Disconnected once the session is removed.
  [[nodiscard]] session::SessionStanding standing() const noexcept;

  /// True if not connected and not connecting.
  [[nodiscard]] bool disconnected() const noexcept;
  [[nodiscard]] std::uint64_t next_sender_seq() const noexcept;
  [[nodiscard]] std::uint64_t next_target_seq() const noexcept;

  /// Directory of its journal; empty with durability=memory.
  [[nodiscard]] std::string_view journal_directory() const noexcept;

  /// Clock readings of the current turn. The next message has this time in SendingTime (52).
  [[nodiscard]] base::Now now() const noexcept;

  /// Begins a message of `type`: writes the header; write the body into the returned encoder, which
  /// writes directly into the session's output. Keep the encoder on the stack and call nothing else
  /// of this session until commit(); an uncommitted message leaves no trace. If sending is not
  /// allowed, the encoder has no space and commit() returns the reason. No allocation; no system
  /// call unless the output is nearly full.
  [[nodiscard]] wire::Encoder begin(std::string_view type) const noexcept {
    return begin_message(type, {});
  }

  /// Does the same with header fields for this message only, ascending by tag: routing (115, 128
  /// and so on), PossResend (97), ApplVerID (1128).
  [[nodiscard]] wire::Encoder begin(
      std::string_view type, std::span<const session::ExtraHeaderField> header) const noexcept {
    return begin_message(type, header);
  }

  /// Finishes, numbers and stores the message. It is sent with the turn's other output, or at once
  /// outside a turn. Inline like begin(), so that the encoder can stay in registers.
  [[nodiscard]] SendResult commit(wire::Encoder& message) const noexcept {
    return commit_message(message.finish());
  }

  /// The same with a generated writer: `auto order = session.begin<fix44::NewOrderSingleWriter>();`
  template <typename Writer>
    requires requires { Writer::message_type; }
  [[nodiscard]] Writer begin() const noexcept {
    return Writer(begin_message(Writer::message_type, {}));
  }

  /// Returns Invalid if a required field is missing.
  template <typename Writer>
    requires requires(Writer& message) { message.complete(); }
  [[nodiscard]] SendResult commit(Writer& message) const noexcept {
    return commit(message.complete());
  }

  /// Does the work of commit() up to the journal, then undoes all of it: takes no number,
  /// stores and sends nothing. Keeps code and data of rarely sent messages in the caches:
  /// begin() and write a similar message at intervals (every 100 us, say) and pass it here. No
  /// allocation, no system call. False: it could not have been sent. Calls before_send() as for
  /// any message.
  bool warm(wire::Encoder& message) const noexcept { return rehearse(message.finish()); }

  /// The same with a generated writer.
  template <typename Writer>
    requires requires(Writer& message) { message.complete(); }
  bool warm(Writer& message) const noexcept {
    return warm(message.complete());
  }

  /// Begins a message of `type` with this session's header in the caller's `buffer`: the draft of a
  /// wire::PreparedMessage. Its 34 and 52 are placeholders. Sends nothing and takes no number;
  /// works in every state. `buffer` must outlive the encoder.
  [[nodiscard]] wire::Encoder draft(std::string_view type, std::span<char> buffer) const noexcept;

  /// The length and data pairs of this session's dictionaries, for wire::PreparedMessage::make():
  /// the pairs of the FIX specifications, and a venue's own. Any thread; valid as long as the
  /// session is there.
  [[nodiscard]] const wire::DataFields& data_fields() const noexcept;

  /// Sends a message prepared from a draft() of this session. Sets its slots
  /// `sequence_slot` (34) and `time_slot` (52), then sends it like commit(). `prepared` can
  /// be changed and sent again at once. Does not call before_send(): the header was written
  /// with the draft.
  [[nodiscard]] SendResult send_prepared(wire::PreparedMessage& prepared,
                                         std::uint32_t sequence_slot,
                                         std::uint32_t time_slot) const noexcept;

  // For messages that the application processes after on_message() returned. Call these on the
  // thread of the session's callbacks; other threads use a CrossThreadSender.

  /// Keeps the current message unprocessed when on_message() returns. The application must later
  /// call finish_message() with its Delivery::receipt; until then the journal keeps its segment and
  /// all later ones, and redelivers the message after a crash. False: not inside on_message() of
  /// this session.
  bool keep_message() const noexcept;

  /// Marks the message of `receipt` as processed: all messages that it caused were sent or finally
  /// refused. In any order; repeating it has no effect. Receipts stay valid across resets, reloads,
  /// removal and restarts of the process, as long as the session has the same journal. False: the
  /// session has no such message, or was removed. O(bytes of the message).
  bool finish_message(Receipt receipt) const noexcept;

  /// With Redelivery::WhenAsked: starts redelivery of messages left by an earlier run, ahead of new
  /// messages not yet delivered. With the other two values it starts redelivery early. No effect if
  /// no message is left.
  void redeliver() const noexcept;

  /// Rejects `message`, which on_message() delivered: sends 35=j, or 35=3 up to FIX.4.1.
  /// `reference` is the peer's business id (379), or empty. Never answers a Reject (3) or a
  /// BusinessMessageReject (j): returns RejectOfReject and sends nothing. It is therefore safe to
  /// call for every message that the application does not know.
  SendResult reject_business(const wire::MessageView& message, session::BusinessRejectReason reason,
                             std::string_view text, std::string_view reference = {}) const noexcept;

  /// Rejects `message`, which on_message() delivered, on the session level: sends 35=3, with `tag`
  /// as RefTagID (371), 0: none. For rules of the application about single fields, where the peer
  /// expects what an engine sends for a field that is forbidden by its dictionary. An empty `text`
  /// is that of the reason. Never answers a reject, as reject_business().
  SendResult reject(const wire::MessageView& message, session::RejectReason reason,
                    std::uint32_t tag, std::string_view text = {}) const noexcept;

  /// Sends pending output now: one system call.
  void flush() const noexcept;

  /// Answers the Logon that on_logon_request() or on_logon_answer() left open with Later. A handle
  /// passed to one of these answers only the Logon of that call, so that an answer after its
  /// connection ended does not affect the next one; any other handle answers the Logon that waits
  /// now. False: none waits; its connection ended or its time ran out. `text` as in LogonAnswer,
  /// copied.
  bool accept_logon() const noexcept;
  bool refuse_logon(std::string_view text) const noexcept;

  /// Begins an orderly logout; on_logout() follows. Closes a connection before its Logon,
  /// and aborts an attempt to connect. An initiator does not reconnect until connect() is
  /// called.
  void logout(std::string_view text) const noexcept;

  /// Lets an initiator connect again after logout(), at once or when the logout is complete.
  void connect() const noexcept;

  /// Sets both sequence numbers to 1. While logged on, by a Logon with 141=Y, at once or, with
  /// reset_start=IN_SYNC, when neither side misses a message; dropped if the connection ends
  /// first.
  void reset() const noexcept;

  /// Sends a TestRequest.
  void test_peer() const noexcept;

  /// A pointer that the application may set, initially null. Not owned.
  [[nodiscard]] void* user() const noexcept;
  void set_user(void* user) const noexcept;

  /// Internal, for the engine. Null: the session was removed.
  [[nodiscard]] HostedSession* hosted() const noexcept;

  /// Internal, for the engine. Any thread.
  [[nodiscard]] SessionSlot& slot() const noexcept { return *slot_; }

  /// Internal: number of the Logon that this handle answers; 0: whichever waits.
  [[nodiscard]] std::uint32_t logon() const noexcept { return logon_; }

  /// Internal: a copy of the handle for the Logon with that number.
  [[nodiscard]] SessionHandle for_logon(std::uint32_t logon) const noexcept {
    SessionHandle handle = *this;
    handle.logon_ = logon;
    return handle;
  }

  /// True for handles of the same session, regardless of the Logon they answer.
  friend bool operator==(SessionHandle left, SessionHandle right) noexcept {
    return left.slot_ == right.slot_ && left.generation_ == right.generation_;
  }

 private:
  [[nodiscard]] const wire::Encoder& begin_message(
      std::string_view type, std::span<const session::ExtraHeaderField> header) const noexcept;
  [[nodiscard]] SendResult commit_message(wire::EncodedMessage finished) const noexcept;
  bool rehearse(wire::EncodedMessage finished) const noexcept;

  // Two registers: it is passed by value with every message.
  SessionSlot* slot_ = nullptr;
  std::uint32_t generation_ = 0;
  std::uint32_t logon_ = 0;
};

}  // namespace affix::inline v0::host
