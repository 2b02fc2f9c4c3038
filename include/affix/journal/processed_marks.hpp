// SPDX-License-Identifier: MIT
// The writer's count of the received records of a journal that are not processed, and of the marks
// of those that are. A private part of Journal, which stores the marks.
#pragma once

#include "affix/journal/format.hpp"
#include "affix/journal/record.hpp"
#include "affix/journal/segment_counts.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace affix::inline v0::journal {

/// The extent to which a journal's marks were settled, for vouch_for_marks().
struct SettledMarks {
  Position before;         ///< Settled up to here; some records before it may be unmarked.
  bool changed = false;    ///< A mark may have been set since the previous settle_marks().
  std::uint64_t late = 0;  ///< Late marks of the journal so far.
};

/// Which marks a journal keeps.
enum class Marking : std::uint8_t {
  None,     ///< None: there is no file to set them in, or not any more.
  Final,    ///< All count once they are in the file.
  Vouched,  ///< After a power loss only those count that were vouched for: MarkTrust::Vouched.
};

/// For the writer thread only, but vouched().
class ProcessedMarks {
 public:
  explicit ProcessedMarks(Marking marking) noexcept : marking_(marking) {}

  [[nodiscard]] bool kept() const noexcept { return marking_ != Marking::None; }

  /// Any thread, but for stop().
  [[nodiscard]] bool vouched() const noexcept { return marking_ == Marking::Vouched; }

  /// No mark is set any more.
  void stop() noexcept { marking_ = Marking::None; }

  // --- Records that are not processed. ---

  [[nodiscard]] std::uint64_t unprocessed() const noexcept { return unprocessed_.total(); }

  /// A position at or before the oldest; invalid if there is none.
  [[nodiscard]] Position oldest_unprocessed() const noexcept { return oldest_; }

  /// Counts a record that was appended at `position`.
  void add(Position position) noexcept {
    changed_ = true;
    if (unprocessed_.total() == 0) {
      oldest_ = position;
    }
    unprocessed_.add(position.segment);
  }

  /// Counts the record at `position` as processed. True: the oldest is a later one now, and the
  /// caller must find it for move_oldest_to(), from oldest_bound() on.
  [[nodiscard]] bool remove(Position position) noexcept;

  /// The mark of the record at `position` was taken back.
  void take_back(Position position) noexcept {
    changed_ = true;
    oldest_ = unprocessed_.total() == 0 ? position : std::min(oldest_, position);
    unprocessed_.add(position.segment);
  }

  /// A position at or before the oldest, by the counts too: of a segment that is not mapped any
  /// more nobody looks at the records. Only while there are unprocessed records.
  [[nodiscard]] Position oldest_bound() const noexcept;

  void move_oldest_to(Position position) noexcept { oldest_ = position; }

  /// Begins with the `unprocessed` records of an earlier process.
  void resume(const SegmentCounts& unprocessed, Position oldest) noexcept {
    unprocessed_ = unprocessed;
    oldest_ = oldest;
  }

  // --- Marks that survive a power loss. ---

  /// The mark for the record at `position`.
  [[nodiscard]] format::Mark mark_for(Position position) const noexcept {
    if (!vouched()) {
      return format::Mark::Final;
    }
    return position < settled_ ? format::Mark::Late : format::Mark::Ordered;
  }

  /// True if vouched() and records were appended since settle(), before `end`.
  [[nodiscard]] bool need_settling(Position end) const noexcept {
    return vouched() && end != settled_;
  }

  /// Makes marks before `end` late from now on.
  SettledMarks settle(Position end) noexcept;

  /// Does so before the oldest unprocessed record only, but never less than before.
  SettledMarks settle_processed(Position end) noexcept;

  /// Future marks before it are late.
  [[nodiscard]] Position settled() const noexcept { return settled_; }

  /// Begins with `settled`, as opening found it.
  void resume_settled(Position settled) noexcept {
    settled_ = settled;
    changed_ = true;
  }

  /// A late mark was set.
  void add_late(Position position) noexcept;

  /// Begins with the late marks of an earlier process.
  void resume_late(std::span<const Position> late) noexcept;

  /// The late mark for the record at `position` is final.
  void confirm_late(Position position) noexcept { late_.remove(position.segment); }

  /// True if late marks are unconfirmed.
  [[nodiscard]] bool any_late() const noexcept { return late_.total() != 0; }

  /// Late marks so far, confirmed or not.
  [[nodiscard]] std::uint64_t late_set() const noexcept { return late_set_; }

  /// Start of the search for unprocessed records, after a power loss too; invalid if there are
  /// none.
  [[nodiscard]] Position checkpoint() const noexcept;

 private:
  Position oldest_;
  bool changed_ = false;  // Since settle(), possibly.
  Marking marking_;
  Position settled_;
  Position late_from_;  // At or before the oldest late mark since there was none unconfirmed.
  std::uint64_t late_set_ = 0;

  // Last: of their ranges a journal mostly uses one.
  SegmentCounts unprocessed_;
  SegmentCounts late_;  // Unconfirmed late marks.
};

}  // namespace affix::inline v0::journal
