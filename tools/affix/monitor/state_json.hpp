// SPDX-License-Identifier: MIT
// Snapshots, histories and alerts as docs/reference/monitor-api.md has them.
#pragma once

#include "monitor/request.hpp"
#include "monitor/snapshot.hpp"
#include "monitor/watched_engine.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace affix::inline v0::tools::monitor {

/// What does not change while the monitor runs.
struct MonitorFacts {
  std::string version;
  std::int64_t started_ns = 0;
  std::int64_t interval_ms = 1'000;
  bool operate = false;
};

/// One engine, and how it stood when the request came.
struct EngineState {
  const WatchedEngine* engine = nullptr;
  std::shared_ptr<const Snapshot> snapshot;  ///< Not null.
};

using EngineStates = std::vector<EngineState>;

/// `from`, `count`: a page of the sessions; `changed_since_ns`: of them those that have changed
/// since the snapshot of that time, if no session has come or gone; `alerts_changed_since_ns`: the
/// alerts that have, and which are gone, as far as that is remembered; `names=once`: what sessions
/// count stands in lists whose names the answer has once.
[[nodiscard]] Answer answer_state(const Request& request, const Fleet& fleet,
                                  const EngineStates& states, const MonitorFacts& facts);
/// What holds, as it is marked now, and what operators have silenced.
[[nodiscard]] Answer answer_alerts(const Request& request, const Fleet& fleet,
                                   const EngineStates& states);

/// `session` as the fleet calls it, of one of these engines; `*` is all sessions of one engine.
[[nodiscard]] Answer answer_history(const Request& request, const Fleet& fleet,
                                    const EngineStates& states);

}  // namespace affix::inline v0::tools::monitor
