// SPDX-License-Identifier: MIT
// How often which latency occurred, in fixed memory and with a bounded relative error, as HDR
// histograms do it: sixteen buckets for every power of two. Written by one thread while others, in
// other processes too, read.
#pragma once

#include "affix/base/counter.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace affix::inline v0::base {

/// Which bucket a value belongs to, and the other way round: 2^`Bits` buckets for every power of
/// two, up to values of `ValueBits` bits. Values below twice as many as these have buckets of their
/// own; beyond, a bucket is at most a 2^`Bits`th of its values wide.
template <std::uint32_t Bits, std::uint32_t ValueBits>
struct LogarithmicBuckets {
  static constexpr std::uint32_t bits = Bits;  ///< Binary logarithm of per_octave.
  static constexpr std::uint64_t per_octave = std::uint64_t{1}
                                              << bits;  ///< Buckets a power of two.

  /// Larger values count as this one.
  static constexpr std::uint64_t largest = (std::uint64_t{1} << ValueBits) - 1;

  /// Of buckets in all.
  static constexpr std::size_t count = (ValueBits - bits + 1) * per_octave;

  /// The bucket of a value.
  [[nodiscard]] static constexpr std::size_t index_of(std::uint64_t value) noexcept {
    value = value < largest ? value : largest;
    // The octave is given by the highest bit, the place in it by the bits behind that.
    const auto shift = static_cast<std::uint32_t>(std::bit_width(value | per_octave)) - 1 - bits;
    return static_cast<std::size_t>((std::uint64_t{shift} << bits) + (value >> shift));
  }

  /// The least and the largest value of a bucket.
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

/// Sixteen buckets for every power of two, to 68.7 s.
using LatencyBuckets = LogarithmicBuckets<4, 36>;

/// 4,240 bytes. Recording is three loads and stores, about 2 ns; no allocation, no lock.
class LatencyHistogram {
 public:
  /// `nanoseconds` below 0, as clocks of two kinds may give, counts as 0. One thread.
  void record(std::int64_t nanoseconds) noexcept {
    const std::uint64_t value = nanoseconds > 0 ? static_cast<std::uint64_t>(nanoseconds) : 0;
    counts_[LatencyBuckets::index_of(value)].add();
    sum_.add(value);
    largest_.raise_to(value);
  }

  /// How many values were in this bucket. Any thread.
  [[nodiscard]] std::uint64_t count_at(std::size_t bucket) const noexcept {
    return counts_[bucket].value();
  }

  /// Nanoseconds, of all values together. Any thread.
  [[nodiscard]] std::uint64_t sum() const noexcept { return sum_.value(); }

  /// Nanoseconds. Any thread.
  [[nodiscard]] std::uint64_t largest() const noexcept { return largest_.value(); }

 private:
  std::array<Counter, LatencyBuckets::count> counts_;
  Counter sum_;
  Counter largest_;
};

static_assert(sizeof(LatencyHistogram) == 8 * (LatencyBuckets::count + 2));

/// What a histogram held at one moment, or between two. Owns its numbers; 4 KiB, no allocation.
/// Taken while the writer goes on it may lack the values of that very moment, never tear one.
class LatencySnapshot {
 public:
  /// Nothing.
  LatencySnapshot() noexcept = default;

  explicit LatencySnapshot(const LatencyHistogram& histogram) noexcept;

  /// What came since `earlier`, of the same histogram. The largest value stays that of all time
  /// when it lies in a bucket that grew, and is that bucket's largest otherwise.
  [[nodiscard]] LatencySnapshot since(const LatencySnapshot& earlier) const noexcept;

  /// Adds another histogram's values.
  void add(const LatencySnapshot& other) noexcept;

  /// How many values there are.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

  /// 0 without values.
  [[nodiscard]] std::uint64_t largest() const noexcept { return largest_; }

  /// Nanoseconds; 0 without values.
  [[nodiscard]] double mean() const noexcept;

  /// The value that `share` (0 to 1) of all values do not exceed, as the largest value of its
  /// bucket and at most largest(): at most a sixteenth too large, never too small. 0 without
  /// values.
  [[nodiscard]] std::uint64_t percentile(double share) const noexcept;

  [[nodiscard]] std::uint64_t count_at(std::size_t bucket) const noexcept {
    return counts_[bucket];
  }

  /// Nanoseconds, of all values together.
  [[nodiscard]] std::uint64_t sum() const noexcept { return sum_; }

 private:
  std::array<std::uint64_t, LatencyBuckets::count> counts_{};
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t largest_ = 0;
};

}  // namespace affix::inline v0::base
