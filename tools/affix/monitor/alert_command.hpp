// SPDX-License-Identifier: MIT
// A program of the operator's that is told of alerts, one after another, on a thread of its own.
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

/// Runs `PROGRAM raised|cleared KIND SEVERITY SESSION TEXT ENGINE` for each, never through a shell;
/// what it prints is passed over. One runs at a time, for ten seconds at most, and of more than
/// `waiting_max` that wait the oldest are left out.
class AlertCommand {
 public:
  static constexpr std::size_t waiting_max = 256;

  /// An empty program runs nothing.
  explicit AlertCommand(std::string program);
  AlertCommand(const AlertCommand&) = delete;
  AlertCommand& operator=(const AlertCommand&) = delete;

  /// What still waits is not run any more.
  ~AlertCommand();

  /// Any thread.
  void tell(const std::string& engine, const std::vector<Alert>& alerts);

 private:
  void run();

  const std::string program_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::pair<std::string, Alert>> waiting_;  // With their engines.
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace affix::inline v0::tools::monitor
