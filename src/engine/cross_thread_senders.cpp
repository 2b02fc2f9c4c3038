// SPDX-License-Identifier: MIT
// Makes senders, with the queues of an earlier one where they fit.
#include "engine/cross_thread_senders.hpp"

#include "engine/worker.hpp"

namespace affix::inline v0::engine {

std::optional<CrossThreadSender> CrossThreadSenders::open(const CrossThreadSenderOptions& options) {
  const std::lock_guard guard(mutex_);
  for (const std::unique_ptr<CrossThreadQueues>& queues : all_) {
    if (queues->options() == options && queues->take()) {
      return CrossThreadSender(*queues);
    }
  }
  if (all_.size() == cross_thread_senders_max) {
    return std::nullopt;
  }
  std::vector<net::Waker*> wakers;
  for (Worker* const worker : workers_) {
    wakers.push_back(&worker->waker());
  }
  CrossThreadQueues& queues =
      *all_.emplace_back(std::make_unique<CrossThreadQueues>(std::move(wakers), options));
  for (std::size_t worker = 0; worker < workers_.size(); ++worker) {
    workers_[worker]->add_commands(queues.ring(worker));
  }
  return CrossThreadSender(queues);
}

}  // namespace affix::inline v0::engine
