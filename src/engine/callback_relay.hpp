// SPDX-License-Identifier: MIT
// Callbacks on their way from a worker to a thread of the application's: the worker writes them
// into a bounded queue and goes on, the other thread calls.
#pragma once

#include "affix/base/byte_ring.hpp"
#include "affix/base/spsc_queue.hpp"
#include "affix/engine/application.hpp"
#include "affix/journal/record.hpp"
#include "affix/net/waker.hpp"

#include "engine/hosted_session.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::engine {

/// What a record in the queue begins with; behind it come the message's bytes or the reason, and
/// padding for whoever indexes the message again.
struct CallbackHead {
  enum class Kind : std::uint8_t {
    LogonRequest,
    LogonAnswer,
    Logon,
    Message,
    Admin,
    OutputRoom,
    Logout,
    CancelOrders,
    Added,
    Removed,
    Farewell  ///< Nothing to call: the session has a successor.
  };

  HostedSession* session = nullptr;
  journal::Position received_at = {};  ///< Message and Admin: whose mark is to be set.
  Delivery delivery = {};              ///< Message.
  Kind kind = Kind::Logon;
  std::uint32_t size = 0;   ///< Of what follows, without the padding.
  std::uint32_t logon = 0;  ///< LogonRequest and LogonAnswer: number of the Logon.
  std::uint32_t unused = 0;
};

/// What one worker has for one callback thread: the queue there, and the processed messages back.
/// The worker's end is an Application to its sessions. Callbacks about one session stay in order.
///
/// A message that does not fit is not taken: the session asks has_room() before it takes input, and
/// stops reading when there is none. What else may come always fits, since that much is kept free.
class CallbackRelay final : public Application {
 public:
  /// Room for `bytes` of messages of up to `message_bytes`, for `sessions` sessions. `waker` is the
  /// callback thread's; both it and `index` (the worker's) outlive this.
  CallbackRelay(std::size_t bytes, std::size_t message_bytes, std::size_t sessions,
                net::Waker& waker);

  // The worker's.

  /// Another message fits, and all that may follow from it.
  [[nodiscard]] bool has_room() noexcept { return ring_.has_room(message_room_ + kept_free_); }

  /// The next message or session message that is relayed has this record in the journal.
  void set_received_at(journal::Position position) noexcept { received_at_ = position; }

  /// The session is to be attended when there is room.
  void await_room(HostedSession& session) noexcept;

  /// Tells the application that the session was removed, if it was `for_good`; when all it was told
  /// before has been carried out, the session is relay_drained().
  void say_farewell(HostedSession& session, bool for_good) noexcept;

  /// Nothing here leads to the session any more, which is relay_drained() or has never relayed.
  void forget(HostedSession& session) noexcept;

  /// How much the callback thread has told and was not taken. What it gave to couriers before is
  /// in their queues.
  [[nodiscard]] std::size_t told() const noexcept { return told_.size(); }

  /// Carries out the first `count` of it: sets marks, and begins to redeliver.
  void take_told(std::size_t count) noexcept;

  /// The same of everything, when the callback thread has ended.
  void take_last() noexcept;

  /// A session that waited for room, when there is some; null: none.
  [[nodiscard]] HostedSession* take_waiting() noexcept;

  /// Wakes the callback thread if anything was relayed since the last call. Once a turn.
  void wake_if_relayed() noexcept;

  LogonAnswer on_logon_request(SessionHandle session,
                               const wire::MessageView& logon) noexcept override;
  LogonAnswer on_logon_answer(SessionHandle session,
                              const wire::MessageView& logon) noexcept override;
  void on_logon(SessionHandle session) noexcept override;
  void on_message(SessionHandle session, const wire::MessageView& message,
                  const Delivery& delivery) noexcept override;
  void on_admin(SessionHandle session, const wire::MessageView& message) noexcept override;
  void on_output_room(SessionHandle session) noexcept override;
  void on_logout(SessionHandle session, std::string_view reason) noexcept override;
  void on_cancel_orders(SessionHandle session) noexcept override;
  void on_session_added(SessionHandle session) noexcept override;

  // The callback thread's.

  /// The oldest record, or none (null data); the same one until pop().
  [[nodiscard]] std::span<char> front() noexcept { return ring_.front(); }

  void pop() noexcept { ring_.pop(); }

  /// on_message() is about to be called for it.
  void begin_message(HostedSession& session) noexcept { at_hand_ = {&session.seat(), false}; }

  /// It has returned. True: keep_message() was called.
  [[nodiscard]] bool end_message() noexcept { return std::exchange(at_hand_, {}).kept; }

  /// The application's callback has returned; an invalid position: its farewell.
  void tell_processed(HostedSession& session, journal::Position position) noexcept;

  // By way of a SessionHandle, which says what they are.
  bool keep_message(SessionHandle session) noexcept;
  bool finish_message(SessionHandle session, Receipt receipt) noexcept;
  void ask_for_redelivery(SessionHandle session) noexcept;

  /// Tells what there was no room for. False: there is still none.
  bool tell_late() noexcept;

 private:
  /// From the callback thread to the worker.
  struct Told {
    enum class Kind : std::uint8_t { Processed, Drained, Finished, Redeliver };

    HostedSession* session = nullptr;  ///< Processed and Drained: it stays until Drained.
    SessionHandle handle = {};         ///< The other two: it may have been removed.
    journal::Position position = {};
    Kind kind = Kind::Processed;
  };

  struct AtHand {
    const SessionSeat* seat = nullptr;
    bool kept = false;
  };

  void tell(const Told& told) noexcept;
  static void carry_out(const Told& told) noexcept;

  void relay(CallbackHead head, SessionHandle session, std::string_view bytes) noexcept;

  const std::size_t message_room_;
  base::ByteRing ring_;
  const std::size_t kept_free_;  // Of the ring, for what comes unasked.
  base::SpscQueue<Told> told_;
  std::vector<Told> late_;  // The callback thread's: told_ was full.
  AtHand at_hand_;          // The same.
  net::Waker& waker_;
  journal::Position received_at_;
  std::vector<HostedSession*> waiting_;
  bool relayed_ = false;
};

}  // namespace affix::inline v0::engine
