// SPDX-License-Identifier: MIT
// A bounded queue from one thread to one other, without locks: how connections, commands and
// callbacks pass between a worker and its neighbours. Full is an answer, never a wait.
#pragma once

#include "affix/base/assert.hpp"
#include "affix/base/bytes.hpp"

#include <atomic>
#include <bit>
#include <cstddef>
#include <memory>

namespace affix::inline v0::base {

/// Slots are made once and used again, so a value that owns memory keeps it from one use to the
/// next, and nothing here allocates after construction. Both sides work in place: the producer
/// fills claim()'s slot and publishes it, the consumer looks at front() and pops it.
///
/// What one side writes, the other does not: each has a cache line of its own, with a copy of the
/// other's position, which is fetched anew only when the queue looks full or empty.
template <typename T>
class SpscQueue {
 public:
  /// Room for `capacity` values, rounded up to a power of two. Allocates.
  explicit SpscQueue(std::size_t capacity)
      : mask_(std::bit_ceil(capacity < 2 ? std::size_t{2} : capacity) - 1),
        slots_(std::make_unique<T[]>(mask_ + 1)) {}

  SpscQueue(const SpscQueue&) = delete;
  SpscQueue& operator=(const SpscQueue&) = delete;
  ~SpscQueue() = default;

  [[nodiscard]] std::size_t capacity() const noexcept { return mask_ + 1; }

  // The producer's.

  /// The slot to be filled next, as it was left by its last use; null when the queue is full. The
  /// same one until publish().
  [[nodiscard]] T* claim() noexcept {
    const std::size_t tail = producer_.tail.load(std::memory_order_relaxed);  // Written here alone.
    if (tail - producer_.head_seen > mask_) [[unlikely]] {
      // Acquire: the consumer has finished with the slot before it is written again.
      producer_.head_seen = consumer_.head.load(std::memory_order_acquire);
      if (tail - producer_.head_seen > mask_) {
        return nullptr;
      }
    }
    return &slots_[tail & mask_];
  }

  /// Hands the claimed slot over.
  void publish() noexcept {
    const std::size_t tail = producer_.tail.load(std::memory_order_relaxed);
    // Release: who sees the position sees what was written to the slot.
    producer_.tail.store(tail + 1, std::memory_order_release);
  }

  // The consumer's.

  /// The oldest value, or null. The same one until pop().
  [[nodiscard]] T* front() noexcept {
    const std::size_t head = consumer_.head.load(std::memory_order_relaxed);  // Written here alone.
    if (head == consumer_.tail_seen) {
      consumer_.tail_seen = producer_.tail.load(std::memory_order_acquire);
      if (head == consumer_.tail_seen) {
        return nullptr;
      }
    }
    return &slots_[head & mask_];
  }

  /// Gives the slot of front() back.
  void pop() noexcept {
    const std::size_t head = consumer_.head.load(std::memory_order_relaxed);
    AFFIX_ASSERT(head != consumer_.tail_seen);
    consumer_.head.store(head + 1, std::memory_order_release);
  }

  /// How many there are at least: those that the producer had handed over when it was called.
  [[nodiscard]] std::size_t size() const noexcept {
    // Acquire: what the producer did before is seen.
    return producer_.tail.load(std::memory_order_acquire) -
           consumer_.head.load(std::memory_order_relaxed);
  }

  // Any thread's.

  /// Nothing was in it when it was looked at.
  [[nodiscard]] bool empty() const noexcept {
    return producer_.tail.load(std::memory_order_acquire) ==
           consumer_.head.load(std::memory_order_acquire);
  }

 private:
  struct alignas(cache_line) Producer {
    std::atomic<std::size_t> tail{0};
    std::size_t head_seen = 0;
  };

  struct alignas(cache_line) Consumer {
    std::atomic<std::size_t> head{0};
    std::size_t tail_seen = 0;
  };

  static_assert(sizeof(Producer) == cache_line && sizeof(Consumer) == cache_line);

  Producer producer_;
  Consumer consumer_;
  // Read by both and written by nobody.
  alignas(cache_line) const std::size_t mask_;
  const std::unique_ptr<T[]> slots_;
};

}  // namespace affix::inline v0::base
