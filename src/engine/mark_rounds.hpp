// SPDX-License-Identifier: MIT
// When the processed marks of a worker's journals may outlive a power loss: once everything that
// was sent on the worker before them is on the disk, in whichever journal. At the end of a turn,
// where no message is at hand, the worker settles the marks set so far and opens a round; whoever
// flushes brings what was appended until then to the disk, and vouches for them.
#pragma once

#include "affix/base/time.hpp"
#include "affix/journal/journal.hpp"
#include "affix/journal/late_marks.hpp"

#include "engine/journal_roster.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace affix::inline v0::engine {

/// Of one worker. A round is the worker's until it is opened, and whoever flushes has it until it
/// is done.
class MarkRounds {
 public:
  // --- The worker's. ---

  /// Room for so many journals.
  void reserve(std::size_t journals) {
    fresh_.reserve(journals);
    round_.reserve(journals);
    saving_.reserve(journals);
  }

  /// A journal whose marks need vouching comes. Allocates the first time.
  void enter(RosterEntry& entry) {
    if (late_ == nullptr) {
      late_ = std::make_unique<journal::LateMarks>(late_marks_max);
    }
    entry.journal.set_late_marks(late_.get());
    note(entry);
  }

  /// Behind appends: before the round is opened that is to cover them.
  void note(RosterEntry& entry) noexcept {
    if (!entry.awaits_round && entry.journal.needs_settling()) {
      entry.awaits_round = true;
      fresh_.push_back(&entry);
    }
  }

  /// Once it is used. Nothing that was sent is missing in the list of what is to be flushed. Ends a
  /// round that is done and opens the next one when there is something to vouch for.
  [[gnu::noinline]] void end_turn() noexcept {
    if (fresh_.empty() && late_->size() == 0) {
      return;
    }
    // Acquire: pairs with whoever flushed, who is done with the round.
    if (done_.load(std::memory_order_acquire) != opened_.load(std::memory_order_relaxed)) {
      return;
    }
    late_->confirm(late_in_round_);
    late_in_round_ = late_->size();
    for (RosterEntry* const entry : fresh_) {
      entry->awaits_round = false;
      entry->settled = entry->journal.settle_marks();
      round_.push_back(entry);
    }
    fresh_.clear();
    if (round_.empty() && late_in_round_ == 0) {
      return;
    }
    // Release: whoever flushes sees the round, and every append before it.
    opened_.fetch_add(1, std::memory_order_release);
  }

  /// A journal goes, at the end of a turn; leave() follows on the thread that closes it. Allocates.
  void depart(RosterEntry& entry) {
    if (late_ == nullptr) {
      return;
    }
    std::erase(fresh_, &entry);
    entry.left_late = late_->take_out(entry.journal);
    entry.journal.set_late_marks(nullptr);
  }

  [[nodiscard]] bool is_used() const noexcept { return late_ != nullptr; }

  // --- Of whoever flushes, one at a time. ---

  /// Before the list of what is to be flushed is taken. True: a round was opened since, so that
  /// whatever is in that list then belongs to it.
  [[nodiscard]] bool take() noexcept {
    const std::uint64_t opened = opened_.load(std::memory_order_acquire);
    return std::exchange(taken_, opened) != opened;
  }

  /// A round was taken and is not finished.
  [[nodiscard]] bool is_taken() const noexcept {
    return taken_ != done_.load(std::memory_order_relaxed);
  }

  /// A round was opened that is not taken.
  [[nodiscard]] bool is_waiting() const noexcept {
    return opened_.load(std::memory_order_acquire) != taken_;
  }

  /// All that belongs to the round that was taken is on the disk.
  void finish(std::int64_t now_ns) noexcept {
    for (RosterEntry* const entry : round_) {
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

  /// Flushes journals once more that were vouched for and not appended to since: what was said of
  /// their marks is not on the disk.
  void save_due(std::int64_t now_ns) noexcept {
    const auto later = std::ranges::find_if(
        saving_, [now_ns](const RosterEntry* entry) { return entry->save_at_ns > now_ns; });
    for (auto at = saving_.begin(); at != later; ++at) {
      (*at)->save_at_ns = 0;
      if ((*at)->journal.keeps_marks_to_itself()) {
        // A flush that fails is tried again for what is appended next.
        static_cast<void>((*at)->journal.flush());
      }
    }
    saving_.erase(saving_.begin(), later);
  }

  /// Steady time of the next save_due(); INT64_MAX for none.
  [[nodiscard]] std::int64_t next_save_ns() const noexcept {
    return saving_.empty() ? INT64_MAX : saving_.front()->save_at_ns;
  }

  /// Behind depart(). `all_flushed`: everything that the worker had sent by then is on the disk.
  void leave(RosterEntry& entry, bool all_flushed) noexcept {
    std::erase(saving_, &entry);
    // While no round is open the list is the worker's, and this journal is not in it.
    if (is_taken() || is_waiting()) {
      std::erase(round_, &entry);
    }
    if (!all_flushed) {
      return;
    }
    // Its writer is gone, and all that it had sent lies before.
    entry.journal.vouch_for_marks(entry.journal.settle_marks());
    for (const journal::Position position : entry.left_late) {
      entry.journal.confirm_mark(position);
    }
  }

 private:
  /// Between two rounds. Those of an application that keeps messages, and of callback threads; at
  /// millions a second, those of a few milliseconds.
  static constexpr std::size_t late_marks_max = 65'536;

  /// Most likely a later flush takes it along.
  static constexpr std::int64_t saved_after_ns = 100 * base::ns_per_ms;

  std::unique_ptr<journal::LateMarks> late_;  // Null: no journal here needs vouching.
  std::size_t late_in_round_ = 0;
  std::vector<RosterEntry*> fresh_;

  std::vector<RosterEntry*> round_;  // Of the worker while done_ is opened_, else of who flushes.
  std::atomic<std::uint64_t> opened_{0};
  std::atomic<std::uint64_t> done_{0};

  std::uint64_t taken_ = 0;
  std::vector<RosterEntry*> saving_;
};

}  // namespace affix::inline v0::engine
