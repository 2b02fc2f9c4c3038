// SPDX-License-Identifier: MIT
// Threads that run() keeps beside its workers, so that no message waits for the disk: one prepares
// segments, one flushes. Two, because a session with durability sync waits for its flush and must
// not wait for the segment of another.
#pragma once

#include "affix/net/waker.hpp"

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace affix::inline v0::engine {

class Registrar;
class Worker;

using Workers = std::vector<Worker*>;

/// Prepares all workers' journals whenever one of their threads requests it, and closes those of
/// removed sessions.
class PreparationThread {
 public:
  PreparationThread(Workers workers, Registrar& registrar);
  ~PreparationThread();

  PreparationThread(const PreparationThread&) = delete;
  PreparationThread& operator=(const PreparationThread&) = delete;

  /// Cheap unless the thread sleeps; called once per segment, not per message.
  void ask() noexcept;

 private:
  void work();
  bool prepare_some();

  const Workers workers_;
  Registrar& registrar_;
  std::atomic<std::uint32_t> requests_{0};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

/// Flushes all workers' journals by the clock and whenever it is woken; sleeps while no journal
/// needs a flush. Made before the workers' threads, destroyed after they have ended.
class FlushThread {
 public:
  explicit FlushThread(Workers workers);
  ~FlushThread();

  FlushThread(const FlushThread&) = delete;
  FlushThread& operator=(const FlushThread&) = delete;

 private:
  void work();

  void take_place() noexcept;

  /// Returns how long it may sleep then.
  [[nodiscard]] std::int64_t flush_all();

  const Workers workers_;
  net::Waker waker_;
  std::atomic<bool> stop_{false};
  bool is_awaited_ = true;  // The initial state.
  std::thread thread_;
};

}  // namespace affix::inline v0::engine
