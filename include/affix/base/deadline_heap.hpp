// SPDX-License-Identifier: MIT
// Deadlines of things that are numbered from 0, at most one for each, nearest first: a reactor's
// connections, a worker's sessions. Fixed memory: setting and clearing cost O(log n), looking O(1).
#pragma once

#include "affix/base/assert.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace affix::inline v0::base {

/// A binary heap that knows where each slot stands, so that a deadline can be taken out when its
/// reason has gone, and never piles up.
class DeadlineHeap {
 public:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  /// Makes room for slots 0 to `slots` - 1. Allocates, and nothing else here does.
  void open(std::uint32_t slots) {
    position_.assign(slots, absent);
    heap_.reserve(slots);
  }

  /// Sets the deadline of `slot`, or changes it.
  void set(std::uint32_t slot, std::int64_t deadline_ns) noexcept {
    clear(slot);
    heap_.push_back({deadline_ns, slot});
    position_[slot] = static_cast<std::uint32_t>(heap_.size() - 1);
    sift_up(heap_.size() - 1);
  }

  /// Sets the deadline of `slot` unless it has an earlier one. For deadlines that move later all
  /// the time, as those of heartbeats do: the move costs a comparison, and whoever is served by the
  /// old deadline finds that nothing is due and sets the new one.
  void set_earlier(std::uint32_t slot, std::int64_t deadline_ns) noexcept {
    if (deadline_ns < deadline_of(slot)) {
      set(slot, deadline_ns);
    }
  }

  /// The deadline of `slot`, or `never`.
  [[nodiscard]] std::int64_t deadline_of(std::uint32_t slot) const noexcept {
    return position_[slot] == absent ? never : heap_[position_[slot]].deadline_ns;
  }

  /// Takes the deadline of `slot` out, if it has one.
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

  /// The slot of the nearest deadline. There must be one.
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
  std::vector<std::uint32_t> position_;  // Of each slot in heap_, or absent.
};

}  // namespace affix::inline v0::base
