// SPDX-License-Identifier: MIT
// What is done beside the message path: the next segment and its pages, the reserve of outgoing
// numbers, letting go of segments that were left, and closing. flush.cpp has what brings records to
// the disk.
#include "affix/journal/journal.hpp"

#include "journal/clock.hpp"
#include "journal/home.hpp"
#include "journal/retention.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace affix::inline v0::journal {

std::expected<void, base::Error> Journal::prepare() {
  const Gate gate(preparing_);
  if (in_memory_) {
    // Acquire: what was wanted before asking is seen.
    wants_.fetch_and(~wants_preparation, std::memory_order_acquire);
    home_->ring->populate();
    return {};
  }
  // Acquire: what was stored before asking is seen.
  const std::uint32_t wants = wants_.fetch_and(~wants_preparation, std::memory_order_acquire);
  std::expected<void, base::Error> result;
  if ((wants & wants_segment) != 0) {
    result = prepare_next();
  }
  if ((wants & wants_reserve) != 0) {
    std::expected<void, base::Error> renewed =
        renew_reserve(*current_shared_.load(std::memory_order_acquire));
    if (!renewed) {
      wants_.fetch_or(wants_reserve, std::memory_order_relaxed);
      result = result ? renewed : result;
    }
  }
  if ((wants & wants_release) != 0) {
    let_go_of_retired();
    const std::expected<void, base::Error> retained = retain();
    result = result ? retained : result;
  }
  const bool lacks_pages = (wants & wants_pages) != 0 && prepare_pages();
  if (lacks_pages) {
    wants_.fetch_or(wants_pages | (wants & wants_seal), std::memory_order_relaxed);
  } else if ((wants & wants_seal) != 0) {
    // It may wait for the disk, and so comes after what the writer comes to next.
    const std::expected<void, base::Error> sealed = seal_next();
    result = result ? sealed : result;
  }
  return result;
}

// A gate of its own, so that a writer that needs the next segment at once does not wait for all
// else that is done here.
std::expected<void, base::Error> Journal::prepare_next() {
  const Gate gate(making_);
  if (prepared_.load(std::memory_order_acquire) != nullptr) {
    return {};
  }
  std::expected<void, base::Error> made = prepare_segment(0);
  if (!made) {
    wants_.fetch_or(wants_segment, std::memory_order_relaxed);
  }
  return made;
}

// The next pages of the segment in use, and then of the one that is ready. True: there are more.
bool Journal::prepare_pages() noexcept {
  Segment* const current = current_shared_.load(std::memory_order_acquire);
  Segment* const next = prepared_.load(std::memory_order_acquire);
  Segment* const segment = current->lacks_pages() ? current : next;
  if (segment == nullptr || !segment->lacks_pages()) {
    return false;
  }
  segment->prepare_pages();
  return segment->lacks_pages() || (next != nullptr && next->lacks_pages());
}

std::size_t Journal::next_segment_bytes(std::size_t record_bytes) const noexcept {
  const std::size_t doubled = 2 * current_shared_.load(std::memory_order_acquire)->size();
  const std::size_t needed =
      std::bit_ceil(format::records_offset + record_bytes + format::end_mark_bytes);
  return std::min<std::size_t>(std::max(doubled, needed), options_.max_segment_bytes);
}

std::expected<void, base::Error> Journal::prepare_segment(std::size_t record_bytes) {
  const std::uint32_t number = current_shared_.load(std::memory_order_acquire)->number() + 1;
  const std::expected<Segment*, base::Error> made = Segment::create(
      home_->files->path(number), next_segment_bytes(record_bytes), {access(), flushes_}, disk());
  if (!made) {
    const bool full = made.error().code == base::ErrorCode::NoSpace;
    blocked_.store(full ? AppendResult::NoSpace : AppendResult::Unavailable,
                   std::memory_order_relaxed);
    return std::unexpected(made.error());
  }
  home_->summary.note_segment(number);
  // It may be taken before the rest of its pages are there: the writer then sees to those it comes
  // to, and waiting for all of them would cost thousands.
  if ((*made)->lacks_pages()) {
    wants_.fetch_or(wants_pages, std::memory_order_relaxed);
  }
  // Release: the writer that takes it sees a whole mapping.
  prepared_.store(*made, std::memory_order_release);
  blocked_.store(AppendResult::Appended, std::memory_order_relaxed);
  return {};
}

// A failure here stops nothing and is tried again at the next segment.
std::expected<void, base::Error> Journal::retain() {
  if (!retains_part(options_)) {
    return {};
  }
  // What the current segment's checkpoint says of unprocessed records is old, and so on the safe
  // side; the segment before it is still in use.
  const format::Header& header = current_shared_.load(std::memory_order_acquire)->header();
  const Position unprocessed = unpacked(header.unprocessed);
  std::uint32_t keep_from = header.segment_number - 1;
  if (unprocessed.valid()) {
    keep_from = std::min(keep_from, unprocessed.segment);
  }
  if (flushes_) {
    keep_from = std::min(keep_from, durable().segment);
    if (vouches_) {
      keep_from = std::min(keep_from, unpacked(vouched_.load(std::memory_order_relaxed)).segment);
    }
  }
  if (!flushes_ && options_.sequence_reserve != 0) {
    // After a power loss it is the newest segment on the disk as a whole that the others, which
    // may be gone, are judged by.
    keep_from = std::min(keep_from, home_->seal_at == 0 ? 0 : home_->seal_at - 1);
  }
  return let_go_of_oldest(*home_->files, options_, keep_from, utc_now_ns());
}

void Journal::let_go_of_retired() noexcept {
  // Acquire: pairs with the writer's push, which stored the links.
  Segment* segment = retired_.exchange(nullptr, std::memory_order_acquire);
  while (segment != nullptr) {
    Segment* const next = segment->next_retired;
    // Where the disk counts, flush() removes it, when the one after it is there.
    if (!keep_messages_ && !flushes_ &&
        (segment->header().flags & format::flag_numbers_only) != 0) {
      home_->files->remove(
          segment->number());  // Its numbers are in the checkpoint of the one after it.
    }
    segment->drop_reference();
    segment = next;
  }
}

// Flushes the segments before the current one that are not known to be on the disk, oldest first,
// each with its end as the durable position.
std::expected<void, base::Error> Journal::sync_sealed() {
  std::uint32_t end = current_->header().previous_end;
  // What a killed process has sent from other journals may not be on the disk yet.
  const bool waits = vouches_ && !recovered_.other_boot && !recovered_.created;
  for (std::uint32_t number = segment_number_ - 1; number >= 1; --number) {
    const std::string path = home_->files->path(number);
    const std::expected<Segment*, base::Error> mapped =
        Segment::map(path, Segment::Access::ReadWrite, disk());
    if (!mapped && mapped.error().code == base::ErrorCode::NotFound) {
      return {};
    }
    if (!mapped) {
      return std::unexpected(mapped.error());
    }
    const SegmentHandle segment(*mapped);
    const std::optional<format::State> state = segment->state();
    if (!state || (state->end_offset != 0 && state->durable_offset == state->end_offset)) {
      return {};
    }
    if (std::expected<void, base::Error> synced = segment->sync(0, segment->size(), path);
        !synced) {
      return synced;
    }
    if (waits) {
      home_->unsealed = number;
      end = segment->header().previous_end;
      continue;
    }
    if (std::expected<void, base::Error> sealed = segment->seal(*state, end, path); !sealed) {
      return sealed;
    }
    end = segment->header().previous_end;
  }
  return {};
}

std::expected<void, base::Error> Journal::sync_all() {
  // A state that says that all of a segment is on the disk says so of the begin and the name of the
  // one that follows, too.
  const std::string path = home_->files->path(segment_number_);
  if (std::expected<void, base::Error> synced = current_->sync(0, format::records_offset, path);
      !synced) {
    return synced;
  }
  if (std::expected<void, base::Error> synced = home_->files->sync_directory(); !synced) {
    return synced;
  }
  if (std::expected<void, base::Error> synced = sync_sealed(); !synced) {
    return synced;
  }
  return current_->sync(0, current_->is_written() ? format::records_offset : offset_, path);
}

void Journal::abandon() noexcept {
  halted_.fetch_or(halted_by_close, std::memory_order_relaxed);
  keeps_marks_ = false;
  wants_.store(0, std::memory_order_relaxed);
}

std::expected<void, base::Error> Journal::close() {
  const bool was_closed =
      (halted_.fetch_or(halted_by_close, std::memory_order_relaxed) & halted_by_close) != 0;
  if (was_closed || in_memory_) {
    return {};
  }
  const Gate preparing(preparing_);
  const Gate flushing(flushing_);
  if (Segment* const unused = prepared_.exchange(nullptr, std::memory_order_acquire)) {
    home_->files->remove(segment_number_ + 1);
    unused->drop_reference();
  }
  let_go_of_retired();
  wants_.store(0, std::memory_order_relaxed);
  const bool syncs = options_.sync_on_close || flushes_;
  if (syncs) {
    // Records first and the mark after them: the mark must not reach the disk without what it
    // vouches for.
    std::expected<void, base::Error> synced = flushes_ ? flush_to(end()) : sync_all();
    if (synced && home_->unsealed != 0) {
      synced = seal_vouched();
    }
    if (!synced) {
      return synced;
    }
  }
  const std::string path = home_->files->path(segment_number_);
  std::optional<format::State> state = current_->state();
  if (!state) {
    return std::unexpected(
        base::Error{base::ErrorCode::Damaged, "the segment's states were overwritten", path});
  }
  state->durable_offset = syncs ? vouched_offset(*current_, offset_) : state->durable_offset;
  state->clean = 1;
  state->end_offset = static_cast<std::uint32_t>(offset_);
  current_->set_state(*state);
  if (!syncs) {
    return {};
  }
  if (std::expected<void, base::Error> synced = current_->sync(0, format::records_offset, path);
      !synced) {
    return synced;
  }
  return home_->files->sync_directory();
}

}  // namespace affix::inline v0::journal
