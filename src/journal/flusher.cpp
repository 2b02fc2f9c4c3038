// SPDX-License-Identifier: MIT
// Flushes, seals and gives back memory.
#include "journal/flusher.hpp"

#include "affix/base/time.hpp"
#include "affix/journal/format.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace affix::inline v0::journal {

namespace {

/// Maximum age of the durable position in the file. It only distinguishes damage from a torn tail,
/// so not every flush needs to write another page for it.
constexpr std::int64_t state_age_ns = 100 * base::ns_per_ms;

/// Records are flushed in pieces of this size. A slow disk takes a tenth of a second for one; much
/// smaller ones would add flushes of the disk's cache.
constexpr std::size_t piece_bytes = std::size_t{4} * 1024 * 1024;

/// Pages are given back in pieces of this size.
constexpr std::size_t release_bytes = 256 * 1024;

}  // namespace

Flusher::~Flusher() {
  for (Segment* segment = segment_; segment != nullptr;) {
    Segment* const following = segment->following.load(std::memory_order_acquire);
    segment->drop_reference();
    segment = following;
  }
}

void Flusher::begin_in(Segment& segment, std::size_t end) noexcept {
  segment.add_reference();
  segment_ = &segment;
  flushed_offset_ = end;
  released_offset_ = end;
}

Flusher::Result Flusher::flush_to(Position end) {
  for (;;) {
    const std::expected<bool, base::Error> all = flush_piece(end);
    if (!all) {
      return std::unexpected(all.error());
    }
    if (*all) {
      return {};
    }
  }
}

std::expected<bool, base::Error> Flusher::flush_piece(Position end) {
  for (std::size_t flushed = 0; flushed < piece_bytes;) {
    Segment& segment = *segment_;
    // Acquire: the end of this segment's records was stored before.
    Segment* const following = segment.following.load(std::memory_order_acquire);
    const bool sealed = following != nullptr && segment.number() < end.segment;
    const std::size_t until = sealed ? segment.sealed_end : std::size_t{end.offset};
    const std::size_t piece = piece_end(until, piece_bytes - flushed);
    flushed += piece - std::min(piece, flushed_offset_);
    if (Result done = flush_range(piece); !done) {
      return std::unexpected(done.error());
    }
    if (piece < until || !sealed) {
      return piece == until;
    }
    // Writes marks set during the flush: sealing gives up the memory that holds them.
    while (progress_.marked().segment == segment.number()) {
      if (Result again = flush_range(until); !again) {
        return std::unexpected(again.error());
      }
    }
    if (Result finished = finish(*following); !finished) {
      return std::unexpected(finished.error());
    }
  }
  return false;
}

// `end`, or an earlier record's end if there are more bytes before it: no part of a record
// may count as flushed.
std::size_t Flusher::piece_end(std::size_t end, std::size_t bytes) const noexcept {
  if (end <= flushed_offset_ + bytes) {
    return end;
  }
  std::size_t at = flushed_offset_;
  while (at < flushed_offset_ + bytes) {
    const Parsed parsed =
        parse_record(segment_->base(), end, segment_->number(), at, Check::FormOnly);
    if (parsed.found != Found::Record) {
      return end;
    }
    at = parsed.next_offset;
  }
  return at;
}

// All records of the segment are flushed: continues in the `following` one.
Flusher::Result Flusher::finish(Segment& following) {
  Segment& segment = *segment_;
  const std::size_t end = segment.sealed_end;
  carry_reserve(following);
  // In this order: a state that says that a whole segment is on the disk implies that the next
  // segment exists there.
  if (Result done = bring_begin(following); !done) {
    return done;
  }
  if (unsealed_ == 0 && vouched_offset(segment, end) == end) {
    if (Result done = seal(); !done) {
      return done;
    }
  } else {
    if (Result left = say_left(); !left) {
      return left;
    }
    segment.release_pages(format::records_offset, segment.size());
    unsealed_ = unsealed_ == 0 ? segment.number() : unsealed_;
  }
  enter(following);
  if (!keeps_messages_ && (segment.header().flags & format::flag_numbers_only) != 0) {
    files_.remove(segment.number());
  }
  segment.drop_reference();
  return {};
}

Flusher::Result Flusher::flush_range(std::size_t end) {
  Segment& segment = *segment_;
  const std::uint32_t number = segment.number();
  const std::string path = files_.path(number);
  std::size_t begin = flushed_offset_;
  const Position marked = progress_.take_marked();
  if (marked.segment == number && marked.offset < begin) {
    begin = marked.offset;
    flushed_offset_ = begin;  // Must stay this low if the flush fails.
  }
  const std::int64_t now_ns = files_.disk().now().steady_ns;
  const bool stores_state = now_ns - state_stored_ns_ >= state_age_ns;
  if (begin == end) {
    return vouched_ != nullptr && vouched_->unsaved() && stores_state ? store_vouched() : Result{};
  }
  if (again_) {
    segment.touch(0, format::records_offset);
    segment.touch(begin, end);
  }
  if (stores_state) {
    state_stored_ns_ = now_ns;
    say_vouched();
    // With Access::Written, the header goes to the file together with the records, so one flush
    // covers both.
    if (Result stored = segment.store(0, format::records_offset, path); !stored) {
      return stored;
    }
  }
  segment.unmap_pages(begin, end);
  if (Result synced = segment.sync(begin, end, path); !synced) {
    return synced;
  }
  flushed_offset_ = end;
  progress_.advance({number, static_cast<std::uint32_t>(end)});
  // The writer stores here next.
  segment.make_writable(end);
  if (stores_state && !segment.is_written()) {
    Result synced = segment.sync(0, format::records_offset, path);
    segment.make_writable(format::index_offset);
    return synced;
  }
  if (end - released_offset_ >= release_bytes) {
    // Marks set meanwhile are only in memory; the next flush writes them.
    const Position waiting = progress_.marked();
    const std::size_t until =
        waiting.segment == number ? std::min<std::size_t>(end, waiting.offset) : end;
    segment.release_pages(released_offset_, until);
    released_offset_ = until;
  }
  return {};
}

// The writer may have begun it before this segment got its reserve, and once this one is sealed, no
// recovery looks further back.
void Flusher::carry_reserve(Segment& following) noexcept {
  const std::optional<format::State> state = segment_->state();
  std::optional<format::State> next = following.state();
  if (state && next && next->reserved_outgoing < state->reserved_outgoing) {
    next->reserved_outgoing = state->reserved_outgoing;
    following.set_state(*next);
  }
}

// With Access::Written, rolling leaves this to the flush that finds the next segment's begin on the
// disk. It may not wait for the marks: until then, nothing says that the next segment was in use.
Flusher::Result Flusher::say_left() {
  if (!segment_->is_written()) {
    return {};
  }
  segment_->set_left(static_cast<std::uint32_t>(segment_->sealed_end));
  return segment_->sync(0, format::records_offset, files_.path(segment_->number()));
}

// The whole segment is on the disk; its state records that before the next segment is entered.
Flusher::Result Flusher::seal() {
  const std::string path = files_.path(segment_->number());
  const std::optional<format::State> state = segment_->state();
  if (!state) {
    return std::unexpected(base::Error{base::ErrorCode::Damaged,
                                       "the segment's states were overwritten", path, "J216"});
  }
  const auto end = static_cast<std::uint32_t>(segment_->sealed_end);
  segment_->set_left(end);
  if (Result sealed = segment_->seal(*state, end, path); !sealed) {
    return sealed;
  }
  segment_->release_pages(format::records_offset, segment_->size());
  return {};
}

// They are not mapped now.
Flusher::Result Flusher::seal_vouched() {
  while (unsealed_ != 0 && unsealed_ < segment_->number()) {
    const std::string path = files_.path(unsealed_);
    const std::expected<Segment*, base::Error> following =
        Segment::map(files_.path(unsealed_ + 1), Segment::Access::ReadOnly, files_.disk());
    const std::expected<Segment*, base::Error> mapped =
        Segment::map(path, Segment::Access::ReadWrite, files_.disk());
    if (!following || !mapped) {
      const base::Error& error = !following ? following.error() : mapped.error();
      if (error.code != base::ErrorCode::NotFound) {
        return std::unexpected(error);
      }
      ++unsealed_;  // Archived meanwhile.
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
      if (Result sealed = segment->seal(*state, end, path); !sealed) {
        return sealed;
      }
    }
    ++unsealed_;
  }
  unsealed_ = unsealed_ < segment_->number() ? unsealed_ : 0;
  return {};
}

Flusher::Result Flusher::bring_begin(Segment& segment) {
  if (Result synced = segment.sync(0, format::records_offset, files_.path(segment.number()));
      !synced) {
    return synced;
  }
  // The file's name must be on the disk, too.
  return files_.sync_directory();
}

// Offset up to which a segment's state may say that it is on the disk.
std::size_t Flusher::vouched_offset(const Segment& segment, std::size_t flushed) const noexcept {
  return vouched_ == nullptr ? flushed : vouched_->offset_in(segment.number(), flushed);
}

// Stores it in the segment's state, which the segment's next flush writes to the disk.
void Flusher::say_vouched() noexcept {
  if (std::optional<format::State> state = segment_->state()) {
    state->durable_offset = vouched_offset(*segment_, flushed_offset_);
    segment_->set_state(*state);
  }
  if (vouched_ != nullptr) {
    vouched_->set_unsaved(false);
  }
}

// Without further appends, writes the vouching state to the disk by itself, late enough that an
// append would most likely have included it.
Flusher::Result Flusher::store_vouched() {
  say_vouched();
  Result synced = segment_->sync(0, format::records_offset, files_.path(segment_->number()));
  if (!synced) {
    vouched_->set_unsaved(true);
  }
  return synced;
}

void Flusher::enter(Segment& segment) noexcept {
  segment_ = &segment;
  flushed_offset_ = format::records_offset;
  released_offset_ = format::records_offset;
  progress_.advance({segment.number(), format::records_offset});
}

}  // namespace affix::inline v0::journal
