// SPDX-License-Identifier: MIT
// Counters of one session: its seat in the counters file, and the selection of messages to measure.
// Owned by the session and used on its worker's thread; reads no clock, callers pass readings.
#pragma once

#include "affix/base/error.hpp"
#include "affix/base/time.hpp"
#include "affix/counters/counters.hpp"
#include "affix/session/events.hpp"
#include "affix/session/state.hpp"
#include "affix/wire/view.hpp"

#include "counters/counter_file.hpp"
#include "counters/worker_meter.hpp"
#include "host/session_slot.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string_view>
#include <utility>

namespace affix::inline v0::host {

/// Times a sample of the messages delivered to the application: one in latency_sample for its
/// delivery and callback, and another one for its append; likewise of the messages sent. A message
/// costs at most two clock readings for this.
class SessionMeter {
 public:
  /// Has no seat and must not count: for a session that will take over another's meter.
  SessionMeter() noexcept = default;

  /// Takes a seat, and gives it back in the destructor; to readers, the next session in the seat is
  /// a new one. `file`, `worker` and `shown_in`, from which handles read the session's state (null:
  /// they do not), outlive this. Any thread; takes a lock.
  [[nodiscard]] static std::expected<SessionMeter, base::Error> open(
      counters::CounterFile& file, counters::WorkerMeter& worker,
      const counters::SeatIdentity& identity, base::Now now, SessionSlot* shown_in);

  // Counting.

  void add(counters::SessionCounter which, std::uint64_t more = 1) noexcept {
    (*seat_)[which].add(more);
  }

  /// The session went on with the connection of an earlier process, which nobody had served for
  /// `silent_ns`.
  void note_continued(std::int64_t silent_ns) noexcept {
    (*seat_)[counters::SessionCounter::LastSilence].set(
        static_cast<std::uint64_t>(std::max<std::int64_t>(silent_ns, 0)));
  }

  /// Counts the input of one reading from the connection.
  void note_input(std::uint64_t messages, std::uint64_t bytes, base::Now now) noexcept {
    if (messages != 0) {
      add(counters::SessionCounter::MessagesReceived, messages);
      add(counters::SessionCounter::BytesReceived, bytes);
      set_time(counters::SessionCounter::LastReceived, now);
      worker_->note_messages(messages);
    }
  }

  /// Counts a whole message of the peer.
  void note_message(const wire::MessageView& message) noexcept {
    constexpr std::uint32_t type_position = 2;
    constexpr std::uint32_t msg_type_tag = 35;
    if (message.size() <= type_position || message.tag_at(type_position) != msg_type_tag)
        [[unlikely]] {
      return;
    }
    const std::string_view type = message.value_at(type_position);
    if (type == "2") [[unlikely]] {
      add(counters::SessionCounter::ResendRequestsReceived);
    } else if (type == "3") [[unlikely]] {
      add(counters::SessionCounter::RejectsReceived);
    }
  }

  /// Counts our message, sent for the first time or again.
  void note_sending(std::int64_t utc_ns) noexcept {
    (*seat_)[counters::SessionCounter::LastSent].set(static_cast<std::uint64_t>(utc_ns));
  }

  /// Records the number of an application message.
  void note_application_sent(std::uint64_t sequence) noexcept {
    add(counters::SessionCounter::ApplicationSent);
    (*seat_)[counters::SessionCounter::NextOutgoing].set(sequence + 1);
  }

  /// An operator has stopped the application's sending, or resumed it.
  void note_sending_stopped(bool stopped) noexcept {
    (*seat_)[counters::SessionCounter::SendingStopped].set(stopped ? 1 : 0);
  }

  /// Disables the session in the counters; `why` gives the reason and the operator; empty: it is
  /// enabled again.
  void note_disabled(std::string_view why, const session::SessionState& state,
                     base::Now now) noexcept;

  /// The session has come up or gone down. Call before the application's callback, since other
  /// threads of the application may ask for the state.
  void note_phase(const session::SessionState& state, base::Now now) noexcept {
    if (state.phase != phase_) {
      note_change(state, now);
    }
  }

  /// The session has a connection with `peer`.
  void note_connected(std::string_view peer, base::Now now) noexcept;

  /// The connection has ended; `why` says why and by which side.
  void note_end(std::string_view why, base::Now now) noexcept;

  void note_event(session::Event event, base::Now now) noexcept;

  /// The connection is closed, and so is everything begun in it.
  void note_closed() noexcept;

  /// Records the session's state after a step. `waiting` bytes are still in its outbox.
  void note_state(const session::SessionState& state, std::size_t waiting, base::Now now) noexcept {
    counters::SessionCounters& seat = *seat_;
    seat[counters::SessionCounter::NextOutgoing].set(state.next_outgoing);
    seat[counters::SessionCounter::NextExpected].set(state.next_expected);
    if (waiting != seat[counters::SessionCounter::OutputWaiting].value()) [[unlikely]] {
      seat[counters::SessionCounter::OutputWaiting].set(waiting);
      seat[counters::SessionCounter::OutputHighWater].raise_to(waiting);
    }
    if (state.queued.count != seat[counters::SessionCounter::MessagesQueued].value()) [[unlikely]] {
      seat[counters::SessionCounter::MessagesQueued].set(state.queued.count);
      seat[counters::SessionCounter::QueuedHighWater].raise_to(state.queued.count);
    }
    if (state.phase != phase_ || state.throttle.over_limit != over_limit_) [[unlikely]] {
      note_change(state, now);
    }
  }

  // Measuring. Each question is asked once per message.

  /// True if the append of this received message is measured. Call before measures_delivery().
  [[nodiscard]] bool measures_received_append() const noexcept {
    return received_ % counters::latency_sample == append_turn;
  }

  /// True if delivery of this message and its callback are measured.
  [[nodiscard]] bool measures_delivery() noexcept {
    return received_++ % counters::latency_sample == 0;
  }

  /// True if the way of the application's message from commit to the transport is measured.
  [[nodiscard]] bool measures_send() const noexcept {
    return sent_ % counters::latency_sample == 0;
  }

  /// Begins the measurement, at `begun_ns`, steady.
  void begin_send(std::int64_t begun_ns) noexcept { begun_ns_ = begun_ns; }

  /// True if the append of the application's next stored message is measured.
  [[nodiscard]] bool measures_sent_append() const noexcept { return measures_append_; }

  void begin_store() noexcept {
    measures_append_ = sent_ % counters::latency_sample == append_turn;
  }

  /// The application's message was taken; a measured one ends at `outbox_bytes`.
  void end_send(std::size_t outbox_bytes) noexcept {
    ++sent_;
    measures_append_ = false;
    if (begun_ns_ != 0) [[unlikely]] {
      // One at a time: a measured message replaces one that still waits.
      watched_from_ns_ = std::exchange(begun_ns_, 0);
      watched_bytes_ = outbox_bytes;
    }
  }

  /// The message was refused, or waits for a session.
  void abandon_send() noexcept {
    ++sent_;
    begun_ns_ = 0;
    measures_append_ = false;
  }

  /// The transport has taken the first `bytes` of the outbox. True: the measured message is among
  /// them, and its time must be recorded.
  [[nodiscard]] bool ends_watch(std::size_t bytes) noexcept {
    if (watched_from_ns_ == 0) [[likely]] {
      return false;
    }
    if (watched_bytes_ > bytes) {
      watched_bytes_ -= bytes;
      return false;
    }
    return true;
  }

  void end_watch(std::int64_t now_ns) noexcept {
    record(counters::SessionLatency::ApplicationToSocket,
           now_ns - std::exchange(watched_from_ns_, 0));
  }

  /// A Heartbeat has answered the session's `number`th TestRequest, which left at `asked_ns`.
  void note_round_trip(std::uint64_t number, std::int64_t asked_ns, std::int64_t now_ns) noexcept {
    if (number != std::exchange(answered_test_, number)) {
      record(counters::SessionLatency::RoundTrip, now_ns - asked_ns);
    }
  }

  void record(counters::SessionLatency which, std::int64_t nanoseconds) noexcept {
    if (latencies_ == nullptr) [[unlikely]] {
      latencies_ = take_latencies();
      if (latencies_ == nullptr) {
        return;  // No room, which is counted; the next one tries again.
      }
    }
    (*latencies_)[which].record(nanoseconds);
  }

 private:
  /// Offset that keeps append and way of one message from both being measured.
  static constexpr std::uint64_t append_turn = counters::latency_sample / 2;

  struct GiveBack {
    counters::CounterFile* file;

    void operator()(counters::SessionCounters* seat) const noexcept { file->give_back(*seat); }
  };

  SessionMeter(counters::CounterFile& file, counters::WorkerMeter& worker,
               counters::SessionCounters& seat, SessionSlot* shown_in) noexcept
      : worker_(&worker), seat_(&seat, GiveBack{&file}), shown_in_(shown_in) {}

  void set_time(counters::SessionCounter which, base::Now now) noexcept {
    (*seat_)[which].set(static_cast<std::uint64_t>(now.utc_ns));
  }

  template <typename Change>
  void change_remarks(Change change) noexcept {
    counters::SessionRemarks& remarks = seat_->remarks;
    const std::uint64_t version = remarks.version.load(std::memory_order_relaxed);
    remarks.version.store(version + 1, std::memory_order_relaxed);
    // Later writes are not visible before the odd version.
    std::atomic_thread_fence(std::memory_order_release);
    change(remarks);
    remarks.version.store(version + 2, std::memory_order_release);
  }

  void note_change(const session::SessionState& state, base::Now now) noexcept;
  [[nodiscard]] counters::SessionLatencies* take_latencies() noexcept;

  counters::WorkerMeter* worker_ = nullptr;
  std::unique_ptr<counters::SessionCounters, GiveBack> seat_{nullptr,
                                                             GiveBack{}};  // Null: has no seat.
  SessionSlot* shown_in_ = nullptr;
  counters::SessionLatencies* latencies_ = nullptr;  // Null until the first measurement.
  std::uint64_t received_ = 0;                       // Messages to the application.
  std::uint64_t sent_ = 0;                           // Messages of the application.
  std::uint64_t over_limit_ = 0;      // Of the peer's messages, as the protocol counts them.
  std::uint64_t answered_test_ = 0;   // The last TestRequest that was measured.
  std::int64_t begun_ns_ = 0;         // Of the current message; 0: it is not measured.
  std::int64_t watched_from_ns_ = 0;  // Of a message in the outbox; 0: none is watched.
  std::size_t watched_bytes_ = 0;     // Its end in the outbox.
  session::Phase phase_ = session::Phase::Disconnected;
  bool measures_append_ = false;
  bool gap_open_ = false;
  bool disabled_ = false;
};

}  // namespace affix::inline v0::host
