// SPDX-License-Identifier: MIT
// Snapshots, histories and alerts in the form of docs/reference/monitor-api.md.
#pragma once

#include "monitor/request.hpp"
#include "monitor/snapshot.hpp"
#include "monitor/watched_engine.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace affix::inline v0::tools::monitor {

/// Constant facts about the monitor.
struct MonitorFacts {
  std::string version;
  std::int64_t started_ns = 0;
  std::int64_t interval_ms = 1'000;
  bool operate = false;
};

/// One engine, and its state at the time of the request.
struct EngineState {
  const WatchedEngine* engine = nullptr;
  std::shared_ptr<const Snapshot> snapshot;  ///< Not null.
};

using EngineStates = std::vector<EngineState>;

/// `from`, `count`: a page of the sessions; `changed_since_ns`: only those changed since the
/// snapshot of that time, unless a session has come or gone; `alerts_changed_since_ns`: the alerts
/// that changed since, and those that ended, as far as stored; `names=once`: sessions' counters are
/// lists, and the answer has their names once.
[[nodiscard]] Answer answer_state(const Request& request, const Fleet& fleet,
                                  const EngineStates& states, const MonitorFacts& facts);
/// Present alerts with their current marks, and the silences.
[[nodiscard]] Answer answer_alerts(const Request& request, const Fleet& fleet,
                                   const EngineStates& states);

/// `session` is the fleet's name for a session of one of these engines; `*` is all sessions of one
/// engine.
[[nodiscard]] Answer answer_history(const Request& request, const Fleet& fleet,
                                    const EngineStates& states);

}  // namespace affix::inline v0::tools::monitor
