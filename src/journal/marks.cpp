// SPDX-License-Identifier: MIT
// Processed marks that survive a power loss, MarkTrust::Vouched: a mark counts once everything sent
// before it is on the disk, in any journal. The writer settles its marks between two messages, the
// flushing thread vouches for them, and flush.cpp stores the position.
#include "affix/journal/journal.hpp"
#include "affix/journal/late_marks.hpp"

#include "journal/home.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::journal {

SettledMarks Journal::settle_marks() noexcept {
  if (!vouches_) {
    return {};
  }
  settled_ = end();
  // A message not processed yet may be, before the next append.
  return {settled_, std::exchange(marked_, false), late_set_};
}

void Journal::vouch_for_marks(const SettledMarks& settled) noexcept {
  if (!vouches_) {
    return;
  }
  // One thread at a time, so no other store comes in between.
  if (packed(settled.before) > vouched_.load(std::memory_order_relaxed)) {
    vouched_.store(packed(settled.before), std::memory_order_release);
  }
  home_->late_vouched = std::max(home_->late_vouched, settled.late);
  if (settled.changed) {
    marks_unsaved_.store(true, std::memory_order_relaxed);
  }
}

void Journal::set_late_marks(LateMarks* late) noexcept {
  late_marks_ = late;
  if (late != nullptr) {
    for (const Position position : std::exchange(home_->left_late, {})) {
      static_cast<void>(late->add(*this, position));
    }
  }
}

void Journal::note_late(Position position) noexcept {
  late_from_ = late_count_ == 0 ? position : std::min(late_from_, position);
  ++late_count_;
  ++late_set_;
  if (late_marks_ != nullptr) {
    // Without room it waits for the next opening, as after a crash.
    static_cast<void>(late_marks_->add(*this, position));
  }
}

bool Journal::awaits_confirmations() const noexcept {
  return late_marks_ != nullptr && late_marks_->full();
}

void Journal::confirm_mark(Position position) noexcept {
  if (!vouches_ || late_count_ == 0 || !keeps_marks_) {
    return;
  }
  if (Segment* const segment = mapped_segment(position.segment)) {
    char* const mark = mark_of(segment->base(), position.offset);
    __atomic_store_n(mark, static_cast<char>(format::Mark::Final), __ATOMIC_RELAXED);
    if (segment->is_written()) {
      bring_mark(*segment, position, static_cast<std::size_t>(mark - segment->base()));
    }
  } else {
    static_cast<void>(
        home_->files->mark_processed(position.segment, position.offset, format::Mark::Final));
  }
  --late_count_;
}

// Start of the search for unprocessed messages, after a power loss too.
Position Journal::checkpoint_of_unprocessed() const noexcept {
  if (late_count_ == 0) {
    return oldest_unprocessed_;
  }
  return oldest_unprocessed_.valid() ? std::min(oldest_unprocessed_, late_from_) : late_from_;
}

// Position up to which a segment's state may say that it is on the disk.
std::size_t Journal::vouched_offset(const Segment& segment, std::size_t flushed) const noexcept {
  if (!vouches_) {
    return flushed;
  }
  const Position vouched = unpacked(vouched_.load(std::memory_order_acquire));
  if (vouched.segment != segment.number()) {
    return vouched.segment > segment.number() ? flushed : format::records_offset;
  }
  return std::clamp<std::size_t>(vouched.offset, format::records_offset, flushed);
}

// False: a power loss may take what was sent before one of the marks, so the journal must not count
// as closed on the disk, where every mark counts.
bool Journal::all_marks_vouched() const noexcept {
  return !vouches_ || (unpacked(vouched_.load(std::memory_order_acquire)) == end() &&
                       (late_count_ == 0 || home_->late_vouched == late_set_));
}

// Seals segments finished before their marks could be vouched for. They are not mapped now.
std::expected<void, base::Error> Journal::seal_vouched() {
  while (home_->unsealed != 0 && home_->unsealed < home_->flushed->number()) {
    const std::uint32_t number = home_->unsealed;
    const std::string path = home_->files->path(number);
    const std::expected<Segment*, base::Error> following =
        Segment::map(home_->files->path(number + 1), Segment::Access::ReadOnly, disk());
    const std::expected<Segment*, base::Error> mapped =
        Segment::map(path, Segment::Access::ReadWrite, disk());
    if (!following || !mapped) {
      const base::Error& error = !following ? following.error() : mapped.error();
      if (error.code != base::ErrorCode::NotFound) {
        return std::unexpected(error);
      }
      ++home_->unsealed;  // Archived meanwhile.
      continue;
    }
    const SegmentHandle next(*following);
    const SegmentHandle segment(*mapped);
    const std::uint32_t end = next->header().previous_end;
    if (vouched_offset(*segment, end) < end) {
      return {};
    }
    if (const std::optional<format::State> state = segment->state()) {
      segment->set_left(end);
      if (std::expected<void, base::Error> sealed = segment->seal(*state, end, path); !sealed) {
        return sealed;
      }
    }
    ++home_->unsealed;
  }
  home_->unsealed = home_->unsealed < home_->flushed->number() ? home_->unsealed : 0;
  return {};
}

// Stores it in the segment's state, which the segment's next flush writes to the disk.
void Journal::say_vouched(Segment& segment) noexcept {
  if (std::optional<format::State> state = segment.state()) {
    state->durable_offset = vouched_offset(segment, home_->flushed_offset);
    segment.set_state(*state);
  }
  marks_unsaved_.store(false, std::memory_order_relaxed);
}

// Without further appends, writes the vouching state to the disk by itself, late enough that an
// append would most likely have included it.
std::expected<void, base::Error> Journal::store_vouched(Segment& segment) {
  say_vouched(segment);
  std::expected<void, base::Error> synced =
      segment.sync(0, format::records_offset, home_->files->path(segment.number()));
  if (!synced) {
    marks_unsaved_.store(true, std::memory_order_relaxed);
  }
  return synced;
}

}  // namespace affix::inline v0::journal
