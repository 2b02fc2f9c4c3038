// SPDX-License-Identifier: MIT
// What lies behind the last record of a segment, and whether a killed process can have left it
// there. Private to journal. docs/internals/journal.md has the table.
#pragma once

#include "affix/journal/format.hpp"

#include <cstddef>
#include <cstdint>

namespace affix::inline v0::journal {

enum class EndKind : std::uint8_t {
  Clean,        ///< The end mark and zeros.
  Unfinished,   ///< The end mark, and bytes of a record that was being copied: never committed.
  Uncommitted,  ///< A whole last record whose length alone is gone: its CRC says what that was. No
                ///< kill leaves that, as both are one store.
  Unmarked,     ///< Nothing where the end mark must be. No kill leaves that.
  Bad,          ///< Bytes that no append stores in this order.
};

struct SegmentEnd {
  EndKind kind = EndKind::Clean;
  std::size_t used_end = 0;  ///< Behind it all is zero.
  std::uint32_t length = 0;  ///< EndKind::Uncommitted: what the record's length is.
};

/// Judges what is at and behind `offset` of segment `number`, where no record is committed.
/// `marked`: its writer marks ends. Reads to the end of what is not zero. Safe on any bytes.
[[nodiscard]] SegmentEnd judge_segment_end(const char* base, std::size_t size, std::uint32_t number,
                                           std::size_t offset, bool marked) noexcept;

}  // namespace affix::inline v0::journal
