// SPDX-License-Identifier: MIT
// A worker's journals as those see them who prepare and flush, on threads beside the worker's:
// sessions come and go while they are at it.
#pragma once

#include "affix/base/bytes.hpp"
#include "affix/journal/journal.hpp"

#include "engine/flush_list.hpp"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

namespace affix::inline v0::engine {

/// One session's journal, for as long as it is open.
struct RosterEntry {
  RosterEntry(journal::Journal& whose, std::int64_t interval_ns, bool is_flushed) noexcept
      : journal(whose), flush_interval_ns(interval_ns), flushes(is_flushed) {}

  journal::Journal& journal;

  /// How long what was stored may stay off the disk before it is flushed; 0 for not at all.
  const std::int64_t flush_interval_ns;

  /// It is of a durability that needs flushes.
  const bool flushes;

  /// For MarkRounds: the worker's.
  bool awaits_round = false;

  /// Of the round that it is in, written by the worker before it is opened.
  journal::SettledMarks settled;

  /// Late marks when its session went.
  std::vector<journal::Position> left_late;

  /// Its place among those with something to flush. Written by another thread, and so on a cache
  /// line of its own.
  alignas(base::cache_line) FlushList::Entry unflushed{*this};

  /// Of whoever flushes: the round that is taken waits for its flush.
  bool in_round = false;

  /// Of whoever flushes: steady time at which its marks are saved; 0: they need not be.
  std::int64_t save_at_ns = 0;
};

/// A lock for each of the two helpers, held while it is at work on the disk, so that neither waits
/// for the other. Who adds and removes takes both and so waits for the disk; the worker never does.
class JournalRoster {
 public:
  /// Calls `also` while neither is at work.
  template <typename Also>
  void add(RosterEntry& entry, Also also) {
    const std::scoped_lock both(preparing_, flushing_);
    entries_.push_back(&entry);
    also();
  }

  /// Afterwards nobody looks at it any more, when `also` has seen to the other lists.
  template <typename Also>
  void remove(RosterEntry& entry, Also also) {
    const std::scoped_lock both(preparing_, flushing_);
    std::erase(entries_, &entry);
    also();
  }

  /// Calls `work` with every entry, as the one who prepares.
  template <typename Work>
  void prepare_each(Work work) {
    const std::lock_guard guard(preparing_);
    std::for_each(entries_.begin(), entries_.end(), [&](RosterEntry* entry) { work(*entry); });
  }

  /// Held by the one who flushes, who has a list of his own.
  [[nodiscard]] std::mutex& flushing() noexcept { return flushing_; }

 private:
  std::mutex preparing_;
  std::mutex flushing_;
  std::vector<RosterEntry*> entries_;  // Written under both locks, read under the first.
};

}  // namespace affix::inline v0::engine
