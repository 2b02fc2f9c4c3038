// SPDX-License-Identifier: MIT
// A bounded, lock-free queue of records of any size from one thread to another: messages for a
// worker to send, and callbacks for another thread to run. If it is full, the call fails and never
// waits.
#pragma once

#include "affix/base/assert.hpp"
#include "affix/base/bytes.hpp"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

namespace affix::inline v0::base {

/// One circular block of memory; no record wraps around its end.
///
///     | size | record, padded to 8 bytes | size | record ... | skip to the front |
///
/// The producer claims space for the maximum size of its record, writes in place and publishes the
/// part it used; the consumer reads in place. As in SpscQueue each side writes its own cache line,
/// and reads the other's only when the ring seems full or empty.
class ByteRing {
 public:
  /// Allocates `capacity` bytes, rounded up to a power of two, at least 64. Pages become resident
  /// at the first write.
  explicit ByteRing(std::size_t capacity)
      : mask_(std::bit_ceil(capacity < 64 ? std::size_t{64} : capacity) - 1),
        bytes_(std::make_unique_for_overwrite<char[]>(mask_ + 1)) {}

  ByteRing(const ByteRing&) = delete;
  ByteRing& operator=(const ByteRing&) = delete;
  ~ByteRing() = default;

  [[nodiscard]] std::size_t capacity() const noexcept { return mask_ + 1; }

  /// Records of up to this size always fit into an empty ring, at every position.
  [[nodiscard]] std::size_t record_max() const noexcept { return capacity() / 2 - head_bytes; }

  /// Space used by a record; up to twice that if it does not fit before the end.
  [[nodiscard]] static constexpr std::size_t room_of(std::size_t record) noexcept {
    return head_bytes + (record + 7) / 8 * 8;
  }

  // Functions of the producer.

  /// Memory for a record of up to `size` bytes, aligned to 8; empty if there is no space. No effect
  /// before publish(); another claim() cancels this one.
  [[nodiscard]] std::span<char> claim(std::size_t size) noexcept {
    const std::size_t tail = producer_.tail.load(std::memory_order_relaxed);  // Only written here.
    const std::size_t offset = tail & mask_;
    const std::size_t room = room_of(size);
    const std::size_t skipped = offset + room > capacity() ? capacity() - offset : 0;
    if (size > record_max() || !has_room(tail, skipped + room)) [[unlikely]] {
      return {};
    }
    producer_.skipped = skipped;
    return {bytes_.get() + ((offset + skipped) & mask_) + head_bytes, size};
  }

  /// Publishes the first `size` bytes of the last claim.
  void publish(std::size_t size) noexcept {
    const std::size_t tail = producer_.tail.load(std::memory_order_relaxed);
    const std::size_t offset = tail & mask_;
    if (producer_.skipped != 0) {
      write_head(offset, skip);
    }
    write_head((offset + producer_.skipped) & mask_, size);
    // Release: a thread that reads the position also sees the record.
    producer_.tail.store(tail + producer_.skipped + room_of(size), std::memory_order_release);
    producer_.skipped = 0;
  }

  /// True if at least this many bytes are free, also without progress of the consumer.
  [[nodiscard]] bool has_room(std::size_t bytes) noexcept {
    return has_room(producer_.tail.load(std::memory_order_relaxed), bytes);
  }

  // Functions of the consumer.

  /// The oldest record, or none (null data). Unchanged until pop().
  [[nodiscard]] std::span<char> front() noexcept {
    std::size_t head = consumer_.head.load(std::memory_order_relaxed);  // Only written here.
    if (!is_filled(head)) {
      return {};
    }
    if (read_head(head & mask_) == skip) {
      head += capacity() - (head & mask_);
      consumer_.head.store(head, std::memory_order_release);
    }
    const std::size_t offset = head & mask_;
    return {bytes_.get() + offset + head_bytes, read_head(offset)};
  }

  /// Releases the record of front().
  void pop() noexcept {
    const std::size_t head = consumer_.head.load(std::memory_order_relaxed);
    AFFIX_ASSERT(head != consumer_.tail_seen);
    // Release: the record was read before it is written over.
    consumer_.head.store(head + room_of(read_head(head & mask_)), std::memory_order_release);
  }

  /// End of the records published so far.
  [[nodiscard]] std::size_t filled_end() const noexcept {
    return producer_.tail.load(std::memory_order_acquire);
  }

  /// True if everything up to `end`, a result of filled_end(), was taken.
  [[nodiscard]] bool has_taken(std::size_t end) const noexcept {
    // Positions always increase, and may wrap to 0.
    return static_cast<std::ptrdiff_t>(consumer_.head.load(std::memory_order_relaxed) - end) >= 0;
  }

  // Functions of any thread.

  /// True if it was empty at the time of the call.
  [[nodiscard]] bool empty() const noexcept {
    return producer_.tail.load(std::memory_order_acquire) ==
           consumer_.head.load(std::memory_order_acquire);
  }

 private:
  static constexpr std::size_t head_bytes = 8;
  static constexpr std::uint64_t skip = UINT64_MAX;  ///< In place of a size: continue at the front.

  struct alignas(cache_line) Producer {
    std::atomic<std::size_t> tail{0};
    std::size_t head_seen = 0;
    std::size_t skipped = 0;  ///< Bytes before the record last claimed.
  };

  struct alignas(cache_line) Consumer {
    std::atomic<std::size_t> head{0};
    std::size_t tail_seen = 0;
  };

  static_assert(sizeof(Producer) == cache_line && sizeof(Consumer) == cache_line);

  [[nodiscard]] bool has_room(std::size_t tail, std::size_t bytes) noexcept {
    if (tail + bytes - producer_.head_seen > capacity()) [[unlikely]] {
      // Acquire: the consumer has read the bytes before they are overwritten.
      producer_.head_seen = consumer_.head.load(std::memory_order_acquire);
    }
    return tail + bytes - producer_.head_seen <= capacity();
  }

  [[nodiscard]] bool is_filled(std::size_t head) noexcept {
    if (head == consumer_.tail_seen) {
      consumer_.tail_seen = producer_.tail.load(std::memory_order_acquire);
    }
    return head != consumer_.tail_seen;
  }

  void write_head(std::size_t offset, std::uint64_t size) noexcept {
    std::memcpy(bytes_.get() + offset, &size, sizeof size);
  }

  [[nodiscard]] std::uint64_t read_head(std::size_t offset) const noexcept {
    std::uint64_t size = 0;
    std::memcpy(&size, bytes_.get() + offset, sizeof size);
    return size;
  }

  Producer producer_;
  Consumer consumer_;
  // Read by both, written by neither.
  alignas(cache_line) const std::size_t mask_;
  const std::unique_ptr<char[]> bytes_;
};

}  // namespace affix::inline v0::base
