// SPDX-License-Identifier: MIT
// What an engine counts and how long things took, in a file that any process may map and read
// while the engine runs: docs/reference/counters-format.md. The names here are those of metrics,
// terminal views and reports, from one table.
#pragma once

#include "affix/base/bytes.hpp"
#include "affix/base/counter.hpp"
#include "affix/base/latency_histogram.hpp"
#include "affix/engine/session_standing.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace affix::inline v0::engine {

/// What is counted of a session. Times are nanoseconds since 1970 UTC, 0 for never. The order is
/// the file's: new ones go to the end.
enum class SessionCounter : std::uint8_t {
  State,                   ///< A SessionStanding.
  StateSince,              ///< When that began.
  NextOutgoing,            ///< MsgSeqNum of the next message of ours.
  NextExpected,            ///< MsgSeqNum that the peer's next message is to have.
  MessagesReceived,        ///< Whole messages, whatever became of them.
  MessagesSent,            ///< Numbered for the first time; resent ones are counted apart.
  ApplicationReceived,     ///< Given to the application.
  ApplicationSent,         ///< Of the messages sent.
  BytesReceived,           ///< Of whole messages.
  BytesSent,               ///< Given to the transport.
  LastReceived,            ///< Time.
  LastSent,                ///< Time.
  Logons,                  ///< Times the session came up.
  Disconnections,          ///< Connections that ended.
  RejectsReceived,         ///< 35=3 of the peer.
  RejectsSent,             ///< 35=3 of ours.
  Gaps,                    ///< In what the peer sends: times that it left numbers out.
  ResendRequestsReceived,  ///< 35=2 of the peer.
  ResendRequestsSent,      ///< 35=2 of ours: one for each piece of a gap and each new attempt.
  MessagesResent,          ///< At the peer's request, gap fills not counted.
  MessagesHeld,            ///< Came ahead of a gap.
  Garbled,                 ///< Pieces of input that were no message.
  ReceivesThrottled,       ///< Over throttle_limit: made to wait, rejected, or the session's end.
  SendsThrottled,          ///< Over send_throttle_limit and refused for that.
  SendsRefused,            ///< Messages of the application's that a send refused, for any reason.
  MessagesQueued,          ///< Numbered while there was no session, and not sent yet.
  QueuedHighWater,         ///< Most of these there ever were.
  OutputWaiting,           ///< Bytes that the transport has not taken yet, as a turn's end left it.
  OutputHighWater,         ///< Most of these there ever were.
  SendingStopped,        ///< 1 while an operator's kill holds it from sending application messages.
  ConnectedSince,        ///< When its connection began; 0: it has none.
  LastLogon,             ///< When it came up last.
  LastDisconnect,        ///< When its last connection ended.
  DisabledSince,         ///< When it was disabled; 0: it is enabled.
  JournalMemoryRefused,  ///< Times that its journal in memory stored over its oldest messages
                         ///< early, as `memory_journal_bytes` was in use.
};

inline constexpr std::size_t session_counter_count = 35;

/// Which latency of a session, nanoseconds. Of these one message in latency_sample is measured.
enum class SessionLatency : std::uint8_t {
  SocketToApplication,  ///< From the read that brought the message to the call of the application.
  Callback,             ///< The application's call itself.
  Append,               ///< Storing a message in the journal.
  ApplicationToSocket,  ///< From the message's commit to its being with the transport.
  RoundTrip,            ///< From our TestRequest to the Heartbeat that answers; each one.
};

inline constexpr std::size_t session_latency_count = 5;

/// One message in so many is measured; a power of two.
inline constexpr std::uint32_t latency_sample = 64;

/// What is counted of a worker. Durations in nanoseconds.
enum class WorkerCounter : std::uint8_t {
  Turns,        ///< Looks at the sockets.
  BusyTurns,    ///< Those that found something to do.
  Events,       ///< What they found.
  Messages,     ///< What these brought, of all its sessions.
  BusyTime,     ///< Of busy turns, from the first thing found to the end; its share of all time is
                ///< the worker's duty.
  LongestTurn,  ///< The longest of these.
  LastTurn,     ///< Time, UTC, when a busy turn ended last.
  Sessions,     ///< How many it has.
};

inline constexpr std::size_t worker_counter_count = 8;

/// Which distribution of a worker.
enum class WorkerLatency : std::uint8_t {
  Turn,   ///< Nanoseconds of busy turns, as BusyTime has them.
  Batch,  ///< Messages of turns that brought any: a number, no time.
};

inline constexpr std::size_t worker_latency_count = 2;

/// What a worker was at while a message could not have its attention, though no message of its own
/// was the reason. The order is the file's: new ones go to the end.
enum class WaitCause : std::uint8_t {
  Preempted,   ///< The system ran another thread on its core.
  PageFault,   ///< The system brought a page of memory or of a file.
  Journal,     ///< An append found no page or no segment made ready, or wrote to the disk itself.
  Resend,      ///< A piece of what is sent again, or handed to the application again.
  Timer,       ///< What was due: heartbeats, schedules, attempts to connect.
  Connection,  ///< One that came, logged on, or went.
  Change,      ///< Of sessions, as an operator or the application wished.
  Log,         ///< The application's on_event(): a line of the log.
  Other,       ///< Of a turn that took longer than its messages do, and none of the others: slow
               ///< callbacks and system calls, interrupts, the host of a virtual machine.
};

inline constexpr std::size_t wait_cause_count = 9;

/// Waits of a worker that have one cause. Durations in nanoseconds.
struct WaitCounters {
  base::Counter count;    ///< How many.
  base::Counter time;     ///< Of all together.
  base::Counter longest;  ///< Of all.
  base::Counter recent;   ///< The longest of the last ten to twenty seconds.
};

/// A worker's own account of what it was made to wait for. Of steps that are no message every one
/// counts; of turns that were longer than their messages explain, those by 50 us and more.
struct WorkerWaits {
  std::array<WaitCounters, wait_cause_count> causes;
  base::Counter longest_at;        ///< Time, UTC, when the longest of all ended; 0: there was none.
  base::LatencyHistogram lengths;  ///< Of all causes.
};

/// How the values of a counter are to be understood.
enum class CounterKind : std::uint8_t {
  Total,  ///< Only grows while the engine runs.
  Level,  ///< Goes up and down.
  Time,   ///< A point in time.
};

/// A counter's or a latency's name in words, for people and programs. Static storage.
struct CounterName {
  const char* name;  ///< Like `messages_received`.
  const char* help;  ///< A sentence without its full stop.
  CounterKind kind = CounterKind::Total;
};

/// In the order of the enumerations.
[[nodiscard]] std::span<const CounterName> session_counter_names() noexcept;
[[nodiscard]] std::span<const CounterName> session_latency_names() noexcept;
[[nodiscard]] std::span<const CounterName> worker_counter_names() noexcept;
[[nodiscard]] std::span<const CounterName> worker_latency_names() noexcept;
[[nodiscard]] std::span<const CounterName> wait_cause_names() noexcept;

/// A text that one thread writes while others read: words, so that no byte is torn in the
/// language's sense. Who reads it beside its writer looks at the seat's version before and after.
template <std::size_t Bytes>
class CounterText {
 public:
  static_assert(Bytes % 8 == 0);

  /// Cuts what does not fit; the last byte is always 0.
  void set(std::string_view text) noexcept {
    std::array<char, Bytes> bytes{};
    std::copy_n(text.data(), std::min(text.size(), Bytes - 1), bytes.data());
    for (std::size_t word = 0; word < Bytes / 8; ++word) {
      std::uint64_t value = 0;
      __builtin_memcpy(&value, bytes.data() + 8 * word, 8);
      words_[word].store(value, std::memory_order_relaxed);
    }
  }

  [[nodiscard]] std::string text() const {
    std::array<char, Bytes> bytes;
    for (std::size_t word = 0; word < Bytes / 8; ++word) {
      const std::uint64_t value = words_[word].load(std::memory_order_relaxed);
      __builtin_memcpy(bytes.data() + 8 * word, &value, 8);
    }
    bytes.back() = 0;
    return bytes.data();
  }

 private:
  std::array<std::atomic<std::uint64_t>, Bytes / 8> words_{};
};

/// The latencies of one session. 21,200 bytes, taken when its first message is measured.
struct alignas(base::cache_line) SessionLatencies {
  std::array<base::LatencyHistogram, session_latency_count> histograms;

  [[nodiscard]] base::LatencyHistogram& operator[](SessionLatency which) noexcept {
    return histograms[static_cast<std::size_t>(which)];
  }
};

/// A session's connection and its ends, in words. Readers look at `version` before and after.
struct SessionRemarks {
  std::atomic<std::uint64_t> version{0};  ///< Odd while the others change.
  CounterText<64> peer;                   ///< Address of its connection; empty: it has none.
  CounterText<192> last_end;     ///< Who ended its last connection, and why; empty: it had none.
  CounterText<192> disabled_by;  ///< Who disabled it and why; empty: it is enabled.
};

/// One session's place in the file. Written by the session's worker; the part that says who it is
/// only while `version` is odd.
struct alignas(base::cache_line) SessionCounters {
  /// 0: never used. Odd: being given or taken away. Even: what the seat says holds, if `taken`.
  std::atomic<std::uint64_t> version{0};
  std::atomic<std::uint64_t> taken{0};  ///< 1 while a session has the seat.
  base::Counter worker;                 ///< Number of the session's worker.
  base::Counter initiator;              ///< 1: it connects.
  base::Counter latencies;   ///< Offset of its SessionLatencies in the file; 0: none yet.
  CounterText<64> name;      ///< Of its group in the configuration.
  CounterText<64> instance;  ///< Of the client or server group it belongs to.
  CounterText<16> begin_string;
  CounterText<64> sender_comp_id;
  CounterText<64> target_comp_id;
  CounterText<256>
      journal_directory;  ///< Absolute or as configured; empty: it keeps no journal on disk.
  SessionRemarks remarks;
  std::array<base::Counter, session_counter_count> counters;

  [[nodiscard]] base::Counter& operator[](SessionCounter which) noexcept {
    return counters[static_cast<std::size_t>(which)];
  }

  [[nodiscard]] const base::Counter& operator[](SessionCounter which) const noexcept {
    return counters[static_cast<std::size_t>(which)];
  }
};

struct alignas(base::cache_line) WorkerCounters {
  std::array<base::Counter, worker_counter_count> counters;
  std::array<base::LatencyHistogram, worker_latency_count> histograms;
  WorkerWaits waits;

  [[nodiscard]] base::Counter& operator[](WorkerCounter which) noexcept {
    return counters[static_cast<std::size_t>(which)];
  }

  [[nodiscard]] base::LatencyHistogram& operator[](WorkerLatency which) noexcept {
    return histograms[static_cast<std::size_t>(which)];
  }
};

/// What operators have stopped from sending as a whole (kill): what comes to it begins stopped. Of
/// a single session its own counter tells. Readers of more than one field look at `version` before
/// and after; an engine that did not have this yet left zeros.
struct SendingStops {
  std::atomic<std::uint64_t> version{0};  ///< Odd while the others change.
  base::Counter engine;                   ///< 1: the last word about the engine is to stop.
  base::Counter instances;           ///< How many instances are stopped while the engine is not.
  CounterText<2048> instance_names;  ///< Each with a line's end behind it; as many as have room.
};

/// What the file begins with. Written once but for the counters in it.
struct CountersHeader {
  static constexpr std::uint64_t magic_value = 0x5254'4E43'5849'4641;  ///< "AFIXCNTR" in memory.
  static constexpr std::uint32_t byte_order_value = 0x0102'0304;
  static constexpr std::uint32_t version_value = 2;

  /// Stored last: a file without it is not ready.
  std::atomic<std::uint64_t> magic{0};
  std::uint32_t byte_order = byte_order_value;
  std::uint32_t version = version_value;
  std::uint64_t process_id = 0;
  std::uint64_t started_utc_ns = 0;
  std::uint32_t worker_count = 0;
  std::uint32_t worker_bytes = sizeof(WorkerCounters);
  std::uint32_t session_bytes = sizeof(SessionCounters);
  std::uint32_t latencies_bytes = sizeof(SessionLatencies);
  std::uint64_t workers_at = 0;  ///< Offset of the first worker's counters; the others follow.

  /// Offset of the first chunk of seats; 0: none yet.
  std::atomic<std::uint64_t> seats_at{0};
  base::Counter stopped_utc_ns;     ///< The engine ended in order; a killed one leaves 0.
  base::Counter without_latencies;  ///< Sessions for whose latencies there was no room.
  CounterText<64> engine_version;
  SendingStops stops;
};

/// A chunk of seats; the seats follow it.
struct alignas(base::cache_line) SeatChunk {
  std::atomic<std::uint64_t> next_at{0};  ///< Offset of the next chunk; 0: this is the last.
  std::uint64_t seat_count = 0;
};

}  // namespace affix::inline v0::engine
