// SPDX-License-Identifier: MIT
// Limits the total memory of journals with Durability::Memory: each reserves before it grows.
#pragma once

#include <atomic>
#include <cstdint>

namespace affix::inline v0::journal {

/// Shared by any number of journals and threads, lock-free; must outlive the journals. Not
/// movable.
class RingBudget {
 public:
  static constexpr std::uint64_t unbounded = UINT64_MAX;

  /// `limit` in bytes.
  explicit RingBudget(std::uint64_t limit = unbounded) noexcept : limit_(limit) {}

  RingBudget(const RingBudget&) = delete;
  RingBudget& operator=(const RingBudget&) = delete;

  /// Reserves all of `bytes`, or nothing (false). No system call. Any thread.
  [[nodiscard]] bool take(std::uint64_t bytes) noexcept {
    // Relaxed, here and below: an independent counter that publishes no other data.
    std::uint64_t taken = taken_.load(std::memory_order_relaxed);
    do {
      if (bytes > limit_ - taken) {
        return false;
      }
    } while (!taken_.compare_exchange_weak(taken, taken + bytes, std::memory_order_relaxed));
    return true;
  }

  /// Returns `bytes` that were taken before. Any thread.
  void give_back(std::uint64_t bytes) noexcept {
    taken_.fetch_sub(bytes, std::memory_order_relaxed);
  }

  [[nodiscard]] std::uint64_t limit() const noexcept { return limit_; }

  /// Bytes currently taken; never above limit(). Any thread.
  [[nodiscard]] std::uint64_t taken() const noexcept {
    return taken_.load(std::memory_order_relaxed);
  }

 private:
  const std::uint64_t limit_;
  std::atomic<std::uint64_t> taken_{0};
};

}  // namespace affix::inline v0::journal
