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

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::host {

class HostedSession;

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

/// Report from the callback thread to the worker.
struct CallbackReport {
  enum class Kind : std::uint8_t {
    Processed,  ///< The application has processed the message.
    Drained,    ///< All callbacks of the session have run.
    Finished,   ///< The application has finished a message that it kept.
    Redeliver   ///< The application asks for the messages that it has not finished.
  };

  HostedSession* session = nullptr;  ///< Processed and Drained: it exists until Drained.
  SessionHandle handle = {};         ///< The other kinds: it may have been removed.
  journal::Position position = {};
  std::uint32_t refusals = 0;  ///< Processed and Finished: as of the last callback's head.
  Kind kind = Kind::Processed;
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
  void say_farewell(SessionHandle session, bool for_good) noexcept;

  /// Drops every reference to the session, which is relay_drained() or has never relayed.
  void forget(HostedSession& session) noexcept;

  /// Number of reports from the callback thread that the worker has not taken. Messages that the
  /// thread sent through senders before these reports are in the senders' queues.
  [[nodiscard]] std::size_t reported() const noexcept { return reported_.size(); }

  /// Passes the first `count` reports to `carry_out`. Call when all that the thread sent before is
  /// stored. A message stays unprocessed if a journal of the worker's sessions refused a message
  /// after it was relayed: that may have been its answer. Its report is dropped.
  template <typename CarryOut>
  void take_reported(std::size_t count, const CarryOut& carry_out) noexcept {
    for (; count != 0; --count) {
      const CallbackReport* const reported = reported_.front();
      if (reported == nullptr) {
        return;
      }
      if (stands(*reported)) [[likely]] {
        carry_out(*reported);
      }
      reported_.pop();
    }
  }

  /// Passes all remaining reports after the callback thread has ended.
  template <typename CarryOut>
  void take_last(const CarryOut& carry_out) noexcept {
    take_reported(SIZE_MAX, carry_out);
    for (const CallbackReport& reported : std::exchange(late_, {})) {
      if (stands(reported)) {
        carry_out(reported);
      }
    }
  }

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
  void begin_message(SessionHandle session) noexcept { at_hand_ = {&session.slot(), false}; }

  /// Ends it. True: the application called keep_message().
  [[nodiscard]] bool end_message() noexcept { return std::exchange(at_hand_, {}).kept; }

  /// Reports that a record's callback has returned; without a journal record, that of the farewell.
  void report_processed(const CallbackHead& head) noexcept;

  // Called through SessionHandle, where their contracts are.
  bool keep_message(SessionHandle session) noexcept;
  bool finish_message(SessionHandle session, Receipt receipt) noexcept;
  void ask_for_redelivery(SessionHandle session) noexcept;

  /// Repeats reports for which there was no room. False: there is still none.
  bool report_late() noexcept;

 private:
  struct AtHand {
    const SessionSlot* slot = nullptr;
    bool kept = false;
  };

  void report(const CallbackReport& reported) noexcept;

  /// No journal refused a message that may have been the answer.
  [[nodiscard]] bool stands(const CallbackReport& reported) const noexcept {
    return reported.refusals == marks_.refusals() ||
           reported.kind == CallbackReport::Kind::Drained ||
           reported.kind == CallbackReport::Kind::Redeliver;
  }

  void relay(CallbackHead head, SessionHandle session, std::string_view bytes) noexcept;

  const std::size_t message_room_;
  base::ByteRing ring_;
  const std::size_t kept_free_;  // Bytes of the ring kept for callbacks that cannot wait.
  base::SpscQueue<CallbackReport> reported_;
  std::vector<CallbackReport>
      late_;                    // The callback thread's: reports for which reported_ was full.
  AtHand at_hand_;              // The callback thread's.
  std::uint32_t refusals_ = 0;  // The callback thread's: before the latest callback.
  const DelayedMarks& marks_;   // The worker's.
  net::Waker& waker_;
  journal::Position received_at_;
  std::vector<HostedSession*> waiting_;
  bool relayed_ = false;
};

}  // namespace affix::inline v0::host
