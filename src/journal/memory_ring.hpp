// SPDX-License-Identifier: MIT
// Durability::Memory: segments in memory that are used in turn. The ring begins with two and grows
// by one whenever its budget allows; pages of each become present as records reach them.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/options.hpp"
#include "affix/journal/record.hpp"

#include "journal/segment.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <utility>
#include <vector>

namespace affix::inline v0::journal {

/// One writer stores; the preparing thread calls populate(), one thread at a time, in parallel. All
/// other calls are the writer's.
///
/// A *place* is a segment's position in the ring's memory. It is taken from the budget before its
/// first use, and then reused. The last `used_` numbers are those of the places in use, so the
/// oldest number is known; a table, indexed by the number modulo the count of places, has their
/// positions. A record that was overwritten is detected by the number in the segment itself.
class MemoryRing {
 public:
  MemoryRing() = default;
  MemoryRing(const MemoryRing&) = delete;
  MemoryRing& operator=(const MemoryRing&) = delete;

  /// Returns memory and budget. No replay may exist any more.
  ~MemoryRing();

  /// Reserves address space, no memory yet, and takes the first two segments from the budget. Once,
  /// before any other call. Limit: the budget has no two left. Returns system errors as they are.
  [[nodiscard]] std::expected<void, base::Error> open(const Options& options);

  /// The present or former segment `number`, or another if it never existed. Owned by the ring.
  [[nodiscard]] Segment* segment(std::uint32_t number) const noexcept {
    return segments_[place_of(number)];
  }

  /// The segment for `number`, the next one: a new one, or the oldest, whose records are then lost.
  /// Owned by the ring.
  [[nodiscard]] Segment* next(std::uint32_t number) noexcept;

  /// True if take_refusals() has a count.
  [[nodiscard]] bool has_refused() const noexcept { return refusals_ != 0; }

  /// Number of times since the last call that next() took the oldest because the budget refused.
  [[nodiscard]] std::uint64_t take_refusals() noexcept { return std::exchange(refusals_, 0); }

  /// Call with the current segment's end of records, present or future: asks the budget for the
  /// next segment once half of it is used, and requests missing pages from populate(). Returns the
  /// offset up to which no further call is needed.
  [[nodiscard]] std::size_t look_ahead(Position end) noexcept;

  /// True if look_ahead() has left work for populate().
  [[nodiscard]] bool wants_pages() const noexcept { return wants_pages_; }

  /// Makes the requested pages present. Costs about 1 us a page.
  void populate() noexcept;

 private:
  [[nodiscard]] std::uint32_t place_of(std::uint32_t number) const noexcept {
    return place_by_number_[number % place_by_number_.size()];
  }

  [[nodiscard]] std::uint32_t places() const noexcept {
    return static_cast<std::uint32_t>(place_by_number_.size());
  }

  [[nodiscard]] std::expected<void, base::Error> map(bool lock_pages);
  [[nodiscard]] bool has_one_more() noexcept;

  char* base_ = nullptr;  // Of all places together.
  std::size_t segment_bytes_ = 0;
  std::vector<Segment*> segments_;             // By place. One reference each.
  std::vector<std::uint8_t> place_by_number_;  // One entry per place.
  RingBudget* budget_ = nullptr;
  std::uint32_t taken_ = 0;  // Places taken from the budget: the first ones.
  std::uint32_t used_ = 0;   // Of these, places with records.
  std::uint32_t current_ = 0;
  std::uint64_t refusals_ = 0;
  bool wants_pages_ = false;
  // End of the requested pages of the current place, packed; the place counts from 1.
  std::atomic<std::uint64_t> wanted_{0};
  std::atomic<std::uint32_t> next_wanted_{0};  // The next place to be used, from 1.
};

}  // namespace affix::inline v0::journal
