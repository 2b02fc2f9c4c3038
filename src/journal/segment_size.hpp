// SPDX-License-Identifier: MIT
// Chooses the length of the next segment from the recent rate of storing. Pure.
#pragma once

#include "affix/base/time.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace affix::inline v0::journal {

/// Bytes stored since the size was last chosen.
struct SegmentUse {
  std::int64_t bytes = 0;  ///< Zero or negative: not known.
  std::int64_t took_ns = 0;
};

/// Below this size, preparing a segment early costs next to nothing, and smaller segments would
/// fill the directory with files.
inline constexpr std::size_t small_segment_bytes = std::size_t{1} << 20;

/// Limit of a segment, whatever its use: offsets have 32 bits, and a file of this size is mapped as
/// a whole.
inline constexpr std::uint64_t segment_bytes_max = std::uint64_t{1024} * 1024 * 1024;

/// Minimum time that a segment should last. If shorter, a burst changes segments constantly; if
/// longer, more of the disk is taken before it is needed.
inline constexpr std::int64_t segment_lasts_ns = 60 * base::ns_per_second;

/// A segment that lasts between the two keeps its size, so that sizes do not alternate.
inline constexpr std::int64_t segment_lasts_ns_max = 4 * segment_lasts_ns;

/// The length of the segment after one of `current` bytes: doubled if `use` would fill it in less
/// than a minute, halved if it would last more than four.
[[nodiscard]] constexpr std::size_t next_segment_bytes(std::size_t current,
                                                       const SegmentUse& use) noexcept {
  if (current < small_segment_bytes) {
    return 2 * current;
  }
  if (use.bytes <= 0) {
    return current;
  }
  const double lasts_ns = static_cast<double>(current) * static_cast<double>(use.took_ns) /
                          static_cast<double>(use.bytes);
  if (lasts_ns < static_cast<double>(segment_lasts_ns)) {
    return 2 * current;
  }
  return lasts_ns > static_cast<double>(segment_lasts_ns_max)
             ? std::max(current / 2, small_segment_bytes)
             : current;
}

/// Chooses the lengths of a journal's segments by the use since the last choice.
class SegmentSizing {
 public:
  /// `stored` bytes of the segment in use count as used before `now_ns`, on the steady clock.
  void begin_at(std::size_t stored, std::int64_t now_ns) noexcept {
    from_ = static_cast<std::int64_t>(stored);
    since_ns_ = now_ns;
  }

  /// A segment was made after the one of `current` bytes, which was half used at `now_ns`: its
  /// other half is still to be stored.
  void begin_at_half_of(std::size_t current, std::int64_t now_ns) noexcept {
    from_ = -static_cast<std::int64_t>(current / 2);
    since_ns_ = now_ns;
  }

  /// The length of the segment after one of `current` bytes, which is half used at `now_ns`.
  [[nodiscard]] std::size_t next_bytes(std::size_t current, std::int64_t now_ns) const noexcept {
    return next_segment_bytes(current,
                              {static_cast<std::int64_t>(current / 2) - from_, now_ns - since_ns_});
  }

 private:
  std::int64_t from_ = 0;  // Negative: bytes of the segment before, to be stored since then.
  std::int64_t since_ns_ = 0;
};

}  // namespace affix::inline v0::journal
