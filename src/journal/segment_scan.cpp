// SPDX-License-Identifier: MIT
// Reads a segment's bytes from outside, with the same checks as opening.
#include "affix/journal/segment_scan.hpp"

#include "journal/segment.hpp"
#include "journal/segment_files.hpp"

#include <algorithm>
#include <cstring>

namespace affix::inline v0::journal {

namespace {

SegmentHeader header_of(const char* base) noexcept {
  format::Header stored;
  std::memcpy(&stored, base, sizeof(stored));
  SegmentHeader header;
  header.number = stored.segment_number;
  header.segment_bytes = stored.segment_bytes;
  header.created_utc_ns = stored.created_utc_ns;
  header.next_outgoing = stored.next_outgoing;
  header.next_expected = stored.next_expected;
  header.barrier = unpacked(stored.barrier);
  header.epoch = stored.epoch;
  header.epoch_at = unpacked(stored.epoch_record);
  header.unprocessed = unpacked(stored.unprocessed);
  header.queued = {stored.unsent, stored.last_queued};
  header.previous_end = stored.previous_end;
  header.journal_id = stored.journal_id;
  header.numbers_only = (stored.flags & format::flag_numbers_only) != 0;
  header.marked = (stored.flags & format::flag_marked) != 0;
  header.identity = {base + offsetof(format::Header, identity), stored.identity_bytes};
  return header;
}

}  // namespace

bool SegmentScan::begun(std::string_view bytes) noexcept {
  return bytes.size() >= format::records_offset &&
         __atomic_load_n(reinterpret_cast<const std::uint64_t*>(bytes.data()), __ATOMIC_ACQUIRE) !=
             0;
}

std::expected<SegmentScan, base::Error> SegmentScan::open(std::string_view bytes,
                                                          std::uint32_t number,
                                                          const std::string& where) {
  if (bytes.size() < format::records_offset || bytes.size() > UINT32_MAX) {
    return std::unexpected(base::Error{
        base::ErrorCode::Damaged,
        "no journal segment is " + std::to_string(bytes.size()) + " bytes long", where, "J204"});
  }
  if (!begun(bytes)) {
    return std::unexpected(base::Error{base::ErrorCode::NotFound,
                                       "the segment is prepared and not yet begun", where, "J214"});
  }
  if (auto checked = check_segment_header(bytes.data(), bytes.size(), number, where); !checked) {
    return std::unexpected(std::move(checked.error()));
  }
  return SegmentScan(bytes, header_of(bytes.data()));
}

SegmentScan::SegmentScan(std::string_view bytes, const SegmentHeader& header) noexcept
    : bytes_(bytes), header_(header), offset_(format::records_offset) {}

std::optional<SegmentState> SegmentScan::state() const noexcept {
  const std::optional<format::State> stored = newest_state(bytes_.data());
  if (!stored) {
    return std::nullopt;
  }
  return SegmentState{stored->durable_offset, stored->reserved_outgoing, stored->end_offset,
                      stored->clean == 1};
}

std::optional<Record> SegmentScan::next() noexcept {
  if (stop_ == ScanStop::Bad) {
    return std::nullopt;
  }
  const Parsed parsed =
      parse_record(bytes_.data(), bytes_.size(), header_.number, offset_, Check::Crc);
  if (parsed.found != Found::Record) {
    stop_ = parsed.found == Found::Bad ? ScanStop::Bad : ScanStop::End;
    return std::nullopt;
  }
  stop_ = ScanStop::None;
  offset_ = parsed.next_offset;
  return parsed.record;
}

void SegmentScan::seek(std::uint32_t offset) noexcept {
  offset_ = offset;
  stop_ = ScanStop::None;
}

std::optional<std::uint32_t> SegmentScan::find_record_behind() const noexcept {
  const std::size_t end = used_end();
  for (std::size_t at = offset_ + format::alignment; at < end; at += format::alignment) {
    if (parse_record(bytes_.data(), bytes_.size(), header_.number, at, Check::Crc).found ==
        Found::Record) {
      return static_cast<std::uint32_t>(at);
    }
  }
  return std::nullopt;
}

std::uint32_t SegmentScan::used_end() const noexcept {
  const std::size_t from = std::min(offset_, bytes_.size());
  return static_cast<std::uint32_t>(journal::used_end(bytes_.data(), from, bytes_.size()));
}

std::string segment_file_path(const std::string& directory, std::uint32_t number) {
  return segment_path(directory, number);
}

std::uint32_t segment_file_number(std::string_view file_name) noexcept {
  return segment_number_in(file_name);
}

}  // namespace affix::inline v0::journal
