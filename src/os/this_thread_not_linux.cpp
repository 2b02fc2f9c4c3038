// SPDX-License-Identifier: MIT
// A number of our own; no counts.
#include "os/this_thread.hpp"

#include <atomic>

namespace affix::inline v0::os {

int thread_number() noexcept {
  static constinit std::atomic<int> last{0};
  // Relaxed: the numbers only differ.
  thread_local const int mine = last.fetch_add(1, std::memory_order_relaxed) + 1;
  return mine;
}

ThreadDelays thread_delays() noexcept {
  return {};
}

}  // namespace affix::inline v0::os
