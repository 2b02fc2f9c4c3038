// SPDX-License-Identifier: MIT
// A histogram of latencies in fixed memory with a bounded relative error, like HDR histograms:
// sixteen buckets for every power of two. One thread writes it while others read, also in other
// processes.
#pragma once

#include "affix/base/counter.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace affix::inline v0::base {

/// Maps values to buckets and back: 2^`Bits` buckets for every power of two, up to values of
/// `ValueBits` bits. Each value below 2^(`Bits` + 1) has its own bucket; the width of later buckets
/// is at most a 2^`Bits`th of their values.
template <std::uint32_t Bits, std::uint32_t ValueBits>
struct LogarithmicBuckets {
  static constexpr std::uint32_t bits = Bits;  ///< Binary logarithm of per_octave.
  static constexpr std::uint64_t per_octave = std::uint64_t{1}
                                              << bits;  ///< Buckets per power of two.

  /// Larger values count as this one.
  static constexpr std::uint64_t largest = (std::uint64_t{1} << ValueBits) - 1;

  /// Total number of buckets.
  static constexpr std::size_t count = (ValueBits - bits + 1) * per_octave;

  /// The bucket of a value.
  [[nodiscard]] static constexpr std::size_t index_of(std::uint64_t value) noexcept {
    value = value < largest ? value : largest;
    // The highest bit gives the octave, the bits after it the place in the octave.
    const auto shift = static_cast<std::uint32_t>(std::bit_width(value | per_octave)) - 1 - bits;
    return static_cast<std::size_t>((std::uint64_t{shift} << bits) + (value >> shift));
  }

  /// The minimum and maximum value of a bucket.
  [[nodiscard]] static constexpr std::uint64_t least_of(std::size_t index) noexcept {
    if (index < 2 * per_octave) {
      return index;
    }
    const std::size_t shift = index / per_octave - 1;
    return (index % per_octave + per_octave) << shift;
  }

  [[nodiscard]] static constexpr std::uint64_t most_of(std::size_t index) noexcept {
    return index + 1 < count ? least_of(index + 1) - 1 : largest;
  }
};

/// Sixteen buckets for every power of two, up to 68.7 s.
using LatencyBuckets = LogarithmicBuckets<4, 36>;

/// 4,240 bytes. Recording takes three loads and stores, about 2 ns; no allocation, no lock.
class LatencyHistogram {
 public:
  /// Negative `nanoseconds`, possible with two clocks, count as 0. One thread.
  void record(std::int64_t nanoseconds) noexcept {
    const std::uint64_t value = nanoseconds > 0 ? static_cast<std::uint64_t>(nanoseconds) : 0;
    counts_[LatencyBuckets::index_of(value)].add();
    sum_.add(value);
    largest_.raise_to(value);
  }

  /// Number of values in this bucket. Any thread.
  [[nodiscard]] std::uint64_t count_at(std::size_t bucket) const noexcept {
    return counts_[bucket].value();
  }

  /// Nanoseconds, total of all values. Any thread.
  [[nodiscard]] std::uint64_t sum() const noexcept { return sum_.value(); }

  /// Nanoseconds, maximum. Any thread.
  [[nodiscard]] std::uint64_t largest() const noexcept { return largest_.value(); }

 private:
  std::array<Counter, LatencyBuckets::count> counts_;
  Counter sum_;
  Counter largest_;
};

static_assert(sizeof(LatencyHistogram) == 8 * (LatencyBuckets::count + 2));

/// Contents of a histogram at one time, or between two. Owns its numbers; 4 KiB, no allocation. If
/// taken during writes it may miss the latest values, but never tears one.
class LatencySnapshot {
 public:
  /// Empty.
  LatencySnapshot() noexcept = default;

  explicit LatencySnapshot(const LatencyHistogram& histogram) noexcept;

  /// Values since `earlier`, from the same histogram. Its largest() is the maximum of the highest
  /// bucket that grew, limited by the overall maximum.
  [[nodiscard]] LatencySnapshot since(const LatencySnapshot& earlier) const noexcept;

  /// Adds the values of another histogram.
  void add(const LatencySnapshot& other) noexcept;

  /// Number of values.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

  /// Nanoseconds; 0 without values.
  [[nodiscard]] std::uint64_t largest() const noexcept { return largest_; }

  /// Nanoseconds; 0 without values.
  [[nodiscard]] double mean() const noexcept;

  /// The value that `share` (0 to 1) of all values do not exceed: the maximum of its
  /// bucket, limited by largest(). At most a sixteenth too large, never too small. 0
  /// without values.
  [[nodiscard]] std::uint64_t percentile(double share) const noexcept;

  [[nodiscard]] std::uint64_t count_at(std::size_t bucket) const noexcept {
    return counts_[bucket];
  }

  /// Nanoseconds, total of all values.
  [[nodiscard]] std::uint64_t sum() const noexcept { return sum_; }

 private:
  std::array<std::uint64_t, LatencyBuckets::count> counts_{};
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t largest_ = 0;
};

}  // namespace affix::inline v0::base
