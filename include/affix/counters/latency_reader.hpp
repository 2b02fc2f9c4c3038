// SPDX-License-Identifier: MIT
// Reads an engine's latency file: where the newest messages spent their time. Reading costs the
// engine nothing.
#pragma once

#include "affix/base/error.hpp"
#include "affix/counters/latency_records.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::counters {

/// Parts of a message's path.
enum class LatencyPart : std::uint8_t {
  InStack,   ///< From the kernel to the engine.
  InEngine,  ///< From the read to the sending of the answer; without an answer, to the hand-over;
             ///< for a message that answers none, from commit to sending.
  OutStack,  ///< From the engine to the driver.
  Whole,     ///< From the first known step to the last.
};

inline constexpr std::size_t latency_part_count = 4;  ///< Values of LatencyPart.

/// Words like `in_stack`. Static storage.
[[nodiscard]] const char* to_text(LatencyPart part) noexcept;

/// Copy of one record. Sessions are places in LatencyReading::sessions, counted from 1; 0: that
/// half is missing.
struct LatencyMessage {
  std::uint64_t worker = 0;       ///< Worker that recorded it, counted from 0.
  std::uint64_t number = 0;       ///< Number among the worker's records, from 1.
  std::uint64_t in_session = 0;   ///< Session that received the message.
  std::uint64_t in_number = 0;    ///< MsgSeqNum of the received message.
  std::uint64_t out_session = 0;  ///< Session that sent the answer.
  std::uint64_t out_number = 0;   ///< MsgSeqNum of the sent message.
  /// By counters::LatencyStep: UTC nanoseconds, 0 where unknown or not reached.
  std::array<std::uint64_t, counters::latency_step_count> steps{};
  std::uint64_t cause = 0;    ///< A counters::LatencyCause, or a code of a newer version.
  std::uint64_t wait_ns = 0;  ///< Duration of that wait.

  /// UTC nanoseconds of one step; 0 where unknown or not reached.
  [[nodiscard]] std::uint64_t operator[](counters::LatencyStep step) const noexcept {
    return steps[static_cast<std::size_t>(step)];
  }

  /// Nanoseconds; nullopt if one end is unknown, or the clock was set back in between.
  [[nodiscard]] std::optional<std::uint64_t> part_ns(LatencyPart part) const noexcept;
};

/// Copy of the whole file: nothing here points into it.
struct LatencyReading {
  std::uint64_t process_id = 0;          ///< In the engine's own process namespace.
  std::uint64_t started_utc_ns = 0;      ///< Nanoseconds since 1970.
  std::uint64_t recorded = 0;            ///< By all workers, including overwritten records.
  bool running = false;                  ///< The engine was running at the time of reading.
  std::vector<std::string> sessions;     ///< Names, by place; place 0 is empty.
  std::vector<LatencyMessage> messages;  ///< By worker, then in the order in which they were begun.

  /// Name at a place; empty if it has none.
  [[nodiscard]] std::string_view name_of(std::uint64_t session) const noexcept;
};

/// Distribution of one part over the messages that have it. Nanoseconds.
struct LatencySpread {
  std::uint64_t count = 0;    ///< Messages that have the part.
  std::uint64_t p50 = 0;      ///< Median.
  std::uint64_t p90 = 0;      ///< 90th percentile.
  std::uint64_t p99 = 0;      ///< 99th percentile.
  std::uint64_t p999 = 0;     ///< 99.9th percentile.
  std::uint64_t longest = 0;  ///< Maximum.
};

/// Maps the file, copies its contents and unmaps it. Skips records that are being written or are
/// overwritten meanwhile. Refuses a contradictory file, or reads its sound part; never follows an
/// offset out of the file. If the file is truncated meanwhile, the missing part reads as empty
/// (os::install_bus_error_handler()). Errors: no such file, not a latency file, another version or
/// byte order, not ready yet. System calls, allocates.
[[nodiscard]] std::expected<LatencyReading, base::Error> read_latencies(const std::string& path);

/// By LatencyPart, of all messages. Allocates.
[[nodiscard]] std::array<LatencySpread, latency_part_count> spread_of(
    const LatencyReading& reading);

/// The `count` messages with the longest path, longest first. Point into `reading`. Allocates.
[[nodiscard]] std::vector<const LatencyMessage*> worst_of(const LatencyReading& reading,
                                                          std::size_t count);

}  // namespace affix::inline v0::counters
