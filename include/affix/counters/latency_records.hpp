// SPDX-License-Identifier: MIT
// Layout of the latency file, which shows where each message spent its time; any process may map
// and read it while the engine runs: docs/reference/latency-format.md.
#pragma once

#include "affix/base/bytes.hpp"
#include "affix/base/counter.hpp"
#include "affix/counters/counters.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace affix::inline v0::counters {

/// Steps of a received message and of its answer. UTC nanoseconds each; 0 if unknown or not
/// reached. The order is that in the file.
enum class LatencyStep : std::uint8_t {
  Received,     ///< The kernel took the last packet of the read that completed the message.
  Read,         ///< The engine received its bytes.
  HandedOver,   ///< The application is about to be called, or its thread's queue has the message.
  Committed,    ///< The journal has the answer.
  Sent,         ///< The answer is about to be passed to the reactor, which encrypts it if
                ///< necessary.
  Transmitted,  ///< The kernel gave its last byte to the driver.
};

inline constexpr std::size_t latency_step_count = 6;  ///< Values of LatencyStep.

/// Reason why a message waited. After None come the causes of the worker's waits in the order of
/// WaitCause, then those of single messages.
enum class LatencyCause : std::uint8_t {
  None = 0,
  FirstWait = 1,  ///< WaitCause::Preempted, and so on.
  Flush = 64,     ///< Wait for the disk: durability sync.
  Limit = 65,     ///< Wait imposed by a limit on sends.
  Peer = 66,      ///< The peer has not taken earlier output.
};

/// The code of a worker's wait.
[[nodiscard]] constexpr LatencyCause latency_cause_of(WaitCause cause) noexcept {
  return static_cast<LatencyCause>(static_cast<std::uint8_t>(LatencyCause::FirstWait) +
                                   static_cast<std::uint8_t>(cause));
}

/// A word like `page_fault`, and a sentence; "unknown" for unknown codes. Static storage.
[[nodiscard]] CounterName latency_cause_name(std::uint64_t code) noexcept;

/// A received message, and the message committed while the application processed it. Either half
/// may be missing; its numbers are 0 then. Readers compare `number` before and after reading.
struct alignas(base::cache_line) LatencyRecord {
  /// Number of the record among all records of the ring, from 1; 0: none yet, or it is being
  /// written.
  std::atomic<std::uint64_t> number{0};
  base::Counter in_session;   ///< Of the received message: place in the table of sessions, from 1.
  base::Counter in_number;    ///< Its MsgSeqNum.
  base::Counter out_session;  ///< Of the answer, or of a message that answers none.
  base::Counter out_number;   ///< MsgSeqNum of the sent message.
  std::array<base::Counter, latency_step_count> steps;  ///< UTC nanoseconds, by LatencyStep.
  base::Counter cause;                                  ///< LatencyCause of the longest wait.
  base::Counter wait_ns;  ///< Duration of that wait between the first and the last step.
};

/// One worker's ring, followed by its records. The newest is at `begun - 1` modulo their number.
struct alignas(base::cache_line) LatencyRing {
  base::Counter begun;  ///< Records begun since the start.
};

/// A session's name: that of its group in the configuration.
struct LatencySession {
  CounterText<64> name;  ///< Padded with zeros.
};

/// Beginning of the file. Written once, except for the counters in it.
struct LatencyHeader {
  static constexpr std::uint64_t magic_value = 0x4e45'544c'5849'4641;  ///< "AFIXLTEN" in memory.
  static constexpr std::uint32_t byte_order_value =
      0x0102'0304;                                   ///< In memory 4, 3, 2, 1: little-endian.
  static constexpr std::uint32_t version_value = 1;  ///< Increased when a field moves.

  /// Stored last: a file without it is not ready.
  std::atomic<std::uint64_t> magic{0};
  std::uint32_t byte_order = byte_order_value;         ///< Of the machine that wrote the file.
  std::uint32_t version = version_value;               ///< Of the format.
  std::uint64_t process_id = 0;                        ///< Of the engine, in its own namespace.
  std::uint64_t started_utc_ns = 0;                    ///< Start of the engine.
  std::uint32_t worker_count = 0;                      ///< Rings in the file.
  std::uint32_t record_bytes = sizeof(LatencyRecord);  ///< Distance between records.
  std::uint32_t record_count = 0;                      ///< Of each ring; a power of two.
  std::uint32_t session_count = 0;                     ///< Places in the table of sessions.
  std::uint64_t sessions_at = 0;                       ///< Offset of the table.
  std::uint64_t rings_at = 0;                          ///< Offset of the first worker's ring.
  std::uint64_t ring_bytes = 0;                        ///< Distance between rings.
  base::Counter sessions_named;                        ///< Places of the table that have a name.
};

static_assert(sizeof(LatencyRecord) == 128 && offsetof(LatencyRecord, steps) == 40 &&
              offsetof(LatencyRecord, cause) == 88);
static_assert(sizeof(LatencyRing) == 64);
static_assert(offsetof(LatencyHeader, worker_count) == 32 &&
              offsetof(LatencyHeader, sessions_at) == 48 &&
              offsetof(LatencyHeader, sessions_named) == 72);

}  // namespace affix::inline v0::counters
