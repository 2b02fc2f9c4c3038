// SPDX-License-Identifier: MIT
// Reads one segment of a journal from bytes in memory: a mapping, an unpacked archive, a test. For
// tools that need more than Reader provides. Read-only.
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

/// Contents of a segment's header: the checkpoint at its begin. `identity` views the bytes.
struct SegmentHeader {
  std::uint32_t number = 0;
  std::uint64_t segment_bytes = 0;  ///< Length of the file when created.
  std::int64_t created_utc_ns = 0;
  std::uint64_t next_outgoing = 1;
  std::uint64_t next_expected = 1;
  Position barrier;         ///< Not valid if there is none.
  Position unprocessed;     ///< No unprocessed record lies before it; not valid if there are none.
  QueuedMessages queued;    ///< At the begin of the segment.
  std::uint64_t epoch = 0;  ///< Greatest before the segment; 0: none.
  Position epoch_at;        ///< Of its record; not valid if there is none.
  std::uint32_t previous_end = 0;
  std::uint64_t journal_id = 0;
  bool numbers_only = false;
  bool marked = false;  ///< It has an end mark, and Left records when it was left.
  std::string_view identity;
};

/// Contents of a segment's newer state slot.
struct SegmentState {
  std::uint64_t durable_offset = 0;
  std::uint64_t reserved_outgoing = 0;  ///< 0: no reserve.
  std::uint32_t end_offset = 0;         ///< 0: unknown.
  bool clean = false;
};

/// Reason why a scan stopped.
enum class ScanStop : std::uint8_t {
  None,  ///< It has not stopped.
  End,   ///< No more committed records; a live writer may append here.
  Bad,   ///< Committed bytes that are not a valid record.
};

/// Iterates over the records of one segment. Views the bytes, which the caller owns; a live writer
/// may append to them. One thread at a time; copyable.
class SegmentScan {
 public:
  /// True if `bytes` are a segment in use; false for a prepared one, and for too few bytes.
  [[nodiscard]] static bool begun(std::string_view bytes) noexcept;

  /// Checks the header. `where` is for errors. `bytes` must be aligned to 8. Errors: NotFound
  /// (prepared, not begun), Unsupported (version, byte order, not a segment), Damaged (too short,
  /// CRC, contradictions, a number other than `number`).
  [[nodiscard]] static std::expected<SegmentScan, base::Error> open(std::string_view bytes,
                                                                    std::uint32_t number,
                                                                    const std::string& where);

  [[nodiscard]] const SegmentHeader& header() const noexcept { return header_; }

  /// Nothing if neither slot is valid.
  [[nodiscard]] std::optional<SegmentState> state() const noexcept;

  /// Returns the next whole record with a correct CRC, or nothing: see stop(). After ScanStop::End
  /// it may be called again.
  [[nodiscard]] std::optional<Record> next() noexcept;

  [[nodiscard]] ScanStop stop() const noexcept { return stop_; }

  /// Offset of the next record, of its future place, or of the bad bytes.
  [[nodiscard]] std::uint32_t offset() const noexcept {
    return static_cast<std::uint32_t>(offset_);
  }

  /// Continues at `offset`, a multiple of 8, 4096 or more.
  void seek(std::uint32_t offset) noexcept;

  /// Offset of the first whole record after offset(), skipping bad bytes. If there is none, reads
  /// up to the last byte that is not zero.
  [[nodiscard]] std::optional<std::uint32_t> find_record_behind() const noexcept;

  /// Offset after the last byte that is not zero, at least offset().
  [[nodiscard]] std::uint32_t used_end() const noexcept;

  [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }

 private:
  SegmentScan(std::string_view bytes, const SegmentHeader& header) noexcept;

  std::string_view bytes_;
  SegmentHeader header_;
  std::size_t offset_;
  ScanStop stop_ = ScanStop::None;
};

/// Path of segment `number` in a journal's directory; and the number in such a file name, 0 for any
/// other name.
[[nodiscard]] std::string segment_file_path(const std::string& directory, std::uint32_t number);
[[nodiscard]] std::uint32_t segment_file_number(std::string_view file_name) noexcept;

}  // namespace affix::inline v0::journal
