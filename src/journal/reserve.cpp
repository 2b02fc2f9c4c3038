// SPDX-License-Identifier: MIT
// Outgoing numbers reserved on the disk ahead of their use. Numbers beyond the reserve are never
// used: after a power loss the session continues after it, and the peer has seen none of those.
#include "affix/base/time.hpp"
#include "affix/journal/journal.hpp"

#include "journal/clock.hpp"
#include "journal/home.hpp"

#include <algorithm>

namespace affix::inline v0::journal {

namespace {

/// A reserve used up faster is doubled the next time, and else halved: half of it is left when it
/// is renewed, and a disk may be slow.
constexpr std::int64_t reserve_lasts_ns = 10 * base::ns_per_second;

/// Maximum reserve, whatever the rate.
constexpr std::uint64_t reserve_extent_max = 10'000'000;

}  // namespace

// The outgoing number is about to become `next_outgoing`. False: it must not yet.
bool Journal::reserve(std::uint64_t next_outgoing) noexcept {
  if (halted_.load(std::memory_order_relaxed) != 0) {
    return true;  // The append reports why not.
  }
  // Acquire: the reserved numbers are on the disk.
  const bool reserved = next_outgoing <= reserved_.load(std::memory_order_acquire);
  if (next_outgoing >= reserve_at_.load(std::memory_order_relaxed)) {
    ask_for_reserve(next_outgoing);
  }
  // With sync no peer sees a number before its record is on the disk, which serves as proof.
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
  // Requested once; renew_reserve() sets the next request. The rest may be used meanwhile.
  reserve_at_.store(options_.durability == Durability::Sync
                        ? UINT64_MAX
                        : reserved_.load(std::memory_order_relaxed) + 1,
                    std::memory_order_relaxed);
  next_outgoing_shared_.store(next_outgoing, std::memory_order_relaxed);
  wants_.fetch_or(flushes_ ? wants_reserve_flushed : wants_reserve, std::memory_order_release);
}

// The reserve is late: renews it here, unless another thread is doing it and may be slow. A number
// set by hand may exceed any reserve; that is rare and waits.
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
                                       home_->files->path(segment.number()), "J216"});
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
  // Release: a thread that sees it may use the numbers.
  reserved_.store(state->reserved_outgoing, std::memory_order_release);
  reserve_at_.store(state->reserved_outgoing - extent / 2, std::memory_order_relaxed);
  return {};
}

}  // namespace affix::inline v0::journal
