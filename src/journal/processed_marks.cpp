// SPDX-License-Identifier: MIT
// Counts unprocessed records and late marks.
#include "affix/journal/processed_marks.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::journal {

bool ProcessedMarks::remove(Position position) noexcept {
  unprocessed_.remove(position.segment);
  if (unprocessed_.total() == 0) {
    oldest_ = {};
    return false;
  }
  return position == oldest_ || oldest_.segment < unprocessed_.first();
}

Position ProcessedMarks::oldest_bound() const noexcept {
  return std::max(oldest_, Position{unprocessed_.first(), format::records_offset});
}

SettledMarks ProcessedMarks::settle(Position end) noexcept {
  settled_ = end;
  // A message not processed yet may be, before the next append.
  return {settled_, std::exchange(changed_, false), late_set_};
}

SettledMarks ProcessedMarks::settle_processed(Position end) noexcept {
  const Position before = settled_;
  SettledMarks settled = settle(std::max(before, oldest_.valid() ? std::min(oldest_, end) : end));
  settled.changed = settled.changed || settled_ != before;
  return settled;
}

void ProcessedMarks::add_late(Position position) noexcept {
  late_from_ = late_.total() == 0 ? position : std::min(late_from_, position);
  late_.add(position.segment);
  ++late_set_;
}

void ProcessedMarks::resume_late(std::span<const Position> late) noexcept {
  for (const Position position : late) {
    add_late(position);
  }
}

Position ProcessedMarks::checkpoint() const noexcept {
  if (late_.total() == 0) {
    return oldest_;
  }
  const Position late = std::max(late_from_, Position{late_.first(), format::records_offset});
  return oldest_.valid() ? std::min(oldest_, late) : late;
}

}  // namespace affix::inline v0::journal
