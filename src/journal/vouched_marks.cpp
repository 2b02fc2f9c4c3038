// SPDX-License-Identifier: MIT
// Vouches for marks, in ascending order.
#include "affix/journal/vouched_marks.hpp"

#include "affix/journal/format.hpp"

#include <algorithm>

namespace affix::inline v0::journal {

void VouchedMarks::vouch(const SettledMarks& settled) noexcept {
  // One thread at a time, so no other store comes in between.
  if (packed(settled.before) > before_.load(std::memory_order_relaxed)) {
    before_.store(packed(settled.before), std::memory_order_release);
  }
  late_ = std::max(late_, settled.late);
  if (settled.changed) {
    set_unsaved(true);
  }
}

std::size_t VouchedMarks::offset_in(std::uint32_t number, std::size_t flushed) const noexcept {
  const Position vouched = before();
  if (vouched.segment != number) {
    return vouched.segment > number ? flushed : format::records_offset;
  }
  return std::clamp<std::size_t>(vouched.offset, format::records_offset, flushed);
}

}  // namespace affix::inline v0::journal
