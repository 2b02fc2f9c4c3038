// SPDX-License-Identifier: MIT
// Members of a journal that are not hot: its directory, and the fields that every segment header
// repeats. Private to journal.
#pragma once

#include "affix/journal/format.hpp"
#include "affix/journal/mapped_segments.hpp"
#include "affix/journal/read_ahead_queue.hpp"
#include "affix/journal/record.hpp"

#include "journal/flusher.hpp"
#include "journal/memory_ring.hpp"
#include "journal/replay_source.hpp"
#include "journal/retention.hpp"
#include "journal/sealer.hpp"
#include "journal/segment.hpp"
#include "journal/segment_files.hpp"
#include "journal/segment_size.hpp"
#include "journal/spare_file.hpp"
#include "journal/summary.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace affix::inline v0::journal {

/// Outlives the journal's replays.
struct Home {
  /// `mapped` and `asked` are the journal's, and outlive it.
  Home(const MappedSegments& mapped, ReadAheadQueue& asked) noexcept
      : replays{mapped, files, asked} {}

  std::optional<SegmentFiles> files;  ///< Empty with Durability::Memory.
  std::unique_ptr<MemoryRing> ring;   ///< Null unless Durability::Memory.
  BootId boot;
  SummaryWriter summary;      ///< Open unless Durability::Memory.
  bool numbers_lost = false;  ///< True until the event that records the loss is appended: states
                              ///< have the flag.

  std::uint32_t named_on_disk = 0;  ///< Segment whose file name survives a power loss, as its
                                    ///< reserve must be found.

  // Guarded by the gate of making.
  SegmentSizing sizing;

  // Guarded by the gate of preparing.
  SpareFile spare;         ///< File of an old segment, kept for reuse.
  Position kept_writable;  ///< End of the records at the last Journal::keep_writable().
  Sealer sealer;
  Retention retention;

  SegmentHandle compared;  ///< Of a copy: an unmapped segment, whose records came again.

  ReplaySource replays;
  std::optional<Flusher> flusher;  ///< With flushes, once the segment in use is known.

  std::vector<Position> left_late;  ///< Late marks of an earlier process; for set_late_marks().

  // Fields that every segment's header repeats, with the identity of the options.
  std::uint64_t journal_id = 0;
  std::uint32_t segment_flags = format::flag_marked;
};

}  // namespace affix::inline v0::journal
