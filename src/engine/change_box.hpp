// SPDX-License-Identifier: MIT
// Hands changes of sessions to a worker, and their results to the owner of the sessions.
#pragma once

#include "engine/post_box.hpp"
#include "engine/worker_change.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace affix::inline v0::engine {

/// Any thread; in their order for the changes of one thread.
class ChangeBox {
 public:
  using Changes = std::vector<std::unique_ptr<WorkerChange>>;

  /// Wake the worker afterwards.
  void post(std::unique_ptr<WorkerChange> change) { changes_.post(std::move(change)); }

  [[nodiscard]] bool has_posted() const noexcept { return changes_.has_posted(); }

  /// For the worker: all that were posted since the last call.
  [[nodiscard]] Changes take_posted() { return changes_.take_posted(); }

  /// For the worker: results for take_news().
  void report(WorkerNews news) { news_.post(std::move(news)); }

  [[nodiscard]] bool has_news() const noexcept { return news_.has_posted(); }

  [[nodiscard]] WorkerNews take_news() {
    WorkerNews all;
    for (WorkerNews& one : news_.take_posted()) {
      std::ranges::move(one.released, std::back_inserter(all.released));
    }
    return all;
  }

 private:
  PostBox<std::unique_ptr<WorkerChange>> changes_;
  PostBox<WorkerNews> news_;
};

}  // namespace affix::inline v0::engine
