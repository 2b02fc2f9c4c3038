// SPDX-License-Identifier: MIT
// One change of sessions as it is sent: a part for each worker and each server group that it
// concerns, and the progress that all of them report to.
#pragma once

#include "engine/change_progress.hpp"
#include "engine/logon_gate.hpp"
#include "engine/worker_change.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace affix::inline v0::engine {

/// One thread. Filled first, then begun, then sent.
class ChangeDispatch {
 public:
  explicit ChangeDispatch(std::size_t workers) : workers_(workers) {}

  [[nodiscard]] bool empty() const noexcept { return sessions_.empty() && gates_.empty(); }

  /// Adds a session to those of the change. The item is for the part that completes it.
  [[nodiscard]] ChangeItem note(SessionChange session);

  /// The part of that worker, or of the listeners of that server group.
  [[nodiscard]] WorkerChange& of_worker(std::size_t worker);
  [[nodiscard]] GateChange& of_gate(const std::string& server);

  /// All sessions are noted: makes the change's progress, to which the items of all parts report.
  [[nodiscard]] std::shared_ptr<ChangeProgress> begin(config::Problems warnings);

  /// Passes each worker's number and part to `to_worker`, then the parts of listeners to `to_gate`:
  /// a listener that admits a new session must not be faster than its worker. Once.
  template <typename ToWorker, typename ToGate>
  void send(const ToWorker& to_worker, const ToGate& to_gate) {
    for (std::size_t worker = 0; worker < workers_.size(); ++worker) {
      if (workers_[worker] != nullptr) {
        to_worker(worker, std::move(workers_[worker]));
      }
    }
    for (auto& [server, change] : gates_) {
      to_gate(std::move(change));
    }
    gates_.clear();
  }

 private:
  std::vector<SessionChange> sessions_;
  std::vector<std::unique_ptr<WorkerChange>> workers_;  // By number; null: it has no part.
  std::map<std::string, GateChange> gates_;             // By server group.
};

}  // namespace affix::inline v0::engine
