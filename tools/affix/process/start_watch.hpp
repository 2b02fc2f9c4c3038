// SPDX-License-Identifier: MIT
// A start that takes long, as opening many journals after a power loss may: the log and the service
// manager hear of it, and the manager waits for as long as something is done.
#pragma once

#include "process/event_log.hpp"
#include "process/service_notice.hpp"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace affix::inline v0::tools {

/// A thread as long as it lives. Every `interval_ns` it looks whether the process has computed or
/// read meanwhile; then it writes a line to the log and asks the manager for more time. A start
/// that hangs gets none.
class StartWatch {
 public:
  static constexpr std::int64_t usual_interval_ns = 5'000'000'000;

  /// `notice` and `log` outlive it. Made while signals are blocked.
  StartWatch(const ServiceNotice& notice, EventLog& log,
             std::int64_t interval_ns = usual_interval_ns);

  StartWatch(const StartWatch&) = delete;
  StartWatch& operator=(const StartWatch&) = delete;
  ~StartWatch();

 private:
  void run();

  const ServiceNotice& notice_;
  EventLog& log_;
  std::int64_t interval_ns_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace affix::inline v0::tools
