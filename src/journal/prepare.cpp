// SPDX-License-Identifier: MIT
// The helper thread's work: the next segment and its pages, the reserve of outgoing numbers,
// releasing old segments; and closing. flush.cpp writes records to the disk.
#include "affix/journal/journal.hpp"

#include "journal/clock.hpp"
#include "journal/home.hpp"
#include "journal/retention.hpp"
#include "journal/segment_size.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace affix::inline v0::journal {

std::expected<void, base::Error> Journal::prepare() {
  const Gate gate(preparing_);
  if (in_memory_) {
    // Acquire: sees the wanted pages that were stored before the request.
    wants_.fetch_and(~wants_preparation, std::memory_order_acquire);
    home_->ring->populate();
    return {};
  }
  // Acquire: sees everything stored before the request.
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
  } else if ((wants & wants_seal) != 0 && home_->spare.wants_cleaning()) {
    // With frequent flushes, cleaning is done page by page.
    home_->spare.clean_step(*home_->files, flushes_ ? page_bytes() : Segment::filled_in_a_step);
    wants_.fetch_or(wants_seal, std::memory_order_relaxed);
  } else if ((wants & wants_seal) != 0) {
    // May wait for the disk, so it comes after the segment and pages that the writer needs next.
    const std::expected<void, base::Error> sealed = seal_next();
    result = result ? sealed : result;
  }
  return result;
}

// Has its own gate, so that a writer that needs the next segment at once does not wait for the rest
// of prepare().
std::expected<void, base::Error> Journal::prepare_next() {
  const Gate gate(making_);
  if (prepared_.load(std::memory_order_acquire) != nullptr) {
    return {};
  }
  std::expected<void, base::Error> made = prepare_segment(0, &home_->spare);
  if (!made) {
    wants_.fetch_or(wants_segment, std::memory_order_relaxed);
  }
  return made;
}

// Prepares the pages that the writer needs next, in the segment in use and then in the prepared
// one. True: some are still missing.
bool Journal::prepare_pages() noexcept {
  Segment* const current = current_shared_.load(std::memory_order_acquire);
  Segment* const next = prepared_.load(std::memory_order_acquire);
  Segment* const segment = current->lacks_wanted_pages() ? current : next;
  if (segment == nullptr || !segment->lacks_wanted_pages()) {
    return false;
  }
  segment->prepare_pages();
  return segment->lacks_wanted_pages() || (next != nullptr && next->lacks_wanted_pages());
}

// Called whenever a segment is half used.
std::size_t Journal::next_segment_bytes(std::size_t record_bytes) const noexcept {
  const std::size_t current = current_shared_.load(std::memory_order_acquire)->size();
  const SegmentUse use{static_cast<std::int64_t>(current / 2) - home_->sized_from,
                       steady_now_ns() - home_->sized_ns};
  const std::size_t needed =
      std::bit_ceil(format::records_offset + record_bytes + format::end_mark_bytes);
  return std::min<std::size_t>(std::max(journal::next_segment_bytes(current, use), needed),
                               options_.max_segment_bytes);
}

std::expected<void, base::Error> Journal::prepare_segment(std::size_t record_bytes,
                                                          SpareFile* spare) {
  const std::uint32_t number = current_shared_.load(std::memory_order_acquire)->number() + 1;
  const std::string path = home_->files->path(number);
  const std::size_t bytes = next_segment_bytes(record_bytes);
  const Segment::Making making{access(), flushes_};
  Segment* const again =
      spare == nullptr ? nullptr : spare->make_segment(*home_->files, path, bytes, making);
  const std::expected<Segment*, base::Error> made =
      again != nullptr ? again : Segment::create(path, bytes, making, disk());
  if (!made) {
    const bool full = made.error().code == base::ErrorCode::NoSpace;
    blocked_.store(full ? AppendResult::NoSpace : AppendResult::Unavailable,
                   std::memory_order_relaxed);
    return std::unexpected(made.error());
  }
  // From here, the second half of the segment in use is still to be stored.
  home_->sized_ns = steady_now_ns();
  home_->sized_from =
      -static_cast<std::int64_t>(current_shared_.load(std::memory_order_acquire)->size() / 2);
  home_->summary.note_segment(number);
  // The writer may take the segment before all of its pages are present, and then prepares those it
  // needs itself; waiting for all would mean thousands of page faults.
  if ((*made)->lacks_pages()) {
    wants_.fetch_or(wants_pages, std::memory_order_relaxed);
  }
  // Release: the writer that takes it sees a complete mapping.
  prepared_.store(*made, std::memory_order_release);
  blocked_.store(AppendResult::Appended, std::memory_order_relaxed);
  return {};
}

// A failure has no effect on the writer; the next segment retries.
std::expected<void, base::Error> Journal::retain() {
  if (!retains_part(options_)) {
    return {};
  }
  // The current segment's checkpoint may place the oldest unprocessed message too early, which is
  // safe; the segment before the current one is still in use.
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
    // After a power loss, the newest segment that is completely on the disk decides about the
    // others, which may be missing: keep it.
    keep_from = std::min(keep_from, home_->seal_at == 0 ? 0 : home_->seal_at - 1);
  }
  const std::expected<void, base::Error> let_go =
      let_go_of_oldest(*home_->files, options_,
                       {.keep_from = keep_from,
                        .utc_ns = utc_now_ns(),
                        .segment_bytes = static_cast<std::size_t>(header.segment_bytes),
                        .spare = home_->spare});
  if (home_->spare.wants_cleaning()) {
    wants_.fetch_or(wants_seal, std::memory_order_relaxed);
  }
  return let_go;
}

void Journal::let_go_of_retired() noexcept {
  // Acquire: pairs with the writer's push, which stored the links.
  Segment* segment = retired_.exchange(nullptr, std::memory_order_acquire);
  while (segment != nullptr) {
    Segment* const next = segment->next_retired;
    // With flushes, flush() removes it once the next segment is on the disk.
    if (!keep_messages_ && !flushes_ &&
        (segment->header().flags & format::flag_numbers_only) != 0) {
      home_->files->remove(segment->number());  // The next segment's checkpoint has its numbers.
    }
    segment->drop_reference();
    segment = next;
  }
}

// Flushes the segments before the current one that are not known to be on the disk, oldest first,
// each with its end as the durable position.
std::expected<void, base::Error> Journal::sync_sealed() {
  std::uint32_t end = current_->header().previous_end;
  // Messages that a killed process sent from other journals may not be on the disk yet.
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
      // The newest segment whose marks are vouched for in part. Marks set after that position are
      // not.
      if (settled_.offset <= format::records_offset) {
        settled_ = {number, static_cast<std::uint32_t>(std::max<std::uint64_t>(
                                state->durable_offset, format::records_offset))};
      }
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
  // A state that says that a whole segment is on the disk implies the same for the next segment's
  // header and name.
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
  home_->spare.drop(*home_->files);
  let_go_of_retired();
  wants_.store(0, std::memory_order_relaxed);
  const bool syncs = options_.sync_on_close || flushes_;
  if (syncs) {
    // Records first, then the mark: the mark must not be on the disk without the records it vouches
    // for.
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
    return std::unexpected(base::Error{base::ErrorCode::Damaged,
                                       "the segment's states were overwritten", path, "J216"});
  }
  if (syncs) {
    state->durable_offset =
        all_marks_vouched() ? offset_ : std::min(vouched_offset(*current_, offset_), offset_ - 1);
  }
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
