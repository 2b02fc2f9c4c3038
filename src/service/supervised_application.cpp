// SPDX-License-Identifier: MIT
// Beats of the workers' threads.
#include "service/supervised_application.hpp"

#include "os/this_thread.hpp"

namespace affix::inline v0::service {

void WorkerPulse::noted() noexcept {
  thread_local const int thread = os::thread_number();
  for (Beat& beat : beats_) {
    int owner = beat.thread.load(std::memory_order_relaxed);
    if (owner == 0 &&
        beat.thread.compare_exchange_strong(owner, thread, std::memory_order_relaxed)) {
      owner = thread;
    }
    if (owner == thread) {
      // Relaxed: the value stands for itself; no other data is read after it.
      beat.round.store(round_.load(std::memory_order_relaxed), std::memory_order_relaxed);
      return;
    }
  }
}

void WorkerPulse::ask() noexcept {
  round_.fetch_add(1, std::memory_order_relaxed);
}

bool WorkerPulse::all_noted(std::size_t workers) const noexcept {
  const std::uint64_t round = round_.load(std::memory_order_relaxed);
  std::size_t noted = 0;
  for (const Beat& beat : beats_) {
    noted += beat.thread.load(std::memory_order_relaxed) != 0 &&
                     beat.round.load(std::memory_order_relaxed) == round
                 ? 1U
                 : 0U;
  }
  return noted >= workers;
}

}  // namespace affix::inline v0::service
