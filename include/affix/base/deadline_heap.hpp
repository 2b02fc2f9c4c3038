// SPDX-License-Identifier: MIT
// A priority queue of deadlines for slots numbered from 0, at most one each: a reactor's
// connections, a worker's sessions. Fixed memory: setting and clearing cost O(log n), looking O(1).
#pragma once

#include "affix/base/assert.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace affix::inline v0::base {

/// A binary heap that stores the position of each slot, so that a deadline can be removed when it
/// is obsolete, and none accumulate.
class DeadlineHeap {
 public:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  /// Allocates for slots 0 to `slots` - 1. No other function allocates.
  void open(std::uint32_t slots) {
    position_.assign(slots, absent);
    heap_.reserve(slots);
  }

  /// Sets or changes the deadline of `slot`.
  void set(std::uint32_t slot, std::int64_t deadline_ns) noexcept {
    clear(slot);
    heap_.push_back({deadline_ns, slot});
    position_[slot] = static_cast<std::uint32_t>(heap_.size() - 1);
    sift_up(heap_.size() - 1);
  }

  /// Sets the deadline of `slot` unless it has an earlier one. For deadlines that often move later,
  /// such as those of heartbeats: moving one costs a comparison, and the owner finds nothing due at
  /// the old deadline and sets the new one.
  void set_earlier(std::uint32_t slot, std::int64_t deadline_ns) noexcept {
    if (deadline_ns < deadline_of(slot)) {
      set(slot, deadline_ns);
    }
  }

  /// The deadline of `slot`, or `never`.
  [[nodiscard]] std::int64_t deadline_of(std::uint32_t slot) const noexcept {
    return position_[slot] == absent ? never : heap_[position_[slot]].deadline_ns;
  }

  /// Removes the deadline of `slot`, if any.
  void clear(std::uint32_t slot) noexcept {
    const std::uint32_t at = position_[slot];
    if (at == absent) {
      return;
    }
    position_[slot] = absent;
    const Entry last = heap_.back();
    heap_.pop_back();
    if (last.slot == slot) {
      return;
    }
    place(at, last);
    sift_up(at);
    sift_down(position_[last.slot]);
  }

  /// The nearest deadline, or `never`.
  [[nodiscard]] std::int64_t nearest_ns() const noexcept {
    return heap_.empty() ? never : heap_.front().deadline_ns;
  }

  /// The slot of the nearest deadline. Must not be empty.
  [[nodiscard]] std::uint32_t nearest_slot() const noexcept {
    AFFIX_ASSERT(!heap_.empty());
    return heap_.front().slot;
  }

  [[nodiscard]] std::size_t size() const noexcept { return heap_.size(); }

 private:
  struct Entry {
    std::int64_t deadline_ns;
    std::uint32_t slot;
  };

  static constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();

  void place(std::size_t at, Entry entry) noexcept {
    heap_[at] = entry;
    position_[entry.slot] = static_cast<std::uint32_t>(at);
  }

  void sift_up(std::size_t at) noexcept {
    const Entry entry = heap_[at];
    while (at > 0 && entry.deadline_ns < heap_[(at - 1) / 2].deadline_ns) {
      place(at, heap_[(at - 1) / 2]);
      at = (at - 1) / 2;
    }
    place(at, entry);
  }

  void sift_down(std::size_t at) noexcept {
    const Entry entry = heap_[at];
    for (std::size_t child = 2 * at + 1; child < heap_.size(); child = 2 * at + 1) {
      if (child + 1 < heap_.size() && heap_[child + 1].deadline_ns < heap_[child].deadline_ns) {
        ++child;
      }
      if (heap_[child].deadline_ns >= entry.deadline_ns) {
        break;
      }
      place(at, heap_[child]);
      at = child;
    }
    place(at, entry);
  }

  std::vector<Entry> heap_;
  std::vector<std::uint32_t> position_;  // Index of each slot in heap_, or absent.
};

}  // namespace affix::inline v0::base
