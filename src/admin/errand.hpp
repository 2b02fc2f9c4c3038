// SPDX-License-Identifier: MIT
// Work that the administration port has for another thread, and may take back as long as that
// thread has not begun: who comes first, the thread that claims it or the port that withdraws it,
// decides, and never both.
#pragma once

#include "affix/engine/session_handle.hpp"
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
    Free,       ///< In nobody's hands.
    Waiting,    ///< Handed over; whoever is first may claim or withdraw it.
    Claimed,    ///< Under way.
    Done,       ///< It has happened, and what it wrote may be read.
    Withdrawn,  ///< It will not happen; the other thread has yet to let go of it.
    Dropped,    ///< The same, and it has.
  };

  /// `waker` is the port's.
  explicit Errand(net::Waker& waker) noexcept : waker_(waker) {}

  // The port's thread.

  void begin(std::function<void()> work);

  /// It was never handed over, and is free.
  void cancel() noexcept;

  /// False: it has been claimed.
  [[nodiscard]] bool withdraw() noexcept;

  [[nodiscard]] State state() const noexcept { return state_.load(std::memory_order_acquire); }

  /// Its end has been looked at.
  void let_go() noexcept { held_ = false; }

  /// Nobody will touch it any more.
  [[nodiscard]] bool reusable() const noexcept;

  // The other thread.

  /// Does the work unless it was withdrawn. Allocates nothing itself.
  void carry_out() noexcept;

  /// What Courier::call() takes: `context` is the errand.
  static void on_worker(engine::SessionHandle session, void* context) noexcept;

 private:
  net::Waker& waker_;
  std::atomic<State> state_{State::Free};
  bool held_ = false;  // By the port.
  std::function<void()> work_;
};

/// All errands there may be at one time. The port's thread.
class ErrandBook {
 public:
  explicit ErrandBook(net::Waker& waker) noexcept : waker_(waker) {}

  /// Null: too many are out, which a thread that hangs has yet to let go of.
  [[nodiscard]] Errand* begin(std::function<void()> work);

 private:
  static constexpr std::size_t errands_max = 1'024;

  net::Waker& waker_;
  std::vector<std::unique_ptr<Errand>> errands_;
};

/// The thread for what waits for the disk, so that the port does not: one errand after another.
class ErrandThread {
 public:
  ErrandThread();
  ErrandThread(const ErrandThread&) = delete;
  ErrandThread& operator=(const ErrandThread&) = delete;

  /// Finishes what it is at; the rest is dropped.
  ~ErrandThread();

  void give(Errand& errand);

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<Errand*> errands_;  // As many as the book has, at most.
  bool stop_ = false;
  std::thread thread_;  // Last: it starts when all else is there.
};

}  // namespace affix::inline v0::admin
