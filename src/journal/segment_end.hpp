// SPDX-License-Identifier: MIT
// Classifies the bytes after the last record of a segment, and decides whether a killed process can
// have left them. Private to journal. docs/internals/journal.md has the table.
#pragma once

#include "affix/journal/format.hpp"

#include <cstddef>
#include <cstdint>

namespace affix::inline v0::journal {

enum class EndKind : std::uint8_t {
  Clean,        ///< The end mark and zeros.
  Unfinished,   ///< The end mark, and bytes of a record that was being copied: never committed.
  Uncommitted,  ///< A whole last record of which only the length is missing: its CRC determines it.
                ///< No kill leaves that, as both are one store.
  Unmarked,     ///< No end mark where it must be. No kill leaves that.
  Bad,          ///< Bytes that no append stores in this order.
};

struct SegmentEnd {
  EndKind kind = EndKind::Clean;
  std::size_t used_end = 0;  ///< After it everything is zero.
  std::uint32_t length = 0;  ///< EndKind::Uncommitted: the record's length.
};

/// Classifies the bytes from `offset` of segment `number` on, where no record is committed.
/// `marked`: its writer marks ends. Reads to the last non-zero byte. Safe on any bytes.
[[nodiscard]] SegmentEnd judge_segment_end(const char* base, std::size_t size, std::uint32_t number,
                                           std::size_t offset, bool marked) noexcept;

}  // namespace affix::inline v0::journal
