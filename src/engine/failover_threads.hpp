// SPDX-License-Identifier: MIT
// Threads that run() keeps for failover: one decides, one keeps the copies of other nodes'
// journals, and one prepares those copies' segments.
#pragma once

#include <atomic>
#include <thread>

namespace affix::inline v0::engine {

class Failover;

/// Made after the workers' threads have begun to prepare, destroyed before they end.
class FailoverThreads {
 public:
  explicit FailoverThreads(Failover& failover);
  ~FailoverThreads();

  FailoverThreads(const FailoverThreads&) = delete;
  FailoverThreads& operator=(const FailoverThreads&) = delete;

 private:
  void control();
  void keep_copies();
  void prepare_copies();

  Failover& failover_;
  std::atomic<bool> stop_{false};
  std::thread copies_;
  std::thread preparation_;
  std::thread control_;
};

}  // namespace affix::inline v0::engine
