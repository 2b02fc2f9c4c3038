// SPDX-License-Identifier: MIT
// Counts records of one kind by segment, in fixed memory, to tell where the oldest may be. A
// private part of ProcessedMarks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace affix::inline v0::journal {

/// For one thread.
class SegmentCounts {
 public:
  /// Records of all segments.
  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

  /// No counted record is in an earlier segment; 0 if there is none. Exact unless more than
  /// `ranges_max` segments have such records at a time.
  [[nodiscard]] std::uint32_t first() const noexcept { return size_ == 0 ? 0 : ranges_[0].first; }

  /// Counts a record of `segment`. O(1) for the last segment or a later one, which most are.
  void add(std::uint32_t segment) noexcept {
    if (size_ != 0 && ranges_[size_ - 1].first == segment) [[likely]] {
      ++ranges_[size_ - 1].records;
      ++total_;
    } else {
      insert(segment);
    }
  }

  /// Takes back one add() of `segment`. No effect where no record of it can be counted.
  void remove(std::uint32_t segment) noexcept;

  /// More than there are segments with records in work. With a larger backlog, segments share a
  /// count, at 16 bytes each.
  static constexpr std::size_t ranges_max = 16;

 private:
  /// Records of the segments from `first` on, up to the next range's.
  struct Range {
    std::uint32_t first = 0;
    std::uint64_t records = 0;
  };

  /// Place of the first range after `segment`.
  [[nodiscard]] std::size_t place_after(std::uint32_t segment) const noexcept;

  void insert(std::uint32_t segment) noexcept;
  void join_narrowest() noexcept;

  // For each segment, the ranges that begin at or before it have at least as many records as the
  // segments up to it.
  std::uint64_t total_ = 0;
  std::size_t size_ = 0;
  std::array<Range, ranges_max> ranges_{};  // Ascending.
};

}  // namespace affix::inline v0::journal
