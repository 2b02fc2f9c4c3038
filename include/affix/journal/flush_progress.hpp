// SPDX-License-Identifier: MIT
// How far a journal's records are stored and flushed; shared by its writer and the thread that
// flushes it. A private part of Journal.
#pragma once

#include "affix/journal/record.hpp"

#include <atomic>
#include <cstdint>

namespace affix::inline v0::journal {

/// Positions in the order of the records. The gate admits one flushing thread at a time.
class FlushProgress {
 public:
  [[nodiscard]] std::atomic_flag& flushing() noexcept { return flushing_; }

  /// Everything before `end` is stored and flushed. Before all other calls.
  void begin_at(Position end) noexcept {
    end_.store(packed(end), std::memory_order_relaxed);
    durable_.store(packed(end), std::memory_order_relaxed);
  }

  /// True if records are stored and not flushed. Any thread.
  [[nodiscard]] bool is_behind() const noexcept {
    return end_.load(std::memory_order_relaxed) != durable_.load(std::memory_order_relaxed);
  }

  /// Records before it are flushed. Any thread.
  [[nodiscard]] Position durable() const noexcept {
    // Acquire: the caller may act on everything before the position.
    return unpacked(durable_.load(std::memory_order_acquire));
  }

  // --- The writer. ---

  /// All records before `end` are stored.
  void store_end(Position end) noexcept { end_.store(packed(end), std::memory_order_release); }

  /// Call when the record at `position` was marked. True: the record is flushed already, so that
  /// the caller must write the mark. False: the next flush begins at it or before.
  [[nodiscard]] bool is_past_mark(Position position) noexcept;

  // --- The flushing thread. ---

  /// All records before it are stored.
  [[nodiscard]] Position end() const noexcept {
    // Acquire: pairs with store_end().
    return unpacked(end_.load(std::memory_order_acquire));
  }

  /// Takes the oldest record that was marked since the last call, to be flushed again; `no_mark`:
  /// none was.
  [[nodiscard]] Position take_marked() noexcept {
    // Acquire: pairs with is_past_mark(); marks of segments that were left are in the file.
    return unpacked(marked_from_.exchange(packed(no_mark), std::memory_order_acquire));
  }

  /// Returns the same and leaves it.
  [[nodiscard]] Position marked() const noexcept {
    return unpacked(marked_from_.load(std::memory_order_seq_cst));
  }

  /// All records before `end` are flushed.
  void advance(Position end) noexcept {
    // Release, too: a thread that reads it may report everything before it as durable.
    durable_.store(packed(end), std::memory_order_seq_cst);
  }

  /// After all positions.
  static constexpr Position no_mark{UINT32_MAX, UINT32_MAX};

 private:
  std::atomic<std::uint64_t> end_{0};
  std::atomic<std::uint64_t> durable_{0};
  std::atomic<std::uint64_t> marked_from_{packed(no_mark)};
  std::atomic_flag flushing_;
};

}  // namespace affix::inline v0::journal
