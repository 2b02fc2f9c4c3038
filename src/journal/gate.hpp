// SPDX-License-Identifier: MIT
// Admits one thread at a time; others wait. Private to journal.
#pragma once

#include <atomic>

namespace affix::inline v0::journal {

/// A flag that this thread has taken by Gate::try_take().
struct Taken {
  std::atomic_flag& flag;
};

/// One thread at a time prepares, one makes the next segment, and one flushes. A writer that needs
/// a segment at once waits here for the one being made.
class Gate {
 public:
  /// Takes the flag if no thread holds it.
  [[nodiscard]] static bool try_take(std::atomic_flag& flag) noexcept {
    return !flag.test_and_set(std::memory_order_acquire);
  }

  explicit Gate(std::atomic_flag& flag) noexcept : flag_(flag) {
    while (flag_.test_and_set(std::memory_order_acquire)) {
      flag_.wait(true, std::memory_order_relaxed);
    }
  }

  explicit Gate(Taken taken) noexcept : flag_(taken.flag) {}

  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  ~Gate() {
    flag_.clear(std::memory_order_release);
    flag_.notify_one();
  }

 private:
  std::atomic_flag& flag_;
};

}  // namespace affix::inline v0::journal
