// SPDX-License-Identifier: MIT
// What a run of the load generator is told.
#pragma once

#include "affix/base/error.hpp"

#include "bench/load/load_session.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <sys/types.h>

namespace affix::inline v0::tools::bench {

/// Peers that behave badly beside the load, how many of each kind.
struct HostileCounts {
  std::uint32_t frozen = 0;       ///< Log on, send orders, and read no answer.
  std::uint32_t dribbling = 0;    ///< Log on, and send orders a byte a millisecond.
  std::uint32_t garbage = 0;      ///< Send what is no FIX, and giant lengths.
  std::uint32_t half_logons = 0;  ///< Send half a Logon and wait.
  std::uint32_t connections = 0;  ///< Connect and say nothing.
  /// Log on, trade, and then ask for everything again and again.
  std::uint32_t resending = 0;

  [[nodiscard]] std::uint32_t total() const noexcept {
    return frozen + dribbling + garbage + half_logons + connections + resending;
  }

  /// Those that log on, so that the acceptor must know their sessions.
  [[nodiscard]] std::uint32_t sessions() const noexcept { return frozen + dribbling + resending; }
};

struct LoadOptions {
  std::string target;  ///< HOST:PORT.
  /// In the CompIDs `{}` stands for the session's number.
  LoadIdentity identity;
  OrderShape shape;
  LoadSessionOptions session;
  std::uint32_t sessions = 1;
  /// Number of the first one. Hostile peers that log on have the numbers behind the last.
  std::uint32_t first_session = 1;
  std::uint32_t per_write = 1;  ///< Orders in one send.
  double rate = 0;              ///< Orders a second over all sessions; 0: as fast as it goes.
  std::uint64_t messages = 0;   ///< Orders of each session and round; 0: no limit but the time.
  double seconds = 0;           ///< Of sending in each round; 0: no limit but the messages.
  std::uint64_t warm_up = 0;    ///< Orders of each session that are not measured.
  std::uint32_t rounds = 1;     ///< With hostile peers, calm and hostile ones in turns.
  bool spin = false;            ///< Look at the sockets without sleeping.
  std::string reactor = "epoll";
  double storm_rate = 0;  ///< Connections dropped a second, each made again at once or soon.
  HostileCounts hostile;
  std::uint64_t resend_messages = 100'000;  ///< Reports that each of `resending` has before.
  pid_t server_pid = 0;  ///< 0: the server's use of processor and memory is not looked at.
  double logon_timeout_seconds = 30;
  double answer_timeout_seconds = 10;  ///< Without any answer before the rest count as lost.
  std::uint64_t seed = 1;              ///< Of the storm and the garbage.
};

/// A pattern with its `{}` replaced.
[[nodiscard]] std::string numbered(const std::string& pattern, std::uint64_t number);

/// The identity of session `number`.
[[nodiscard]] LoadIdentity identity_of(const LoadOptions& options, std::uint64_t number);

/// InvalidArgument with what contradicts itself or is out of range.
[[nodiscard]] std::expected<void, base::Error> check(const LoadOptions& options);

}  // namespace affix::inline v0::tools::bench
