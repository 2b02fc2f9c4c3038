// SPDX-License-Identifier: MIT
// Finds a mapped segment, and lets go of those that are flushed.
#include "affix/journal/mapped_segments.hpp"

#include "journal/memory_ring.hpp"
#include "journal/segment.hpp"

#include <utility>

namespace affix::inline v0::journal {

Segment* MappedSegments::find(std::uint32_t number) const noexcept {
  if (number == 0) {
    return nullptr;
  }
  if (ring_ != nullptr) {
    Segment* const segment = ring_->segment(number);
    return segment->begun() && segment->number() == number ? segment : nullptr;
  }
  if (number == number_) {
    return current_;
  }
  if (previous_ != nullptr && previous_->number() == number) {
    return previous_;
  }
  Segment* segment = earlier_;
  while (segment != nullptr && segment->number() != number) {
    segment = segment->next_retired;
  }
  return segment;
}

void MappedSegments::begin_in(Segment& segment) noexcept {
  current_ = &segment;
  number_ = segment.number();
}

void MappedSegments::roll_to(Segment& next) noexcept {
  previous_ = current_;
  begin_in(next);
}

Segment* MappedSegments::take_earlier(std::uint32_t flushed) noexcept {
  if (previous_ == nullptr) {
    return nullptr;
  }
  previous_->next_retired = std::exchange(earlier_, nullptr);
  Segment* left = std::exchange(previous_, nullptr);
  Segment* taken = nullptr;
  Segment** kept_end = &earlier_;
  while (left != nullptr) {
    Segment* const segment = left;
    left = segment->next_retired;
    if (!segment->is_written() || segment->number() < flushed) {
      segment->next_retired = std::exchange(taken, segment);
    } else {
      segment->next_retired = nullptr;
      *kept_end = segment;
      kept_end = &segment->next_retired;
    }
  }
  return taken;
}

void MappedSegments::drop() noexcept {
  if (ring_ != nullptr) {
    return;
  }
  while (earlier_ != nullptr) {
    std::exchange(earlier_, earlier_->next_retired)->drop_reference();
  }
  for (Segment* const segment : {previous_, current_}) {
    if (segment != nullptr) {
      segment->drop_reference();
    }
  }
}

}  // namespace affix::inline v0::journal
