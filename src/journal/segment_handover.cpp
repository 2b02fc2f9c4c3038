// SPDX-License-Identifier: MIT
// The list of segments that the writer has left.
#include "affix/journal/segment_handover.hpp"

#include "journal/segment.hpp"

namespace affix::inline v0::journal {

void SegmentHandover::retire(Segment& segment) noexcept {
  segment.next_retired = retired_.load(std::memory_order_relaxed);
  while (!retired_.compare_exchange_weak(segment.next_retired, &segment, std::memory_order_release,
                                         std::memory_order_relaxed)) {
  }
}

}  // namespace affix::inline v0::journal
