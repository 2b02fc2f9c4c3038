// SPDX-License-Identifier: MIT
// Durability::Memory: segments in memory that are used in turn. The ring begins with two and grows
// by one whenever its budget allows, and each one's pages become present as records come to them.
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

/// One writer stores; whoever prepares calls populate(), one thread at a time, beside it. All else
/// is the writer's.
///
/// A *place* is where in the ring's memory a segment lies. It is taken from the budget before its
/// first use, and used again and again. The last `used_` numbers are those of the places in use, so
/// the oldest number is known; where each lies, a table says by its number modulo the count of
/// places. What is gone from there is found out by the number in the segment itself.
class MemoryRing {
 public:
  MemoryRing() = default;
  MemoryRing(const MemoryRing&) = delete;
  MemoryRing& operator=(const MemoryRing&) = delete;

  /// Gives memory and budget back. No replay is left.
  ~MemoryRing();

  /// Takes address space, no memory yet, and the first two segments from the budget. Once, before
  /// any other call. Limit: the budget has no two left. An error of the system is told as it is.
  [[nodiscard]] std::expected<void, base::Error> open(const Options& options);

  /// Where segment `number` is, or has been, or another where it never was. It stays the ring's.
  [[nodiscard]] Segment* segment(std::uint32_t number) const noexcept {
    return segments_[place_of(number)];
  }

  /// The segment that is to be `number`, the next one: a new one, or the oldest, whose records are
  /// gone then. It stays the ring's.
  [[nodiscard]] Segment* next(std::uint32_t number) noexcept;

  /// Whether take_refusals() has something to say.
  [[nodiscard]] bool has_refused() const noexcept { return refusals_ != 0; }

  /// How often next() took the oldest though the ring was to grow, since this was asked last.
  [[nodiscard]] std::uint64_t take_refusals() noexcept { return std::exchange(refusals_, 0); }

  /// Where the current segment's records end at `end`, or will: asks the budget for the next
  /// segment once half of it is used, and has populate() make pages present that are missing.
  /// Returns the offset up to which it need not be asked again.
  [[nodiscard]] std::size_t look_ahead(Position end) noexcept;

  /// Whether look_ahead() has left something to populate().
  [[nodiscard]] bool wants_pages() const noexcept { return wants_pages_; }

  /// Makes the pages present that the writer wants. Costs about 1 us a page.
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
  std::vector<std::uint8_t> place_by_number_;  // As many as there are places.
  RingBudget* budget_ = nullptr;
  std::uint32_t taken_ = 0;  // Places that are in the budget: the first ones.
  std::uint32_t used_ = 0;   // Of these, those that have records.
  std::uint32_t current_ = 0;
  std::uint64_t refusals_ = 0;
  bool wants_pages_ = false;
  // Up to where the current place's pages are to be present, packed; the place counts from 1.
  std::atomic<std::uint64_t> wanted_{0};
  std::atomic<std::uint32_t> next_wanted_{0};  // The place that comes into use next, from 1.
};

}  // namespace affix::inline v0::journal
