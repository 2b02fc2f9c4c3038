// SPDX-License-Identifier: MIT
// Lists the segments of a journal by their first pages, so that a search starts at the part of a
// long journal that it needs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace affix::inline v0::tools::monitor {

struct SegmentFile {
  std::uint32_t number = 0;
  std::int64_t created_ns = 0;
};

/// Begun segments, by number. Reads one page each, and takes no lock. Empty if there is no such
/// directory. Omits pages that are not a segment's: the reader reports those.
[[nodiscard]] std::vector<SegmentFile> list_segment_files(const std::string& directory);

/// Offsets in a segment at which records begin, ascending, from the writer's sparse index: hints,
/// to be used once a record was read there. The first is the begin of all records.
[[nodiscard]] std::vector<std::uint32_t> read_landmarks(const std::string& directory,
                                                        std::uint32_t number);

}  // namespace affix::inline v0::tools::monitor
