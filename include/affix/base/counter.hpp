// SPDX-License-Identifier: MIT
// A number that one thread changes and any thread reads, in memory that other processes may map as
// well.
#pragma once

#include <atomic>
#include <cstdint>

namespace affix::inline v0::base {

/// One writer, any number of readers. A read is never torn; several counters are read in no
/// particular order. A change costs a load and a store, without a locked instruction, since there
/// is only one writer.
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
