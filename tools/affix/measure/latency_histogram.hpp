// SPDX-License-Identifier: MIT
// Round-trip times in fixed memory: exact below 256 ns, above that with a relative error below 0.8
// %, over any range. Percentiles can be computed at any time; recording takes a few instructions.
#pragma once

#include "affix/base/latency_histogram.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace affix::inline v0::tools {

/// Counts of values in buckets that double in width with every power of two: 128 per power. About
/// 57 KiB, so make it on the heap or static, not on a deep stack. One thread.
class LatencyHistogram {
 public:
  /// Counts one value. Negative ones, possible after a clock's step, count as zero.
  void record(std::int64_t value_ns) noexcept {
    const std::uint64_t value = value_ns < 0 ? 0 : static_cast<std::uint64_t>(value_ns);
    ++counts_[Buckets::index_of(value)];
    ++count_;
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
  }

  /// Adds all values of `other`.
  void merge(const LatencyHistogram& other) noexcept {
    for (std::size_t bucket = 0; bucket < counts_.size(); ++bucket) {
      counts_[bucket] += other.counts_[bucket];
    }
    count_ += other.count_;
    min_ = std::min(min_, other.min_);
    max_ = std::max(max_, other.max_);
  }

  void clear() noexcept { *this = LatencyHistogram(); }

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

  [[nodiscard]] std::int64_t min_ns() const noexcept {
    return count_ == 0 ? 0 : static_cast<std::int64_t>(min_);
  }

  [[nodiscard]] std::int64_t max_ns() const noexcept { return static_cast<std::int64_t>(max_); }

  /// The smallest recorded value, to the precision of its bucket, that at least `fraction` (0 to 1)
  /// of all values do not exceed; never below min_ns() nor above max_ns(). 0 when nothing was
  /// recorded. One pass over the buckets.
  [[nodiscard]] std::int64_t value_at(double fraction) const noexcept {
    if (count_ == 0) {
      return 0;
    }
    const double wanted = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(count_);
    std::uint64_t rank = static_cast<std::uint64_t>(wanted);
    rank += static_cast<double>(rank) < wanted ? 1 : 0;
    rank = std::clamp<std::uint64_t>(rank, 1, count_);
    std::uint64_t seen = 0;
    for (std::size_t bucket = 0; bucket < counts_.size(); ++bucket) {
      seen += counts_[bucket];
      if (seen >= rank) {
        return static_cast<std::int64_t>(std::clamp(Buckets::most_of(bucket), min_, max_));
      }
    }
    return max_ns();
  }

 private:
  using Buckets = base::LogarithmicBuckets<7, 63>;

  std::array<std::uint64_t, Buckets::count> counts_{};
  std::uint64_t count_ = 0;
  std::uint64_t min_ = ~std::uint64_t{0};
  std::uint64_t max_ = 0;
};

}  // namespace affix::inline v0::tools
