// SPDX-License-Identifier: MIT
// A run of the load generator: its sessions on one reactor, the pace of their orders, storms of
// reconnects, and what was measured. One thread.
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

/// What the server's process used between two moments, and its memory.
struct ServerUsage {
  std::int64_t cpu_ns = 0;      ///< Of all threads.
  std::int64_t journal_ns = 0;  ///< Of those that prepare and flush an engine's journals.
  std::int64_t user_ns = 0;
  std::int64_t system_ns = 0;
  std::int64_t anonymous_bytes_before = 0;
  std::int64_t anonymous_bytes_max = 0;  ///< Looked at once a second and at the end.
  std::int64_t anonymous_bytes_after = 0;
  std::int64_t file_bytes_after = 0;
};

/// Rounds of one kind, all taken together.
struct LoadFigures {
  std::uint32_t rounds = 0;
  std::int64_t elapsed_ns = 0;  ///< From each round's first order to its last answer.
  LoadCounters counters;
  Latencies latencies;
  /// Of each session, the answers that came while orders were being sent.
  std::vector<std::uint64_t> answered_by_session;
  std::vector<double> rates;                   ///< Of each round, answers a second.
  std::vector<double> p99_ns;                  ///< Of each round, of the response times.
  std::vector<double> messages_ns_per_answer;  ///< The same without the journals' threads.
  std::vector<double> cpu_ns_per_answer;       ///< Of each round, if the server's process is known.
  std::optional<ServerUsage> server;

  [[nodiscard]] double rate() const noexcept;

  /// The slowest session's answers by the mean; 1 when there are none.
  [[nodiscard]] double fairness() const noexcept;
};

struct LoadResult {
  LoadFigures calm;
  LoadFigures hostile;  ///< Rounds with hostile peers; none: rounds is 0.
  HostileCounters hostile_peers;
  std::uint64_t lost = 0;     ///< Orders without an answer when the run ended.
  std::uint64_t unsent = 0;   ///< Orders that were due and that the server never made room for.
  std::uint64_t dropped = 0;  ///< Connections that the storm ended.
  std::uint64_t lost_connections = 0;  ///< Connections that ended by themselves.
  std::uint64_t refused = 0;           ///< Logons that had no success, those of a storm included.
  std::uint64_t bad_logouts = 0;       ///< Sessions whose Logout was not answered.
  std::string trouble;                 ///< What a server said first when it ended or refused.

  /// The others' p99 in a round with hostile peers by that of the calm round before it, of each
  /// such pair.
  [[nodiscard]] std::vector<double> others_p99() const;

  /// Every order answered once, and nothing else out of order.
  [[nodiscard]] bool sound() const noexcept;
};

/// Logs on, sends, waits for the answers, logs out. Errors: a bad option, no connection, a session
/// that cannot log on.
[[nodiscard]] std::expected<std::unique_ptr<LoadResult>, base::Error> run_load(
    const LoadOptions& options);

}  // namespace affix::inline v0::tools::bench
