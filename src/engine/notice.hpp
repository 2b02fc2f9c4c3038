// SPDX-License-Identifier: MIT
// A notice from one thread to another, without contents: something has happened, at least once.
#pragma once

#include <atomic>

namespace affix::inline v0::engine {

/// Raised by one thread and taken by another. Notices before a take() count as one. The writes
/// before raise() are visible after a take() that returns true.
class Notice {
 public:
  void raise() noexcept { raised_.store(true, std::memory_order_release); }

  [[nodiscard]] bool is_raised() const noexcept {
    return raised_.load(std::memory_order_relaxed);  // take() follows before anything is read.
  }

  /// True, once for each raise() or several. Cheap while there is none: a load first, since an
  /// exchange in every turn would take the cache line from the other thread.
  [[nodiscard]] bool take() noexcept {
    return is_raised() && raised_.exchange(false, std::memory_order_acquire);
  }

 private:
  std::atomic<bool> raised_{false};
};

}  // namespace affix::inline v0::engine
