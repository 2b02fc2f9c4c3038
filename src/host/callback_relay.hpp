// SPDX-License-Identifier: MIT
// Passes callbacks from a worker to an application thread: the worker writes them into a bounded
// queue and continues; the other thread calls the application.
#pragma once

#include "affix/base/byte_ring.hpp"
#include "affix/base/spsc_queue.hpp"
#include "affix/host/application.hpp"
#include "affix/journal/record.hpp"
#include "affix/net/waker.hpp"

#include "host/delayed_marks.hpp"
#include "host/hosted_session.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::host {

/// Header of a record in the queue; the message's bytes or the reason follow, then padding that
/// lets the reader index the message again.
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
    Farewell  ///< Calls nothing: the session has a successor.
  };

  HostedSession* session = nullptr;
  journal::Position received_at = {};  ///< Message and Admin: the record to mark.
  Delivery delivery = {};              ///< Message.
  Kind kind = Kind::Logon;
  std::uint32_t size = 0;      ///< Bytes that follow, without the padding.
  std::uint32_t logon = 0;     ///< LogonRequest and LogonAnswer: number of the Logon.
  std::uint32_t refusals = 0;  ///< DelayedMarks::refusals() before the callback.
};

/// The path between one worker and one callback thread: callbacks there, processed messages back.
/// The worker's end is an Application to its sessions. Callbacks about one session stay in order.
///
/// A message that does not fit is not taken: the session asks has_room() before it takes input, and
/// stops reading when there is none. Other callbacks always fit, since space is kept free for them.
class CallbackRelay final : public Application {
 public:
  /// Room for `bytes` of messages of up to `message_bytes`, for `sessions` sessions. `marks` are
  /// the worker's and `waker` is the callback thread's; both outlive this object.
  CallbackRelay(std::size_t bytes, std::size_t message_bytes, std::size_t sessions,
                const DelayedMarks& marks, net::Waker& waker);

  // The worker's.

  /// There is room for another message and for every callback that may follow from it.
  [[nodiscard]] bool has_room() noexcept { return ring_.has_room(message_room_ + kept_free_); }

  /// Sets the journal record of the next message or session message to relay.
  void set_received_at(journal::Position position) noexcept { received_at_ = position; }

  /// Makes the worker attend the session when there is room.
  void await_room(HostedSession& session) noexcept;

  /// Reports the session's removal to the application if it is `for_good`; once all earlier
  /// callbacks have run, the session is relay_drained().
  void say_farewell(HostedSession& session, bool for_good) noexcept;

  /// Drops every reference to the session, which is relay_drained() or has never relayed.
  void forget(HostedSession& session) noexcept;

  /// Number of reports from the callback thread that the worker has not taken. Messages that the
  /// thread sent through couriers before these reports are in the couriers' queues.
  [[nodiscard]] std::size_t told() const noexcept { return told_.size(); }

  /// Carries out the first `count` reports: sets marks, and begins to redeliver. Call when all that
  /// the thread sent before is stored. A message stays unprocessed if a journal of the worker's
  /// sessions refused a message after it was relayed: that may have been its answer.
  void take_told(std::size_t count) noexcept;

  /// Carries out all remaining reports after the callback thread has ended.
  void take_last() noexcept;

  /// Takes a session that waited for room, if there is room now; null: none.
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

  /// Begins the callback of a record.
  void begin(const CallbackHead& head) noexcept { refusals_ = head.refusals; }

  /// Begins on_message() for the current record.
  void begin_message(HostedSession& session) noexcept { at_hand_ = {&session.seat(), false}; }

  /// Ends it. True: the application called keep_message().
  [[nodiscard]] bool end_message() noexcept { return std::exchange(at_hand_, {}).kept; }

  /// Reports that a record's callback has returned; without a journal record, that of the farewell.
  void tell_processed(const CallbackHead& head) noexcept;

  // Called through SessionHandle, where their contracts are.
  bool keep_message(SessionHandle session) noexcept;
  bool finish_message(SessionHandle session, Receipt receipt) noexcept;
  void ask_for_redelivery(SessionHandle session) noexcept;

  /// Repeats reports for which there was no room. False: there is still none.
  bool tell_late() noexcept;

 private:
  /// Report from the callback thread to the worker.
  struct Told {
    enum class Kind : std::uint8_t { Processed, Drained, Finished, Redeliver };

    HostedSession* session = nullptr;  ///< Processed and Drained: it exists until Drained.
    SessionHandle handle = {};         ///< The other kinds: it may have been removed.
    journal::Position position = {};
    std::uint32_t refusals = 0;  ///< Processed and Finished: as of the last callback's head.
    Kind kind = Kind::Processed;
  };

  struct AtHand {
    const SessionSeat* seat = nullptr;
    bool kept = false;
  };

  void tell(const Told& told) noexcept;
  void carry_out(const Told& told) noexcept;

  void relay(CallbackHead head, SessionHandle session, std::string_view bytes) noexcept;

  const std::size_t message_room_;
  base::ByteRing ring_;
  const std::size_t kept_free_;  // Bytes of the ring kept for callbacks that cannot wait.
  base::SpscQueue<Told> told_;
  std::vector<Told> late_;      // The callback thread's: reports for which told_ was full.
  AtHand at_hand_;              // The callback thread's.
  std::uint32_t refusals_ = 0;  // The callback thread's: before the latest callback.
  const DelayedMarks& marks_;   // The worker's.
  net::Waker& waker_;
  journal::Position received_at_;
  std::vector<HostedSession*> waiting_;
  bool relayed_ = false;
};

}  // namespace affix::inline v0::host
