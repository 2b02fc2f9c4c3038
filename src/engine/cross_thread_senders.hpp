// SPDX-License-Identifier: MIT
// Makes an engine's cross-thread senders, and owns their queues.
#pragma once

#include "affix/engine/cross_thread_sender.hpp"

#include "engine/cross_thread_queues.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace affix::inline v0::engine {

class Worker;

/// Makes senders and keeps their queues as long as the engine lives: a worker may still read the
/// queue of a destroyed sender. Any thread; takes a lock, but never for a message.
class CrossThreadSenders {
 public:
  explicit CrossThreadSenders(std::vector<Worker*> workers) : workers_(std::move(workers)) {}

  /// Nullopt when there are cross_thread_senders_max senders, or would be if their options
  /// differed.
  [[nodiscard]] std::optional<CrossThreadSender> open(const CrossThreadSenderOptions& options);

 private:
  const std::vector<Worker*> workers_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<CrossThreadQueues>> all_;
};

}  // namespace affix::inline v0::engine
