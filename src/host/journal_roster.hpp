// SPDX-License-Identifier: MIT
// A worker's journals as the preparing and flushing threads see them: sessions come and go while
// these threads work.
#pragma once

#include "affix/base/bytes.hpp"
#include "affix/journal/journal.hpp"

#include "host/flush_list.hpp"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

namespace affix::inline v0::host {

/// One session's journal, for as long as it is open.
struct RosterEntry {
  RosterEntry(journal::Journal& whose, std::int64_t interval_ns, bool is_flushed) noexcept
      : journal(whose), flush_interval_ns(interval_ns), flushes(is_flushed) {}

  journal::Journal& journal;

  /// Maximum time for which stored data may stay off the disk; 0: no flush by time.
  const std::int64_t flush_interval_ns;

  /// Its durability needs flushes.
  const bool flushes;

  /// For MarkRounds: the worker's.
  bool awaits_round = false;

  /// Of its present round; the worker writes it before it opens the round.
  journal::SettledMarks settled;

  /// Late marks when its session left.
  std::vector<journal::Position> left_late;

  /// Entry in the list of unflushed journals. Another thread writes it, so it has its own cache
  /// line.
  alignas(base::cache_line) FlushList::Entry unflushed{*this};

  /// The flushing thread's: the taken round waits for this journal's flush.
  bool in_round = false;

  /// The flushing thread's: up to where.
  journal::Position round_end;

  /// The flushing thread's: steady time at which to save its marks; 0: no need.
  std::int64_t save_at_ns = 0;
};

/// A lock for each of the two helper threads, held during disk work, so that neither waits for the
/// other. A thread that adds or removes takes both and waits for the disk; the worker never does.
class JournalRoster {
 public:
  /// Calls `also` while neither helper works.
  template <typename Also>
  void add(RosterEntry& entry, Also also) {
    const std::scoped_lock both(preparing_, flushing_);
    entries_.push_back(&entry);
    also();
  }

  /// Afterwards no helper uses the entry, if `also` has removed it from the other lists.
  template <typename Also>
  void remove(RosterEntry& entry, Also also) {
    const std::scoped_lock both(preparing_, flushing_);
    std::erase(entries_, &entry);
    also();
  }

  /// Calls `work` with every entry, for the preparing thread.
  template <typename Work>
  void prepare_each(Work work) {
    const std::lock_guard guard(preparing_);
    std::for_each(entries_.begin(), entries_.end(), [&](RosterEntry* entry) { work(*entry); });
  }

  /// Held by the flushing thread, which has its own list.
  [[nodiscard]] std::mutex& flushing() noexcept { return flushing_; }

 private:
  std::mutex preparing_;
  std::mutex flushing_;
  std::vector<RosterEntry*> entries_;  // Written under both locks, read under the first.
};

}  // namespace affix::inline v0::host
