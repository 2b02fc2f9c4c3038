// SPDX-License-Identifier: MIT
// Hands items from any thread to one that takes them. Items are rare: a lock, and a flag that costs
// a turn one load.
#pragma once

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

namespace affix::inline v0::engine {

/// Any thread; in their order for the items of one thread.
template <typename Item>
class PostBox {
 public:
  /// Wake the thread that takes the items afterwards.
  void post(Item item) {
    const std::lock_guard guard(mutex_);
    posted_.push_back(std::move(item));
    // Release: a thread that sees the flag finds the item.
    has_posted_.store(true, std::memory_order_release);
  }

  [[nodiscard]] bool has_posted() const noexcept {
    return has_posted_.load(std::memory_order_acquire);
  }

  /// All that were posted since the last call.
  [[nodiscard]] std::vector<Item> take_posted() {
    const std::lock_guard guard(mutex_);
    has_posted_.store(false, std::memory_order_relaxed);
    return std::exchange(posted_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<Item> posted_;
  std::atomic<bool> has_posted_{false};
};

}  // namespace affix::inline v0::engine
