// SPDX-License-Identifier: MIT
// Journals as sources: a journal directory, possibly with a live writer, and an archive of
// segments, packed or not.
#pragma once

#include "affix/journal/reader.hpp"
#include "affix/journal/segment_scan.hpp"

#include "log/raw_filter.hpp"
#include "log/source.hpp"

#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace affix::inline v0::tools::log {

/// Paths of segments, by number.
using SegmentPaths = std::map<std::uint32_t, std::string>;

/// The entry of a record; views the record's bytes.
[[nodiscard]] Entry entry_of_record(const affix::journal::Record& record, std::string_view session);

/// A journal's directory. Reports damage and skips it up to the next segment. `filter` outlives
/// this.
class JournalSource final : public Source {
 public:
  [[nodiscard]] static std::expected<std::unique_ptr<Source>, base::Error> open(
      const std::string& directory, const RawFilter& filter);

  JournalSource(affix::journal::Reader reader, std::string directory, const RawFilter& filter);

  [[nodiscard]] std::optional<Entry> next() override;

 private:
  [[nodiscard]] bool pass_over_damage();

  affix::journal::Reader reader_;
  std::string directory_;
  std::string session_;
  const RawFilter& filter_;
};

/// A directory of segments, possibly packed (`0000000001.journal.gz`, `.journal.zst`). Reads each
/// completely into memory, one at a time.
class ArchiveSource final : public Source {
 public:
  [[nodiscard]] static std::expected<std::unique_ptr<Source>, base::Error> open(
      const std::string& directory, const RawFilter& filter);

  ArchiveSource(SegmentPaths files, const RawFilter& filter);

  [[nodiscard]] std::optional<Entry> next() override;

 private:
  [[nodiscard]] bool open_next();

  SegmentPaths files_;  // Unread ones, by number.
  const RawFilter& filter_;
  std::string path_;
  std::string bytes_;
  std::string session_;
  std::optional<affix::journal::SegmentScan> scan_;
};

/// How much of a segment's file is read.
enum class Extent : std::uint8_t {
  Records,  ///< Up to zeros after the end of its records.
  File,     ///< All; zeros after the end of its records are counted only.
};

struct UnpackedSegment {
  std::string bytes;             ///< Without the zeros that were not kept.
  std::uint64_t file_bytes = 0;  ///< With the zeros that were read.
};

/// Unpacks at most the length in the segment's header: a small file can unpack to any size. Errors:
/// as ByteWindow::open(), NotFound also for a segment that was never begun, Damaged, Limit.
[[nodiscard]] std::expected<UnpackedSegment, base::Error> read_segment(const std::string& path,
                                                                       std::uint32_t number,
                                                                       Extent extent);

/// The number of a segment's file, packed or not; 0 for any other file.
[[nodiscard]] std::uint32_t segment_number_of(std::string_view file_name) noexcept;

/// Segment files of a directory by number; an unpacked one is preferred. NotFound: there is none.
[[nodiscard]] std::expected<SegmentPaths, base::Error> segments_in(const std::string& directory);

}  // namespace affix::inline v0::tools::log
