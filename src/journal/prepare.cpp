// SPDX-License-Identifier: MIT
// The helper thread's work: the next segment and its pages, the reserve of outgoing numbers,
// releasing and sealing old segments; and closing. flusher.cpp writes records to the disk.
#include "affix/journal/journal.hpp"

#include "journal/gate.hpp"
#include "journal/home.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace affix::inline v0::journal {

std::expected<void, base::Error> Journal::prepare() {
  const Gate gate(handover_.preparing());
  const WorkTaken work = requests_.take_preparation();
  if (in_memory()) {
    home_->ring->populate();
    return {};
  }
  std::expected<void, base::Error> result = prepare_urgent(work);
  if (work.has(Work::Release)) {
    let_go_of_retired();
    const std::expected<void, base::Error> retained = retain();
    result = result ? retained : result;
  }
  const bool lacks_pages = work.has(Work::Pages) && prepare_pages();
  if (lacks_pages) {
    requests_.request(Work::Pages);
    if (work.has(Work::Seal)) {
      requests_.request(Work::Seal);
    }
  } else if (work.has(Work::Seal) && home_->spare.wants_cleaning()) {
    // With frequent flushes, cleaning is done page by page.
    home_->spare.clean_step(*home_->files, flushes() ? page_bytes() : Segment::filled_in_a_step);
    requests_.request(Work::Seal);
  } else if (work.has(Work::Seal)) {
    // May wait for the disk, so it comes after the segment and pages that the writer needs next.
    const std::expected<void, base::Error> sealed = seal_next();
    result = result ? sealed : result;
  }
  return result;
}

// The other thread may be moving segments to an archive, for as long as that disk takes.
bool Journal::try_prepare() {
  if (in_memory()) {
    return true;
  }
  if (!Gate::try_take(handover_.preparing())) {
    return handover_.refusal() == AppendResult::Appended && !reserve_.failed();
  }
  const Gate gate(Taken{handover_.preparing()});
  // The reserve may be flush()'s to renew.
  return prepare_urgent(requests_.take_urgent_preparation()).has_value() && !reserve_.failed();
}

std::expected<void, base::Error> Journal::prepare_urgent(WorkTaken work) {
  std::expected<void, base::Error> result;
  if (work.has(Work::Reserve)) {
    // First: a writer without a segment makes one, a writer without a number must stop.
    result = renew_reserve(handover_.current());
    if (!result) {
      requests_.request(Work::Reserve);
    }
  }
  if (work.has(Work::Segment)) {
    const std::expected<void, base::Error> prepared = prepare_next();
    result = result ? prepared : result;
  }
  return result;
}

// Only a journal with a reserve survives a power loss, and flushed journals seal by themselves.
bool Journal::seals(std::uint32_t current) const noexcept {
  return current > Sealer::left_alone && !in_memory() && !flushes() && keeps_messages_ &&
         options_.sequence_reserve != 0;
}

std::expected<void, base::Error> Journal::seal_next() {
  const std::uint32_t current = handover_.current().number();
  if (!seals(current)) {
    return {};
  }
  const std::expected<Sealer::Sealed, base::Error> sealed =
      home_->sealer.seal_next(*home_->files, current);
  if (!sealed) {
    return std::unexpected(sealed.error());  // Tried again when the next segment is finished.
  }
  if (*sealed != Sealer::Sealed::Nothing) {
    // Retention may continue up to there.
    requests_.request(Work::Release);
  }
  if (*sealed == Sealer::Sealed::OneOfMore) {
    requests_.request(Work::Seal);
  }
  return {};
}

// The writer may enter the next segment meanwhile: then pages of the wrong offset are looked at
// once.
bool Journal::keep_writable() noexcept {
  if (durability_ != Durability::Process) {
    return false;
  }
  const Gate gate(handover_.preparing());
  Segment& segment = handover_.current();
  const Position end{segment.number(), static_cast<std::uint32_t>(offset_)};
  if (std::exchange(home_->kept_writable, end) == end) {
    return false;
  }
  segment.keep_writable(end.offset);
  return true;
}

// Has its own gate, so that a writer that needs the next segment at once does not wait for the rest
// of prepare().
std::expected<void, base::Error> Journal::prepare_next() {
  const Gate gate(handover_.making());
  if (handover_.prepared() != nullptr) {
    return {};
  }
  std::expected<void, base::Error> made = prepare_segment(next_segment_bytes(0), &home_->spare);
  if (!made) {
    requests_.request(Work::Segment);
  }
  return made;
}

// Prepares the pages that the writer needs next, in the segment in use and then in the prepared
// one. True: some are still missing.
bool Journal::prepare_pages() noexcept {
  Segment& current = handover_.current();
  Segment* const next = handover_.prepared();
  Segment* const segment = current.lacks_wanted_pages() ? &current : next;
  if (segment == nullptr || !segment->lacks_wanted_pages()) {
    return false;
  }
  segment->prepare_pages();
  return segment->lacks_wanted_pages() || (next != nullptr && next->lacks_wanted_pages());
}

// Called whenever a segment is half used.
std::size_t Journal::next_segment_bytes(std::size_t record_bytes) const noexcept {
  const std::size_t current = handover_.current().size();
  const std::size_t needed =
      std::bit_ceil(format::records_offset + record_bytes + format::end_mark_bytes);
  return std::min<std::size_t>(
      std::max(home_->sizing.next_bytes(current, disk().now().steady_ns), needed),
      options_.max_segment_bytes);
}

std::expected<void, base::Error> Journal::prepare_segment(std::size_t bytes, SpareFile* spare) {
  const std::uint32_t number = handover_.current().number() + 1;
  const std::string path = home_->files->path(number);
  const Segment::Making making{access(), new_pages()};
  Segment* const again =
      spare == nullptr ? nullptr : spare->make_segment(*home_->files, path, bytes, making);
  const std::expected<Segment*, base::Error> made =
      again != nullptr ? again : Segment::create(path, bytes, making, disk());
  if (!made) {
    const bool full = made.error().code == base::ErrorCode::NoSpace;
    handover_.refuse(full ? AppendResult::NoSpace : AppendResult::Unavailable);
    return std::unexpected(made.error());
  }
  home_->sizing.begin_at_half_of(handover_.current().size(), disk().now().steady_ns);
  home_->summary.note_segment(number);
  // The writer may take the segment before all of its pages are present, and then prepares those it
  // needs itself; waiting for all would mean thousands of page faults.
  if ((*made)->lacks_pages()) {
    requests_.request(Work::Pages);
  }
  handover_.offer(**made);
  return {};
}

// A failure has no effect on the writer; the next segment retries.
std::expected<void, base::Error> Journal::retain() {
  if (!retains_part(options_)) {
    return {};
  }
  // The current segment's checkpoint may place the oldest unprocessed message too early, which is
  // safe; the segment before the current one is still in use.
  const format::Header& header = handover_.current().header();
  const Position unprocessed = unpacked(header.unprocessed);
  std::uint32_t keep_from = header.segment_number - 1;
  if (unprocessed.valid()) {
    keep_from = std::min(keep_from, unprocessed.segment);
  }
  if (flushes()) {
    keep_from = std::min(keep_from, durable().segment);
    if (marks_.vouched()) {
      keep_from = std::min(keep_from, vouched_.before().segment);
    }
  }
  if (!flushes() && options_.sequence_reserve != 0) {
    // After a power loss, the newest segment that is completely on the disk decides about the
    // others, which may be missing: keep it.
    keep_from = std::min(keep_from, home_->sealer.next() == 0 ? 0 : home_->sealer.next() - 1);
  }
  const std::expected<void, base::Error> let_go = home_->retention.let_go_of_oldest(
      *home_->files, options_,
      {.keep_from = keep_from,
       .utc_ns = disk().now().utc_ns,
       .segment_bytes = static_cast<std::size_t>(header.segment_bytes),
       .spare = home_->spare});
  if (home_->spare.wants_cleaning()) {
    requests_.request(Work::Seal);
  }
  if (home_->retention.has_more()) {
    requests_.request(Work::Release);
  }
  return let_go;
}

void Journal::let_go_of_retired() noexcept {
  Segment* segment = handover_.take_retired();
  while (segment != nullptr) {
    Segment* const next = segment->next_retired;
    // With flushes, flush() removes it once the next segment is on the disk.
    if (!keeps_messages_ && !flushes() &&
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
  std::uint32_t end = current_segment().header().previous_end;
  // Messages that a killed process sent from other journals may not be on the disk yet.
  const bool waits = marks_.vouched() && !recovered_.other_boot && !recovered_.created;
  for (std::uint32_t number = mapped_.number() - 1; number >= 1; --number) {
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
      home_->flusher->leave_unsealed(number);
      // The newest segment whose marks are vouched for in part. Marks set after that position are
      // not.
      if (marks_.settled().offset <= format::records_offset) {
        marks_.resume_settled({number, static_cast<std::uint32_t>(std::max<std::uint64_t>(
                                           state->durable_offset, format::records_offset))});
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
  const std::string path = home_->files->path(mapped_.number());
  if (std::expected<void, base::Error> synced =
          current_segment().sync(0, format::records_offset, path);
      !synced) {
    return synced;
  }
  if (std::expected<void, base::Error> synced = home_->files->sync_directory(); !synced) {
    return synced;
  }
  if (std::expected<void, base::Error> synced = sync_sealed(); !synced) {
    return synced;
  }
  return current_segment().sync(
      0, current_segment().is_written() ? format::records_offset : offset_, path);
}

void Journal::abandon() noexcept {
  halted_.fetch_or(halted_by_close, std::memory_order_relaxed);
  marks_.stop();
  requests_.withdraw_all();
}

std::expected<void, base::Error> Journal::close() {
  const bool was_closed =
      (halted_.fetch_or(halted_by_close, std::memory_order_relaxed) & halted_by_close) != 0;
  if (was_closed || in_memory()) {
    return {};
  }
  const Gate preparing(handover_.preparing());
  const Gate flushing(progress_.flushing());
  if (Segment* const unused = handover_.withdraw()) {
    home_->files->remove(mapped_.number() + 1);
    unused->drop_reference();
  }
  home_->spare.drop(*home_->files);
  let_go_of_retired();
  requests_.withdraw_all();
  const bool syncs = options_.sync_on_close || flushes();
  if (syncs) {
    // Records first, then the mark: the mark must not be on the disk without the records it vouches
    // for.
    std::expected<void, base::Error> synced =
        flushes() ? home_->flusher->flush_to(end()) : sync_all();
    if (synced && flushes()) {
      synced = home_->flusher->seal_vouched();
    }
    if (!synced) {
      return synced;
    }
  }
  const std::string path = home_->files->path(mapped_.number());
  std::optional<format::State> state = current_segment().state();
  if (!state) {
    return std::unexpected(base::Error{base::ErrorCode::Damaged,
                                       "the segment's states were overwritten", path, "J216"});
  }
  if (syncs) {
    state->durable_offset =
        all_marks_vouched() ? offset_
                            : std::min(vouched_.offset_in(mapped_.number(), offset_), offset_ - 1);
  }
  state->clean = 1;
  state->end_offset = static_cast<std::uint32_t>(offset_);
  current_segment().set_state(*state);
  if (!syncs) {
    return {};
  }
  if (std::expected<void, base::Error> synced =
          current_segment().sync(0, format::records_offset, path);
      !synced) {
    return synced;
  }
  return home_->files->sync_directory();
}

}  // namespace affix::inline v0::journal
