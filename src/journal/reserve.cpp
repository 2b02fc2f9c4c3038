// SPDX-License-Identifier: MIT
// The outgoing numbers that are reserved on the disk ahead of their use. No number is used before:
// after a power loss the session goes on behind them, and the peer has seen none from there on.
#include "affix/base/time.hpp"
#include "affix/journal/journal.hpp"

#include "journal/clock.hpp"
#include "journal/home.hpp"

#include <algorithm>

namespace affix::inline v0::journal {

namespace {

/// A reserve that is used up faster is made twice as large the next time, and else smaller again:
/// half of it is left when it is renewed, and a disk may take its time.
constexpr std::int64_t reserve_lasts_ns = 10 * base::ns_per_second;

/// No rate makes more be reserved at a time.
constexpr std::uint64_t reserve_extent_max = 10'000'000;

}  // namespace

// The outgoing number is to become `next_outgoing`. False: it may not yet.
bool Journal::reserve(std::uint64_t next_outgoing) noexcept {
  if (halted_.load(std::memory_order_relaxed) != 0) {
    return true;  // The append says why it is not one.
  }
  // Acquire: what is reserved is on the disk.
  const bool reserved = next_outgoing <= reserved_.load(std::memory_order_acquire);
  if (next_outgoing >= reserve_at_.load(std::memory_order_relaxed)) {
    ask_for_reserve(next_outgoing);
  }
  // With sync nobody is told of a number before its record is on the disk, which says as much.
  return reserved || options_.durability == Durability::Sync || reserve_now(next_outgoing);
}

void Journal::ask_for_reserve(std::uint64_t next_outgoing) noexcept {
  const std::int64_t now_ns = steady_now_ns();
  const std::uint64_t extent = reserve_extent_.load(std::memory_order_relaxed);
  const bool short_lived = now_ns - reserve_asked_at_ns_ < reserve_lasts_ns / 2;
  reserve_extent_.store(std::clamp(short_lived ? 2 * extent : extent / 2, options_.sequence_reserve,
                                   std::max(options_.sequence_reserve, reserve_extent_max)),
                        std::memory_order_relaxed);
  reserve_asked_at_ns_ = now_ns;
  // Asked once; renew_reserve() says when to ask again. What is left may be used meanwhile.
  reserve_at_.store(options_.durability == Durability::Sync
                        ? UINT64_MAX
                        : reserved_.load(std::memory_order_relaxed) + 1,
                    std::memory_order_relaxed);
  next_outgoing_shared_.store(next_outgoing, std::memory_order_relaxed);
  wants_.fetch_or(flushes_ ? wants_reserve_flushed : wants_reserve, std::memory_order_release);
}

// Nobody reserved in time: here, unless somebody is at it and may be long. A number set by hand
// goes any distance at once, which no reserve is ready for; that is rare and waits.
bool Journal::reserve_now(std::uint64_t next_outgoing) noexcept {
  std::atomic_flag& busy = flushes_ ? flushing_ : preparing_;
  const bool jumps = next_outgoing > next_outgoing_ + 1;
  if (!jumps &&
      (busy.test(std::memory_order_relaxed) || reserve_failed_.load(std::memory_order_relaxed))) {
    return false;
  }
  const Gate gate(busy);
  if (next_outgoing <= reserved_.load(std::memory_order_acquire)) {
    return true;
  }
  ++stalls_;
  next_outgoing_shared_.store(next_outgoing, std::memory_order_relaxed);
  return renew_reserve(flushes_ ? *home_->flushed : *current_).has_value();
}

std::expected<void, base::Error> Journal::renew_reserve(Segment& segment) {
  std::optional<format::State> state = segment.state();
  if (!state) {
    return std::unexpected(base::Error{base::ErrorCode::Damaged,
                                       "the segment's states were overwritten",
                                       home_->files->path(segment.number())});
  }
  const std::uint64_t next = next_outgoing_shared_.load(std::memory_order_relaxed);
  const std::uint64_t extent = reserve_extent_.load(std::memory_order_relaxed);
  state->reserved_outgoing = std::max(next + extent, state->reserved_outgoing);
  segment.set_state(*state);
  std::expected<void, base::Error> synced =
      segment.sync(0, format::records_offset, home_->files->path(segment.number()));
  if (synced && home_->named_on_disk != segment.number()) {
    synced = home_->files->sync_directory();
    home_->named_on_disk = synced ? segment.number() : 0;
  }
  reserve_failed_.store(!synced, std::memory_order_relaxed);
  if (!synced) {
    return synced;
  }
  home_->summary.note_reserve(state->reserved_outgoing);
  // Release: who sees it may use what it says.
  reserved_.store(state->reserved_outgoing, std::memory_order_release);
  reserve_at_.store(state->reserved_outgoing - extent / 2, std::memory_order_relaxed);
  return {};
}

}  // namespace affix::inline v0::journal
