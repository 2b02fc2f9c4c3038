// SPDX-License-Identifier: MIT
// Stores the reserve of outgoing numbers. Numbers beyond the reserve are never used: after a power
// loss the session continues after it, and the peer has seen none of those.
#include "affix/base/time.hpp"
#include "affix/journal/journal.hpp"

#include "journal/gate.hpp"
#include "journal/home.hpp"
#include "journal/stall.hpp"

#include <algorithm>
#include <optional>
#include <time.h>

namespace affix::inline v0::journal {

namespace {

/// Looks of an append at the thread that renews the reserve, or that has other work on the disk
/// before it, with a pause after each: half a second at least. They are counted, since the clock
/// also goes on while the whole process is stopped.
constexpr int looks_max = 10'000;
constexpr timespec pause{.tv_sec = 0, .tv_nsec = 50 * base::ns_per_us};

}  // namespace

// The outgoing number is about to become `next_outgoing`. False: it must not yet.
bool Journal::reserve(std::uint64_t next_outgoing) noexcept {
  if (halted_.load(std::memory_order_relaxed) != 0) {
    return true;  // The append reports why not.
  }
  const bool reserved = reserve_.covers(next_outgoing);
  const Work work = flushes() ? Work::FlushedReserve : Work::Reserve;
  if (reserve_.is_reached_by(next_outgoing)) {
    reserve_.ask(next_outgoing, disk().now().steady_ns);
    requests_.request(work);
  }
  if (reserved || reserve_.may_be_late() || reserve_now(next_outgoing)) {
    return true;
  }
  // The refusal lasts until it is renewed, and the request of before may have been taken meanwhile.
  requests_.request(work);
  return false;
}

// The reserve is late: renews it here, after the other thread's work if that is in progress. A
// thread on a busy core comes late, and a refusal would end the session; a disk that is stuck must
// not stop the other sessions of the worker for ever. A number set by hand may exceed any reserve;
// that is rare and waits.
bool Journal::reserve_now(std::uint64_t next_outgoing) noexcept {
  std::atomic_flag& busy = flushes() ? progress_.flushing() : handover_.preparing();
  const bool jumps = next_outgoing > next_outgoing_ + 1;
  if (!jumps && reserve_.failed()) {
    return false;
  }
  const Stall stall(stalls_.watch);
  for (int looks = 0; !Gate::try_take(busy); ++looks) {
    if (!jumps && looks == looks_max) {
      reserve_.note_failed();  // Later appends do not wait for it again.
      return false;
    }
    // The thread that holds it may need this processor.
    static_cast<void>(::nanosleep(&pause, nullptr));
    if (reserve_.covers(next_outgoing)) {
      return true;  // It has other work now.
    }
  }
  const Gate gate(Taken{busy});
  if (reserve_.covers(next_outgoing)) {
    return true;
  }
  ++stalls_.count;
  reserve_.begin_renewal_at(next_outgoing);
  return renew_reserve(flushes() ? home_->flusher->segment() : current_segment()).has_value();
}

std::expected<void, base::Error> Journal::renew_reserve(Segment& segment) {
  std::optional<format::State> state = segment.state();
  if (!state) {
    return std::unexpected(base::Error{base::ErrorCode::Damaged,
                                       "the segment's states were overwritten",
                                       home_->files->path(segment.number()), "J216"});
  }
  NumberReserve::Renewal renewal = reserve_.renewal();
  renewal.reserved = std::max(renewal.reserved, state->reserved_outgoing);
  state->reserved_outgoing = renewal.reserved;
  segment.set_state(*state);
  std::expected<void, base::Error> synced =
      segment.sync(0, format::records_offset, home_->files->path(segment.number()));
  if (synced && home_->named_on_disk != segment.number()) {
    synced = home_->files->sync_directory();
    home_->named_on_disk = synced ? segment.number() : 0;
  }
  if (!synced) {
    reserve_.note_failed();
    return synced;
  }
  home_->summary.note_reserve(renewal.reserved);
  reserve_.note_stored(renewal);
  return {};
}

}  // namespace affix::inline v0::journal
