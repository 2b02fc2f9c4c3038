// SPDX-License-Identifier: MIT
// The flushing thread's part of a journal: writes records to the disk, segment by segment in order.
// Private to journal.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/flush_progress.hpp"
#include "affix/journal/record.hpp"
#include "affix/journal/vouched_marks.hpp"

#include "journal/segment.hpp"
#include "journal/segment_files.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>

namespace affix::inline v0::journal {

/// For one thread at a time, which holds FlushProgress::flushing(), in parallel to the writer. It
/// moves along the writer's segments, of each of which it has a reference, by Segment::following.
class Flusher {
 public:
  /// `vouched` is null if every mark in the file counts. `keeps_messages` is false if segments that
  /// hold only numbers are removed when they are flushed.
  Flusher(const SegmentFiles& files, FlushProgress& progress, VouchedMarks* vouched,
          bool keeps_messages) noexcept
      : files_(files), progress_(progress), vouched_(vouched), keeps_messages_(keeps_messages) {}

  Flusher(const Flusher&) = delete;
  Flusher& operator=(const Flusher&) = delete;
  ~Flusher();

  /// Begins in `segment`, whose records before `end` are on the disk.
  void begin_in(Segment& segment, std::size_t end) noexcept;

  /// Segment `number`, flushed, is to be sealed by seal_vouched(). Before begin_in(), descending.
  void leave_unsealed(std::uint32_t number) noexcept { unsealed_ = number; }

  /// True if flushed segments are not sealed yet.
  [[nodiscard]] bool has_unsealed() const noexcept { return unsealed_ != 0; }

  /// The segment of the oldest record that is not flushed.
  [[nodiscard]] Segment& segment() const noexcept { return *segment_; }

  /// Flushes all records before `end`, and seals the segments that end before.
  [[nodiscard]] std::expected<void, base::Error> flush_to(Position end);

  /// Does the same, but for some megabytes of records at most, the oldest. True: all are flushed.
  [[nodiscard]] std::expected<bool, base::Error> flush_piece(Position end);

  /// Seals flushed segments whose marks are vouched for by now.
  [[nodiscard]] std::expected<void, base::Error> seal_vouched();

  /// After a failure, the next flush_to() writes the same bytes again.
  void note_result(bool flushed) noexcept { again_ = !flushed; }

 private:
  using Result = std::expected<void, base::Error>;

  [[nodiscard]] std::size_t piece_end(std::size_t end, std::size_t bytes) const noexcept;
  [[nodiscard]] Result flush_range(std::size_t end);
  [[nodiscard]] Result finish(Segment& following);
  void carry_reserve(Segment& following) noexcept;
  [[nodiscard]] Result say_left();
  [[nodiscard]] Result seal();
  [[nodiscard]] Result bring_begin(Segment& segment);
  [[nodiscard]] Result store_vouched();
  void say_vouched() noexcept;
  [[nodiscard]] std::size_t vouched_offset(const Segment& segment,
                                           std::size_t flushed) const noexcept;
  void enter(Segment& segment) noexcept;

  const SegmentFiles& files_;
  FlushProgress& progress_;
  VouchedMarks* const vouched_;
  const bool keeps_messages_;
  bool again_ = false;                // The last flush failed.
  std::uint32_t unsealed_ = 0;        // Oldest flushed segment that is not sealed; 0: none.
  Segment* segment_ = nullptr;        // One reference.
  std::size_t flushed_offset_ = 0;    // Records before this offset are on the disk.
  std::size_t released_offset_ = 0;   // Pages before this offset were given back.
  std::int64_t state_stored_ns_ = 0;  // Steady time at which its state was last stored.
};

}  // namespace affix::inline v0::journal
