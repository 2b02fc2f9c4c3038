// SPDX-License-Identifier: MIT
// Decides when processed marks of a worker's journals may survive a power loss: once everything
// that the worker sent before them is on the disk, in any of its journals. At the end of a turn,
// where no message is in work, the worker settles the marks so far and opens a round; the flushing
// thread brings all earlier appends to the disk, and vouches for the marks.
#pragma once

#include "affix/base/time.hpp"
#include "affix/journal/journal.hpp"
#include "affix/journal/late_marks.hpp"

#include "host/journal_roster.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace affix::inline v0::engine {

/// For one worker. The worker owns a round until it is opened, then the flushing thread until it is
/// done.
class MarkRounds {
 public:
  // --- The worker's. ---

  /// Reserves memory for that many journals.
  void reserve(std::size_t journals) {
    fresh_.reserve(journals);
    round_.reserve(journals);
    saving_.reserve(journals);
  }

  /// Adds a journal whose marks need vouching. Allocates the first time.
  void enter(host::RosterEntry& entry) {
    if (late_ == nullptr) {
      late_ = std::make_unique<journal::LateMarks>(late_marks_expected);
    }
    entry.journal.set_late_marks(late_.get());
    note(entry);
  }

  /// Call after appends, before the round that covers them is opened.
  void note(host::RosterEntry& entry) noexcept {
    if (!entry.awaits_round && entry.journal.needs_settling()) {
      entry.awaits_round = true;
      fresh_.push_back(&entry);
    }
  }

  /// Call at the end of a turn, if used. The list of unflushed journals has everything sent so far.
  /// Ends a round that is done and opens the next when there are marks to vouch for.
  [[gnu::noinline]] void end_turn() noexcept {
    if (fresh_.empty() && late_->size() == 0) {
      return;
    }
    // Acquire: pairs with the flushing thread, which is done with the round.
    if (done_.load(std::memory_order_acquire) != opened_.load(std::memory_order_relaxed)) {
      return;
    }
    late_->confirm(late_in_round_);
    late_in_round_ = late_->size();
    for (host::RosterEntry* const entry : fresh_) {
      entry->awaits_round = false;
      entry->settled = entry->journal.settle_marks();
      round_.push_back(entry);
    }
    fresh_.clear();
    if (round_.empty() && late_in_round_ == 0) {
      return;
    }
    // Release: the flushing thread sees the round, and every append before it.
    opened_.fetch_add(1, std::memory_order_release);
  }

  /// Removes a journal at a turn's end; leave() follows on the thread that closes it. Allocates.
  void depart(host::RosterEntry& entry) {
    if (late_ == nullptr) {
      return;
    }
    std::erase(fresh_, &entry);
    entry.left_late = late_->take_out(entry.journal);
    entry.journal.set_late_marks(nullptr);
  }

  [[nodiscard]] bool is_used() const noexcept { return late_ != nullptr; }

  // --- The flushing thread's: one call at a time. ---

  /// Call before taking the list of unflushed journals. True: a round was opened since, so
  /// everything in that list belongs to it.
  [[nodiscard]] bool take() noexcept {
    const std::uint64_t opened = opened_.load(std::memory_order_acquire);
    return std::exchange(taken_, opened) != opened;
  }

  /// A round is taken and not finished.
  [[nodiscard]] bool is_taken() const noexcept {
    return taken_ != done_.load(std::memory_order_relaxed);
  }

  /// A round is opened and not taken.
  [[nodiscard]] bool is_waiting() const noexcept {
    return opened_.load(std::memory_order_acquire) != taken_;
  }

  /// Everything that belongs to the taken round is on the disk.
  void finish(std::int64_t now_ns) noexcept {
    for (host::RosterEntry* const entry : round_) {
      entry->journal.vouch_for_marks(entry->settled);
      if (entry->journal.keeps_marks_to_itself() && entry->save_at_ns == 0) {
        entry->save_at_ns = now_ns + saved_after_ns;
        saving_.push_back(entry);
      }
    }
    round_.clear();
    // Release: the worker may open the next one.
    done_.store(taken_, std::memory_order_release);
  }

  /// Flushes again each journal that was vouched for and not appended to since: its vouching record
  /// is not on the disk.
  void save_due(std::int64_t now_ns) noexcept {
    const auto later = std::ranges::find_if(
        saving_, [now_ns](const host::RosterEntry* entry) { return entry->save_at_ns > now_ns; });
    for (auto at = saving_.begin(); at != later; ++at) {
      (*at)->save_at_ns = 0;
      if ((*at)->journal.keeps_marks_to_itself()) {
        // A failed flush is repeated with the next append.
        static_cast<void>((*at)->journal.flush());
      }
    }
    saving_.erase(saving_.begin(), later);
  }

  /// Steady time of the next save_due(); INT64_MAX for none.
  [[nodiscard]] std::int64_t next_save_ns() const noexcept {
    return saving_.empty() ? INT64_MAX : saving_.front()->save_at_ns;
  }

  /// Call after depart(). `all_flushed`: everything sent by then is on the disk.
  void leave(host::RosterEntry& entry, bool all_flushed) noexcept {
    std::erase(saving_, &entry);
    // While no round is open the list is the worker's, and this journal is not in it.
    if (is_taken() || is_waiting()) {
      std::erase(round_, &entry);
    }
    if (!all_flushed) {
      return;
    }
    // Its writer is gone, and all that was sent is in the journal before.
    entry.journal.vouch_for_marks(entry.journal.settle_marks());
    for (const journal::Position position : entry.left_late) {
      entry.journal.confirm_mark(position);
    }
  }

 private:
  /// Between two rounds. For applications that keep messages, and for callback threads; at millions
  /// a second, enough for a few milliseconds.
  static constexpr std::size_t late_marks_expected = 65'536;

  /// Most likely a later flush includes it.
  static constexpr std::int64_t saved_after_ns = 100 * base::ns_per_ms;

  std::unique_ptr<journal::LateMarks> late_;  // Null: no journal here needs vouching.
  std::size_t late_in_round_ = 0;
  std::vector<host::RosterEntry*> fresh_;

  std::vector<host::RosterEntry*>
      round_;  // The worker's while done_ is opened_, else the flusher's.
  std::atomic<std::uint64_t> opened_{0};
  std::atomic<std::uint64_t> done_{0};

  std::uint64_t taken_ = 0;
  std::vector<host::RosterEntry*> saving_;
};

}  // namespace affix::inline v0::engine
