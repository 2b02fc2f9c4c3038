// SPDX-License-Identifier: MIT
// Hands changes of sessions to a worker, and their results to the owner of the sessions. Changes
// are rare: a lock for both, and a flag for each that costs a turn one load.
#pragma once

#include "engine/worker_change.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace affix::inline v0::engine {

/// Any thread; in their order for the changes of one thread.
class ChangeBox {
 public:
  using Changes = std::vector<std::unique_ptr<WorkerChange>>;

  /// Wake the worker afterwards.
  void post(std::unique_ptr<WorkerChange> change) {
    const std::lock_guard guard(mutex_);
    posted_.push_back(std::move(change));
    // Release: whoever sees the flag finds the change.
    has_posted_.store(true, std::memory_order_release);
  }

  [[nodiscard]] bool has_posted() const noexcept {
    return has_posted_.load(std::memory_order_acquire);
  }

  /// For the worker: all that were posted since the last call.
  [[nodiscard]] Changes take_posted() {
    const std::lock_guard guard(mutex_);
    has_posted_.store(false, std::memory_order_relaxed);
    return std::exchange(posted_, {});
  }

  /// For the worker: results for take_news().
  void tell(WorkerNews news) {
    const std::lock_guard guard(mutex_);
    std::ranges::move(news.released, std::back_inserter(news_.released));
    has_news_.store(true, std::memory_order_release);
  }

  [[nodiscard]] bool has_news() const noexcept { return has_news_.load(std::memory_order_acquire); }

  [[nodiscard]] WorkerNews take_news() {
    const std::lock_guard guard(mutex_);
    has_news_.store(false, std::memory_order_relaxed);
    return std::exchange(news_, {});
  }

 private:
  std::mutex mutex_;
  Changes posted_;
  WorkerNews news_;
  std::atomic<bool> has_posted_{false};
  std::atomic<bool> has_news_{false};
};

}  // namespace affix::inline v0::engine
