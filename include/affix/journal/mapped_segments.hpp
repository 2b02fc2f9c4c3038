// SPDX-License-Identifier: MIT
// The segments that a journal's writer has mapped: the one in use, and earlier ones that are still
// marked, flushed or read. A private part of Journal.
#pragma once

#include <cstdint>

namespace affix::inline v0::journal {

class MemoryRing;
class Segment;

/// For the writer thread only. Has one reference of each segment in files; those of a ring are the
/// ring's.
class MappedSegments {
 public:
  /// The segment in use. Only after begin_in().
  [[nodiscard]] Segment& current() const noexcept { return *current_; }

  /// Its number; 0 before begin_in().
  [[nodiscard]] std::uint32_t number() const noexcept { return number_; }

  /// The segment `number`; null if it is not mapped, or has become another one of the ring.
  [[nodiscard]] Segment* find(std::uint32_t number) const noexcept;

  /// True if the segments are those of a ring in memory.
  [[nodiscard]] bool in_ring() const noexcept { return ring_ != nullptr; }

  /// Sets the ring of a journal in memory, which must outlive all other calls.
  void use_ring(const MemoryRing& ring) noexcept { ring_ = &ring; }

  /// Takes `segment`, with its reference, as the one in use, and knows no earlier one.
  void begin_in(Segment& segment) noexcept;

  /// Continues in `next`, with its reference; the one in use becomes the previous one.
  void roll_to(Segment& next) noexcept;

  /// Call before roll_to(): takes the previous segment and those before it out, as a list linked
  /// through Segment::next_retired, with their references. Of written segments
  /// (SegmentAccess::Written) keeps those from `flushed` on, the segment up to which all are in
  /// their files: a replay would read records from the file that are not there yet.
  [[nodiscard]] Segment* take_earlier(std::uint32_t flushed) noexcept;

  /// Drops all references. Only the destructor may follow.
  void drop() noexcept;

 private:
  Segment* current_ = nullptr;
  std::uint32_t number_ = 0;
  Segment* previous_ = nullptr;  // For marks set after a roll.
  Segment* earlier_ = nullptr;   // Written and not flushed, newest first.
  const MemoryRing* ring_ = nullptr;
};

}  // namespace affix::inline v0::journal
