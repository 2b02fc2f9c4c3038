// SPDX-License-Identifier: MIT
// Prepares, reads and flushes a worker's journals, on helper threads or between its turns.
#include "engine/journal_keeper.hpp"

#include <algorithm>
#include <mutex>
#include <thread>
#include <utility>

namespace affix::inline v0::engine {

namespace {

/// Intervals after the last flush of a group journal in which each interval is checked; then the
/// flushing thread rests until it is woken.
constexpr std::int64_t flush_intervals_active = 10;

/// Between two attempts to flush a journal whose disk is full.
constexpr std::int64_t disk_pause_ns = 100 * base::ns_per_ms;

}  // namespace

void JournalKeeper::open(net::Reactor& reactor, std::size_t journals) {
  reactor_ = &reactor;
  due_.reserve(journals);
  rounds_.reserve(journals);
}

// --- Coming and going ---

void JournalKeeper::enter(host::RosterEntry& entry) {
  roster_.add(entry, [this, &entry] {
    if (const std::int64_t interval_ns = entry.flush_interval_ns; interval_ns != 0) {
      interval_ns_ = interval_ns_ == 0 ? interval_ns : std::min(interval_ns_, interval_ns);
    } else if (entry.flushes) {
      awaits_flushes_.store(true, std::memory_order_relaxed);
    }
  });
}

void JournalKeeper::leave(host::RosterEntry& entry) {
  roster_.remove(entry, [this, &entry] {
    const bool all_flushed = rounds_.is_used() && entry.flushes && flush_all();
    take_unflushed();
    std::erase(due_, &entry);
    if (std::exchange(entry.in_round, false)) {
      --round_left_;
    }
    rounds_.leave(entry, all_flushed);
  });
}

void JournalKeeper::close(std::span<host::RosterEntry* const> entries) noexcept {
  if (!rounds_.is_used()) {
    return;
  }
  const std::lock_guard guard(roster_.flushing());
  for (host::RosterEntry* const entry : entries) {
    note_append(*entry);
  }
  const bool all_flushed = flush_all();
  for (host::RosterEntry* const entry : entries) {
    if (entry->flushes) {
      rounds_.depart(*entry);
      rounds_.leave(*entry, all_flushed);
    }
  }
}

// --- The worker's turn ---

void JournalKeeper::list(host::RosterEntry& entry) noexcept {
  rounds_.note(entry);
  if (!entry.journal.needs_flush() || !unflushed_.add(entry.unflushed)) {
    return;
  }
  // A sync session's own wait wakes; its received messages follow then, or a second later.
  if (entry.flush_interval_ns != 0 && unflushed_.is_resting()) {
    wake_flusher();
  }
}

void JournalKeeper::wake_flusher() noexcept {
  if (net::Waker* const waker = flush_waker_.load(std::memory_order_acquire)) {
    waker->wake();
  }
}

void JournalKeeper::on_pages_read() noexcept {
  // Before the wake: the woken thread looks at it.
  pages_came_.raise();
  reactor_->waker().wake();
}

bool JournalKeeper::take_preparation_request(std::int64_t now_ns, bool urgent) noexcept {
  if (requests_.take_keep_writable(now_ns)) {
    keep_writable_.raise();
  }
  return requests_.take(now_ns, urgent, preparation_failed_.load(std::memory_order_relaxed));
}

// --- Helper threads ---

bool JournalKeeper::prepare() noexcept {
  preparations_.fetch_add(1, std::memory_order_relaxed);
  bool did = false;
  roster_.prepare_each(
      [&did](host::RosterEntry& entry) { did = entry.journal.read_ahead() || did; });
  if (did) {
    on_pages_read();
  }
  bool failed = false;
  const bool keeps_writable = keep_writable_.take();
  roster_.prepare_each([&](host::RosterEntry& entry) {
    bool worked = keeps_writable && entry.journal.keep_writable();
    if (entry.journal.needs_preparation()) {
      const bool prepared = entry.journal.prepare().has_value();
      did = did || prepared;
      failed = failed || !prepared;
      worked = true;
    }
    if (worked) {
      // A worker woken on this processor meanwhile has waited long enough: the system would let
      // this thread go on for milliseconds.
      std::this_thread::yield();
    }
  });
  preparation_failed_.store(failed, std::memory_order_relaxed);
  preparations_.fetch_add(1, std::memory_order_relaxed);
  return did;
}

bool JournalKeeper::flush() noexcept {
  std::unique_lock guard(roster_.flushing(), std::try_to_lock);
  if (!guard.owns_lock()) {
    return false;  // Another thread does it already.
  }
  const std::int64_t now_ns = reactor_->now().steady_ns;
  take_round();
  rounds_.save_due(now_ns);
  bool flushed = false;
  bool failed = false;
  std::erase_if(due_, [&](host::RosterEntry* entry) {
    if (entry->unflushed.not_before_ns > now_ns) {
      return false;
    }
    flushed = true;
    host::FlushList::begin(entry->unflushed);
    const std::expected<bool, base::Error> all = entry->journal.flush_some();
    note_flush(*entry, now_ns, all);
    failed = failed || !all;
    // It goes on or is tried again, unless the worker has added it again meanwhile.
    return (all && *all) || !unflushed_.keep(entry->unflushed);
  });
  finish_round(now_ns);
  retry_ns_.store(next_retry_ns(), std::memory_order_relaxed);
  if (flushed) {
    active_until_ns_ = now_ns + flush_intervals_active * interval_ns_;
  }
  guard.unlock();
  if (failed) {
    flush_failed_.raise();
  }
  if (flushed) {
    // Before the wake: the woken thread looks at it.
    flushed_.raise();
    reactor_->waker().wake();
  }
  return flushed;
}

// Entries listed now were appended before the round was opened, or belong to it all the same.
void JournalKeeper::take_round() {
  const bool opened = rounds_.take();
  take_unflushed();
  if (opened) {
    for (host::RosterEntry* const entry : due_) {
      entry->in_round = true;
      entry->round_end = entry->journal.stored();
    }
    round_left_ = due_.size();
  }
}

void JournalKeeper::finish_round(std::int64_t now_ns) noexcept {
  if (rounds_.is_taken() && round_left_ == 0) {
    rounds_.finish(now_ns);
  }
}

void JournalKeeper::take_unflushed() {
  for (host::FlushList::Entry* entry = unflushed_.take(); entry != nullptr; entry = entry->next) {
    due_.push_back(entry->owner);
  }
}

// `all`: of its records, or an error.
void JournalKeeper::note_flush(host::RosterEntry& entry, std::int64_t now_ns,
                               const std::expected<bool, base::Error>& all) noexcept {
  const std::int64_t pause_ns = !all ? disk_pause_ns : *all ? entry.flush_interval_ns : 0;
  entry.unflushed.not_before_ns = now_ns + pause_ns;
  if (all && entry.in_round && !(entry.journal.durable() < entry.round_end)) {
    entry.in_round = false;
    --round_left_;
  }
}

// Flushes everything that the worker has sent so far, due or not.
bool JournalKeeper::flush_all() noexcept {
  take_round();
  const std::int64_t now_ns = reactor_->now().steady_ns;
  std::erase_if(due_, [&](host::RosterEntry* entry) {
    host::FlushList::begin(entry->unflushed);
    const std::expected<void, base::Error> flushed = entry->journal.flush();
    note_flush(*entry, now_ns,
               flushed ? std::expected<bool, base::Error>(true) : std::unexpected(flushed.error()));
    return flushed || !unflushed_.keep(entry->unflushed);
  });
  const bool all = due_.empty();
  finish_round(now_ns);
  retry_ns_.store(next_retry_ns(), std::memory_order_relaxed);
  return all;
}

std::int64_t JournalKeeper::next_retry_ns() const noexcept {
  std::int64_t nearest_ns = never_ns;
  for (const host::RosterEntry* entry : due_) {
    nearest_ns = std::min(nearest_ns, entry->unflushed.not_before_ns);
  }
  return nearest_ns;
}

std::int64_t JournalKeeper::flush_pause_ns() noexcept {
  const std::lock_guard guard(roster_.flushing());
  const std::int64_t now_ns = reactor_->now().steady_ns;
  const std::int64_t retry_ns = next_retry_ns();
  std::int64_t pause_ns =
      retry_ns == never_ns ? never_ns : std::max<std::int64_t>(retry_ns - now_ns, 0);
  // While there is work, a look at each interval saves the worker the system call for waking.
  if (interval_ns_ != 0 && now_ns < active_until_ns_) {
    pause_ns = std::min(pause_ns, interval_ns_);
  }
  if (rounds_.is_waiting()) {
    return 0;
  }
  // Also while a journal waits for its own, longer interval or for its failed disk: until then only
  // a wake tells of the others.
  if (pause_ns > interval_ns_ && !unflushed_.rest()) {
    return 0;
  }
  const std::int64_t save_ns = rounds_.next_save_ns();
  return save_ns == INT64_MAX ? pause_ns
                              : std::min(pause_ns, std::max<std::int64_t>(save_ns - now_ns, 0));
}

}  // namespace affix::inline v0::engine
