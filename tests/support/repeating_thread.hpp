// SPDX-License-Identifier: MIT
// A thread that does the same again and again beside a test.
#pragma once

#include <stop_token>
#include <thread>
#include <utility>

namespace affix::support {

/// Runs until stop() or its end, also if a failed assertion leaves the test.
class RepeatingThread {
 public:
  /// Calls `work` again and again; gives way to other threads when it returns false.
  template <typename Work>
  explicit RepeatingThread(Work work)
      : thread_([work = std::move(work)](const std::stop_token& stop) {
          while (!stop.stop_requested()) {
            if (!work()) {
              std::this_thread::yield();
            }
          }
        }) {}

  /// Waits for the last call.
  void stop() {
    thread_.request_stop();
    thread_.join();
  }

 private:
  std::jthread thread_;
};

}  // namespace affix::support
