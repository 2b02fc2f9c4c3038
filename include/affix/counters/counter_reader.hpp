// SPDX-License-Identifier: MIT
// Reads an engine's counters: maps the file read-only and copies its contents. This has no effect
// on the engine.
#pragma once

#include "affix/base/error.hpp"
#include "affix/base/latency_histogram.hpp"
#include "affix/counters/counters.hpp"
#include "affix/counters/failover_counters.hpp"
#include "affix/os/file_descriptor.hpp"
#include "affix/os/file_mapping.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <vector>

namespace affix::inline v0::counters {

/// Copy of one session's seat.
struct SessionReading {
  /// Seat in the file: a session keeps its seat, and `version` changes with its owner.
  std::size_t seat = 0;
  std::uint64_t version = 0;
  std::uint64_t worker = 0;       ///< Number of its worker, from 0.
  bool initiator = false;         ///< False: acceptor.
  std::string name;               ///< Name of its group in the configuration.
  std::string instance;           ///< Its server or client group.
  std::string begin_string;       ///< BeginString (8).
  std::string sender_comp_id;     ///< The engine's own CompID.
  std::string target_comp_id;     ///< CompID of the peer.
  std::string journal_directory;  ///< Empty: no journal on disk.
  std::string peer;               ///< Address of the peer; empty: not connected.
  std::string last_end;           ///< Side and reason of its last disconnect; empty: none.
  std::string disabled_by;        ///< Operator and reason; empty: it is enabled.
  /// Indexed by counters::SessionCounter; use operator[].
  std::array<std::uint64_t, counters::session_counter_count> counters{};

  /// Null if none of its messages has been measured yet.
  std::shared_ptr<const std::array<base::LatencySnapshot, counters::session_latency_count>>
      latencies;

  /// Value of one counter.
  [[nodiscard]] std::uint64_t operator[](counters::SessionCounter which) const noexcept {
    return counters[static_cast<std::size_t>(which)];
  }

  /// State of the session.
  [[nodiscard]] session::SessionStanding standing() const noexcept {
    return static_cast<session::SessionStanding>((*this)[counters::SessionCounter::State]);
  }
};

/// Waits of a worker with one cause. Nanoseconds.
struct WaitReading {
  std::uint64_t count = 0;    ///< Number of waits.
  std::uint64_t time = 0;     ///< Total duration.
  std::uint64_t longest = 0;  ///< Longest wait.
  std::uint64_t recent = 0;   ///< Longest wait of the last 10 to 20 seconds.
};

/// The longest wait of a worker, with its cause; none if `ns` is 0.
struct LongestWait {
  counters::WaitCause cause = counters::WaitCause::Other;  ///< Undefined if there is none.
  std::uint64_t ns = 0;                                    ///< Nanoseconds.
};

/// One worker thread.
struct WorkerReading {
  /// Indexed by counters::WorkerCounter; use operator[].
  std::array<std::uint64_t, counters::worker_counter_count> counters{};
  /// Indexed by counters::WorkerLatency.
  std::array<base::LatencySnapshot, counters::worker_latency_count> distributions;
  /// Indexed by counters::WaitCause.
  std::array<WaitReading, counters::wait_cause_count> waits{};
  std::uint64_t longest_wait_utc_ns = 0;  ///< When the longest wait ended; 0: none.
  base::LatencySnapshot wait_lengths;     ///< Over all causes.

  /// Longest wait since the engine started.
  [[nodiscard]] LongestWait longest_wait() const noexcept {
    return longest_by(&WaitReading::longest);
  }

  /// Longest wait of the last 10 to 20 seconds.
  [[nodiscard]] LongestWait recent_wait() const noexcept {
    return longest_by(&WaitReading::recent);
  }

  /// Value of one counter.
  [[nodiscard]] std::uint64_t operator[](counters::WorkerCounter which) const noexcept {
    return counters[static_cast<std::size_t>(which)];
  }

 private:
  [[nodiscard]] LongestWait longest_by(std::uint64_t WaitReading::* which) const noexcept;
};

/// One standby of a failover group, as the primary sees it.
struct StandbyReading {
  std::string name;  ///< Name of its node.
  /// Indexed by counters::StandbyCounter; use operator[].
  std::array<std::uint64_t, counters::standby_counter_count> counters{};

  /// Value of one counter.
  [[nodiscard]] std::uint64_t operator[](counters::StandbyCounter which) const noexcept {
    return counters[static_cast<std::size_t>(which)];
  }
};

/// One failover group of the node.
struct FailoverReading {
  std::string name;     ///< Name of the group.
  std::string node;     ///< Name of this node.
  std::string primary;  ///< As the election store last said; empty: nobody.
  std::string in_sync;  ///< Names with commas between them.
  /// Indexed by counters::FailoverCounter; use operator[].
  std::array<std::uint64_t, counters::failover_counter_count> counters{};
  std::vector<StandbyReading> standbys;  ///< Only while this node leads.

  /// Value of one counter.
  [[nodiscard]] std::uint64_t operator[](counters::FailoverCounter which) const noexcept {
    return counters[static_cast<std::size_t>(which)];
  }

  /// This node's role in the group.
  [[nodiscard]] counters::FailoverRole role() const noexcept {
    return static_cast<counters::FailoverRole>((*this)[counters::FailoverCounter::Role]);
  }
};

/// A complete copy: nothing here refers to the file.
struct EngineReading {
  std::uint64_t process_id = 0;                  ///< In the engine's PID namespace.
  std::uint64_t started_utc_ns = 0;              ///< Nanoseconds since 1970.
  std::uint64_t stopped_utc_ns = 0;              ///< 0: it is running, or was killed.
  std::uint64_t sessions_without_latencies = 0;  ///< Sessions without space for latencies.

  /// Scopes that operators stopped from sending: the engine, or a number of instances, with as many
  /// names as fit into the file.
  bool sending_stopped = false;
  std::uint64_t instances_stopped = 0;
  std::vector<std::string> stopped_instances;

  std::string engine_version;             ///< As printed by `affix --version`.
  std::vector<WorkerReading> workers;     ///< By number.
  std::vector<SessionReading> sessions;   ///< By seat.
  std::vector<FailoverReading> failover;  ///< In the order of the configuration.

  /// True if the engine's process existed at the time of reading.
  bool running = false;
};

/// One thread at a time; any number of readers may exist. Validates the file: refuses a
/// contradictory one or reads its valid part, and follows no offset outside it. A file truncated
/// meanwhile reads as empty there (os::install_bus_error_handler()).
class CounterReader {
 public:
  /// Errors: no such file, not a counters file, another version or byte order, not ready yet.
  [[nodiscard]] static std::expected<CounterReader, base::Error> open(const std::string& path);

  /// Opens the file at the path again if it was replaced because the engine restarted; returns true
  /// if so. On an error the reader keeps its current file.
  [[nodiscard]] std::expected<bool, base::Error> follow();

  /// Copies everything, except latencies of sessions without activity since the last call, which
  /// are shared with that reading. Sessions are ordered by seat. Allocates; maps more of the file
  /// after it has grown.
  [[nodiscard]] EngineReading read();

 private:
  CounterReader() = default;

  [[nodiscard]] bool map_whole() noexcept;
  static void copy_stops(const counters::SendingStops& stops, EngineReading& out);
  static void copy_remarks(const counters::SessionRemarks& remarks, SessionReading& out);
  void copy_failover(const counters::CountersHeader& header, EngineReading& out) const;
  [[nodiscard]] bool copy_seat(const counters::SessionCounters& seat, SessionReading& out);
  void copy_latencies(const counters::SessionLatencies& from, SessionReading& out);

  using Latencies = std::array<base::LatencySnapshot, counters::session_latency_count>;

  /// Last copied latencies of a seat, and the counters to check if they are still current.
  struct Copied {
    std::uint64_t version = 0;
    std::array<std::uint64_t, counters::session_counter_count> counters{};
    std::shared_ptr<const Latencies> latencies;
  };

  std::string path_;
  std::vector<Copied> copied_;  // By seat.
  os::FileDescriptor file_;
  std::uint64_t inode_ = 0;
  os::FileMapping mapping_;
};

}  // namespace affix::inline v0::counters
