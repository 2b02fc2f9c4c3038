// SPDX-License-Identifier: MIT
// Members of a journal that are not hot: its directory, and the fields that every segment header
// repeats. Private to journal.
#pragma once

#include "affix/journal/format.hpp"
#include "affix/journal/journal.hpp"

#include "journal/gate.hpp"
#include "journal/memory_ring.hpp"
#include "journal/segment.hpp"
#include "journal/segment_files.hpp"
#include "journal/spare_file.hpp"
#include "journal/summary.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace affix::inline v0::journal {

struct Journal::Home {
  std::optional<SegmentFiles> files;  ///< Empty with Durability::Memory.
  std::unique_ptr<MemoryRing> ring;   ///< Null unless Durability::Memory.
  BootId boot;
  SummaryWriter summary;      ///< Open unless Durability::Memory.
  bool numbers_lost = false;  ///< True until the event that records the loss is appended: states
                              ///< have the flag.

  std::uint32_t named_on_disk = 0;  ///< Segment whose file name survives a power loss, as its
                                    ///< reserve must be found.

  // Guarded by making_.
  std::int64_t sized_ns = 0;    ///< Steady time at which the next segment's size was last chosen.
  std::int64_t sized_from = 0;  ///< Bytes stored in the segment in use by `sized_ns`; negative:
                                ///< bytes of the segment before it still to be stored then.

  // Guarded by preparing_.
  SpareFile spare;               ///< File of an old segment, kept for reuse.
  std::uint32_t seal_at = 0;     ///< Oldest segment whose state does not yet say that it is on the
                                 ///< disk; 0: not determined yet.
  std::uint32_t writing_at = 0;  ///< Writing of the segments before it to the disk has begun.

  // Used only by the flushing thread, under flushing_.
  Segment* flushed = nullptr;        ///< Segment of durable(). One reference.
  std::size_t flushed_offset = 0;    ///< Records before this offset are on the disk.
  std::size_t released_offset = 0;   ///< Pages before this offset were given back.
  std::int64_t state_stored_ns = 0;  ///< Steady time at which its state was last stored.
  bool flush_again = false;          ///< The last flush failed.
  std::uint32_t unsealed = 0;        ///< Oldest flushed segment whose marks are not vouched for; 0:
                                     ///< none.
  std::uint64_t late_vouched = 0;    ///< Number of late marks, oldest first, that were vouched for.

  std::vector<Position> left_late;  ///< Late marks of an earlier process; for set_late_marks().

  // What every segment's header repeats, with the identity of the options.
  std::uint64_t journal_id = 0;
  std::uint32_t segment_flags = format::flag_marked;
};

}  // namespace affix::inline v0::journal
