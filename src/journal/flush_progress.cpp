// SPDX-License-Identifier: MIT
// A mark that is set while its record is flushed.
#include "affix/journal/flush_progress.hpp"

namespace affix::inline v0::journal {

bool FlushProgress::is_past_mark(Position position) noexcept {
  const std::uint64_t marked = packed(position);
  std::uint64_t before = marked_from_.load(std::memory_order_relaxed);
  // Sequentially consistent, as are the load below and the flushing thread's accesses to both:
  // either that thread sees this position before it gives the mark's memory back, or this thread
  // sees that the record is durable.
  while (marked < before &&
         !marked_from_.compare_exchange_weak(before, marked, std::memory_order_seq_cst,
                                             std::memory_order_relaxed)) {
  }
  return marked < durable_.load(std::memory_order_seq_cst);
}

}  // namespace affix::inline v0::journal
