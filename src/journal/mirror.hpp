// SPDX-License-Identifier: MIT
// The file "unflushed" of a journal with Durability::Sync. Its segments are mapped privately, since
// writing them costs a third of flushing a mapping, so a killed process would leave nothing of what
// it had appended and not yet flushed. A second copy of that goes into this file, a ring that is
// mapped shared and never flushed: it survives the process, and is worth nothing after a power
// loss. Private to journal.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/disk.hpp"

#include "journal/segment.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>

namespace affix::inline v0::journal {

/// "DIRECTORY/unflushed". What is at an offset of a segment is there at that offset modulo the
/// file's length, as the segment has it: records, and behind the last one the end mark.
[[nodiscard]] std::string mirror_path(const std::string& directory);

/// The writer's. It sees to it that what is in the mirror and not in the segment's file is never
/// more than bytes().
class Mirror {
 public:
  /// Makes it anew, with all of its pages present. NoSpace, Io, Denied.
  [[nodiscard]] static std::expected<std::unique_ptr<Mirror>, base::Error> create(
      const std::string& directory, Disk& disk);

  [[nodiscard]] std::size_t bytes() const noexcept { return file_->size(); }

  /// Copies the committed record of `size` bytes at `record`, at `offset` of segment `number`, with
  /// the end mark behind it; at most bytes() in all. It is there as a whole or not at all when the
  /// process is killed. No system call.
  void put(const char* record, std::size_t size, std::uint32_t number, std::size_t offset) noexcept;

  /// Sets the processed mark at `offset` of the segment, of a record that is here.
  void put_mark(std::size_t offset, char mark) noexcept;

  /// Marks `offset` as the end of the records of segment `number`.
  void put_end(std::uint32_t number, std::size_t offset) noexcept;

 private:
  explicit Mirror(Segment* file) noexcept : file_(file) {}

  void copy(const char* from, std::size_t size, std::size_t offset) noexcept;
  void store_head(std::size_t offset, std::uint64_t head) noexcept;

  SegmentHandle file_;
};

/// What a killed writer left. Every record is checked before it is given.
class MirrorReader {
 public:
  /// Nothing when there is no such file, or none that is whole.
  [[nodiscard]] static std::optional<MirrorReader> open(const std::string& directory);

  /// The bytes of the record at `offset` of segment `number`, padding included; nothing where none
  /// is.
  [[nodiscard]] std::optional<std::string> record(std::uint32_t number, std::size_t offset) const;

  /// Whether the records of segment `number` end at `offset`.
  [[nodiscard]] bool ends_at(std::uint32_t number, std::size_t offset) const noexcept;

 private:
  explicit MirrorReader(Segment* file) noexcept : file_(file) {}

  [[nodiscard]] std::string bytes_at(std::size_t offset, std::size_t size) const;

  SegmentHandle file_;
};

}  // namespace affix::inline v0::journal
