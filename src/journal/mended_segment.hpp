// SPDX-License-Identifier: MIT
// One segment being mended, as a copy of its file in memory: what can be stored in it besides what
// it holds. Private to journal.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/format.hpp"
#include "affix/journal/repair.hpp"

#include <cstdint>
#include <expected>
#include <string>

namespace affix::inline v0::journal {

class MendedSegment {
 public:
  /// `path` need not be there; the segment is gone then, and `bytes` empty.
  MendedSegment(std::uint32_t number, std::string path);

  /// Its file's bytes, none when it is gone. Io, Denied, NoSpace.
  [[nodiscard]] std::expected<void, base::Error> read();

  /// A sentence of what is lost. The segment is to be written anew.
  void lose(std::string text);

  /// As long as it must be for `header`, with that as its header; its magic and CRC are filled in.
  void put_header(format::Header header);

  /// A record of exactly `size` bytes, a multiple of 8, that sets both numbers: `text` is filled up
  /// with spaces or cut to fit.
  void put_event(std::uint32_t offset, std::uint32_t size, std::uint64_t next_outgoing,
                 std::uint64_t next_expected, std::int64_t utc_ns, std::string text);

  /// In the older slot. What was lost may have been seen: no flags.
  void put_state(format::State state);

  /// Nothing behind `end` but the end mark, and where the segment says that it was left, it says
  /// so there.
  void end_at(std::uint32_t end);

  /// It is the one to go on in.
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
