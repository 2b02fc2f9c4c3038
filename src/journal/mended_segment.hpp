// SPDX-License-Identifier: MIT
// A segment under repair, as a copy of its file in memory, and the changes that can be made to it.
// Private to journal.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/format.hpp"
#include "affix/journal/repaired_segment.hpp"

#include <cstdint>
#include <expected>
#include <string>

namespace affix::inline v0::journal {

class MendedSegment {
 public:
  /// The file at `path` may be missing; then the segment is gone, and `bytes` empty.
  MendedSegment(std::uint32_t number, std::string path);

  /// Reads its file's bytes, none when it is gone. Io, Denied, NoSpace.
  [[nodiscard]] std::expected<void, base::Error> read();

  /// Adds a sentence about a loss. The segment must be written again.
  void lose(std::string text, base::MessageCode code = "J219");

  /// Sets the header and fills in magic and CRC; extends the bytes to the length that it needs.
  void put_header(format::Header header);

  /// Adds a record of exactly `size` bytes, a multiple of 8, that sets both numbers: `text` is
  /// padded with spaces or cut to fit.
  void put_event(std::uint32_t offset, std::uint32_t size, std::uint64_t next_outgoing,
                 std::uint64_t next_expected, std::uint32_t unsent, std::int64_t utc_ns,
                 std::string text);

  /// Writes the older slot. The peer may have seen lost messages: no flags.
  void put_state(format::State state);

  /// Clears everything after `end` except for the end mark, and sets the recorded end if the
  /// segment has one.
  void end_at(std::uint32_t end);

  /// Makes it the segment that the writer continues in.
  void clear_left();

  /// Sparse index entries that led between `from` and `to` would only cost a search.
  void forget_index_entries(std::uint32_t from, std::uint32_t to);

  /// Beside the old file, which is kept under another name, then in its place. Io, Denied, NoSpace.
  [[nodiscard]] std::expected<void, base::Error> write();

  std::uint32_t number = 0;
  std::string path;
  std::string bytes;
  bool gone = false;         ///< There is no file.
  bool header_made = false;  ///< Its header is not the writer's.
  bool changed = false;
  RepairedSegment report;
};

}  // namespace affix::inline v0::journal
