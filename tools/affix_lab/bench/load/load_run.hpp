// SPDX-License-Identifier: MIT
// A run of the load generator: its sessions on one reactor, the pace of their orders, storms of
// reconnects, and the measurements. One thread.
#pragma once

#include "affix/base/error.hpp"
#include "affix/base/time.hpp"
#include "affix/net/reactor.hpp"

#include "bench/load/hostile_peers.hpp"
#include "bench/load/load_options.hpp"
#include "bench/load/load_session.hpp"
#include "measure/process_usage.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::tools::bench {

/// Processor time that the server's process used between two moments, and its memory.
struct ServerUsage {
  std::int64_t cpu_ns = 0;      ///< Of all threads.
  std::int64_t journal_ns = 0;  ///< Of threads that prepare and flush an engine's journals.
  std::int64_t user_ns = 0;
  std::int64_t system_ns = 0;
  std::int64_t anonymous_bytes_before = 0;
  std::int64_t anonymous_bytes_max = 0;  ///< Sampled once a second and at the end.
  std::int64_t anonymous_bytes_after = 0;
  std::int64_t file_bytes_after = 0;
};

/// Figures of all rounds of one kind.
struct LoadFigures {
  std::uint32_t rounds = 0;
  std::int64_t elapsed_ns = 0;  ///< From each round's first order to its last answer.
  LoadCounters counters;
  Latencies latencies;
  /// Answers to each session while orders were being sent.
  std::vector<std::uint64_t> answered_by_session;
  std::vector<double> rates;                   ///< Answers a second in each round.
  std::vector<double> p99_ns;                  ///< Response times of each round.
  std::vector<double> messages_ns_per_answer;  ///< For each round, without the journals' threads.
  std::vector<double> cpu_ns_per_answer;       ///< For each round, if the server's process is
                                               ///< known.
  std::optional<ServerUsage> server;

  [[nodiscard]] double rate() const noexcept;

  /// Answers of the slowest session relative to the mean; 1 when there are none.
  [[nodiscard]] double fairness() const noexcept;
};

struct LoadResult {
  LoadFigures calm;
  LoadFigures hostile;  ///< Rounds with hostile peers; if none, its `rounds` is 0.
  HostileCounters hostile_peers;
  std::uint64_t lost = 0;              ///< Orders without an answer when the run ended.
  std::uint64_t unsent = 0;            ///< Due orders that the server never made room for.
  std::uint64_t dropped = 0;           ///< Connections ended by the storm.
  std::uint64_t lost_connections = 0;  ///< Connections that ended otherwise.
  bool is_cluster = false;             ///< In which that is no fault.
  std::uint64_t refused = 0;           ///< Failed logons, including those of a storm.
  std::uint64_t bad_logouts = 0;       ///< Sessions whose Logout was not answered.
  AnswerLog answers;                   ///< If options.logs_answers.
  std::string trouble;                 ///< The server's first text when it ended or refused a
                                       ///< session.

  /// For each pair of rounds, the other sessions' p99 with hostile peers relative to the calm round
  /// before.
  [[nodiscard]] std::vector<double> others_p99() const;

  /// True if every order was answered once, and there were no other faults.
  [[nodiscard]] bool sound() const noexcept;
};

/// Logs on, sends, waits for the answers, logs out. Errors: a bad option, no connection, a session
/// that cannot log on.
[[nodiscard]] std::expected<std::unique_ptr<LoadResult>, base::Error> run_load(
    const LoadOptions& options);

}  // namespace affix::inline v0::tools::bench
