// SPDX-License-Identifier: MIT
// Runs the operator's program for alerts, one after another, on its own thread.
#pragma once

#include "monitor/alerts.hpp"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace affix::inline v0::tools::monitor {

/// Runs `PROGRAM raised|cleared KIND SEVERITY SESSION TEXT ENGINE` for each, never through a shell,
/// and discards its output. One runs at a time, for ten seconds at most; if more than `waiting_max`
/// wait, drops the oldest.
class AlertCommand {
 public:
  static constexpr std::size_t waiting_max = 256;

  /// An empty program runs nothing.
  explicit AlertCommand(std::string program);
  AlertCommand(const AlertCommand&) = delete;
  AlertCommand& operator=(const AlertCommand&) = delete;

  /// Drops those that still wait.
  ~AlertCommand();

  /// Any thread.
  void report(const std::string& engine, const std::vector<Alert>& alerts);

 private:
  void run();

  const std::string program_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::pair<std::string, Alert>> waiting_;  // With the engines' names.
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace affix::inline v0::tools::monitor
