// SPDX-License-Identifier: MIT
// Binary search in checkpoints, and the sparse index.
#include "journal/find_record.hpp"

#include "affix/journal/format.hpp"

#include "os/file_blocks.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace affix::inline v0::journal {

namespace {

// The next outgoing number in the checkpoint of the segment at `path`; nullopt when there is no
// such segment; an errno when it cannot be read. Reads only the header: mapping a file for one
// number would cost more.
std::expected<std::optional<std::uint64_t>, int> checkpoint_outgoing(
    const std::string& path) noexcept {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    if (errno == ENOENT) {
      return std::nullopt;
    }
    return std::unexpected(errno);
  }
  os::expect_single_reads(file);  // One page, without those after it.
  format::Header header;
  const ssize_t size = pread(file, &header, sizeof(header), 0);
  const int error_number = size < 0 ? errno : 0;
  close(file);
  if (error_number != 0) {
    return std::unexpected(error_number);
  }
  if (size != static_cast<ssize_t>(sizeof(header)) || header.magic != format::magic) {
    return std::nullopt;
  }
  return header.next_outgoing;
}

}  // namespace

std::expected<std::uint32_t, int> find_segment(const SegmentFiles& files, std::uint32_t low,
                                               std::uint32_t high,
                                               std::uint64_t sequence) noexcept {
  while (low < high) {
    const std::uint32_t middle = low + (high - low + 1) / 2;
    const std::expected<std::optional<std::uint64_t>, int> outgoing =
        checkpoint_outgoing(files.path(middle));
    if (!outgoing) {
      return std::unexpected(outgoing.error());
    }
    if (*outgoing && **outgoing > sequence) {
      high = middle - 1;
    } else {
      low = middle;
    }
  }
  return low;
}

std::optional<std::size_t> start_in(Segment& segment, std::uint64_t sequence, Position barrier,
                                    ReadableUntil readable_until) noexcept {
  const std::uint32_t number = segment.number();
  const std::size_t begin = barrier.segment == number ? barrier.offset : format::records_offset;
  const format::SparseIndex& index = segment.index();
  const std::size_t count = std::min<std::size_t>(index.count, format::SparseIndex::capacity);
  const format::IndexEntry* const first = index.entries;
  const format::IndexEntry* at = std::upper_bound(
      first, first + count, sequence, [&](std::uint64_t wanted, const format::IndexEntry& entry) {
        return wanted < index.base_sequence + entry.sequence_delta;
      });
  while (at != first) {
    --at;
    if (at->offset < begin || at->offset % format::alignment != 0) {
      continue;
    }
    const std::size_t until = readable_until(segment, at->offset);
    if (reaches_past(segment, at->offset, until, segment.records_limit())) {
      return std::nullopt;
    }
    const Parsed parsed = parse_record(segment.base(), until, number, at->offset, segment.check());
    if (parsed.found == Found::Record && parsed.record.kind == Kind::Sent &&
        parsed.record.sequence <= sequence) {
      return at->offset;
    }
  }
  return begin;
}

bool reaches_past(const Segment& segment, std::size_t at, std::size_t until,
                  std::size_t limit) noexcept {
  if (until >= limit) {
    return false;
  }
  if (at >= until || until - at < format::record_bytes(0)) {
    return true;
  }
  // Acquire, as in parse_record(): a record is visible either completely or not at all.
  const std::size_t length = __atomic_load_n(
      reinterpret_cast<const std::uint32_t*>(segment.base() + at), __ATOMIC_ACQUIRE);
  if (length < format::record_header_bytes) {
    return false;
  }
  // A record that extends past the segment's own end is bad, not incomplete.
  const std::size_t bytes = format::record_bytes(length - format::record_header_bytes);
  return bytes > until - at && bytes <= limit - at;
}

}  // namespace affix::inline v0::journal
