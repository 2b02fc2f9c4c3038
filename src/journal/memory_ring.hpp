// SPDX-License-Identifier: MIT
// Durability::Memory: the segments that are used in turn, whose pages become present as the first
// round comes to them.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/record.hpp"

#include "journal/segment.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <vector>

namespace affix::inline v0::journal {

/// One writer stores; whoever prepares calls populate(), one thread at a time, beside it.
class MemoryRing {
 public:
  MemoryRing() = default;
  MemoryRing(const MemoryRing&) = delete;
  MemoryRing& operator=(const MemoryRing&) = delete;
  ~MemoryRing();

  /// Takes address space for segments of `bytes` in all, rounded up to a power of two, and no
  /// memory yet. Once, before any other call. An error of the system is told as it is.
  [[nodiscard]] std::expected<void, base::Error> open(std::uint64_t bytes);

  /// The one that has the records of segment `number`, or has had or will have them. It stays the
  /// ring's.
  [[nodiscard]] Segment* segment(std::uint32_t number) const noexcept {
    return segments_[(number - 1) % segments_.size()];
  }

  /// Whether segment `number` belongs to the first round, so that its pages may be missing.
  [[nodiscard]] bool grows_with(std::uint32_t number) const noexcept {
    return number <= segments_.size();
  }

  /// The writer's, in the first round, whose records end at `end` or will: has populate() make the
  /// next pages present. Returns the offset up to which it need not ask again.
  [[nodiscard]] std::size_t want_pages(Position end) noexcept;

  /// Makes the pages present that the writer wants. Costs about 1 us a page.
  void populate() noexcept;

 private:
  std::vector<Segment*> segments_;  // One reference each.
  // Up to there pages are to be present, packed.
  std::atomic<std::uint64_t> wanted_{0};
};

}  // namespace affix::inline v0::journal
