// SPDX-License-Identifier: MIT
// A number that one thread counts and anyone may read, in memory that other processes may have
// mapped too.
#pragma once

#include <atomic>
#include <cstdint>

namespace affix::inline v0::base {

/// One writer, any number of readers. A reader sees each counter whole, and counters among each
/// other in no particular order. Changing it costs a load and a store: no locked instruction, since
/// nobody else writes.
class Counter {
 public:
  void add(std::uint64_t more = 1) noexcept { set(value() + more); }

  void set(std::uint64_t value) noexcept { value_.store(value, std::memory_order_relaxed); }

  /// For high-water marks.
  void raise_to(std::uint64_t value) noexcept {
    if (value > this->value()) {
      set(value);
    }
  }

  [[nodiscard]] std::uint64_t value() const noexcept {
    return value_.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<std::uint64_t> value_{0};
};

static_assert(sizeof(Counter) == 8 && std::atomic<std::uint64_t>::is_always_lock_free,
              "other processes read it as eight bytes");

}  // namespace affix::inline v0::base
