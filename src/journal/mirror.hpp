// SPDX-License-Identifier: MIT
// The file "unflushed" of a journal with Durability::Sync. Its segments are mapped privately, since
// writing them costs a third of flushing a mapping, so a killed process would lose everything
// appended and not yet flushed. A second copy of that goes into this file, a ring that is mapped
// shared and never flushed: it survives the process, and is useless after a power loss. Private to
// journal.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/disk.hpp"
#include "affix/journal/format.hpp"

#include "journal/segment.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>

namespace affix::inline v0::journal {

/// "DIRECTORY/unflushed". Bytes at an offset of a segment are here at that offset modulo the file's
/// length, unchanged: records, and the end mark after the last one.
[[nodiscard]] std::string mirror_path(const std::string& directory);

/// The writer's. Records of the segment in use from an offset on survive a kill only in the mirror:
/// from() to at most limit().
class Mirror {
 public:
  /// Makes the file again, with all of its pages present. NoSpace, Io, Denied.
  [[nodiscard]] static std::expected<std::unique_ptr<Mirror>, base::Error> create(
      const std::string& directory, Disk& disk);

  [[nodiscard]] std::size_t bytes() const noexcept { return file_->size(); }

  [[nodiscard]] std::size_t from() const noexcept { return from_; }

  [[nodiscard]] std::size_t limit() const noexcept { return from_ + bytes(); }

  /// Records of the segment in use before `offset` are in its file, or on the disk.
  void begin_at(std::size_t offset) noexcept { from_ = offset; }

  /// Copies the committed record of `size` bytes at `record`, at `offset` of segment `number`,
  /// followed by the end mark; at most bytes() in all. If the process is killed, it is there
  /// completely or not at all. No system call.
  void put(const char* record, std::size_t size, std::uint32_t number, std::size_t offset) noexcept;

  /// Sets the processed mark at `offset` of the segment, for a record in the mirror.
  void put_mark(std::size_t offset, char mark) noexcept;

  /// Marks `offset` as the end of the records of segment `number`.
  void put_end(std::uint32_t number, std::size_t offset) noexcept;

 private:
  explicit Mirror(Segment* file) noexcept : file_(file) {}

  void copy(const char* from, std::size_t size, std::size_t offset) noexcept;
  void store_head(std::size_t offset, std::uint64_t head) noexcept;

  SegmentHandle file_;
  std::size_t from_ = 0;
};

/// Reads the data of a killed writer. Checks every record before returning it.
class MirrorReader {
 public:
  /// Nullopt when there is no such file, or it is invalid.
  [[nodiscard]] static std::optional<MirrorReader> open(const std::string& directory);

  /// Bytes of the record at `offset` of segment `number`, padding included; nullopt if there is
  /// none.
  [[nodiscard]] std::optional<std::string> record(std::uint32_t number, std::size_t offset) const;

  /// True if it has the first record of segment `number`, so that the segment's header was written
  /// to its file before.
  [[nodiscard]] bool has_begun(std::uint32_t number) const {
    return record(number, format::records_offset).has_value();
  }

  /// True if the records of segment `number` end at `offset`.
  [[nodiscard]] bool ends_at(std::uint32_t number, std::size_t offset) const noexcept;

 private:
  explicit MirrorReader(Segment* file) noexcept : file_(file) {}

  [[nodiscard]] std::string bytes_at(std::size_t offset, std::size_t size) const;

  SegmentHandle file_;
};

}  // namespace affix::inline v0::journal
