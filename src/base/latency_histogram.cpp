// SPDX-License-Identifier: MIT
// Reads a latency histogram: off the fast path.
#include "affix/base/latency_histogram.hpp"

#include <algorithm>
#include <cmath>

namespace affix::inline v0::base {

LatencySnapshot::LatencySnapshot(const LatencyHistogram& histogram) noexcept
    : sum_(histogram.sum()), largest_(histogram.largest()) {
  for (std::size_t bucket = 0; bucket < LatencyBuckets::count; ++bucket) {
    counts_[bucket] = histogram.count_at(bucket);
    count_ += counts_[bucket];
  }
}

LatencySnapshot LatencySnapshot::since(const LatencySnapshot& earlier) const noexcept {
  LatencySnapshot difference;
  for (std::size_t bucket = 0; bucket < LatencyBuckets::count; ++bucket) {
    // A histogram that was reset in between has lower counts: all of them are new.
    const std::uint64_t before = std::min(earlier.counts_[bucket], counts_[bucket]);
    difference.counts_[bucket] = counts_[bucket] - before;
    difference.count_ += difference.counts_[bucket];
    if (difference.counts_[bucket] != 0) {
      difference.largest_ = std::min(LatencyBuckets::most_of(bucket), largest_);
    }
  }
  if (largest_ > LatencyBuckets::largest && difference.counts_[LatencyBuckets::count - 1] != 0) {
    difference.largest_ = largest_;
  }
  difference.sum_ = sum_ - std::min(earlier.sum_, sum_);
  return difference;
}

void LatencySnapshot::add(const LatencySnapshot& other) noexcept {
  for (std::size_t bucket = 0; bucket < LatencyBuckets::count; ++bucket) {
    counts_[bucket] += other.counts_[bucket];
  }
  count_ += other.count_;
  sum_ += other.sum_;
  largest_ = std::max(largest_, other.largest_);
}

double LatencySnapshot::mean() const noexcept {
  return count_ == 0 ? 0.0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

std::uint64_t LatencySnapshot::percentile(double share) const noexcept {
  if (count_ == 0) {
    return 0;
  }
  const double wanted = std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(count_));
  const std::uint64_t rank =
      std::clamp<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1, count_);
  std::uint64_t seen = 0;
  std::size_t bucket = 0;
  while (bucket + 1 < LatencyBuckets::count && (seen += counts_[bucket]) < rank) {
    ++bucket;
  }
  return bucket + 1 < LatencyBuckets::count ? std::min(LatencyBuckets::most_of(bucket), largest_)
                                            : largest_;
}

}  // namespace affix::inline v0::base
