// SPDX-License-Identifier: MIT
// Links the requests.
#include "affix/journal/read_ahead_queue.hpp"

#include "journal/read_ahead.hpp"

namespace affix::inline v0::journal {

void ReadAheadQueue::push(ReadAhead& asked) noexcept {
  asked.next_asked = first_.load(std::memory_order_relaxed);
  // Release: the thread that takes the list sees the request.
  while (!first_.compare_exchange_weak(asked.next_asked, &asked, std::memory_order_release,
                                       std::memory_order_relaxed)) {
  }
}

}  // namespace affix::inline v0::journal
