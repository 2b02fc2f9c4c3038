// SPDX-License-Identifier: MIT
// An engine's counters and latencies, in a file that any process may map and read while the engine
// runs: docs/reference/counters-format.md. Metrics, terminal views and reports take their names
// from one table here.
#pragma once

#include "affix/base/bytes.hpp"
#include "affix/base/counter.hpp"
#include "affix/base/latency_histogram.hpp"
#include "affix/session/standing.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace affix::inline v0::counters {

/// Counters of a session. Times are nanoseconds since 1970 UTC, 0 for never. The order is part of
/// the file format: append new ones at the end.
enum class SessionCounter : std::uint8_t {
  State,                   ///< A SessionStanding.
  StateSince,              ///< Time of the last change of State.
  NextOutgoing,            ///< MsgSeqNum of our next message.
  NextExpected,            ///< MsgSeqNum expected in the peer's next message.
  MessagesReceived,        ///< Whole messages, including refused ones.
  MessagesSent,            ///< Numbered by the session; resent messages are counted separately.
  ApplicationReceived,     ///< Delivered to the application.
  ApplicationSent,         ///< Application messages among MessagesSent.
  BytesReceived,           ///< Of whole messages.
  BytesSent,               ///< Passed to the transport.
  LastReceived,            ///< Time.
  LastSent,                ///< Time.
  Logons,                  ///< Successful logons.
  Disconnections,          ///< Connections that ended.
  RejectsReceived,         ///< 35=3 from the peer.
  RejectsSent,             ///< 35=3 that we sent.
  Gaps,                    ///< Times that the peer's messages skipped numbers.
  ResendRequestsReceived,  ///< 35=2 from the peer.
  ResendRequestsSent,      ///< 35=2 that we sent: one for each piece of a gap and each retry.
  MessagesResent,          ///< At the peer's request, without gap fills.
  MessagesHeld,            ///< Received ahead of a gap.
  Garbled,                 ///< Pieces of input that were not valid messages.
  ReceivesThrottled,       ///< Beyond throttle_limit: delayed, rejected, or ended the session.
  SendsThrottled,          ///< Refused because of send_throttle_limit.
  SendsRefused,            ///< Application messages that a send refused, for any reason.
  MessagesQueued,          ///< Numbered while disconnected, and not sent yet.
  QueuedHighWater,         ///< Maximum of MessagesQueued.
  OutputWaiting,           ///< Bytes the transport has not accepted, at the end of a turn.
  OutputHighWater,         ///< Maximum of OutputWaiting.
  SendingStopped,          ///< 1 while an operator's kill switch blocks its application messages.
  ConnectedSince,          ///< Start of its connection; 0: not connected.
  LastLogon,               ///< Time of the last logon.
  LastDisconnect,          ///< End of its last connection.
  DisabledSince,           ///< When it was disabled; 0: enabled.
  JournalMemoryRefused,    ///< Times that its in-memory journal overwrote its oldest messages early
                           ///< because `memory_journal_bytes` was used up.
  Continuations,           ///< Connections of an earlier process that it went on with.
  LastSilence,             ///< Nanoseconds for which nobody served before the last of them.
};

inline constexpr std::size_t session_counter_count = 37;

/// Latencies of a session, in nanoseconds. One message in latency_sample is measured.
enum class SessionLatency : std::uint8_t {
  SocketToApplication,  ///< From the read that returned the message to on_message().
  Callback,             ///< Duration of the application's callback.
  Append,               ///< Storing a message in the journal.
  ApplicationToSocket,  ///< From commit() until the transport has accepted the message.
  RoundTrip,            ///< From our TestRequest to the answering Heartbeat; every one.
};

inline constexpr std::size_t session_latency_count = 5;

/// Sampling interval: one message in this number is measured. A power of two.
inline constexpr std::uint32_t latency_sample = 64;

/// Counters of a worker. Durations in nanoseconds.
enum class WorkerCounter : std::uint8_t {
  Turns,        ///< Polls of the sockets.
  BusyTurns,    ///< Polls that found events.
  Events,       ///< Events that these polls found.
  Messages,     ///< Messages received, over all its sessions.
  BusyTime,     ///< Duration of busy turns, from the first event to the end; divided by elapsed
                ///< time it is the worker's duty.
  LongestTurn,  ///< Longest busy turn.
  LastTurn,     ///< UTC time at which the last busy turn ended.
  Sessions,     ///< Sessions that it has now.
};

inline constexpr std::size_t worker_counter_count = 8;

/// Distributions of a worker.
enum class WorkerLatency : std::uint8_t {
  Turn,   ///< Nanoseconds of busy turns, as in BusyTime.
  Batch,  ///< Messages per turn that received any; a count, not a time.
};

inline constexpr std::size_t worker_latency_count = 2;

/// Activities other than processing messages during which a worker could not process one. The order
/// is part of the file format: append new ones at the end.
enum class WaitCause : std::uint8_t {
  Preempted,   ///< The system scheduled another thread on its core.
  PageFault,   ///< The system loaded a page of memory or of a file.
  Journal,     ///< An append found no prepared page or segment, or wrote to the disk itself.
  Resend,      ///< Resending a piece of a range, or redelivering messages.
  Timer,       ///< Timers that were due: heartbeats, schedules, connects.
  Connection,  ///< A connection was accepted, logged on, or closed.
  Change,      ///< A change of sessions by an operator or the application.
  Log,         ///< The application's on_event(), which writes a log line.
  Other,       ///< A turn longer than its messages explain, without one of the causes above: slow
               ///< callbacks and system calls, interrupts, the host of a virtual machine.
};

inline constexpr std::size_t wait_cause_count = 9;

/// Waits of a worker with one cause. Durations in nanoseconds.
struct WaitCounters {
  base::Counter count;    ///< Number of waits.
  base::Counter time;     ///< Total duration.
  base::Counter longest;  ///< Longest wait.
  base::Counter recent;   ///< Longest wait of the last 10 to 20 seconds.
};

/// Waits of a worker. Counts every activity that is not a message, and turns that exceed the time
/// that their messages explain by 50 us or more.
struct WorkerWaits {
  std::array<WaitCounters, wait_cause_count> causes;
  base::Counter longest_at;        ///< UTC time when the longest wait ended; 0: none.
  base::LatencyHistogram lengths;  ///< Over all causes.
};

/// The way in which a counter's values change.
enum class CounterKind : std::uint8_t {
  Total,  ///< Never decreases while the engine runs.
  Level,  ///< May increase and decrease.
  Time,   ///< A point in time.
};

/// Name and description of a counter or latency, for users and programs. Static storage.
struct CounterName {
  const char* name;  ///< Like `messages_received`.
  const char* help;  ///< One sentence without its full stop.
  CounterKind kind = CounterKind::Total;
};

/// Names in the order of the enumerations. Static storage; thread-safe.
[[nodiscard]] std::span<const CounterName> session_counter_names() noexcept;
[[nodiscard]] std::span<const CounterName> session_latency_names() noexcept;
[[nodiscard]] std::span<const CounterName> worker_counter_names() noexcept;
[[nodiscard]] std::span<const CounterName> worker_latency_names() noexcept;
[[nodiscard]] std::span<const CounterName> wait_cause_names() noexcept;

/// A text that one thread writes while others read, stored in atomic words so that reading it is no
/// data race. Concurrent readers compare the seat's version before and after.
template <std::size_t Bytes>
class CounterText {
 public:
  static_assert(Bytes % 8 == 0);

  /// Truncates a longer text; the last byte is always 0.
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

/// Latencies of one session: 21,200 bytes, allocated when its first message is measured.
struct alignas(base::cache_line) SessionLatencies {
  std::array<base::LatencyHistogram, session_latency_count> histograms;

  [[nodiscard]] base::LatencyHistogram& operator[](SessionLatency which) noexcept {
    return histograms[static_cast<std::size_t>(which)];
  }
};

/// Describes a session's connection and its ends. Readers compare `version` before and after.
struct SessionRemarks {
  std::atomic<std::uint64_t> version{0};  ///< Odd during a write.
  CounterText<64> peer;                   ///< Address of the connected peer; empty: not connected.
  CounterText<192> last_end;              ///< Side and reason of its last disconnect; empty: none.
  CounterText<192> disabled_by;           ///< Operator and reason; empty: it is enabled.
};

/// One session's seat in the file. The session's worker writes it; the fields that identify the
/// session change only while `version` is odd.
struct alignas(base::cache_line) SessionCounters {
  /// 0: never used. Odd: being assigned or released. Even: the fields are valid if `taken`.
  std::atomic<std::uint64_t> version{0};
  std::atomic<std::uint64_t> taken{0};  ///< 1 while a session has the seat.
  base::Counter worker;                 ///< Number of its worker.
  base::Counter initiator;              ///< 1: initiator.
  base::Counter latencies;   ///< Offset of its SessionLatencies in the file; 0: none yet.
  CounterText<64> name;      ///< Name of its group in the configuration.
  CounterText<64> instance;  ///< Its client or server group.
  CounterText<16> begin_string;
  CounterText<64> sender_comp_id;
  CounterText<64> target_comp_id;
  CounterText<256> journal_directory;  ///< Absolute or as configured in the file; empty: the
                                       ///< session keeps no journal on the disk.
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

/// Scopes that operators have stopped from sending (kill switch): sessions added to them start
/// stopped. Sessions have a counter of their own for this. Readers of several fields compare
/// `version` before and after; an engine of an earlier version left zeros.
struct SendingStops {
  std::atomic<std::uint64_t> version{0};  ///< Odd during a write.
  base::Counter engine;                   ///< 1: the latest command for the engine is to stop.
  base::Counter instances;                ///< Number of stopped instances while the engine is not.
  CounterText<2048> instance_names;       ///< Each followed by a line feed; as many as fit.
};

/// Header of the file. Written once, except its counters.
struct CountersHeader {
  static constexpr std::uint64_t magic_value = 0x5254'4E43'5849'4641;  ///< "AFIXCNTR" in memory.
  static constexpr std::uint32_t byte_order_value = 0x0102'0304;
  static constexpr std::uint32_t version_value = 2;

  /// Stored last: a file without it is not ready for use.
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
  base::Counter stopped_utc_ns;     ///< Set by an orderly end; a killed engine leaves 0.
  base::Counter without_latencies;  ///< Sessions without latencies for lack of space.
  CounterText<64> engine_version;
  SendingStops stops;

  /// Failover groups of this node (failover_counters.hpp). All 0: it has none, or is of an earlier
  /// version. Written once, before the file is published.
  std::uint64_t failover_at = 0;     ///< Offset of the first group's counters; the others follow.
  std::uint32_t failover_count = 0;  ///< Number of groups.
  std::uint32_t failover_bytes = 0;  ///< Size of one group's counters.
};

/// A chunk of seats; its seats follow it in the file.
struct alignas(base::cache_line) SeatChunk {
  std::atomic<std::uint64_t> next_at{0};  ///< Offset of the next chunk; 0: the last one.
  std::uint64_t seat_count = 0;
};

}  // namespace affix::inline v0::counters
