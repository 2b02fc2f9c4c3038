// SPDX-License-Identifier: MIT
// Snapshots, histories and alerts as docs/reference/monitor-api.md has them.
#pragma once

#include "monitor/request.hpp"
#include "monitor/snapshot.hpp"

#include <cstdint>
#include <string>

namespace affix::inline v0::tools::monitor {

/// What does not change while the monitor runs.
struct MonitorFacts {
  std::string version;
  std::string name;  ///< The configuration's file name without its end.
  std::string configuration;
  std::string counters_file;
  std::int64_t started_ns = 0;
  std::int64_t interval_ms = 1'000;
  bool operate = false;
};

/// `from`, `count`: a page of the sessions; `changed_since_ns`: of them those that have changed
/// since the snapshot of that time, if no session has come or gone.
[[nodiscard]] Answer answer_state(const Request& request, const Snapshot& snapshot,
                                  const MonitorFacts& facts);
/// What holds, as it is marked now, and what operators have silenced.
[[nodiscard]] Answer answer_alerts(const Observer& observer, const Snapshot& snapshot);
[[nodiscard]] Answer answer_history(const Request& request, const Observer& observer);

}  // namespace affix::inline v0::tools::monitor
