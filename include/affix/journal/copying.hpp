// SPDX-License-Identifier: MIT
// Copies of a journal in other directories: makes an empty one, cuts one back, and reads the bytes
// that one needs to catch up. Works on files, without an open Journal; a Journal with
// JournalRole::Copy then follows. Knows no network.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/format.hpp"
#include "affix/journal/options.hpp"
#include "affix/journal/reader.hpp"
#include "affix/journal/record.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace affix::inline v0::journal {

/// Makes the directory of `options` a journal whose first segment has exactly `header`, of whatever
/// number, and no record. Journal::open() with JournalRole::Copy continues there. Returns when it
/// survives a power loss; a kill or power loss in between leaves no journal, and it can be called
/// again. Errors: Damaged or Unsupported (`header` is not complete), InvalidArgument (another
/// session's header), AlreadyExists (the directory has segments: see
/// set_aside()), Locked, NoSpace, Io, Denied.
[[nodiscard]] std::expected<void, base::Error> plant(const Options& options,
                                                     const format::Header& header);

/// Renames the directory of `options` to "DIRECTORY.LABEL", or "DIRECTORY.LABEL-2" and so on if
/// that exists, and returns the new name: for a copy that is damaged or not of use any more, before
/// plant(). Errors: NotFound (no directory), Locked, Io, Denied, Limit (1000 names exist).
[[nodiscard]] std::expected<std::string, base::Error> set_aside(const Options& options,
                                                                std::string_view label);

/// Removes all records from `from` on, and the segments that begin there or later, so that
/// Journal::open() with JournalRole::Copy ends there. `from` must be the begin of a record or the
/// end of the records; at the first record of a segment other than the oldest, the copy ends in the
/// segment before it, since that segment's header may not be the common one either. What it removes
/// stays in the directory: files "cut-LABEL-SEGMENT.journal" for segments, and
/// "cut-LABEL-SEGMENT-OFFSET.bytes". Opens and closes the journal first, so it also ends what a
/// crash left. Returns true if anything was removed. Survives a kill or power loss at any moment:
/// the journal then opens, and the call can be repeated. The reserve of outgoing numbers stays.
/// O(bytes of the segment). Errors: those of Journal::open(), NotFound (`from` is before the oldest
/// segment: plant() a new one), InvalidArgument (no record begins there, or a label that is not 1
/// to 64 letters, digits, '-' and '_').
[[nodiscard]] std::expected<bool, base::Error> cut(const Options& options, Position from,
                                                   std::string_view label);

/// The greatest epoch in the journal; 0: none, or no journal. Reads one segment. Errors: Damaged,
/// Io, Denied.
[[nodiscard]] std::expected<std::uint64_t, base::Error> newest_epoch(const std::string& directory);

/// Position of the first record of the first epoch greater than `epoch`: up to there, two journals
/// that had `epoch` in common are equal. Nullopt: the journal has no greater epoch. Reads headers
/// and one segment. Also beside the journal's writer, for what has reached the files: with
/// Durability::Sync call flush() after append_epoch(). Errors: NotFound (no journal, or it began in
/// a segment that is not kept any more), Damaged, Io, Denied.
[[nodiscard]] std::expected<std::optional<Position>, base::Error> epoch_after(
    const std::string& directory, std::uint64_t epoch);

/// A part of a journal, as read by HistoryReader.
struct HistoryPiece {
  /// Why the piece ends.
  enum class State : std::uint8_t {
    More,     ///< Continue at `next`.
    AtEnd,    ///< `next` is the end of the records that have reached the files.
    Gone,     ///< The segment is not kept any more: the copy must begin anew. `next` is `from`.
    Damaged,  ///< The bytes at `next` are not a record: what is before it is good.
  };

  State state = State::AtEnd;            ///< Why the piece ends.
  std::optional<format::Header> header;  ///< The segment's, if `from` is at its first record.
  std::string_view records;  ///< Whole records with marks and padding, from `from` on. Valid until
                             ///< the reader's next call.
  Position next;  ///< For the next call: after `records`, or the begin of the following segment.
};

/// Reads a journal's records as bytes, for follow_record() of a copy. Also beside the journal's
/// writer, in the same process or another: reads only complete records. With Durability::Sync those
/// that are in the segments' files, which flush() brings there. One thread at a time. Not copied.
class HistoryReader {
 public:
  /// Opens nothing yet.
  explicit HistoryReader(std::string directory);

  HistoryReader(const HistoryReader&) = delete;
  HistoryReader& operator=(const HistoryReader&) = delete;

  /// Reads records of one segment from `from` on, at most `bytes_max` bytes of them, but at least
  /// one record. Blocks on the disk. `from` is the `next` of an earlier call, the end of a copy, or
  /// the begin of a segment, whose offset may be 0. Any value is safe.
  [[nodiscard]] HistoryPiece read(Position from, std::size_t bytes_max);

  /// Begin of the oldest segment that is kept; invalid if there is none.
  [[nodiscard]] Position oldest() const;

 private:
  [[nodiscard]] HistoryPiece::State go_to(Position from);
  void take(const Record& record);

  std::string directory_;
  std::string bytes_;             // Of the last piece.
  std::optional<Reader> reader_;  // Empty until the first call.
};

/// Takes the bytes of one record off the front of `records`, as HistoryPiece has them. Nullopt at
/// the end, or if no whole record can begin there: nothing is taken off then. Does not check the
/// CRC; follow_record() does.
[[nodiscard]] std::optional<std::string_view> take_record(std::string_view& records) noexcept;

}  // namespace affix::inline v0::journal
