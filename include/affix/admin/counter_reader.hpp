// SPDX-License-Identifier: MIT
// The reader's side of an engine's counters: maps the file read-only and copies what is in it. The
// engine neither knows nor pays.
#pragma once

#include "affix/base/error.hpp"
#include "affix/base/latency_histogram.hpp"
#include "affix/engine/counters.hpp"
#include "affix/journal/mapping_guard.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <vector>

namespace affix::inline v0::admin {

/// One session as its seat had it.
struct SessionReading {
  /// Which seat of the file: the same session keeps it, and `version` changes with its owner.
  std::size_t seat = 0;
  std::uint64_t version = 0;
  std::uint64_t worker = 0;       ///< The one that runs it, counted from 0.
  bool initiator = false;         ///< False: it accepts.
  std::string name;               ///< Of its group in the configuration.
  std::string instance;           ///< The server or client that it belongs to.
  std::string begin_string;       ///< BeginString (8).
  std::string sender_comp_id;     ///< The engine's own CompID.
  std::string target_comp_id;     ///< The peer's.
  std::string journal_directory;  ///< Empty: its journal is in memory.
  std::string peer;               ///< Address of its connection; empty: it has none.
  std::string last_end;           ///< Who ended its last connection, and why; empty: it had none.
  std::string disabled_by;        ///< Who disabled it and why; empty: it is enabled.
  /// By engine::SessionCounter; use operator[].
  std::array<std::uint64_t, engine::session_counter_count> counters{};

  /// Null when none of its messages was measured yet.
  std::shared_ptr<const std::array<base::LatencySnapshot, engine::session_latency_count>> latencies;

  /// One of the counters.
  [[nodiscard]] std::uint64_t operator[](engine::SessionCounter which) const noexcept {
    return counters[static_cast<std::size_t>(which)];
  }

  /// What the session was doing.
  [[nodiscard]] engine::SessionStanding standing() const noexcept {
    return static_cast<engine::SessionStanding>((*this)[engine::SessionCounter::State]);
  }
};

/// Waits of a worker that have one cause. Nanoseconds.
struct WaitReading {
  std::uint64_t count = 0;    ///< How many.
  std::uint64_t time = 0;     ///< Of all together.
  std::uint64_t longest = 0;  ///< Of all.
  std::uint64_t recent = 0;   ///< The longest of the last ten to twenty seconds.
};

/// The longest wait of a worker, and its cause; none while `ns` is 0.
struct LongestWait {
  engine::WaitCause cause = engine::WaitCause::Other;  ///< Of no meaning while there is none.
  std::uint64_t ns = 0;                                ///< Nanoseconds.
};

/// One worker thread.
struct WorkerReading {
  /// By engine::WorkerCounter; use operator[].
  std::array<std::uint64_t, engine::worker_counter_count> counters{};
  /// By engine::WorkerLatency.
  std::array<base::LatencySnapshot, engine::worker_latency_count> distributions;
  /// By engine::WaitCause.
  std::array<WaitReading, engine::wait_cause_count> waits{};
  std::uint64_t longest_wait_utc_ns = 0;  ///< When the longest of them ended; 0: there was none.
  base::LatencySnapshot wait_lengths;     ///< Of all causes.

  /// Of all waits since the engine started.
  [[nodiscard]] LongestWait longest_wait() const noexcept {
    return longest_by(&WaitReading::longest);
  }

  /// Of those of the last ten to twenty seconds.
  [[nodiscard]] LongestWait recent_wait() const noexcept {
    return longest_by(&WaitReading::recent);
  }

  /// One of the counters.
  [[nodiscard]] std::uint64_t operator[](engine::WorkerCounter which) const noexcept {
    return counters[static_cast<std::size_t>(which)];
  }

 private:
  [[nodiscard]] LongestWait longest_by(std::uint64_t WaitReading::* which) const noexcept;
};

/// Everything, copied: nothing here points into the file.
struct EngineReading {
  std::uint64_t process_id = 0;                  ///< As the engine's own namespace numbers it.
  std::uint64_t started_utc_ns = 0;              ///< Nanoseconds since 1970.
  std::uint64_t stopped_utc_ns = 0;              ///< 0: it runs, or was killed.
  std::uint64_t sessions_without_latencies = 0;  ///< The file has no room for theirs.

  /// What operators have stopped from sending as a whole: the engine, or else so many instances, of
  /// whose names there are as many as the file has room for.
  bool sending_stopped = false;
  std::uint64_t instances_stopped = 0;
  std::vector<std::string> stopped_instances;

  std::string engine_version;            ///< As `affix --version` prints it.
  std::vector<WorkerReading> workers;    ///< In their order.
  std::vector<SessionReading> sessions;  ///< In the order of their seats.

  /// The engine was there when this was read.
  bool running = false;
};

/// Not safe to share between threads; as many readers as one likes are. A file that contradicts
/// itself is refused or read as far as it is sound: no offset of it is followed outside it. One
/// that is cut meanwhile reads as empty there (journal::install_bus_error_handler()).
class CounterReader {
 public:
  /// Errors: no such file, not a file of counters, another version or byte order, not ready yet.
  [[nodiscard]] static std::expected<CounterReader, base::Error> open(const std::string& path);

  CounterReader(CounterReader&& other) noexcept;
  CounterReader& operator=(CounterReader&& other) noexcept;
  ~CounterReader();

  /// Another file has taken the path: the engine was started again. Opens it then, and says whether
  /// it did. An error leaves the reader with the file it has.
  [[nodiscard]] std::expected<bool, base::Error> follow();

  /// Copies everything, but the latencies of sessions that have moved nothing since the last call:
  /// those are shared with that reading. Sessions lie in the order of their seats. Allocates; maps
  /// more of the file when it has grown.
  [[nodiscard]] EngineReading read();

 private:
  CounterReader() = default;

  void unmap() noexcept;
  [[nodiscard]] bool map_whole() noexcept;
  /// The object at `offset`, or null when it does not lie within the mapping, aligned.
  template <typename T>
  [[nodiscard]] const T* at(std::uint64_t offset) const noexcept;
  static void copy_stops(const engine::SendingStops& stops, EngineReading& out);
  static void copy_remarks(const engine::SessionRemarks& remarks, SessionReading& out);
  [[nodiscard]] bool copy_seat(const engine::SessionCounters& seat, SessionReading& out);
  void copy_latencies(const engine::SessionLatencies& from, SessionReading& out);

  using Latencies = std::array<base::LatencySnapshot, engine::session_latency_count>;

  /// What was copied of a seat's latencies last, and when that is still what they are.
  struct Copied {
    std::uint64_t version = 0;
    std::array<std::uint64_t, engine::session_counter_count> counters{};
    std::shared_ptr<const Latencies> latencies;
  };

  std::string path_;
  std::vector<Copied> copied_;  // By seat.
  int file_ = -1;
  std::uint64_t inode_ = 0;
  const std::byte* bytes_ = nullptr;
  std::size_t size_ = 0;
  journal::MappingGuard guard_;  // Of the mapping.
};

}  // namespace affix::inline v0::admin
