// SPDX-License-Identifier: MIT
// The queues of commands that senders have to one worker.
#pragma once

#include "affix/base/assert.hpp"
#include "affix/base/byte_ring.hpp"

#include "engine/cross_thread_queues.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace affix::inline v0::engine {

/// add(): any thread, one at a time. All else: the worker's thread.
class CommandRings {
 public:
  /// Of each sender in one turn; more waits for the next, so that sockets are served.
  static constexpr int commands_per_turn = 256;

  /// The ring outlives the last call.
  void add(base::ByteRing& ring) noexcept {
    const std::uint32_t count = count_.load(std::memory_order_relaxed);
    AFFIX_ASSERT(count < rings_.size());
    rings_[count] = &ring;
    // Release: the worker sees the ring with its number.
    count_.store(count + 1, std::memory_order_release);
  }

  /// Calls `carry_out` with up to commands_per_turn records of each ring. Returns their number.
  template <typename CarryOut>
  std::uint64_t take(CarryOut carry_out) {
    const std::uint32_t count = count_.load(std::memory_order_acquire);
    std::uint64_t all = 0;
    more_ = false;
    for (std::uint32_t at = 0; at < count; ++at) {
      base::ByteRing& ring = *rings_[at];
      int taken = 0;
      for (; taken < commands_per_turn; ++taken) {
        const std::span<char> record = ring.front();
        if (record.data() == nullptr) {
          break;
        }
        carry_out(std::string_view(record.data(), record.size()));
        ring.pop();
      }
      more_ = more_ || taken == commands_per_turn;
      all += static_cast<std::uint64_t>(taken);
    }
    return all;
  }

  /// A ring may have more than the last take() took.
  [[nodiscard]] bool has_more() const noexcept { return more_; }

  /// Calls `carry_out` with every record that was queued at the call, however many.
  template <typename CarryOut>
  void take_all(CarryOut carry_out) {
    const std::uint32_t count = count_.load(std::memory_order_acquire);
    for (std::uint32_t at = 0; at < count; ++at) {
      base::ByteRing& ring = *rings_[at];
      for (const std::size_t end = ring.filled_end(); !ring.has_taken(end);) {
        const std::span<char> record = ring.front();
        carry_out(std::string_view(record.data(), record.size()));
        ring.pop();
      }
    }
  }

 private:
  bool more_ = false;
  std::array<base::ByteRing*, cross_thread_senders_max> rings_{};  // Used up to the count.
  std::atomic<std::uint32_t> count_{0};  // Written when a cross-thread sender is made.
};

}  // namespace affix::inline v0::engine
