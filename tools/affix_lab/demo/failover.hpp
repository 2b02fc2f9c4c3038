// SPDX-License-Identifier: MIT
// The failover demonstration: four traders trade through two nodes, the node that leads is killed,
// and at the end everyone's records are compared.
#pragma once

#include <cstdint>
#include <string>

namespace affix::inline v0::tools::demo {

struct FailoverOptions {
  std::string directory;
  double duration_seconds = 15;
  std::int64_t rate = 500;  ///< Requests a second and trader.
  double kill_after_seconds = 8;
  double return_after_seconds = 3;  ///< After the kill.
};

/// Runs it, and ends everything that it started, whatever happens. Returns the exit code: 0 if
/// nothing was lost, or a signal ended it before anything was compared.
[[nodiscard]] int run_failover(const FailoverOptions& options);

}  // namespace affix::inline v0::tools::demo
