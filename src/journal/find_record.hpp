// SPDX-License-Identifier: MIT
// Finding the place of a sent record: the segment by halving over checkpoints, the place in it by
// the sparse index. Private to journal.
#pragma once

#include "affix/journal/record.hpp"

#include "journal/segment.hpp"
#include "journal/segment_files.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace affix::inline v0::journal {

/// The segment from `low` to `high` in which the sent record `sequence` lies if it is stored, by
/// the checkpoints in the files' headers, which are read from the disk where they must be.
/// Checkpoints ascend from the last barrier on; a segment that is gone counts as an early one, as
/// the oldest go first.
[[nodiscard]] std::uint32_t find_segment(const SegmentFiles& files, std::uint32_t low,
                                         std::uint32_t high, std::uint64_t sequence) noexcept;

/// Says up to where bytes of the segment may be read by one who wants those from `offset` on.
using ReadableUntil = std::size_t (*)(Segment& segment, std::size_t offset) noexcept;

/// The last place of an indexed record numbered at most `sequence` and behind `barrier`, or where
/// the search must begin without one. The index is a hint: what it points at is looked at before it
/// is believed. Nothing when too little of the segment may be read to say. Its first page may.
[[nodiscard]] std::optional<std::size_t> start_in(Segment& segment, std::uint64_t sequence,
                                                  Position barrier,
                                                  ReadableUntil readable_until) noexcept;

/// Whether the record at `at` may not be looked at, because only bytes before `until` may be read
/// and it goes on behind them; `limit` is where the segment's records end at the latest.
[[nodiscard]] bool reaches_past(const Segment& segment, std::size_t at, std::size_t until,
                                std::size_t limit) noexcept;

}  // namespace affix::inline v0::journal
