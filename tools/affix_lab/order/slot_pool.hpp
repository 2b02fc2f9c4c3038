// SPDX-License-Identifier: MIT
// Objects at stable addresses, allocated in chunks and reused last-in first-out, so that a busy
// program allocates only while it grows. A small number identifies each object.
#pragma once

#include "affix/base/assert.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

namespace affix::inline v0::tools {

/// At most `capacity` objects of T. One thread. Objects are not reset when they are taken or given
/// back: the caller assigns them completely.
template <typename T>
  requires std::is_trivially_copyable_v<T>
class SlotPool {
 public:
  using Slot = std::uint32_t;

  static constexpr Slot no_slot = std::numeric_limits<Slot>::max();
  static constexpr std::size_t chunk_slots = 4096;

  explicit SlotPool(std::size_t capacity) : capacity_(capacity) {
    AFFIX_ASSERT(capacity > 0 && capacity < no_slot);
    chunks_.reserve((capacity + chunk_slots - 1) / chunk_slots);
  }

  /// The number of a free object, or no_slot when `capacity` are in use. Allocates when every slot
  /// made so far is in use.
  [[nodiscard]] Slot take() {
    if (!free_.empty()) {
      const Slot slot = free_.back();
      free_.pop_back();
      return slot;
    }
    if (made_ == capacity_) {
      return no_slot;
    }
    if (made_ % chunk_slots == 0) {
      chunks_.push_back(std::make_unique<T[]>(chunk_slots));
      // Reserves space for every slot made, so that give_back() cannot allocate, and so cannot
      // fail.
      free_.reserve(chunks_.size() * chunk_slots);
    }
    return static_cast<Slot>(made_++);
  }

  void give_back(Slot slot) noexcept {
    AFFIX_DEBUG_ASSERT(slot < made_ && free_.size() < made_);
    free_.push_back(slot);
  }

  [[nodiscard]] T& operator[](Slot slot) noexcept {
    AFFIX_DEBUG_ASSERT(slot < made_);
    return chunks_[slot / chunk_slots][slot % chunk_slots];
  }

  [[nodiscard]] const T& operator[](Slot slot) const noexcept {
    AFFIX_DEBUG_ASSERT(slot < made_);
    return chunks_[slot / chunk_slots][slot % chunk_slots];
  }

  /// Gives an unused pool the state of another one: `made` slots ever taken, and of them `free`
  /// given back, in this order. False, without effect, if that is impossible.
  [[nodiscard]] bool restore(std::size_t made, const std::vector<Slot>& free) {
    if (made_ != 0 || made > capacity_ || free.size() > made ||
        std::any_of(free.begin(), free.end(), [made](Slot slot) { return slot >= made; })) {
      return false;
    }
    while (chunks_.size() * chunk_slots < made) {
      chunks_.push_back(std::make_unique<T[]>(chunk_slots));
    }
    free_.reserve(chunks_.size() * chunk_slots);
    free_ = free;
    made_ = made;
    return true;
  }

  /// Slots given back; the last is taken next.
  [[nodiscard]] const std::vector<Slot>& free_slots() const noexcept { return free_; }

  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

  /// Slots ever taken; every slot number below this may be read.
  [[nodiscard]] std::size_t made() const noexcept { return made_; }

  [[nodiscard]] std::size_t in_use() const noexcept { return made_ - free_.size(); }

 private:
  std::size_t capacity_;
  std::size_t made_ = 0;
  std::vector<std::unique_ptr<T[]>> chunks_;
  std::vector<Slot> free_;
};

}  // namespace affix::inline v0::tools
