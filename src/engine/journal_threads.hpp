// SPDX-License-Identifier: MIT
// The threads that run() keeps beside its worker, so that no message waits for the disk: one
// prepares segments, one flushes. Two, because a session of durability sync waits for its flush and
// must not wait for another's segment.
#pragma once

#include "affix/net/waker.hpp"

#include <atomic>
#include <cstdint>
#include <thread>

namespace affix::inline v0::engine {

class Worker;

/// Prepares journals whenever it is asked to.
class PreparationThread {
 public:
  explicit PreparationThread(Worker& worker);
  ~PreparationThread();

  PreparationThread(const PreparationThread&) = delete;
  PreparationThread& operator=(const PreparationThread&) = delete;

  /// Cheap unless the thread sleeps; asked once per segment, not per message.
  void ask() noexcept;

 private:
  void work();

  Worker& worker_;
  std::atomic<std::uint32_t> requests_{0};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

/// Flushes journals by the clock and whenever the worker wakes it. There is no thread when no
/// journal of the worker is flushed. Made and destroyed on the worker's thread.
class FlushThread {
 public:
  explicit FlushThread(Worker& worker);
  ~FlushThread();

  FlushThread(const FlushThread&) = delete;
  FlushThread& operator=(const FlushThread&) = delete;

 private:
  void work();

  Worker& worker_;
  net::Waker waker_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace affix::inline v0::engine
