// SPDX-License-Identifier: MIT
// One session's counting: its seat in the file of counters, and which of its messages are measured.
// Owned by the session and used on its worker's thread; reads no clock, it is given readings.
#pragma once

#include "affix/base/error.hpp"
#include "affix/base/time.hpp"
#include "affix/engine/counters.hpp"
#include "affix/session/events.hpp"
#include "affix/session/state.hpp"
#include "affix/wire/view.hpp"

#include "engine/counter_file.hpp"
#include "engine/session_seat.hpp"
#include "engine/worker_meter.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string_view>
#include <utility>

namespace affix::inline v0::engine {

/// Of the messages that come to the application one in latency_sample has the way there and the
/// callback measured, and another one its append; so of those that it sends. None has more than two
/// clock readings for it.
class SessionMeter {
 public:
  /// Counts nowhere, and nothing may be counted: for a session that is to have another's.
  SessionMeter() noexcept = default;

  /// With a seat of its own, which it gives back: the next session that takes it is another one to
  /// readers. `file` and `worker` outlive this, as `shown_in` does, where handles find how the
  /// session stands (null: nowhere). Any thread; takes a lock.
  [[nodiscard]] static std::expected<SessionMeter, base::Error> open(CounterFile& file,
                                                                     WorkerMeter& worker,
                                                                     const SeatIdentity& identity,
                                                                     base::Now now,
                                                                     SessionSeat* shown_in);

  // Counting.

  void add(SessionCounter which, std::uint64_t more = 1) noexcept { (*seat_)[which].add(more); }

  /// What one reading from the connection brought.
  void note_input(std::uint64_t messages, std::uint64_t bytes, base::Now now) noexcept {
    if (messages != 0) {
      add(SessionCounter::MessagesReceived, messages);
      add(SessionCounter::BytesReceived, bytes);
      set_time(SessionCounter::LastReceived, now);
      worker_->note_messages(messages);
    }
  }

  /// A whole message of theirs.
  void note_message(const wire::MessageView& message) noexcept {
    constexpr std::uint32_t type_position = 2;
    constexpr std::uint32_t msg_type_tag = 35;
    if (message.size() <= type_position || message.tag_at(type_position) != msg_type_tag)
        [[unlikely]] {
      return;
    }
    const std::string_view type = message.value_at(type_position);
    if (type == "2") [[unlikely]] {
      add(SessionCounter::ResendRequestsReceived);
    } else if (type == "3") [[unlikely]] {
      add(SessionCounter::RejectsReceived);
    }
  }

  /// A message of ours goes out, for the first time or again.
  void note_sending(std::int64_t utc_ns) noexcept {
    (*seat_)[SessionCounter::LastSent].set(static_cast<std::uint64_t>(utc_ns));
  }

  /// A message of the application's has this number.
  void note_application_sent(std::uint64_t sequence) noexcept {
    add(SessionCounter::ApplicationSent);
    (*seat_)[SessionCounter::NextOutgoing].set(sequence + 1);
  }

  /// An operator has stopped what the application sends, or lets it go on.
  void note_sending_stopped(bool stopped) noexcept {
    (*seat_)[SessionCounter::SendingStopped].set(stopped ? 1 : 0);
  }

  /// It may not connect, as `why` says who disabled it; empty: it may again.
  void note_disabled(std::string_view why, const session::SessionState& state,
                     base::Now now) noexcept;

  /// The session has come up or gone down: before the application is told, which may have other
  /// threads that ask how it stands.
  void note_phase(const session::SessionState& state, base::Now now) noexcept {
    if (state.phase != phase_) {
      note_change(state, now);
    }
  }

  /// A connection with `peer` is the session's.
  void note_connected(std::string_view peer, base::Now now) noexcept;

  /// It has ended, as `why` says who ended it.
  void note_end(std::string_view why, base::Now now) noexcept;

  void note_event(session::Event event, base::Now now) noexcept;

  /// The connection is over, and what was begun in it.
  void note_closed() noexcept;

  /// How the session stands when it has done what was to be done. `waiting` bytes are with us yet.
  void note_state(const session::SessionState& state, std::size_t waiting, base::Now now) noexcept {
    SessionCounters& seat = *seat_;
    seat[SessionCounter::NextOutgoing].set(state.next_outgoing);
    seat[SessionCounter::NextExpected].set(state.next_expected);
    if (waiting != seat[SessionCounter::OutputWaiting].value()) [[unlikely]] {
      seat[SessionCounter::OutputWaiting].set(waiting);
      seat[SessionCounter::OutputHighWater].raise_to(waiting);
    }
    if (state.queued.count != seat[SessionCounter::MessagesQueued].value()) [[unlikely]] {
      seat[SessionCounter::MessagesQueued].set(state.queued.count);
      seat[SessionCounter::QueuedHighWater].raise_to(state.queued.count);
    }
    if (state.phase != phase_ || state.throttle.over_limit != over_limit_) [[unlikely]] {
      note_change(state, now);
    }
  }

  // Measuring. Each question is asked once for a message.

  /// Whether the append of this message to the application is measured. Before measures_delivery().
  [[nodiscard]] bool measures_received_append() const noexcept {
    return received_ % latency_sample == append_turn;
  }

  /// Whether the way of this message to the application and its callback are.
  [[nodiscard]] bool measures_delivery() noexcept { return received_++ % latency_sample == 0; }

  /// Whether the way of the application's message to the transport is measured, from its commit.
  [[nodiscard]] bool measures_send() const noexcept { return sent_ % latency_sample == 0; }

  /// It is: since `begun_ns`, steady.
  void begin_send(std::int64_t begun_ns) noexcept { begun_ns_ = begun_ns; }

  /// Whether the append of the application's message is measured that is stored next.
  [[nodiscard]] bool measures_sent_append() const noexcept { return measures_append_; }

  void begin_store() noexcept { measures_append_ = sent_ % latency_sample == append_turn; }

  /// The application's message was taken; when it is measured, it ends at `outbox_bytes`.
  void end_send(std::size_t outbox_bytes) noexcept {
    ++sent_;
    measures_append_ = false;
    if (begun_ns_ != 0) [[unlikely]] {
      // One at a time: a message that is measured while another one waits replaces it.
      watched_from_ns_ = std::exchange(begun_ns_, 0);
      watched_bytes_ = outbox_bytes;
    }
  }

  /// It was refused, or waits for a session.
  void abandon_send() noexcept {
    ++sent_;
    begun_ns_ = 0;
    measures_append_ = false;
  }

  /// The first `bytes` of the outbox are with the transport. Whether the message that is watched is
  /// among them: then its time is to be recorded.
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
    record(SessionLatency::ApplicationToSocket, now_ns - std::exchange(watched_from_ns_, 0));
  }

  /// A Heartbeat came whose TestRequest, the `number`th of the session, left at `asked_ns`.
  void note_round_trip(std::uint64_t number, std::int64_t asked_ns, std::int64_t now_ns) noexcept {
    if (number != std::exchange(answered_test_, number)) {
      record(SessionLatency::RoundTrip, now_ns - asked_ns);
    }
  }

  void record(SessionLatency which, std::int64_t nanoseconds) noexcept {
    if (latencies_ == nullptr) [[unlikely]] {
      latencies_ = take_latencies();
      if (latencies_ == nullptr) {
        return;  // No room, which is counted; the next one tries again.
      }
    }
    (*latencies_)[which].record(nanoseconds);
  }

 private:
  /// So that no message has both its append and its way measured.
  static constexpr std::uint64_t append_turn = latency_sample / 2;

  struct GiveBack {
    CounterFile* file;

    void operator()(SessionCounters* seat) const noexcept { file->give_back(*seat); }
  };

  SessionMeter(CounterFile& file, WorkerMeter& worker, SessionCounters& seat,
               SessionSeat* shown_in) noexcept
      : worker_(&worker), seat_(&seat, GiveBack{&file}), shown_in_(shown_in) {}

  void set_time(SessionCounter which, base::Now now) noexcept {
    (*seat_)[which].set(static_cast<std::uint64_t>(now.utc_ns));
  }

  template <typename Change>
  void change_remarks(Change change) noexcept {
    SessionRemarks& remarks = seat_->remarks;
    const std::uint64_t version = remarks.version.load(std::memory_order_relaxed);
    remarks.version.store(version + 1, std::memory_order_relaxed);
    // What follows is not seen before the odd version.
    std::atomic_thread_fence(std::memory_order_release);
    change(remarks);
    remarks.version.store(version + 2, std::memory_order_release);
  }

  void note_change(const session::SessionState& state, base::Now now) noexcept;
  [[nodiscard]] SessionLatencies* take_latencies() noexcept;

  WorkerMeter* worker_ = nullptr;
  std::unique_ptr<SessionCounters, GiveBack> seat_{nullptr, GiveBack{}};  // Null: counts nowhere.
  SessionSeat* shown_in_ = nullptr;
  SessionLatencies* latencies_ = nullptr;  // Null until something is measured.
  std::uint64_t received_ = 0;             // Messages to the application.
  std::uint64_t sent_ = 0;                 // Messages of the application.
  std::uint64_t over_limit_ = 0;           // Of the peer's messages, as the protocol counts them.
  std::uint64_t answered_test_ = 0;        // The last TestRequest that was measured.
  std::int64_t begun_ns_ = 0;              // Of the message at hand; 0: it is not measured.
  std::int64_t watched_from_ns_ = 0;       // Of a message in the outbox; 0: none is watched.
  std::size_t watched_bytes_ = 0;          // Where in the outbox it ends.
  session::Phase phase_ = session::Phase::Disconnected;
  bool measures_append_ = false;
  bool gap_open_ = false;
  bool disabled_ = false;
};

}  // namespace affix::inline v0::engine
