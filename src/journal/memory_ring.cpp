// SPDX-License-Identifier: MIT
// Opening a ring in memory, and making its pages present ahead of its writer.
#include "journal/memory_ring.hpp"

#include <algorithm>
#include <bit>

namespace affix::inline v0::journal {

namespace {

constexpr std::size_t ring_segments = 4;
constexpr std::uint64_t ring_segment_bytes_min = 8 * 1024;

/// So many bytes have their pages ahead of the writer: as many as are used, within these bounds, so
/// that a ring that stores little takes little, and an append of one that stores much seldom meets
/// a page that is not there.
constexpr std::size_t lead_min = std::size_t{16} * 1024;
constexpr std::size_t lead_max = std::size_t{64} * 1024;

}  // namespace

MemoryRing::~MemoryRing() {
  for (Segment* const segment : segments_) {
    segment->drop_reference();
  }
}

std::expected<void, base::Error> MemoryRing::open(std::uint64_t bytes) {
  const std::uint64_t segment_bytes =
      std::bit_ceil(std::max(bytes, ring_segments * ring_segment_bytes_min)) / ring_segments;
  for (std::size_t made = 0; made < ring_segments; ++made) {
    const std::expected<Segment*, base::Error> segment = Segment::create_in_memory(segment_bytes);
    if (!segment) {
      return std::unexpected(segment.error());
    }
    segments_.push_back(*segment);
  }
  return {};
}

std::size_t MemoryRing::want_pages(Position end) noexcept {
  const std::size_t size = segments_.front()->size();
  const std::size_t used = (end.segment - 1) * size + end.offset;
  const std::size_t lead = std::clamp(used, lead_min, lead_max);
  const std::size_t limit = std::min(end.offset + lead / 2, size);
  const auto until = static_cast<std::uint32_t>(std::min(limit + lead, size));
  wanted_.store(packed({end.segment, until}), std::memory_order_relaxed);
  return limit;
}

void MemoryRing::populate() noexcept {
  const Position wanted = unpacked(wanted_.load(std::memory_order_relaxed));
  if (!wanted.valid()) {
    return;
  }
  Segment& current = *segment(wanted.segment);
  current.populate_to(wanted.offset);
  if (wanted.offset == current.size()) {
    segment(wanted.segment + 1)->populate_to(format::records_offset + lead_min);
  }
}

}  // namespace affix::inline v0::journal
