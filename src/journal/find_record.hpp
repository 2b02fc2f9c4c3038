// SPDX-License-Identifier: MIT
// Finds the position of a sent record: the segment by binary search in checkpoints, the position in
// it by the sparse index. Private to journal.
#pragma once

#include "affix/journal/record.hpp"

#include "journal/segment.hpp"
#include "journal/segment_files.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>

namespace affix::inline v0::journal {

/// The segment from `low` to `high` that contains the sent record `sequence` if it is stored,
/// according to the checkpoints in the files' headers, read from the disk if necessary. Checkpoints
/// ascend from the last barrier on; a missing segment counts as an early one, as the oldest are
/// removed first. An errno if a file that exists cannot be read: no segment may be skipped then.
[[nodiscard]] std::expected<std::uint32_t, int> find_segment(const SegmentFiles& files,
                                                             std::uint32_t low, std::uint32_t high,
                                                             std::uint64_t sequence) noexcept;

/// Returns the end of the segment's readable bytes for a reader that needs those from `offset` on.
using ReadableUntil = std::size_t (*)(Segment& segment, std::size_t offset) noexcept;

/// The last indexed record numbered at most `sequence` and after `barrier`, or the start of the
/// search if there is none. The index is a hint: its target is checked before use. Nullopt when too
/// little of the segment may be read to decide. Its first page may be read.
[[nodiscard]] std::optional<std::size_t> start_in(Segment& segment, std::uint64_t sequence,
                                                  Position barrier,
                                                  ReadableUntil readable_until) noexcept;

/// True if the record at `at` must not be read, because only bytes before `until` are readable and
/// it extends beyond them; `limit` is the latest end of the segment's records.
[[nodiscard]] bool reaches_past(const Segment& segment, std::size_t at, std::size_t until,
                                std::size_t limit) noexcept;

}  // namespace affix::inline v0::journal
