// SPDX-License-Identifier: MIT
// Keeps the file of a removed segment for the next segment, so that a journal at its retention
// limit needs no new blocks and pages from the system. Private to journal.
#pragma once

#include "affix/journal/disk.hpp"

#include "journal/segment.hpp"
#include "journal/segment_files.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace affix::inline v0::journal {

/// At most one file, with a name that neither readers nor recovery take for a segment's. Its
/// contents are worthless: it may be removed at any time, and opening removes it. For the preparing
/// thread only; a writer that must make a segment itself creates a new file.
class SpareFile {
 public:
  /// "DIRECTORY/spare".
  [[nodiscard]] static std::string path_in(const std::string& directory);

  /// Renames the file of segment `number`, of `bytes`, to the spare. False: it stays, since there
  /// is a spare of that length already or the rename failed. Replaces a spare of another length.
  /// Flush the directory before clean_step().
  [[nodiscard]] bool keep(const SegmentFiles& files, std::uint32_t number,
                          std::size_t bytes) noexcept;

  /// Removes the spare, if any.
  void drop(const SegmentFiles& files) noexcept;

  [[nodiscard]] bool wants_cleaning() const noexcept { return state_ == State::Used; }

  /// While wants_cleaning(): writes zeros over 64 KiB of it, in calls of `at_once` bytes; when all
  /// is written, waits until it is on the disk. On a failure the file is removed, also if another
  /// process has it open or mapped, which may still read the old contents.
  void clean_step(const SegmentFiles& files, std::size_t at_once) noexcept;

  /// Makes a segment of `bytes` at `path`, like Segment::create(), from the spare if that is clean
  /// and of the same length. Null: create it from a new file.
  [[nodiscard]] Segment* make_segment(const SegmentFiles& files, const std::string& path,
                                      std::size_t bytes, const Segment::Making& making);

 private:
  enum class State : std::uint8_t {
    Nothing,
    Used,   ///< May contain data of its segment.
    Clean,  ///< Contains zeros, also on the disk: a power loss restores no data of its segment.
  };

  State state_ = State::Nothing;
  std::size_t bytes_ = 0;
  std::size_t zeroed_to_ = 0;
};

}  // namespace affix::inline v0::journal
