// SPDX-License-Identifier: MIT
// Writes appended records to the disk, segment by segment in order, in parallel to the writer.
#include "affix/base/time.hpp"
#include "affix/journal/journal.hpp"

#include "journal/clock.hpp"
#include "journal/home.hpp"

#include <algorithm>
#include <optional>

namespace affix::inline v0::journal {

namespace {

/// Maximum age of the durable position in the file. It only distinguishes damage from a torn tail,
/// so not every flush needs to write another page for it.
constexpr std::int64_t state_age_ns = 100 * base::ns_per_ms;

/// Pages are given back in pieces of this size.
constexpr std::size_t release_bytes = 256 * 1024;

}  // namespace

std::expected<void, base::Error> Journal::flush() {
  if (!flushes_) {
    return {};
  }
  const Gate gate(flushing_);
  if ((halted_.load(std::memory_order_relaxed) & halted_by_close) != 0) {
    return {};
  }
  // Acquire: everything before the position is stored.
  const std::uint64_t end = end_shared_.load(std::memory_order_acquire);
  std::expected<void, base::Error> result = flush_to(unpacked(end));
  if (result && home_->unsealed != 0) {
    result = seal_vouched();
  }
  if (result && (wants_.load(std::memory_order_acquire) & wants_reserve_flushed) != 0) {
    wants_.fetch_and(~wants_reserve_flushed, std::memory_order_relaxed);
    result = renew_reserve(*home_->flushed);
    if (!result) {
      wants_.fetch_or(wants_reserve_flushed, std::memory_order_relaxed);
    }
  }
  home_->flush_again = !result;
  if (result) {
    halted_.fetch_and(~halted_by_flush, std::memory_order_relaxed);
  } else {
    halted_.fetch_or(halted_by_flush, std::memory_order_relaxed);
  }
  return result;
}

std::expected<void, base::Error> Journal::flush_to(Position end) {
  for (;;) {
    Segment& segment = *home_->flushed;
    // Acquire: the end of this segment's records was stored before.
    Segment* const following = segment.following.load(std::memory_order_acquire);
    const bool sealed = following != nullptr && segment.number() < end.segment;
    const std::size_t until = sealed ? segment.sealed_end : std::size_t{end.offset};
    if (std::expected<void, base::Error> flushed = flush_range(segment, until);
        !flushed || !sealed) {
      return flushed;
    }
    // Writes marks set during the flush: sealing gives up the memory that holds them.
    while (unpacked(marked_from_.load(std::memory_order_seq_cst)).segment == segment.number()) {
      if (std::expected<void, base::Error> again = flush_range(segment, until); !again) {
        return again;
      }
    }
    // In this order: a state that says that a whole segment is on the disk implies that the next
    // segment exists there.
    if (std::expected<void, base::Error> done = bring_begin(*following); !done) {
      return done;
    }
    if (home_->unsealed == 0 && vouched_offset(segment, until) == until) {
      if (std::expected<void, base::Error> done = seal_flushed(segment); !done) {
        return done;
      }
    } else {
      if (std::expected<void, base::Error> left = say_left(segment); !left) {
        return left;
      }
      segment.release_pages(format::records_offset, segment.size());
      home_->unsealed = home_->unsealed == 0 ? segment.number() : home_->unsealed;
    }
    enter_flushed(*following);
    if (!keep_messages_ && (segment.header().flags & format::flag_numbers_only) != 0) {
      home_->files->remove(segment.number());
    }
    segment.drop_reference();
  }
}

std::expected<void, base::Error> Journal::flush_range(Segment& segment, std::size_t end) {
  const std::uint32_t number = segment.number();
  const std::string path = home_->files->path(number);
  std::size_t begin = home_->flushed_offset;
  // Acquire: pairs with bring_mark(), which has itself written marks of segments that were left.
  const Position marked = unpacked(marked_from_.exchange(UINT64_MAX, std::memory_order_acquire));
  if (marked.segment == number && marked.offset < begin) {
    begin = marked.offset;
    home_->flushed_offset = begin;  // Must stay this low if the flush fails.
  }
  const std::int64_t now_ns = steady_now_ns();
  if (begin == end) {
    return marks_unsaved_.load(std::memory_order_relaxed) &&
                   now_ns - home_->state_stored_ns >= state_age_ns
               ? store_vouched(segment)
               : std::expected<void, base::Error>{};
  }
  if (home_->flush_again) {
    segment.touch(0, format::records_offset);
    segment.touch(begin, end);
  }
  const bool stores_state = now_ns - home_->state_stored_ns >= state_age_ns;
  if (stores_state) {
    home_->state_stored_ns = now_ns;
    say_vouched(segment);
    // With Access::Written, the header goes to the file together with the records, so one flush
    // covers both.
    if (std::expected<void, base::Error> stored = segment.store(0, format::records_offset, path);
        !stored) {
      return stored;
    }
  }
  segment.unmap_pages(begin, end);
  if (std::expected<void, base::Error> synced = segment.sync(begin, end, path); !synced) {
    return synced;
  }
  home_->flushed_offset = end;
  // Release: a thread that reads it may report everything before it as durable.
  durable_.store(packed({number, static_cast<std::uint32_t>(end)}), std::memory_order_seq_cst);
  // The writer stores here next.
  segment.make_writable(end);
  if (stores_state && !segment.is_written()) {
    std::expected<void, base::Error> synced = segment.sync(0, format::records_offset, path);
    segment.make_writable(format::index_offset);
    return synced;
  }
  if (end - home_->released_offset >= release_bytes) {
    // Marks set meanwhile are only in memory; the next flush writes them.
    const Position waiting = unpacked(marked_from_.load(std::memory_order_seq_cst));
    const std::size_t until =
        waiting.segment == number ? std::min<std::size_t>(end, waiting.offset) : end;
    segment.release_pages(home_->released_offset, until);
    home_->released_offset = until;
  }
  return {};
}

// With Access::Written, rolling leaves this to the flush that finds the next segment's begin on the
// disk. It may not wait for the marks: until then, nothing says that the next segment was in use.
std::expected<void, base::Error> Journal::say_left(Segment& segment) {
  if (!segment.is_written()) {
    return {};
  }
  segment.set_left(static_cast<std::uint32_t>(segment.sealed_end));
  return segment.sync(0, format::records_offset, home_->files->path(segment.number()));
}

// The whole segment is on the disk; its state records that before the next segment is entered.
std::expected<void, base::Error> Journal::seal_flushed(Segment& segment) {
  const std::string path = home_->files->path(segment.number());
  const std::optional<format::State> state = segment.state();
  if (!state) {
    return std::unexpected(base::Error{base::ErrorCode::Damaged,
                                       "the segment's states were overwritten", path, "J216"});
  }
  const auto end = static_cast<std::uint32_t>(segment.sealed_end);
  segment.set_left(end);
  if (std::expected<void, base::Error> sealed = segment.seal(*state, end, path); !sealed) {
    return sealed;
  }
  segment.release_pages(format::records_offset, segment.size());
  return {};
}

std::expected<void, base::Error> Journal::bring_begin(Segment& segment) {
  if (std::expected<void, base::Error> synced =
          segment.sync(0, format::records_offset, home_->files->path(segment.number()));
      !synced) {
    return synced;
  }
  // The file's name must be on the disk, too.
  return home_->files->sync_directory();
}

void Journal::enter_flushed(Segment& segment) noexcept {
  home_->flushed = &segment;
  home_->flushed_offset = format::records_offset;
  home_->released_offset = format::records_offset;
  durable_.store(packed({segment.number(), format::records_offset}), std::memory_order_release);
}

}  // namespace affix::inline v0::journal
