// SPDX-License-Identifier: MIT
// Work that the administration port gives to another thread, and may withdraw until that
// thread begins: the first of both, the thread's claim or the port's withdrawal,
// decides.
#pragma once

#include "affix/host/session_handle.hpp"
#include "affix/net/waker.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace affix::inline v0::admin {

class WorkerTask {
 public:
  enum class State : std::uint8_t {
    Free,       ///< Not in use.
    Waiting,    ///< Handed over; the first of claim and withdrawal wins.
    Claimed,    ///< In work.
    Done,       ///< Finished; its results may be read.
    Withdrawn,  ///< It will not be done; the other thread has yet to release it.
    Dropped,    ///< It will not be done, and has been released.
  };

  /// `waker` is the port's.
  explicit WorkerTask(net::Waker& waker) noexcept : waker_(waker) {}

  // The port's thread.

  void begin(std::function<void()> work);

  /// Frees a task that was never handed over.
  void cancel() noexcept;

  /// False: it has been claimed.
  [[nodiscard]] bool withdraw() noexcept;

  [[nodiscard]] State state() const noexcept { return state_.load(std::memory_order_acquire); }

  /// The port has seen its end.
  void let_go() noexcept { held_ = false; }

  /// No thread will use it any more.
  [[nodiscard]] bool reusable() const noexcept;

  // The other thread.

  /// Does the work unless it was withdrawn. Allocates nothing itself.
  void carry_out() noexcept;

  /// Argument for CrossThreadSender::call(): `context` is the task.
  static void on_worker(host::SessionHandle session, void* context) noexcept;

 private:
  net::Waker& waker_;
  std::atomic<State> state_{State::Free};
  bool held_ = false;  // By the port.
  std::function<void()> work_;
};

/// All tasks of the port. The port's thread.
class TaskBook {
 public:
  explicit TaskBook(net::Waker& waker) noexcept : waker_(waker) {}

  /// Null: too many are in use, for example because a thread hangs.
  [[nodiscard]] WorkerTask* begin(std::function<void()> work);

 private:
  static constexpr std::size_t tasks_max = 1'024;

  net::Waker& waker_;
  std::vector<std::unique_ptr<WorkerTask>> tasks_;
};

/// Thread for work that waits for the disk, so that the port does not: one task after another.
class TaskThread {
 public:
  TaskThread();
  TaskThread(const TaskThread&) = delete;
  TaskThread& operator=(const TaskThread&) = delete;

  /// Finishes the present task; the rest is dropped.
  ~TaskThread();

  void give(WorkerTask& task);

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<WorkerTask*> tasks_;  // At most as many as the book has.
  bool stop_ = false;
  std::thread thread_;  // Last: it starts when all other members exist.
};

}  // namespace affix::inline v0::admin
