// SPDX-License-Identifier: MIT
// The part of a journal that its replays read. Private to journal.
#pragma once

#include "affix/journal/mapped_segments.hpp"
#include "affix/journal/read_ahead_queue.hpp"

#include "journal/segment_files.hpp"

#include <optional>

namespace affix::inline v0::journal {

/// Outlives the journal's replays. For the writer thread.
struct ReplaySource {
  const MappedSegments& mapped;
  const std::optional<SegmentFiles>& files;  ///< Empty with Durability::Memory.
  ReadAheadQueue& asked;                     ///< For replays with ColdPages::Await.
};

}  // namespace affix::inline v0::journal
