// SPDX-License-Identifier: MIT
// A bounded, lock-free queue from one thread to another, for connections, commands and callbacks
// between a worker and other threads. If it is full, the call fails and never waits.
#pragma once

#include "affix/base/assert.hpp"
#include "affix/base/bytes.hpp"

#include <atomic>
#include <bit>
#include <cstddef>
#include <memory>

namespace affix::inline v0::base {

/// Slots are created once and reused, so a value that owns memory keeps it for the next use, and
/// nothing allocates after construction. Both sides work in place: the producer fills the slot of
/// claim() and publishes it; the consumer reads front() and pops it.
///
/// Each side writes its own cache line only, with a copy of the other's position, which it
/// refreshes only when the queue seems full or empty.
template <typename T>
class SpscQueue {
 public:
  /// Allocates `capacity` slots, rounded up to a power of two.
  explicit SpscQueue(std::size_t capacity)
      : mask_(std::bit_ceil(capacity < 2 ? std::size_t{2} : capacity) - 1),
        slots_(std::make_unique<T[]>(mask_ + 1)) {}

  SpscQueue(const SpscQueue&) = delete;
  SpscQueue& operator=(const SpscQueue&) = delete;
  ~SpscQueue() = default;

  [[nodiscard]] std::size_t capacity() const noexcept { return mask_ + 1; }

  // Functions of the producer.

  /// The next slot to fill, as its last use left it; null if the queue is full. Unchanged until
  /// publish().
  [[nodiscard]] T* claim() noexcept {
    const std::size_t tail = producer_.tail.load(std::memory_order_relaxed);  // Only written here.
    if (tail - producer_.head_seen > mask_) [[unlikely]] {
      // Acquire: the consumer has read the slot before it is overwritten.
      producer_.head_seen = consumer_.head.load(std::memory_order_acquire);
      if (tail - producer_.head_seen > mask_) {
        return nullptr;
      }
    }
    return &slots_[tail & mask_];
  }

  /// Publishes the claimed slot.
  void publish() noexcept {
    const std::size_t tail = producer_.tail.load(std::memory_order_relaxed);
    // Release: a thread that reads the position also sees the slot's contents.
    producer_.tail.store(tail + 1, std::memory_order_release);
  }

  // Functions of the consumer.

  /// The oldest value, or null. Unchanged until pop().
  [[nodiscard]] T* front() noexcept {
    const std::size_t head = consumer_.head.load(std::memory_order_relaxed);  // Only written here.
    if (head == consumer_.tail_seen) {
      consumer_.tail_seen = producer_.tail.load(std::memory_order_acquire);
      if (head == consumer_.tail_seen) {
        return nullptr;
      }
    }
    return &slots_[head & mask_];
  }

  /// Releases the slot of front().
  void pop() noexcept {
    const std::size_t head = consumer_.head.load(std::memory_order_relaxed);
    AFFIX_ASSERT(head != consumer_.tail_seen);
    consumer_.head.store(head + 1, std::memory_order_release);
  }

  /// Minimum number of values: those published at the time of the call.
  [[nodiscard]] std::size_t size() const noexcept {
    // Acquire: sees the producer's earlier writes.
    return producer_.tail.load(std::memory_order_acquire) -
           consumer_.head.load(std::memory_order_relaxed);
  }

  // Functions of any thread.

  /// True if it was empty at the time of the call.
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
  // Read by both, written by neither.
  alignas(cache_line) const std::size_t mask_;
  const std::unique_ptr<T[]> slots_;
};

}  // namespace affix::inline v0::base
