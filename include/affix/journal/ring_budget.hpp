// SPDX-License-Identifier: MIT
// Memory that journals with Durability::Memory may take together: whoever grows asks first.
#pragma once

#include <atomic>
#include <cstdint>

namespace affix::inline v0::journal {

/// Shared by any number of journals and threads, without a lock; outlives the journals. Not
/// movable.
class RingBudget {
 public:
  static constexpr std::uint64_t unbounded = UINT64_MAX;

  /// `limit` in bytes.
  explicit RingBudget(std::uint64_t limit = unbounded) noexcept : limit_(limit) {}

  RingBudget(const RingBudget&) = delete;
  RingBudget& operator=(const RingBudget&) = delete;

  /// All of `bytes`, or nothing. No system call. Any thread.
  [[nodiscard]] bool take(std::uint64_t bytes) noexcept {
    // Relaxed, here and below: it is a number by itself, and nothing is read by its help.
    std::uint64_t taken = taken_.load(std::memory_order_relaxed);
    do {
      if (bytes > limit_ - taken) {
        return false;
      }
    } while (!taken_.compare_exchange_weak(taken, taken + bytes, std::memory_order_relaxed));
    return true;
  }

  /// `bytes` of what was taken. Any thread.
  void give_back(std::uint64_t bytes) noexcept {
    taken_.fetch_sub(bytes, std::memory_order_relaxed);
  }

  [[nodiscard]] std::uint64_t limit() const noexcept { return limit_; }

  /// Bytes that are taken; never above limit(). Any thread.
  [[nodiscard]] std::uint64_t taken() const noexcept {
    return taken_.load(std::memory_order_relaxed);
  }

 private:
  const std::uint64_t limit_;
  std::atomic<std::uint64_t> taken_{0};
};

}  // namespace affix::inline v0::journal
