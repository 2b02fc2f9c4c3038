// SPDX-License-Identifier: MIT
// A clock for operations of tens of nanoseconds, read twice around each: the processor's own
// counter. The system's clock is too slow at the 99.9th percentile, since readers wait while the
// kernel updates it, some hundred times a second.
#pragma once

#include <chrono>
#include <cstdint>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace affix_bench {

/// Ticks, and their length in nanoseconds. On other processors than x86-64, the system's clock.
class StampCounter {
 public:
  /// Compares the counter with the system's clock for 20 ms.
  StampCounter() noexcept {
    const Clock::time_point begin = Clock::now();
    const std::int64_t first = now();
    Clock::time_point end = begin;
    while (end - begin < std::chrono::milliseconds(20)) {
      end = Clock::now();
    }
    ns_per_tick_ = std::chrono::duration<double, std::nano>(end - begin).count() /
                   static_cast<double>(now() - first);
  }

  /// Earlier instructions have finished, and later ones have not begun. 20 to 30 ns.
  [[nodiscard]] static std::int64_t now() noexcept {
#if defined(__x86_64__)
    unsigned processor = 0;
    const auto ticks = static_cast<std::int64_t>(__rdtscp(&processor));
    _mm_lfence();
    return ticks;
#else
    return Clock::now().time_since_epoch().count();
#endif
  }

  [[nodiscard]] double ns_of(std::int64_t ticks) const noexcept {
    return static_cast<double>(ticks) * ns_per_tick_;
  }

  [[nodiscard]] std::int64_t ticks_of(double ns) const noexcept {
    return static_cast<std::int64_t>(ns / ns_per_tick_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  double ns_per_tick_ = 1;
};

}  // namespace affix_bench
