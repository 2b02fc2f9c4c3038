// SPDX-License-Identifier: MIT
// Reports a long start, such as opening many journals after a power loss, to the log and the
// service manager, which waits as long as the start makes progress.
#pragma once

#include "affix/service/event_log.hpp"
#include "affix/service/service_notice.hpp"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace affix::inline v0::service {

/// Runs a thread during its lifetime. Every `interval_ns` it checks whether the process has
/// computed or read; then it logs a line and asks the manager for more time. It asks for none if
/// the start hangs.
class StartWatch {
 public:
  static constexpr std::int64_t usual_interval_ns = 5'000'000'000;

  /// `notice` and `log` outlive it. Make it while signals are blocked.
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

}  // namespace affix::inline v0::service
