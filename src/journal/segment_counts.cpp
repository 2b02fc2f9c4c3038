// SPDX-License-Identifier: MIT
// Inserts, joins and erases the ranges of a count by segment.
#include "affix/journal/segment_counts.hpp"

#include <algorithm>

namespace affix::inline v0::journal {

std::size_t SegmentCounts::place_after(std::uint32_t segment) const noexcept {
  std::size_t behind = size_;
  while (behind != 0 && ranges_[behind - 1].first > segment) {
    --behind;
  }
  return behind;
}

// From the last range that may have the record: ranges before it then have enough for the segments
// before this one.
void SegmentCounts::remove(std::uint32_t segment) noexcept {
  const std::size_t behind = place_after(segment);
  if (behind == 0) {
    return;
  }
  --total_;
  if (--ranges_[behind - 1].records == 0) {
    std::copy(ranges_.begin() + behind, ranges_.begin() + size_, ranges_.begin() + behind - 1);
    --size_;
  }
}

void SegmentCounts::insert(std::uint32_t segment) noexcept {
  ++total_;
  std::size_t behind = place_after(segment);
  const bool exists = behind != 0 && ranges_[behind - 1].first == segment;
  const bool is_between = behind != 0 && behind != size_;
  if (exists || (is_between && size_ == ranges_max)) {
    ++ranges_[behind - 1].records;
    return;
  }
  if (size_ == ranges_max) {
    join_narrowest();
    behind = std::min(behind, size_);
  }
  std::copy_backward(ranges_.begin() + behind, ranges_.begin() + size_,
                     ranges_.begin() + size_ + 1);
  ranges_[behind] = {segment, 1};
  ++size_;
}

// The narrowest, so that no range grows along with a backlog that is never done.
void SegmentCounts::join_narrowest() noexcept {
  std::size_t narrowest = 0;
  for (std::size_t at = 1; at + 1 < size_; ++at) {
    if (ranges_[at + 1].first - ranges_[at].first <
        ranges_[narrowest + 1].first - ranges_[narrowest].first) {
      narrowest = at;
    }
  }
  ranges_[narrowest].records += ranges_[narrowest + 1].records;
  std::copy(ranges_.begin() + narrowest + 2, ranges_.begin() + size_,
            ranges_.begin() + narrowest + 1);
  --size_;
}

}  // namespace affix::inline v0::journal
