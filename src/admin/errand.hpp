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

class Errand {
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
  explicit Errand(net::Waker& waker) noexcept : waker_(waker) {}

  // The port's thread.

  void begin(std::function<void()> work);

  /// Frees an errand that was never handed over.
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

  /// Argument for Courier::call(): `context` is the errand.
  static void on_worker(host::SessionHandle session, void* context) noexcept;

 private:
  net::Waker& waker_;
  std::atomic<State> state_{State::Free};
  bool held_ = false;  // By the port.
  std::function<void()> work_;
};

/// All errands of the port. The port's thread.
class ErrandBook {
 public:
  explicit ErrandBook(net::Waker& waker) noexcept : waker_(waker) {}

  /// Null: too many are in use, for example because a thread hangs.
  [[nodiscard]] Errand* begin(std::function<void()> work);

 private:
  static constexpr std::size_t errands_max = 1'024;

  net::Waker& waker_;
  std::vector<std::unique_ptr<Errand>> errands_;
};

/// Thread for work that waits for the disk, so that the port does not: one errand after another.
class ErrandThread {
 public:
  ErrandThread();
  ErrandThread(const ErrandThread&) = delete;
  ErrandThread& operator=(const ErrandThread&) = delete;

  /// Finishes the present errand; the rest is dropped.
  ~ErrandThread();

  void give(Errand& errand);

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<Errand*> errands_;  // At most as many as the book has.
  bool stop_ = false;
  std::thread thread_;  // Last: it starts when all other members exist.
};

}  // namespace affix::inline v0::admin
