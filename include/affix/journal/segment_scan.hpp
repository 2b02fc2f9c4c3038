// SPDX-License-Identifier: MIT
// One segment of a journal read from its bytes, wherever those come from: a mapping, an archive
// that was unpacked, a test. For tools that look behind what Reader gives. Changes nothing.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/record.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace affix::inline v0::journal {

/// What a segment's header says: the checkpoint at its begin. `identity` views the bytes.
struct SegmentHeader {
  std::uint32_t number = 0;
  std::uint64_t segment_bytes = 0;  ///< The file's length as it was made.
  std::int64_t created_utc_ns = 0;
  std::uint64_t next_outgoing = 1;
  std::uint64_t next_expected = 1;
  Position barrier;      ///< Not valid when there is none.
  Position unprocessed;  ///< Unprocessed records lie here or later; not valid when there are none.
  std::uint32_t previous_end = 0;
  std::uint64_t journal_id = 0;
  bool numbers_only = false;
  bool marked = false;  ///< The end of its records is marked, and it says when it was left.
  std::string_view identity;
};

/// What a segment's newer state slot says.
struct SegmentState {
  std::uint64_t durable_offset = 0;
  std::uint64_t reserved_outgoing = 0;  ///< 0: no reserve is kept.
  std::uint32_t end_offset = 0;         ///< 0: not known.
  bool clean = false;
};

/// What stopped a scan.
enum class ScanStop : std::uint8_t {
  None,  ///< It goes on.
  End,   ///< Nothing more is committed; a live writer may append here.
  Bad,   ///< Something is committed that is no whole record.
};

/// Walks the records of one segment. Views the bytes, which the caller keeps; a live writer may be
/// appending to them. One thread at a time; copyable.
class SegmentScan {
 public:
  /// Whether `bytes` are a segment in use: false for one that is prepared, and for too few bytes.
  [[nodiscard]] static bool begun(std::string_view bytes) noexcept;

  /// Checks the header. `where` is for errors. `bytes` begins at a multiple of 8 in memory. Errors:
  /// NotFound (prepared, not begun), Unsupported (version, byte order, no segment), Damaged (too
  /// short, CRC, contradictions; another number than `number`).
  [[nodiscard]] static std::expected<SegmentScan, base::Error> open(std::string_view bytes,
                                                                    std::uint32_t number,
                                                                    const std::string& where);

  [[nodiscard]] const SegmentHeader& header() const noexcept { return header_; }

  /// Nothing when neither slot is whole.
  [[nodiscard]] std::optional<SegmentState> state() const noexcept;

  /// The next whole record with a right CRC, or nothing: see stop(). After ScanStop::End it may be
  /// called again.
  [[nodiscard]] std::optional<Record> next() noexcept;

  [[nodiscard]] ScanStop stop() const noexcept { return stop_; }

  /// Where the next record is, would be, or is bad.
  [[nodiscard]] std::uint32_t offset() const noexcept {
    return static_cast<std::uint32_t>(offset_);
  }

  /// Goes on at `offset`, a multiple of 8 from 4096 on.
  void seek(std::uint32_t offset) noexcept;

  /// Offset of the first whole record behind offset(), skipping what is bad. Reads to the end of
  /// what is not zero when there is none.
  [[nodiscard]] std::optional<std::uint32_t> find_record_behind() const noexcept;

  /// Where the last byte that is not zero ends, offset() at least.
  [[nodiscard]] std::uint32_t used_end() const noexcept;

  [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }

 private:
  SegmentScan(std::string_view bytes, const SegmentHeader& header) noexcept;

  std::string_view bytes_;
  SegmentHeader header_;
  std::size_t offset_;
  ScanStop stop_ = ScanStop::None;
};

/// The path of segment `number` in a journal's directory, and the number of a file so named, 0 of
/// any other.
[[nodiscard]] std::string segment_file_path(const std::string& directory, std::uint32_t number);
[[nodiscard]] std::uint32_t segment_file_number(std::string_view file_name) noexcept;

}  // namespace affix::inline v0::journal
