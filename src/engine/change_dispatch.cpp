// SPDX-License-Identifier: MIT
// Collects the parts of a change, and gives their items its progress.
#include "engine/change_dispatch.hpp"

namespace affix::inline v0::engine {

ChangeItem ChangeDispatch::note(SessionChange session) {
  sessions_.push_back(std::move(session));
  return {nullptr, sessions_.size() - 1};
}

WorkerChange& ChangeDispatch::of_worker(std::size_t worker) {
  if (workers_[worker] == nullptr) {
    workers_[worker] = std::make_unique<WorkerChange>();
  }
  return *workers_[worker];
}

GateChange& ChangeDispatch::of_gate(const std::string& server) {
  GateChange& change = gates_[server];
  change.server = server;
  return change;
}

std::shared_ptr<ChangeProgress> ChangeDispatch::begin(config::Problems warnings) {
  auto progress = std::make_shared<ChangeProgress>(std::move(sessions_), std::move(warnings));
  const auto belong = [&progress](auto& parts) {
    for (auto& part : parts) {
      part.item.progress = progress;
    }
  };
  for (const std::unique_ptr<WorkerChange>& change : workers_) {
    if (change != nullptr) {
      belong(change->adjustments);
      belong(change->switches);
      belong(change->departures);
      belong(change->arrivals);
    }
  }
  return progress;
}

}  // namespace affix::inline v0::engine
