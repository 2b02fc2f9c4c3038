// SPDX-License-Identifier: MIT
// The segments of a journal by what their first page says, so that a search goes straight to the
// part of a long journal that it needs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace affix::inline v0::tools::monitor {

struct SegmentFile {
  std::uint32_t number = 0;
  std::int64_t created_ns = 0;
};

/// Those that are begun, by number. Reads one page each, and takes no lock. Empty when there is no
/// such directory. A page that is no segment's is left out: the reader will say what is wrong.
[[nodiscard]] std::vector<SegmentFile> list_segment_files(const std::string& directory);

/// Offsets in a segment at which records begin, ascending, from the writer's sparse index: hints,
/// to be believed once a record was read there. The first is where all records begin.
[[nodiscard]] std::vector<std::uint32_t> read_landmarks(const std::string& directory,
                                                        std::uint32_t number);

}  // namespace affix::inline v0::tools::monitor
