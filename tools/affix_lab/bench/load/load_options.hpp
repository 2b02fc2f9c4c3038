// SPDX-License-Identifier: MIT
// Options of a run of the load generator.
#pragma once

#include "affix/base/error.hpp"

#include "bench/load/load_session.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <sys/types.h>
#include <vector>

namespace affix::inline v0::tools::bench {

/// Numbers of misbehaving peers of each kind during the load.
struct HostileCounts {
  std::uint32_t frozen = 0;       ///< Log on, send orders, and read no answer.
  std::uint32_t dribbling = 0;    ///< Log on, and send orders a byte a millisecond.
  std::uint32_t garbage = 0;      ///< Send bytes that are not FIX, and giant lengths.
  std::uint32_t half_logons = 0;  ///< Send half a Logon and wait.
  std::uint32_t connections = 0;  ///< Connect and send nothing.
  /// Log on, trade, and then request everything again repeatedly.
  std::uint32_t resending = 0;

  [[nodiscard]] std::uint32_t total() const noexcept {
    return frozen + dribbling + garbage + half_logons + connections + resending;
  }

  /// Number of those that log on, whose sessions the acceptor must know.
  [[nodiscard]] std::uint32_t sessions() const noexcept { return frozen + dribbling + resending; }
};

struct LoadOptions {
  /// HOST:PORT. Several with commas are nodes of a cluster: a session whose connection ends, or is
  /// silent, dials them in turn until one answers its Logon.
  std::string target;
  /// Several targets: time for which an order may wait without a sign of life of the node.
  double silence_seconds = 0.15;
  bool logs_answers = false;  ///< The times of each answer are kept.
  /// In the CompIDs `{}` is replaced by the session's number.
  LoadIdentity identity;
  OrderShape shape;
  LoadSessionOptions session;
  std::uint32_t sessions = 1;
  /// Number of the first session. Hostile peers that log on have the numbers after the last.
  std::uint32_t first_session = 1;
  std::uint32_t per_write = 1;  ///< Orders in one send.
  double rate = 0;              ///< Orders a second over all sessions; 0: as fast as possible.
  std::uint64_t messages = 0;   ///< Orders of each session and round; 0: limited only by time.
  double seconds = 0;           ///< Time of sending in each round; 0: limited only by messages.
  std::uint64_t warm_up = 0;    ///< Orders of each session that are not measured.
  std::uint32_t rounds = 1;     ///< With hostile peers, calm and hostile rounds alternate.
  bool spin = false;            ///< Poll the sockets without sleeping.
  std::string reactor = "epoll";
  double storm_rate = 0;  ///< Connections dropped a second, each reconnected at once or soon.
  HostileCounts hostile;
  std::uint64_t resend_messages = 100'000;  ///< Reports that each of `resending` has received
                                            ///< before.
  pid_t server_pid = 0;  ///< 0: the server's processor time and memory are not measured.
  double logon_timeout_seconds = 30;
  double answer_timeout_seconds = 10;  ///< Time without any answer after which the rest counts as
                                       ///< lost.
  std::uint64_t seed = 1;              ///< For the storm and the garbage.
};

/// The places in `target`.
[[nodiscard]] std::vector<std::string> targets_of(const LoadOptions& options);

/// A pattern with its `{}` replaced.
[[nodiscard]] std::string numbered(const std::string& pattern, std::uint64_t number);

/// The identity of session `number`.
[[nodiscard]] LoadIdentity identity_of(const LoadOptions& options, std::uint64_t number);

/// InvalidArgument describes options that are contradictory or out of range.
[[nodiscard]] std::expected<void, base::Error> check(const LoadOptions& options);

}  // namespace affix::inline v0::tools::bench
